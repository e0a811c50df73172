// Cubes or spheres on a canvas, turned by mouse, touch and keys.

import { arrowOf, make, sum } from "./data.js";
import { splitColor } from "./picture.js";
import { followPointer, meanOf } from "./shapes.js";
import { onTheme } from "./theme.js";

const FACES = [
  { normal: [0, 0, 1], corners: [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]] },
  { normal: [0, 0, -1], corners: [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]] },
  { normal: [1, 0, 0], corners: [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]] },
  { normal: [-1, 0, 0], corners: [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]] },
  { normal: [0, 1, 0], corners: [[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0]] },
  { normal: [0, -1, 0], corners: [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]] },
];
const FLOOR = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]; // of an empty place
const LIGHT = [0.09, -0.05, 0.19]; // how much brighter a face is that looks right, back or up

/**
 * A block: the option that it belongs to, its place there, where it is drawn, and how opaque.
 * @typedef {{option: number, place: number[], at: number[], color: string, alpha?: number}} Block
 */

export class SolidCanvas {
  /**
   * @param {string} kind "cube" or "sphere"
   * @param {string} label
   * @param {() => {blocks: Block[], radius: number, plates?: {at: number[], color: string}[]}} describe what to draw
   */
  constructor(kind, label, describe) {
    this.kind = kind;
    this.describe = describe;
    this.turn = 0.7;
    this.tilt = 0.55;
    this.zoom = 1;
    this.ratio = 1;
    this.ink = "";
    this.frame = 0;
    this.element = make("canvas", {
      tabindex: "0", role: "img", "aria-label": `${label}; arrow keys rotate it, plus and minus zoom`,
    });
    this.listen();
  }

  listen() {
    const { element } = this;
    onTheme(() => this.plan());
    let last = [0, 0];
    followPointer(element, ([x, y], begins, pointer) => {
      if (begins) element.setPointerCapture(pointer);
      else this.rotate((x - last[0]) / 120, (y - last[1]) / 120);
      last = [x, y];
    });
    const zoom = (event) => (event.preventDefault(), this.scale(Math.exp(-event.deltaY / 600)));
    element.addEventListener("wheel", zoom, { passive: false });
    element.addEventListener("keydown", (event) => this.turnByKey(event));
    new ResizeObserver(() => this.draw()).observe(element);
  }

  rotate(turn, tilt) {
    this.turn += turn;
    this.tilt = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.tilt + tilt));
    this.plan();
  }

  scale(factor) {
    this.zoom = Math.min(5, Math.max(0.2, this.zoom * factor));
    this.plan();
  }

  turnByKey(event) {
    const [down, right] = arrowOf(event);
    const factor = { "+": 1.15, "=": 1.15, "-": 1 / 1.15 }[event.key];
    if (down || right) this.rotate(0.15 * right, 0.15 * down);
    else if (factor) this.scale(factor);
    else return;
    event.preventDefault();
  }

  // Draw with the next frame; what comes in between is drawn once.
  plan() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  draw() {
    const { element } = this;
    this.ratio = devicePixelRatio || 1;
    element.width = Math.max(1, element.clientWidth * this.ratio);
    element.height = Math.max(1, element.clientHeight * this.ratio);
    this.ink = getComputedStyle(element).getPropertyValue("--outline").trim();
    const { blocks, radius, plates = [] } = this.describe();
    const view = this.makeView(radius);
    const context = element.getContext("2d");
    if (this.kind === "sphere") this.drawSpheres(context, blocks, plates, view);
    else this.drawCubes(context, blocks, plates, view);
  }

  makeView(radius) {
    const [sin, cos] = [Math.sin(this.turn), Math.cos(this.turn)];
    const [up, flat] = [Math.sin(this.tilt), Math.cos(this.tilt)];
    const { width, height } = this.element;
    const size = (Math.min(width, height) / (2.2 * radius)) * this.zoom;
    return ([x, y, z]) => {
      const [across, deep] = [x * cos - y * sin, x * sin + y * cos];
      const [x2, y2] = [width / 2 + across * size, height / 2 - (z * flat - deep * up) * size];
      return { x: x2, y: y2, depth: deep * flat + z * up, size };
    };
  }

  drawCubes(context, blocks, plates, view) {
    const owner = new Map(blocks.map((block) => [block.place.join(), block.option]));
    const isOwn = (block, ...steps) => {
      const place = block.place.map((part, k) => part + sum(steps.map((step) => step[k])));
      return owner.get(place.join()) === block.option;
    };
    const origin = view([0, 0, 0]).depth;
    const put = (at, corners) => corners.map((corner) => view(corner.map((part, k) => at[k] + part - 0.5)));
    const faces = plates.map(({ at, color }) => {
      const points = put(at, FLOOR);
      return { points, inner: [], color, alpha: 0.22, line: color, depth: depthOf(points) };
    });
    for (const block of blocks)
      for (const { normal, corners } of FACES) {
        if (view(normal).depth - origin <= 1e-9 || isOwn(block, normal)) continue;
        const points = put(block.at, corners);
        const light = 0.81 + sum(normal.map((part, k) => part * LIGHT[k]));
        const inner = sidesOfFace(corners).map((side) => isOwn(block, side) && !isOwn(block, side, normal));
        const [color, depth] = [darken(block.color, light), depthOf(points)];
        faces.push({ points, inner, color, alpha: block.alpha ?? 1, line: this.ink, depth });
      }
    faces.sort((one, other) => one.depth - other.depth);
    context.lineJoin = context.lineCap = "round";
    for (const face of faces) this.drawFace(context, face);
  }

  // A face with strong lines, but thin ones where the piece goes on in the same plane.
  drawFace(context, { points, inner, color, alpha, line }) {
    context.beginPath();
    points.forEach((point) => context.lineTo(point.x, point.y));
    context.closePath();
    context.globalAlpha = alpha;
    context.fillStyle = context.strokeStyle = color;
    context.lineWidth = 0.6 * this.ratio;
    context.fill();
    if (alpha === 1) context.stroke();
    context.strokeStyle = line;
    points.forEach((point, k) => {
      const next = points[(k + 1) % points.length];
      context.globalAlpha = (inner[k] ? 0.16 : 1) * (alpha === 1 ? 1 : Math.min(1, alpha + 0.2));
      context.lineWidth = (inner[k] ? 1 : 1.8) * this.ratio;
      context.beginPath();
      context.moveTo(point.x, point.y);
      context.lineTo(next.x, next.y);
      context.stroke();
    });
    context.globalAlpha = 1;
  }

  drawSpheres(context, blocks, plates, view) {
    const put = (ball, alpha) => ({ ...view(ball.at), color: ball.color, alpha });
    const balls = blocks.map((block) => put(block, block.alpha ?? 1));
    const placed = [...plates.map((plate) => put(plate, 0.22)), ...balls];
    placed.sort((one, other) => one.depth - other.depth);
    for (const { x, y, size, color, alpha } of placed) {
      const light = context.createRadialGradient(x - size * 0.18, y - size * 0.2, size * 0.05, x, y, size * 0.5);
      light.addColorStop(0, darken(color, 1.22));
      light.addColorStop(1, darken(color, 0.78));
      context.globalAlpha = alpha;
      context.beginPath();
      context.arc(x, y, size * 0.5, 0, 2 * Math.PI);
      context.fillStyle = light;
      context.fill();
      context.strokeStyle = this.ink;
      context.lineWidth = 0.9 * this.ratio;
      context.stroke();
    }
    context.globalAlpha = 1;
  }
}

// The middle of some blocks, and how far the farthest one is from it.
export function boundBlocks(blocks) {
  const middle = meanOf(blocks, [0, 1, 2]);
  const far = (block) => Math.hypot(...block.map((part, k) => part - middle[k]));
  return { middle, radius: Math.max(1, ...blocks.map(far)) };
}

function depthOf(points) {
  return sum(points.map((point) => point.depth)) / points.length;
}

// The steps from the middle of a face over each of its sides.
function sidesOfFace(corners) {
  return corners.map((corner, k) => {
    const next = corners[(k + 1) % corners.length];
    const across = corners[(k + 2) % corners.length];
    return corner.map((part, axis) => (part === next[axis] ? part - across[axis] : 0));
  });
}

function darken(color, light) {
  return `rgb(${splitColor(color).map((part) => Math.min(255, Math.round(part * light))).join()})`;
}
