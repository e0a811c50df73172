// Marks on top of a picture.

import { addTo, escapeText, pushTo } from "./data.js";
import { cornersOf, countSides, meanOf, middle, outlineOf, round, sidesOf, UNIT } from "./shapes.js";

// A ring around the middle of some places; `size` is the share of a cell.
export function ringAt(painter, keys, size = 0.34) {
  const centers = keys.map((key) => middle(painter.places().get(key)));
  const [x, y] = meanOf(centers);
  const at = `class="mark" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${UNIT * size}" fill="none"`;
  const ring = (color, width) => `<circle ${at} stroke="${color}" stroke-width="${width}"/>`;
  return ring("var(--paper)", 7) + ring("var(--mark)", 3.5);
}

// Where a step of a hint looks: a ring in the middle of what is one place, or an outline of several. The last step
// outlines what its option covers.
export function markHint(painter, { stage, looks, option }) {
  const { keys, isOne } = looks[stage - 1] ?? { keys: painter.covered(option), isOne: false };
  if (isOne) return ringAt(painter, keys);
  return `<path class="hint-shape" d="${outlinePlaces(painter, keys).border}"/>`;
}

// The color of a tint, which follows the theme.
export function tintColor(painter, tint) {
  return `var(--tint-${tint % painter.palette.pieces.length})`;
}

// Places as paths: their cells to fill, the border around them, and the box that they need.
export function outlinePlaces(painter, keys) {
  const places = keys.map((key) => painter.places().get(key));
  const fill = places.map(outlineOf).join("");
  const corners = places.flatMap(cornersOf).map((corner) => corner.map((part) => round(part * UNIT)));
  const bound = (choose, most) => [0, 1].map((k) => corners.reduce((part, corner) => choose(part, corner[k]), most));
  const [[left, top], [right, bottom]] = [bound(Math.min, Infinity), bound(Math.max, -Infinity)];
  const border = joinSides([...countSides(places)].filter(([, count]) => count === 1).map(([side]) => side.split("L")));
  const loops = border.split("M").length - 1;
  return { fill, border, loops, box: [left - 3, top - 3, right - left + 6, bottom - top + 6] };
}

// The name of a place in words.
export function describePlace(key) {
  return nameCell(...key.split(" ").map((part) => Number(part) + 1));
}

export function nameCell(row, column) {
  return `row ${row}, column ${column}`;
}

// A cross as a path; `arm` is the share of a cell.
export function crossAt(middle, arm) {
  const [left, top] = middle.map((part) => round(part - arm * UNIT));
  const size = round(2 * arm * UNIT);
  return `M${left} ${top}l${size} ${size}m0 ${-size}l${-size} ${size}`;
}

// A place as a button, which Tab reaches if it is the current one.
export function makePlace(painter, key, current, label, more = "") {
  return (
    `<path data-key="${key}" role="button" tabindex="${key === current ? 0 : -1}" ` +
    `aria-label="${escapeText(label)}" ${more}d="${outlinePlaces(painter, [key]).fill}"/>`
  );
}

// Places over a picture, on which a pointer or a key acts.
export function layOver(svg, label, places) {
  const box = svg.getAttribute("viewBox");
  return `<svg class="hits" role="group" aria-label="${label}" viewBox="${box}">${places.join("")}</svg>`;
}

// The next of some places in a direction, or the same one.
export function findNext(painter, places, key, [down, right]) {
  const [row, column] = key.split(" ").map(Number);
  for (let far = 1; far <= painter.rows + painter.columns; ++far) {
    const next = `${row + down * far} ${column + right * far}`;
    if (places.has(next)) return next;
  }
  return key;
}

// Sides as closed lines, as far as they join, so that dashes run evenly around corners.
function joinSides(sides) {
  const ends = new Map();
  for (const side of sides) for (const end of side) pushTo(ends, end, side);
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
    addTo(fills, name, outlinePlaces(painter, [key]).fill);
  }
  return [...fills].map(([name, path]) => painter.fill(path, ...name.split(" ").map(Number))).join("");
}
