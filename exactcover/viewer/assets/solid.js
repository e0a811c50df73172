// Solids: turned, taken apart, and built up piece by piece, with a plan of their layers.

import { addTo, countOf, leastBy, make, makeButton } from "./data.js";
import { icon, makeIconButton, makeNamedButton } from "./icons.js";
import { meanOf } from "./shapes.js";
import { boundBlocks, SolidCanvas } from "./solid_canvas.js";
import { themeOfCanvas } from "./theme.js";

export class SolidView {
  /** @param {any} data @param {import("./picture.js").Painter} painter @param {any} solutions the view of them */
  constructor(data, painter, solutions) {
    this.data = data;
    this.painter = painter;
    this.solutions = solutions;
    this.apart = 0;
    this.drawn = ""; // the pieces in the plan of the layers
    this.shown = Infinity; // pieces
    this.top = Infinity; // the height of the highest layer
    this.ordered = { solution: null, order: [] };
    this.build();
  }

  build() {
    this.canvas = new SolidCanvas(this.data.solid.kind, "the solid", () => this.arrange());
    const found = new Set(this.data.solid.blocks.flat().map((block) => block[2]));
    const heights = [...found].sort((one, other) => one - other);
    this.pieces = make("p", { role: "status", class: "soft" });
    const step = (change) => () => {
      const all = this.current().length;
      this.shown = Math.min(all, Math.max(0, Math.min(this.shown, all) + change));
      this.draw();
    };
    const named = (name) => ({ "aria-label": name, title: name });
    const isSingle = this.solutions.isSingle;
    const ways = make("span", { class: "joined", hidden: isSingle },
      makeNamedButton("chevron-left", "Previous", "Previous solution", () => this.go(-1)),
      makeNamedButton("chevron-right", "Next", "Next solution", () => this.go(1)),
    );
    const build = make("span", { class: "joined" },
      makeIconButton("minus", "", step(-1), named("One piece fewer")),
      makeIconButton("plus", "", step(1), named("One piece more")),
      makeButton("All pieces", step(Infinity)),
    );
    const bar = make("div", { class: "bar" }, ways, build,
      this.makeSlider("expand", "Pull apart", 1, 0, (value) => (this.apart = value)),
      this.makeSlider("layers", "Layers", heights.length, heights.length, (value) => {
        this.top = heights[Math.round(value) - 1] ?? -Infinity;
      }),
    );
    this.layers = make("div", { class: "picture layers" });
    this.element = make("div", { class: "solid" }, bar, this.pieces, this.canvas.element, this.layers,
      make("p", { class: "soft" }, "The layers, from the bottom up."));
  }

  makeSlider(name, what, max, value, action) {
    const input = make("input", {
      type: "range", min: "0", max: String(max), value: String(value), step: max > 1 ? "1" : "any", "aria-label": what,
      oninput: () => (action(Number(input.value)), this.draw()),
    });
    return make("label", {}, icon(name), what, input);
  }

  go(change) {
    this.solutions.show(this.solutions.current + change);
    this.draw();
  }

  // The options of the solution, in an order in which they can be put in from above, if there is one.
  current() {
    const solution = this.solutions.found[this.solutions.current] ?? [];
    if (this.ordered.solution === solution) return this.ordered.order;
    const left = new Set(solution);
    const order = [];
    while (left.size) {
      const free = [...left].filter((option) => this.isFree(option, left));
      const next = free.length ? free : [...left]; // pieces that interlock come together
      const top = leastBy(next, (option) => -this.height(option));
      order.unshift(top);
      left.delete(top);
    }
    this.ordered = { solution, order };
    return order;
  }

  // Whether nothing lies above any block of an option.
  isFree(option, left) {
    const { blocks } = this.data.solid;
    const own = blocks[option];
    const isAbove = (block, mine) => Math.hypot(block[0] - mine[0], block[1] - mine[1]) < 0.99 && block[2] > mine[2];
    const others = [...left].filter((other) => other !== option);
    return others.every((other) => !blocks[other].some((block) => own.some((mine) => isAbove(block, mine))));
  }

  height(option) {
    return meanOf(this.data.solid.blocks[option], [2])[0];
  }

  draw() {
    const options = this.current();
    const shown = options.slice(0, this.shown);
    const part = shown.length ? `, ending with ${this.nameOf(shown.at(-1))}` : "";
    const all = countOf(options.length, "piece");
    const pieces = shown.length === options.length ? all : `${shown.length} of ${all}${part}`;
    this.pieces.textContent = this.solutions.isSingle ? pieces : `${this.solutions.describePlace()}. ${pieces}`;
    this.showLayers(options, shown);
    this.canvas.draw();
  }

  // The piece of an option, if pieces have names.
  nameOf(option) {
    const tray = this.data.play?.tray;
    return tray ? tray.names[tray.piece[option]] : this.painter.labels[option];
  }

  // The layers as a plan below the solid; what is not shown above is faded.
  showLayers(options, shown) {
    if (!this.painter.draws || !options.length) return;
    const state = [options, shown].join("|");
    if (state === this.drawn) return;
    this.drawn = state;
    const title = "the layers, from the bottom up";
    this.layers.innerHTML = this.painter.draw(options, { title, focus: new Set(shown) });
  }

  // The blocks to draw with their colors, moved away from the middle.
  arrange() {
    const options = this.current();
    const shown = new Set(options.slice(0, this.shown));
    const { blocks } = this.data.solid;
    const { middle, radius } = boundBlocks(options.flatMap((option) => blocks[option]));
    const colors = this.chooseColors(options);
    const placed = options.flatMap((option) => {
      if (!shown.has(option)) return [];
      const own = boundBlocks(blocks[option]).middle;
      const shift = own.map((part, k) => (part - middle[k]) * this.apart * 1.2);
      const color = colors.get(option);
      return blocks[option]
        .filter((block) => block[2] <= this.top)
        .map((place) => ({ option, color, place, at: place.map((part, k) => part - middle[k] + shift[k]) }));
    });
    return { blocks: placed, radius: 0.6 + radius * (1 + this.apart) };
  }

  // The colors of the pieces; copies of one piece have different strengths of its color.
  chooseColors(options) {
    const theme = themeOfCanvas();
    const copies = new Map();
    const { strengths } = this.painter.palette;
    return new Map(
      options.map((option, number) => {
        const tint = this.painter.tintOfOption(option) ?? number;
        addTo(copies, tint);
        const share = strengths[(copies.get(tint) - 1) % strengths.length];
        return [option, this.painter.shade({ tint, share }, theme)];
      }),
    );
  }
}
