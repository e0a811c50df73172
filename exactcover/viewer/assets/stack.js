// A solid that is played, seen in space beside its layers; the layer that is worked on stands out.

import { make } from "./data.js";
import { mix } from "./picture.js";
import { boundBlocks, SolidCanvas, themeOfCanvas } from "./solid_canvas.js";

const FAINT = 0.3; // how opaque the other layers are
const AIR = 0.55; // how opaque a piece is that does not lie there yet

export class Stack {
  /**
   * @param {{kind: string, blocks: number[][][]}} solid
   * @param {import("./picture.js").Painter} painter
   */
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
  /** @param {string | undefined} key */
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
    const paper = this.painter.hue(-1, theme);
    const at = (place) => place.map((part, k) => part - middle[k]);
    const put = (option, alpha) => {
      const color = mix(paper, this.painter.hue(this.painter.tintOfOption(option) ?? option, theme), 1);
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
        ? "Turn it with the mouse, by touch or with the arrow keys."
        : `Layer ${heights.indexOf(this.height) + 1} of ${heights.length}, from the bottom up.`;
    return { blocks, plates, radius: 0.6 + radius };
  }
}

// The block at each place of the plan: the only one that all options have which cover it.
function locateBlocks(solid, painter) {
  /** @type {Map<string, number[][]>} */ const found = new Map();
  solid.blocks.forEach((blocks, option) => {
    for (const key of painter.covered(option)) {
      const known = found.get(key);
      const isThere = (block) => blocks.some((one) => one.join() === block.join());
      found.set(key, known === undefined ? blocks : known.filter(isThere));
    }
  });
  return new Map([...found].filter(([, blocks]) => blocks.length === 1).map(([key, [block]]) => [key, block]));
}
