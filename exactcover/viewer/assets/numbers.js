// Numbers beside a board, as texts name its rows and columns: "r7c3", "row 7".

import { pairOff } from "./data.js";
import { cornersOf, middle, UNIT } from "./shapes.js";
import { CELL } from "./words.js";

const [BESIDE, NUMBER_GAP] = [0.5, 0.28]; // the room for numbers, and how far they are from the board, in cells

export class Numbers {
  /**
   * @param {import("./picture.js").Painter} painter
   * @param {number[][][]} rows
   * @param {string[]} items
   */
  constructor(painter, rows, items) {
    this.painter = painter;
    /** @type {Map<string, string[]>} */ this.cells = new Map(); // layer, row and column of each place
    if (painter.draws) this.locate(rows, items);
    this.marks = this.cells.size ? this.draw() : "";
  }

  // The place of each cell that a name of an item or of an option gives: one that all its options share.
  locate(rows, items) {
    /** @type {Map<string, string[]>} */ const shared = new Map();
    const keep = (name, keys) => {
      const [cell, ...others] = name.match(CELL) ?? [];
      if (cell === undefined || others.length) return;
      const known = shared.get(cell);
      shared.set(cell, known === undefined ? keys : known.filter((key) => keys.includes(key)));
    };
    rows.forEach((row, option) => {
      const keys = this.painter.covered(option);
      if (keys.length === 1) keep(this.painter.labels[option], keys);
      else for (const [item] of row) if (items[item].replace(CELL, "") === "") keep(items[item], keys);
    });
    for (const [cell, key] of pairOff(shared)) this.cells.set(key, [...cell.matchAll(CELL)][0].slice(1));
  }

  // A number at each row of a layer, and at each column, as far as their places stand in a line.
  draw() {
    const lines = new Map();
    const layers = new Map();
    for (const [key, [layer, ...parts]] of this.cells) {
      const shape = this.painter.places().get(key);
      const center = middle(shape);
      const corners = cornersOf(shape).map((corner) => corner.map((part) => part * UNIT));
      const first = [0, 1].map((axis) => Math.min(...corners.map((corner) => corner[axis])));
      layers.set(layer, (layers.get(layer) ?? [Infinity, Infinity]).map((part, axis) => Math.min(part, first[axis])));
      parts.forEach((number, k) => {
        const at = center[1 - k];
        const line = lines.get(`${layer} ${k} ${number}`) ?? { layer, k, number, at, isStraight: true };
        line.isStraight &&= Math.abs(line.at - at) < 1;
        lines.set(`${layer} ${k} ${number}`, line);
      });
    }
    const all = [...lines.values()];
    const texts = all
      .filter(({ k, isStraight }) => isStraight && all.every((line) => line.k !== k || line.isStraight))
      .map(({ layer, k, number, at }) => {
        const [left, top] = layers.get(layer).map((part) => part - NUMBER_GAP * UNIT);
        return writeNumber(k ? at : left, k ? top : at, number);
      });
    for (const [layer, [left, top]] of layers)
      if (layer !== undefined)
        texts.push(writeNumber(left, top - (NUMBER_GAP + 0.36) * UNIT, `layer ${layer}`, "start"));
    this.top = layers.has(undefined) ? BESIDE : 0.9;
    return `<g class="numbers" aria-hidden="true">${texts.join("")}</g>`;
  }

  // Write the numbers beside the picture of a board.
  /** @param {SVGElement} svg */
  put(svg) {
    if (!this.marks) return;
    const [left, top, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const [side, above] = [BESIDE * UNIT, this.top * UNIT];
    svg.setAttribute("viewBox", `${left - side} ${top - above} ${width + side} ${height + above}`);
    svg.insertAdjacentHTML("afterbegin", this.marks);
  }
}

function writeNumber(x, y, text, anchor = "middle") {
  const at = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" dy="0.35em" text-anchor="${anchor}"`;
  return `<text ${at}>${text}</text>`;
}
