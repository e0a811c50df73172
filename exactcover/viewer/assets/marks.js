// Marks on top of a picture.

import { cornersOf, sidesOf, UNIT } from "./shapes.js";

// The middle of a cell or tile.
export function centerOf(shape) {
  const corners = cornersOf(shape);
  return [0, 1].map((k) => (corners.reduce((sum, corner) => sum + corner[k], 0) / corners.length) * UNIT);
}

// A ring around the middle of some places; `size` is the share of a cell.
export function ringAt(painter, keys, size = 0.34) {
  const centers = keys.map((key) => centerOf(painter.places().get(key)));
  const [x, y] = [0, 1].map((k) => centers.reduce((sum, center) => sum + center[k], 0) / keys.length);
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
  const border = joinSides([...sides].filter(([, count]) => count === 1).map(([side]) => side.split("L")));
  const loops = border.split("M").length - 1;
  return { fill, border, loops, box: [box[0] - 3, box[1] - 3, box[2] - box[0] + 6, box[3] - box[1] + 6] };
}

// Sides as closed lines, as far as they join, so that dashes run evenly around corners.
function joinSides(sides) {
  const ends = new Map();
  for (const side of sides) for (const end of side) ends.set(end, [...(ends.get(end) ?? []), side]);
  const left = new Set(sides);
  let path = "";
  for (const first of sides) {
    if (!left.delete(first)) continue;
    const [start] = first;
    let at = first[1];
    path += `M${start}L${at}`;
    while (at !== start) {
      const next = ends.get(at).find((side) => left.has(side));
      if (next === undefined) break;
      left.delete(next);
      at = next[0] === at ? next[1] : next[0];
      path += at === start ? "z" : `L${at}`;
    }
  }
  return path;
}

// The sides that places of two options share, such as edges that should agree.
export function sharedSides(painter, one, other) {
  const [mine, theirs] = [one, other].map((option) =>
    painter.covered(option).flatMap((key) => sidesOf(painter.places().get(key))),
  );
  return mine.filter((side) => theirs.includes(side)).map((side) => `M${side}`).join("");
}

// The places of an option, filled with its colors; `number` is the tint where the picture would choose one.
export function fillOption(painter, option, number) {
  const fills = new Map();
  for (const [key, look] of painter.looks(option)) {
    const name = look.map((part, k) => part ?? [number, 1][k]).join(" ");
    fills.set(name, (fills.get(name) ?? "") + outlinePlaces(painter, [key]).fill);
  }
  return [...fills].map(([name, path]) => painter.fill(path, ...name.split(" ").map(Number))).join("");
}
