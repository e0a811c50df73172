// Marks on top of a picture, and icons in buttons.

import { icon } from "./icons.js";
import { cornersOf, UNIT } from "./picture.js";

// The middle of a cell or tile.
export function centerOf(shape) {
  const corners = cornersOf(shape);
  return [0, 1].map((k) => (corners.reduce((sum, corner) => sum + corner[k], 0) / corners.length) * UNIT);
}

// A ring around the middle of a place; `size` is the share of a cell.
export function ringAt(painter, key, size = 0.34) {
  const [x, y] = centerOf(painter.places().get(key));
  return `<circle class="mark" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${UNIT * size}" fill="none" stroke="#ffffff" stroke-width="7"/><circle class="mark" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${UNIT * size}" fill="none" stroke="#c2410c" stroke-width="3.5"/>`;
}

// A button with an icon before its text.
export function withIcon(name, button) {
  button.prepend(icon(name));
  return button;
}
