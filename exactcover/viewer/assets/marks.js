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
  const at = `class="mark" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${UNIT * size}" fill="none"`;
  const ring = (color, width) => `<circle ${at} stroke="${color}" stroke-width="${width}"/>`;
  return ring("var(--paper)", 7) + ring("var(--mark)", 3.5);
}

// The color of a tint, which follows the theme.
export function tintColor(painter, tint) {
  return `var(--tint-${tint % painter.pieces.length})`;
}

// Places as paths: their cells to fill, the border around them, and the box that they need.
export function outlinePlaces(painter, keys) {
  const sides = new Map();
  let fill = "";
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const key of keys) {
    const corners = cornersOf(painter.places().get(key)).map((corner) =>
      corner.map((part) => Math.round(part * UNIT * 10) / 10),
    );
    fill += `M${corners.map((corner) => corner.join(" ")).join("L")}z`;
    corners.forEach((corner, k) => {
      const side = [corner.join(" "), corners[(k + 1) % corners.length].join(" ")].sort().join("L");
      sides.set(side, (sides.get(side) ?? 0) + 1);
      for (const part of [0, 1])
        [box[part], box[part + 2]] = [Math.min(box[part], corner[part]), Math.max(box[part + 2], corner[part])];
    });
  }
  const border = [...sides]
    .filter(([, count]) => count === 1)
    .map(([side]) => `M${side}`)
    .join("");
  return { fill, border, box: [box[0] - 3, box[1] - 3, box[2] - box[0] + 6, box[3] - box[1] + 6] };
}

// A button with an icon before its text.
export function withIcon(name, button) {
  button.prepend(icon(name));
  return button;
}
