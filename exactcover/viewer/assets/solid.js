// Solids: cubes or spheres on a canvas, turned by mouse, touch and keys, taken apart, and built up piece by piece.

import { countOf, make, makeButton } from "./data.js";

const FACES = [
  { normal: [0, 0, 1], corners: [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]] },
  { normal: [0, 0, -1], corners: [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]] },
  { normal: [1, 0, 0], corners: [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]] },
  { normal: [-1, 0, 0], corners: [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]] },
  { normal: [0, 1, 0], corners: [[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0]] },
  { normal: [0, -1, 0], corners: [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]] },
];

export class SolidView {
  constructor(data, painter, solutions) {
    Object.assign(this, { data, painter, solutions });
    Object.assign(this, { turn: 0.7, tilt: 0.55, zoom: 1, apart: 0, shown: Infinity, top: Infinity });
    this.build();
  }

  build() {
    this.canvas = make("canvas", { class: "solid", tabindex: "0", role: "img", "aria-label": "the solid; arrow keys turn it, plus and minus zoom" });
    const slider = (name, max, value, action) => {
      const input = make("input", { type: "range", min: "0", max: String(max), value: String(value), step: "any", "aria-label": name, oninput: () => (action(Number(input.value)), this.draw()) });
      return make("label", {}, `${name} `, input);
    };
    const heights = [...new Set(this.data.solid.blocks.flat().map((block) => block[2]))].sort((one, other) => one - other);
    this.pieces = make("p", { role: "status" });
    const step = (change) => () => {
      const all = this.current().length;
      this.shown = Math.min(all, Math.max(0, Math.min(this.shown, all) + change));
      this.draw();
    };
    this.element = make(
      "div", {},
      make("div", { class: "bar" }, makeButton("previous", () => this.go(-1)), makeButton("next", () => this.go(1)), makeButton("one piece fewer", step(-1)), makeButton("one piece more", step(1)), makeButton("all pieces", step(Infinity)),
        slider("apart", 1, 0, (value) => (this.apart = value)),
        slider("layers", heights.length, heights.length, (value) => (this.top = heights[Math.round(value) - 1] ?? -Infinity))),
      this.pieces, this.canvas,
    );
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
    this.canvas.addEventListener("wheel", (event) => (event.preventDefault(), this.scale(Math.exp(-event.deltaY / 600))), { passive: false });
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
    const turns = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15] }[event.key];
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
    if (this.ordered?.solution === solution) return this.ordered.order;
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
    return [...left].every((other) => other === option || !this.data.solid.blocks[other].some((block) => own.some((mine) => Math.hypot(block[0] - mine[0], block[1] - mine[1]) < 0.99 && block[2] > mine[2])));
  }

  height(option) {
    const blocks = this.data.solid.blocks[option];
    return blocks.reduce((sum, block) => sum + block[2], 0) / blocks.length;
  }

  draw() {
    const options = this.current();
    const shown = options.slice(0, this.shown);
    this.pieces.textContent = `${shown.length} of ${countOf(options.length, "piece")}${shown.length ? `; the last one is ${this.painter.labels[shown.at(-1)]}` : ""}`;
    const context = this.prepare();
    const blocks = this.arrange(options, new Set(shown));
    const view = this.makeView(blocks);
    if (this.data.solid.kind === "sphere") this.drawSpheres(context, blocks, view);
    else this.drawCubes(context, blocks, view);
  }

  prepare() {
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.max(1, this.canvas.clientWidth * ratio);
    this.canvas.height = Math.max(1, this.canvas.clientHeight * ratio);
    const context = this.canvas.getContext("2d");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    return context;
  }

  // The blocks to draw with their colors, moved away from the middle.
  arrange(options, shown) {
    const all = options.flatMap((option) => this.data.solid.blocks[option]);
    const middle = [0, 1, 2].map((k) => all.reduce((sum, block) => sum + block[k], 0) / Math.max(1, all.length));
    this.radius = 1 + Math.max(1, ...all.map((block) => Math.hypot(...block.map((part, k) => part - middle[k])))) * (1 + this.apart);
    return options.flatMap((option, number) => {
      if (!shown.has(option)) return [];
      const blocks = this.data.solid.blocks[option];
      const own = [0, 1, 2].map((k) => blocks.reduce((sum, block) => sum + block[k], 0) / blocks.length);
      const shift = own.map((part, k) => (part - middle[k]) * this.apart * 1.2);
      const color = this.painter.hue(this.painter.tintOfOption(option) ?? number);
      return blocks
        .filter((block) => block[2] <= this.top)
        .map((block) => ({ option, color, at: block.map((part, k) => part - middle[k] + shift[k]), place: block.join() }));
    });
  }

  makeView() {
    const [sin, cos] = [Math.sin(this.turn), Math.cos(this.turn)];
    const [up, flat] = [Math.sin(this.tilt), Math.cos(this.tilt)];
    const size = (Math.min(this.canvas.width, this.canvas.height) / (2.2 * this.radius)) * this.zoom;
    return ([x, y, z]) => {
      const [across, deep] = [x * cos - y * sin, x * sin + y * cos];
      return { x: this.canvas.width / 2 + across * size, y: this.canvas.height / 2 - (z * flat - deep * up) * size, depth: deep * flat + z * up, size };
    };
  }

  drawCubes(context, blocks, view) {
    const owner = new Map(blocks.map((block) => [block.place, block.option]));
    const origin = view([0, 0, 0]).depth;
    const faces = [];
    for (const block of blocks)
      for (const { normal, corners } of FACES) {
        if (view(normal).depth - origin <= 1e-9) continue;
        const beside = block.place.split(",").map((part, k) => Number(part) + normal[k]).join();
        if (owner.get(beside) === block.option) continue;
        const points = corners.map((corner) => view(corner.map((part, k) => block.at[k] + part - 0.5)));
        const light = 0.72 + 0.28 * (normal[2] + 0.5 * normal[0] + 1) / 2.5;
        faces.push({ points, color: shade(block.color, light), depth: points.reduce((sum, point) => sum + point.depth, 0) / 4 });
      }
    faces.sort((one, other) => one.depth - other.depth);
    context.lineJoin = "round";
    for (const { points, color } of faces) {
      context.beginPath();
      points.forEach((point) => context.lineTo(point.x, point.y));
      context.closePath();
      context.fillStyle = color;
      context.fill();
      context.strokeStyle = "#26262b";
      context.lineWidth = 1.2;
      context.stroke();
    }
  }

  drawSpheres(context, blocks, view) {
    const placed = blocks.map((block) => ({ ...view(block.at), color: block.color })).sort((one, other) => one.depth - other.depth);
    for (const { x, y, size, color } of placed) {
      const light = context.createRadialGradient(x - size * 0.18, y - size * 0.2, size * 0.05, x, y, size * 0.5);
      light.addColorStop(0, shade(color, 1.35));
      light.addColorStop(1, shade(color, 0.7));
      context.beginPath();
      context.arc(x, y, size * 0.5, 0, 2 * Math.PI);
      context.fillStyle = light;
      context.fill();
      context.strokeStyle = "#26262b";
      context.lineWidth = 0.8;
      context.stroke();
    }
  }
}

function shade(color, light) {
  const parts = [1, 3, 5].map((place) => Math.min(255, Math.round(parseInt(color.slice(place, place + 2), 16) * light)));
  return `rgb(${parts.join()})`;
}
