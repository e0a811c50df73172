// What scripts know of shapes: where they are, their outlines, and their texts; picture.js describes their form.

import { addTo, escapeText, sum } from "./data.js";

export const READABLE = 11; // the height of texts, in pixels
export const UNIT = 40; // of a cell
const STEP = 4; // pixels, at most, between two looks where a pointer is
const KEPT_SIDES = new WeakMap();

export function outlineOf(shape) {
  if (shape[0] === "c") return `M${shape[2] * UNIT} ${shape[1] * UNIT}h${UNIT}v${UNIT}h-${UNIT}z`;
  return `M${shape[1].map(([x, y]) => `${round(x * UNIT)} ${round(y * UNIT)}`).join(" ")}z`;
}

// The corners of a cell or tile, in cells.
export function cornersOf(shape) {
  return shape[0] === "t" ? shape[1] : [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => [shape[2] + x, shape[1] + y]);
}

// The sides of a cell or tile, each as a line with its ends in order; they are kept, because many pictures need them.
export function sidesOf(shape) {
  const kept = KEPT_SIDES.get(shape);
  if (kept !== undefined) return kept;
  const texts = cornersOf(shape).map(([x, y]) => `${round(x * UNIT)} ${round(y * UNIT)}`);
  const sides = texts.map((text, k) => [text, texts[(k + 1) % texts.length]].sort().join("L"));
  KEPT_SIDES.set(shape, sides);
  return sides;
}

// How many of some cells or tiles have each side.
export function countSides(shapes) {
  /** @type {Map<string, number>} */ const counts = new Map();
  for (const side of shapes.flatMap(sidesOf)) addTo(counts, side);
  return counts;
}

export function isPlace(shape) {
  return shape[0] === "c" || shape[0] === "t";
}

export function isColored(shape) {
  return isPlace(shape) && (tintOf(shape) === null || tintOf(shape) >= 0);
}

export function placeOf(shape) {
  return shape[0] === "t" ? [shape[4], shape[5]] : [shape[1], shape[2]];
}

export function keyOf(shape) {
  return shape[0] === "t" && shape[4] === null ? JSON.stringify(shape[1]) : placeOf(shape).join(" ");
}

export function tintOf(shape) {
  return shape[0] === "c" ? shape[3] : shape[2];
}

export function strengthOf(shape) {
  return shape[0] === "c" ? shape[4] : shape[3];
}

export function middle(shape) {
  if (shape[0] !== "t") return [(shape[2] + 0.5) * UNIT, (shape[1] + 0.5) * UNIT];
  return meanOf(shape[1]).map((part) => part * UNIT);
}

// The mean of points in some axes.
/** @returns {any} */
export function meanOf(points, axes = [0, 1]) {
  return axes.map((axis) => sum(points.map((point) => point[axis])) / Math.max(1, points.length));
}

// The size of the text of a tile.
export function sizeIn(shape) {
  const across = shape[1].map(([x]) => x);
  const width = Math.max(...across) - Math.min(...across);
  return Math.min(UNIT * 0.4, (UNIT * 1.35 * width) / shape[6].length);
}

export function text([x, y], content, ink, size, strong = false) {
  const family = /^[Il]$/.test(content) ? ' font-family="monospace"' : ""; // in which they are no bare bars
  const weight = strong ? ' font-weight="700"' : "";
  const place = `x="${round(x)}" y="${round(y)}" dy="0.35em" text-anchor="middle" font-size="${round(size)}"`;
  return `<text ${place}${weight}${family} ${ink}>${escapeText(content)}</text>`;
}

export function round(number) {
  return Math.round(number * 10) / 10;
}

// How far it is to a point in a direction, where what is aside counts thrice; Infinity if it does not lie ahead.
export function reach([x, y], [down, right]) {
  const [ahead, aside] = [x * right + y * down, Math.abs(x * down) + Math.abs(y * right)];
  return ahead > 0.1 ? ahead + 3 * aside : Infinity;
}

// Visit the places on the way of the first pointer that presses an element, also those that a quick one skips.
export function followPointer(element, visit, end = (_isCancelled) => {}) {
  /** @type {number | null} */ let own = null;
  let [x, y] = [0, 0];
  const follow = ({ type, button, buttons, pointerId, clientX, clientY }) => {
    const begins = type === "pointerdown" && !button && [null, pointerId].includes(own);
    if (begins) [own, x, y] = [pointerId, clientX, clientY];
    if (pointerId !== own) return;
    if (!buttons || !/down|move/.test(type)) {
      own = null;
      return end(type === "pointercancel");
    }
    const [right, down] = [clientX - x, clientY - y];
    const count = Math.max(1, Math.ceil(Math.hypot(right, down) / STEP));
    for (let k = 1; k <= count; k++) visit([x + (right * k) / count, y + (down * k) / count], begins, pointerId);
    [x, y] = [clientX, clientY];
  };
  for (const name of ["down", "move", "up", "cancel"]) element.addEventListener(`pointer${name}`, follow);
}
