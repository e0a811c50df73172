// A solid that is played, seen in space beside its layers; the layer that is worked on stands out.

import { leastBy, make, pairOff } from "./data.js";
import { cornersOf, isPlace } from "./shapes.js";
import { boundBlocks, SolidCanvas } from "./solid_canvas.js";
import { themeOfCanvas } from "./theme.js";

const FAINT = 0.3; // how opaque the other layers are
const LAYER_GAP = 2; // rows between layers, for their names and numbers
const AIR = 0.55; // how opaque a piece is that does not lie there yet

export class Stack {
  /** @param {{kind: string, blocks: number[][][]}} solid @param {import("./picture.js").Painter} painter */
  constructor(solid, painter) {
    this.solid = solid;
    this.painter = painter;
    this.blockAt = locateBlocks(solid, painter);
    this.bounds = boundBlocks([...this.blockAt.values()]);
    /** @type {number | null} */ this.height = null; // of the layer that is worked on
    /** @type {{options: number[], air: number | null}} */ this.state = { options: [], air: null };
    this.canvas = new SolidCanvas(solid.kind, "what lies there, in space", () => this.describe());
    this.note = make("p", { class: "soft" });
    this.element = make("div", { class: "stack" }, this.canvas.element, this.note);
  }

  // Show what lies there, and what is held or hinted at.
  show(options, air) {
    this.state = { options, air };
    this.canvas.plan();
  }

  // Work on the layer of a place.
  focus(key) {
    const height = key === undefined ? null : (this.blockAt.get(key)?.[2] ?? null);
    if (height === this.height) return;
    this.height = height;
    this.canvas.plan();
  }

  // The places of the layer that is worked on.
  get keys() {
    return [...this.blockAt].filter(([, block]) => block[2] === this.height).map(([key]) => key);
  }

  describe() {
    const { middle, radius } = this.bounds;
    const { options, air } = this.state;
    const theme = themeOfCanvas();
    const at = (place) => place.map((part, k) => part - middle[k]);
    const put = (option, alpha) => {
      const color = this.painter.shade({ tint: this.painter.tintOfOption(option) ?? option, share: 1 }, theme);
      return this.solid.blocks[option].map((place) => ({
        option, color, place, at: at(place),
        alpha: alpha ?? (this.height === null || place[2] === this.height ? 1 : FAINT),
      }));
    };
    const blocks = options.flatMap((option) => put(option, null));
    if (air !== null) blocks.push(...put(air, AIR));
    const taken = new Set(blocks.map((block) => block.place.join()));
    const all = [...this.blockAt.values()];
    const color = this.painter.hue(this.height === null ? -2 : 6, theme);
    const plates = all
      .filter((block) => block[2] === (this.height ?? block[2]) && !taken.has(block.join()))
      .map((block) => ({ at: at(block), color }));
    const heights = [...new Set(all.map((block) => block[2]))].sort((one, other) => one - other);
    this.note.textContent =
      this.height === null
        ? "Drag to rotate, or use the arrow keys."
        : `Layer ${heights.indexOf(this.height) + 1} of ${heights.length}, from the bottom up.`;
    return { blocks, plates, radius: 0.6 + radius };
  }
}

// The block at each place of the plan: one that all options have which cover it.
function locateBlocks(solid, painter) {
  /** @type {Map<string, string[]>} */ const found = new Map();
  solid.blocks.forEach((blocks, option) => {
    const names = blocks.map((block) => block.join());
    for (const key of painter.covered(option))
      found.set(key, (found.get(key) ?? names).filter((name) => names.includes(name)));
  });
  return new Map(pairOff(found).map(([key, block]) => [key, block.split(",").map(Number)]));
}

// The drawing of a solid with its layers in rows, so that its cells are as large as a width and a height allow.
/** @param {{board: any[][], options: any[][][], rows: number, columns: number}} drawing */
export function wrapLayers(drawing, width, height) {
  const spans = drawing.board.filter(isPlace).map((shape) => cornersOf(shape).map(([x]) => x));
  /** @type {{left: number, right: number, down: number, back: number}[]} */ const layers = [];
  for (const span of spans.sort((one, other) => Math.min(...one) - Math.min(...other))) {
    const [left, right] = [Math.floor(Math.min(...span) + 0.01), Math.ceil(Math.max(...span) - 0.01)];
    const last = layers.at(-1);
    if (last && left <= last.right) last.right = Math.max(last.right, right);
    else layers.push({ left, right, down: 0, back: 0 });
  }
  const split = (_, most) => {
    const rows = layers.flatMap((_, k) => (k % (most + 1) ? [] : [layers.slice(k, k + most + 1)]));
    const columns = Math.max(...rows.map((row) => row.at(-1).right - row[0].left));
    const high = rows.length * (drawing.rows + LAYER_GAP) - LAYER_GAP;
    return { rows, columns, high, cell: Math.min(width / columns, height / high) };
  };
  const { rows, columns, high } = leastBy(layers.map(split), ({ cell }) => -cell);
  rows.forEach((row, k) => {
    for (const layer of row) [layer.down, layer.back] = [k * (drawing.rows + LAYER_GAP), row[0].left];
  });
  const move = (shape) => {
    const [x] = shape[0] === "t" ? [Math.min(...shape[1].map((corner) => corner[0])) + 0.01] : [shape[2]];
    const layer = layers.findLast(({ left }) => left <= x) ?? layers[0];
    const shift = ([row, column]) => [row + layer.down, column - layer.back];
    if (shape[0] !== "t") return [shape[0], ...shift([shape[1], shape[2]]), ...shape.slice(3)];
    const outline = shape[1].map(([across, along]) => [across - layer.back, along + layer.down]);
    return ["t", outline, ...shape.slice(2, 4), ...shift([shape[4], shape[5]]), ...shape.slice(6)];
  };
  return {
    ...drawing,
    board: drawing.board.map(move),
    options: drawing.options.map((shapes) => shapes.map(move)),
    rows: high,
    columns,
  };
}
