// Solids: cubes or spheres on a canvas, turned by mouse, touch and keys, taken apart, and built up piece by piece.

import { countOf, make, makeButton } from "./data.js";
import { icon, makeIconButton } from "./icons.js";
import { mix } from "./picture.js";

const DARK = matchMedia("screen and (prefers-color-scheme: dark)");

const FACES = [
  { normal: [0, 0, 1], corners: [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]] },
  { normal: [0, 0, -1], corners: [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]] },
  { normal: [1, 0, 0], corners: [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]] },
  { normal: [-1, 0, 0], corners: [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]] },
  { normal: [0, 1, 0], corners: [[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0]] },
  { normal: [0, -1, 0], corners: [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]] },
];

export class SolidView {
  /**
   * @param {{solid: {kind: string, blocks: number[][][]}}} data
   * @param {import("./picture.js").Painter} painter
   * @param {import("./solutions.js").SolutionsView} solutions
   */
  constructor(data, painter, solutions) {
    this.data = data;
    this.painter = painter;
    this.solutions = solutions;
    this.turn = 0.7;
    this.tilt = 0.55;
    this.zoom = 1;
    this.apart = 0;
    this.radius = this.ratio = 1;
    this.ink = "";
    this.drawn = ""; // the pieces in the plan of the layers
    this.shown = Infinity; // pieces
    this.top = Infinity; // the height of the highest layer
    this.ordered = { solution: null, order: [] };
    this.build();
  }

  build() {
    this.canvas = make("canvas", {
      tabindex: "0", role: "img", "aria-label": "the solid; arrow keys turn it, plus and minus zoom",
    });
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
    const ways = make(
      "span", { class: "joined", hidden: isSingle },
      makeIconButton("chevron-left", "", () => this.go(-1), named("previous solution")),
      makeIconButton("chevron-right", "", () => this.go(1), named("next solution")),
    );
    const build = make(
      "span", { class: "joined" },
      makeIconButton("minus", "", step(-1), named("one piece fewer")),
      makeIconButton("plus", "", step(1), named("one piece more")),
      makeButton("all pieces", step(Infinity)),
    );
    const bar = make(
      "div", { class: "bar" }, ways, build,
      this.makeSlider("expand", "pull apart", 1, 0, (value) => (this.apart = value)),
      this.makeSlider("layers", "layers", heights.length, heights.length, (value) => {
        this.top = heights[Math.round(value) - 1] ?? -Infinity;
      }),
    );
    this.layers = make("div", { class: "picture layers" });
    this.element = make("div", { class: "solid" }, bar, this.pieces, this.canvas, this.layers);
    this.listen();
  }

  makeSlider(name, what, max, value, action) {
    const input = make("input", {
      type: "range", min: "0", max: String(max), value: String(value), step: max > 1 ? "1" : "any", "aria-label": what,
      oninput: () => (action(Number(input.value)), this.draw()),
    });
    return make("label", {}, icon(name), what, input);
  }

  listen() {
    DARK.addEventListener("change", () => this.draw());
    let last = null;
    this.canvas.addEventListener("pointerdown", (event) => {
      last = [event.clientX, event.clientY];
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (last === null) return;
      this.rotate((event.clientX - last[0]) / 120, (event.clientY - last[1]) / 120);
      last = [event.clientX, event.clientY];
    });
    for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, () => (last = null));
    const zoom = (event) => (event.preventDefault(), this.scale(Math.exp(-event.deltaY / 600)));
    this.canvas.addEventListener("wheel", zoom, { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.turnByKey(event));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  go(change) {
    this.solutions.show(this.solutions.current + change);
    this.draw();
  }

  rotate(turn, tilt) {
    this.turn += turn;
    this.tilt = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.tilt + tilt));
    this.draw();
  }

  scale(factor) {
    this.zoom = Math.min(5, Math.max(0.2, this.zoom * factor));
    this.draw();
  }

  turnByKey(event) {
    const step = 0.15;
    const keys = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const turns = keys[event.key];
    const factor = { "+": 1.15, "=": 1.15, "-": 1 / 1.15 }[event.key];
    if (turns === undefined && factor === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (turns) this.rotate(...turns);
    else this.scale(factor);
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
      const top = next.reduce((best, option) => (this.height(option) > this.height(best) ? option : best));
      order.unshift(top);
      left.delete(top);
    }
    this.ordered = { solution, order };
    return order;
  }

  // Whether nothing lies above any block of an option.
  isFree(option, left) {
    const own = this.data.solid.blocks[option];
    const { blocks } = this.data.solid;
    const isAbove = (block, mine) => Math.hypot(block[0] - mine[0], block[1] - mine[1]) < 0.99 && block[2] > mine[2];
    const others = [...left].filter((other) => other !== option);
    return others.every((other) => !blocks[other].some((block) => own.some((mine) => isAbove(block, mine))));
  }

  height(option) {
    const blocks = this.data.solid.blocks[option];
    return blocks.reduce((sum, block) => sum + block[2], 0) / blocks.length;
  }

  draw() {
    const options = this.current();
    const shown = options.slice(0, this.shown);
    const last = shown.length ? `; the last one is ${this.painter.labels[shown.at(-1)]}` : "";
    this.pieces.textContent = `${shown.length} of ${countOf(options.length, "piece")}${last}`;
    this.showLayers(options, shown);
    const context = this.prepare();
    const blocks = this.arrange(options, new Set(shown));
    const view = this.makeView();
    if (this.data.solid.kind === "sphere") this.drawSpheres(context, blocks, view);
    else this.drawCubes(context, blocks, view);
  }

  // The layers as a plan below the solid; what is not shown above is faded.
  showLayers(options, shown) {
    if (!this.painter.draws || !options.length) return;
    const state = shown.join();
    if (state === this.drawn) return;
    this.drawn = state;
    const title = "the layers, from the bottom up";
    this.layers.innerHTML = this.painter.draw(options, { title, focus: new Set(shown) });
  }

  prepare() {
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.max(1, this.canvas.clientWidth * ratio);
    this.canvas.height = Math.max(1, this.canvas.clientHeight * ratio);
    const context = this.canvas.getContext("2d");
    const style = getComputedStyle(this.canvas);
    this.ink = style.getPropertyValue("--outline").trim() || "#1d1d22";
    this.ratio = ratio;
    return context;
  }

  // The blocks to draw with their colors, moved away from the middle.
  arrange(options, shown) {
    const all = options.flatMap((option) => this.data.solid.blocks[option]);
    const middle = [0, 1, 2].map((k) => all.reduce((sum, block) => sum + block[k], 0) / Math.max(1, all.length));
    const distances = all.map((block) => Math.hypot(...block.map((part, k) => part - middle[k])));
    this.radius = 0.6 + Math.max(1, ...distances) * (1 + this.apart);
    const colors = this.chooseColors(options);
    return options.flatMap((option) => {
      if (!shown.has(option)) return [];
      const blocks = this.data.solid.blocks[option];
      const own = [0, 1, 2].map((k) => blocks.reduce((sum, block) => sum + block[k], 0) / blocks.length);
      const shift = own.map((part, k) => (part - middle[k]) * this.apart * 1.2);
      const color = colors.get(option);
      return blocks
        .filter((block) => block[2] <= this.top)
        .map((block) => {
          const at = block.map((part, k) => part - middle[k] + shift[k]);
          return { option, color, at, place: block.join() };
        });
    });
  }

  // The colors of the pieces; copies of one piece have different strengths of its color.
  chooseColors(options) {
    const theme = DARK.matches ? "dark" : "light";
    const copies = new Map();
    return new Map(
      options.map((option, number) => {
        const tint = this.painter.tintOfOption(option) ?? number;
        const copy = copies.get(tint) ?? 0;
        copies.set(tint, copy + 1);
        const strength = this.painter.strengths[copy % this.painter.strengths.length];
        return [option, mix(this.painter.hue(-1, theme), this.painter.hue(tint, theme), strength)];
      }),
    );
  }

  makeView() {
    const [sin, cos] = [Math.sin(this.turn), Math.cos(this.turn)];
    const [up, flat] = [Math.sin(this.tilt), Math.cos(this.tilt)];
    const size = (Math.min(this.canvas.width, this.canvas.height) / (2.2 * this.radius)) * this.zoom;
    return ([x, y, z]) => {
      const [across, deep] = [x * cos - y * sin, x * sin + y * cos];
      const [x2, y2] = [this.canvas.width / 2 + across * size, this.canvas.height / 2 - (z * flat - deep * up) * size];
      return { x: x2, y: y2, depth: deep * flat + z * up, size };
    };
  }

  drawCubes(context, blocks, view) {
    const owner = new Map(blocks.map((block) => [block.place, block.option]));
    const isOwn = (block, ...steps) => {
      const place = block.place.split(",").map((part, k) => steps.reduce((sum, step) => sum + step[k], Number(part)));
      return owner.get(place.join()) === block.option;
    };
    const origin = view([0, 0, 0]).depth;
    const faces = [];
    for (const block of blocks)
      for (const { normal, corners } of FACES) {
        if (view(normal).depth - origin <= 1e-9 || isOwn(block, normal)) continue;
        const points = corners.map((corner) => view(corner.map((part, k) => block.at[k] + part - 0.5)));
        const light = 0.76 + (0.3 * (normal[2] + 0.5 * normal[0] + 1)) / 2.5;
        const inner = sidesOfFace(corners).map((side) => isOwn(block, side) && !isOwn(block, side, normal));
        const depth = points.reduce((sum, point) => sum + point.depth, 0) / 4;
        faces.push({ points, inner, color: shade(block.color, light), depth });
      }
    faces.sort((one, other) => one.depth - other.depth);
    context.lineJoin = context.lineCap = "round";
    for (const face of faces) this.drawFace(context, face);
  }

  // A face with strong lines, but thin ones where the piece goes on in the same plane.
  drawFace(context, { points, inner, color }) {
    context.beginPath();
    points.forEach((point) => context.lineTo(point.x, point.y));
    context.closePath();
    context.fillStyle = context.strokeStyle = color;
    context.lineWidth = 0.6 * this.ratio;
    context.fill();
    context.stroke();
    context.strokeStyle = this.ink;
    points.forEach((point, k) => {
      const next = points[(k + 1) % points.length];
      context.globalAlpha = inner[k] ? 0.16 : 1;
      context.lineWidth = (inner[k] ? 1 : 1.8) * this.ratio;
      context.beginPath();
      context.moveTo(point.x, point.y);
      context.lineTo(next.x, next.y);
      context.stroke();
    });
    context.globalAlpha = 1;
  }

  drawSpheres(context, blocks, view) {
    const placed = blocks.map((block) => ({ ...view(block.at), color: block.color }));
    placed.sort((one, other) => one.depth - other.depth);
    for (const { x, y, size, color } of placed) {
      const light = context.createRadialGradient(x - size * 0.18, y - size * 0.2, size * 0.05, x, y, size * 0.5);
      light.addColorStop(0, shade(color, 1.22));
      light.addColorStop(1, shade(color, 0.78));
      context.beginPath();
      context.arc(x, y, size * 0.5, 0, 2 * Math.PI);
      context.fillStyle = light;
      context.fill();
      context.strokeStyle = this.ink;
      context.lineWidth = 0.9 * this.ratio;
      context.stroke();
    }
  }
}

// The steps from the middle of a face over each of its sides.
function sidesOfFace(corners) {
  return corners.map((corner, k) => {
    const next = corners[(k + 1) % corners.length];
    const across = corners[(k + 2) % corners.length];
    return corner.map((part, axis) => (part === next[axis] ? part - across[axis] : 0));
  });
}

function shade(color, light) {
  const light255 = (part) => Math.min(255, Math.round(part * light));
  return `rgb(${[1, 3, 5].map((place) => light255(parseInt(color.slice(place, place + 2), 16))).join()})`;
}
