// A small picture of a piece of cubes or spheres, seen from the front, the right and above.

import { round } from "./shapes.js";

const [ACROSS, DOWN] = [Math.sqrt(3) / 2, 1 / 2];
const SIZE = 20; // of a block
// Faces that are seen: the step to the block that hides it, its corners, and how bright it is.
const SEEN = [
  { step: [0, 0, 1], corners: [[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], light: 100 },
  { step: [1, 0, 0], corners: [[1, -1, -1], [1, 1, -1], [1, 1, 1], [1, -1, 1]], light: 70 },
  { step: [0, -1, 0], corners: [[-1, -1, -1], [1, -1, -1], [1, -1, 1], [-1, -1, 1]], light: 85 },
];

/** @param {number[][]} blocks how far right, back and up each block is @param {string} kind @param {string} color */
export function drawBlocks(blocks, kind, color) {
  /** @param {number[]} block */
  const far = ([right, back, up]) => right - back + up;
  const sorted = [...blocks].sort((one, other) => far(one) - far(other));
  const keys = new Set(blocks.map(nameBlock));
  const points = [];
  const at = ([right, back, up]) => {
    const point = [(right + back) * ACROSS * SIZE, ((right - back) * DOWN - up) * SIZE];
    points.push(point);
    return point;
  };
  const shade = (light) => `style="fill: color-mix(in srgb, ${color} ${light}%, #000)"`;
  const drawFace = (block, { corners, light }) => {
    const line = corners.map((corner) => at(corner.map((part, k) => block[k] + part / 2)).map(round).join(" "));
    return `<path class="face" ${shade(light)} d="M${line.join("L")}z"/>`;
  };
  const drawCube = (block) =>
    SEEN.filter(({ step }) => !keys.has(nameBlock(block.map((part, k) => part + step[k]))))
      .map((face) => drawFace(block, face))
      .join("");
  const drawSphere = (block) => {
    const [x, y] = at(block).map(round);
    points.push([x - SIZE / 2, y - SIZE / 2], [x + SIZE / 2, y + SIZE / 2]);
    return `<circle class="face" ${shade(92)} cx="${x}" cy="${y}" r="${SIZE / 2}"/>`;
  };
  const inside = sorted.map(kind === "sphere" ? drawSphere : drawCube).join("");
  const [least, most] = [Math.min, Math.max].map((end) => [0, 1].map((k) => end(...points.map((one) => one[k]))));
  const size = most.map((part, k) => round(part - least[k] + 2));
  const box = [...least.map((part) => round(part - 1)), ...size].join(" ");
  return `<svg viewBox="${box}" aria-hidden="true" style="--span: ${round(size[0] / SIZE)}">${inside}</svg>`;
}

function nameBlock(block) {
  return block.map(Math.round).join();
}
