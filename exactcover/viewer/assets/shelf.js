// The tray as a list of buttons, one for each piece, and the buttons that turn and flip.

import { arrowOf, make, makeButton } from "./data.js";
import { makeNamedButton } from "./icons.js";
import { fillOption, outlinePlaces, tintColor } from "./marks.js";
import { middle, round, UNIT } from "./shapes.js";

const WIDE = 6; // cells from which a piece gets the room of two
const SOLID = 1.2; // the size of a cell of solids, in rem
const [ROOM, WIDE_ROOM, HEIGHT, LARGEST] = [5.25, 12, 4.5, 2.75]; // the room of a piece, and the largest cell, in rem
const [ACROSS, DOWN] = [Math.sqrt(3) / 2, 1 / 2];
const BLOCK = 20; // the size of a block
// Faces that are seen: the step to the block that hides it, its corners, and how bright it is.
const SEEN = [
  { step: [0, 0, 1], corners: [[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], light: 100 },
  { step: [1, 0, 0], corners: [[1, -1, -1], [1, 1, -1], [1, 1, 1], [1, -1, 1]], light: 70 },
  { step: [0, -1, 0], corners: [[-1, -1, -1], [1, -1, -1], [1, -1, 1], [-1, -1, 1]], light: 85 },
];

export class Shelf {
  constructor(board) {
    this.board = board; // which holds pieces
    this.painter = board.painter;
    this.tray = board.tray;
    const isWide = (pose) => !this.tray.isSolid && this.sizeOf(pose)[0] > WIDE;
    this.isWide = this.tray.pieces.map((piece) => piece.poses.some(isWide));
    const kind = this.tray.isSolid ? "tray solids" : "tray";
    this.list = make("ul", { class: kind, "aria-label": "Pieces", style: `--unit: ${this.chooseUnit()}rem` });
    const tool = (image, name, key, action) => makeNamedButton(image, name, name, action, { title: `key: ${key}` });
    this.tools = [
      this.tray.canTurn ? tool("rotate-cw", "Turn", "r", () => board.turn()) : "",
      this.tray.canFlip ? tool("flip-horizontal-2", "Flip", "f", () => board.flip()) : "",
    ];
    this.element = make("div", { class: "view-side", onkeydown: (event) => this.press(event) }, this.list);
  }

  // The width and height of a pose in cells.
  sizeOf(pose) {
    const { box } = outlinePlaces(this.painter, this.painter.covered(pose.options[0]));
    return [box[2] / UNIT, box[3] / UNIT];
  }

  // The size of a cell with which every piece has room, however it is turned; solid ones are drawn in another way.
  chooseUnit() {
    if (this.tray.isSolid) return SOLID;
    const units = this.tray.pieces.flatMap((piece) =>
      piece.poses.map((pose) => {
        const [width, height] = this.sizeOf(pose);
        return Math.min((this.isWide[piece.number] ? WIDE_ROOM : ROOM) / width, HEIGHT / height);
      }),
    );
    return Math.round(100 * Math.min(LARGEST, ...units)) / 100;
  }

  leftOf(piece) {
    if (piece.most === null) return Infinity;
    return piece.most - this.board.game.shown.filter((option) => this.tray.pieceOf[option] === piece.number).length;
  }

  // Show the pieces that are left; the one that a hint is about is marked.
  show() {
    const { hinted } = this.board;
    const items = this.tray.pieces
      .filter((piece) => piece.poses.length)
      .map((piece) => {
        const names = [hinted?.has(piece.number) ? "hinted" : "", this.isWide[piece.number] ? "broad" : ""];
        return make("li", { class: names.join(" ").trim() }, this.makePiece(piece));
      });
    this.list.replaceChildren(...items);
  }

  makePiece(piece) {
    const left = this.leftOf(piece);
    const isHeld = this.board.held?.pose.number === piece.number;
    const count = piece.most === 1 ? "" : piece.most === null ? "any number" : `${Math.max(0, left)} left`;
    const button = makeButton("", (event) => event.detail === 0 && this.board.take(piece), {
      class: "piece",
      "data-piece": piece.name,
      "aria-pressed": String(isHeld),
      disabled: left <= 0 && !isHeld,
      "aria-label": `piece ${piece.name}${count ? `, ${count}` : ""}`,
      onpointerdown: (event) => this.board.pointer.grabFromTray(event, piece),
    });
    button.innerHTML = this.draw(this.board.poses[piece.number]);
    const isNamed = this.painter.drawTexts(this.board.poses[piece.number].options[0]) !== "";
    button.append(make("small", {}, [isNamed ? "" : piece.name, count].filter(Boolean).join(": ")));
    return button;
  }

  // Solid pieces are seen in space.
  draw(pose) {
    const { solid } = this.board.game.board;
    if (!solid) return drawPose(this.painter, pose);
    const option = pose.options[0];
    const hue = tintColor(this.painter, this.painter.tintOfOption(option) ?? pose.number);
    return drawBlocks(solid.blocks[option], solid.kind, hue);
  }

  // Arrow keys lead through the tray; the keys of turning work there too.
  press(event) {
    const buttons = [...this.list.querySelectorAll("button:not(:disabled)")];
    const now = buttons.indexOf(document.activeElement);
    const [down, right] = arrowOf(event);
    if (now >= 0 && (down || right)) buttons[(now + down + right + buttons.length) % buttons.length].focus();
    else if (now >= 0 && (event.key === "r" || event.key === "f")) {
      const name = buttons[now].dataset.piece;
      const { poses } = this.board;
      const { number } = this.tray.pieces.find((piece) => piece.name === name);
      poses[number] = event.key === "r" ? this.tray.turn(poses[number]) : this.tray.flip(poses[number]);
      this.show();
      this.list.querySelector(`[data-piece="${CSS.escape(name)}"]`)?.focus();
    } else return;
    event.preventDefault();
  }
}

// A piece as it lies in the tray, or under the pointer, with `scale` pixels for each unit of a picture.
export function drawPose(painter, pose, scale = null) {
  const option = pose.options[0];
  const keys = painter.covered(option);
  const { box, border } = outlinePlaces(painter, keys);
  const size = scale === null ? "" : ` width="${(box[2] * scale).toFixed(1)}" height="${(box[3] * scale).toFixed(1)}"`;
  return (
    `<svg viewBox="${box.join(" ")}"${size} aria-hidden="true" style="--span: ${box[2] / UNIT}">` +
    `${linkPlaces(painter, keys)}${fillOption(painter, option, pose.number)}<path class="rim" d="${border}"/>` +
    `${painter.drawTexts(option)}</svg>`
  );
}

// A line between the places of a piece that do not touch.
function linkPlaces(painter, keys) {
  const places = keys.map((key) => painter.places().get(key));
  const isApart = places.length > 1 && outlinePlaces(painter, keys).loops === places.length;
  return isApart ? `<path class="link" d="M${places.map((place) => middle(place).join(" ")).join("L")}"/>` : "";
}

// A small picture of a piece of cubes or spheres, seen from the front, the right and above.
/** @param {number[][]} blocks how far right, back and up each block is @param {string} kind @param {string} color */
function drawBlocks(blocks, kind, color) {
  /** @param {number[]} block */
  const far = ([right, back, up]) => right - back + up;
  const sorted = [...blocks].sort((one, other) => far(one) - far(other));
  const keys = new Set(blocks.map(nameBlock));
  const points = [];
  const at = ([right, back, up]) => {
    const point = [(right + back) * ACROSS * BLOCK, ((right - back) * DOWN - up) * BLOCK];
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
    points.push([x - BLOCK / 2, y - BLOCK / 2], [x + BLOCK / 2, y + BLOCK / 2]);
    return `<circle class="face" ${shade(92)} cx="${x}" cy="${y}" r="${BLOCK / 2}"/>`;
  };
  const inside = sorted.map(kind === "sphere" ? drawSphere : drawCube).join("");
  const [least, most] = [Math.min, Math.max].map((end) => [0, 1].map((k) => end(...points.map((one) => one[k]))));
  const size = most.map((part, k) => round(part - least[k] + 2));
  const box = [...least.map((part) => round(part - 1)), ...size].join(" ");
  return `<svg viewBox="${box}" aria-hidden="true" style="--span: ${round(size[0] / BLOCK)}">${inside}</svg>`;
}

function nameBlock(block) {
  return block.map(Math.round).join();
}
