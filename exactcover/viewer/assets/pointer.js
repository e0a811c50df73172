// Pieces under the pointer: they are dragged from the tray or from the board, and snap to the nearest place.

import { leastBy, make } from "./data.js";
import { outlinePlaces } from "./marks.js";
import { middle, UNIT } from "./shapes.js";
import { drawPose } from "./shelf.js";

const LEAST_MOVE = 6; // pixels from which a press is a drag
const GLIDE = 140; // milliseconds of a piece to its place
const REDUCED = matchMedia("(prefers-reduced-motion: reduce)");
const LIFT = 56; // pixels that a piece is held above a finger

export class PiecePointer {
  constructor(board) {
    this.board = board; // which holds pieces
    this.tray = board.tray;
    this.painter = board.painter;
    this.floating = null; // the piece under the pointer while it is dragged
    this.isFresh = false; // whether the click that follows is not another one
    this.last = null;
    this.offset = [0, 0];
  }

  grabFromTray(event, piece) {
    if (event.button !== 0) return;
    event.preventDefault();
    const { board } = this;
    const pose = board.poses[piece.number];
    const box = event.currentTarget.querySelector("svg").getBoundingClientRect();
    const share = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    const lift = () => board.hold(pose, this.tray.isSolid ? 0 : this.cellAt(pose, share));
    this.watch(event, lift, () => board.take(piece));
  }

  grabFromBoard(event) {
    const { board } = this;
    if (event.button !== 0 || board.held) return;
    const point = this.pointOf(event);
    const option = this.optionAt(point);
    if (option === undefined || !board.game.state.chosen.includes(option)) return;
    event.preventDefault();
    const cell = nearestCell(this.tray.cells[option], point);
    const lift = () => board.hold(this.tray.poseOf[option], cell, option);
    this.watch(event, lift, () => (lift(), (this.isFresh = true)));
  }

  // Follow the pointer until it is up; a press that does not move is a click.
  watch(start, begin, click) {
    const { board } = this;
    let isDrag = false;
    const id = start.pointerId;
    const move = (event) => {
      if (event.pointerId !== id) return;
      if (!isDrag && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < LEAST_MOVE) return;
      if (!isDrag) {
        isDrag = true;
        begin();
        this.float();
      }
      event.preventDefault();
      this.follow(event);
    };
    const press = (event) => {
      if (isDrag && (event.key === "r" || event.key === "f")) event.key === "r" ? board.turn() : board.flip();
    };
    const stop = (event) => {
      if (event.pointerId !== id) return;
      control.abort();
      if (event.type === "pointercancel") return isDrag && board.release();
      if (!isDrag) return click();
      if (board.held) board.place();
      this.isFresh = true;
      setTimeout(() => (this.isFresh = false), 0);
    };
    const control = new AbortController();
    const listeners = { pointermove: move, pointerup: stop, pointercancel: stop, keydown: press };
    for (const [name, listener] of Object.entries(listeners))
      addEventListener(name, listener, { passive: false, signal: control.signal });
  }

  float() {
    this.floating = make("div", { class: "floating", "aria-hidden": "true" });
    this.dress();
    document.body.append(this.floating);
  }

  // Let the piece go; it glides to its place, if it has one.
  drop() {
    const { floating } = this;
    this.floating = null;
    if (!floating) return;
    const { option, cell } = this.board.held;
    if (option < 0 || REDUCED.matches) return floating.remove();
    const [x, y] = this.tray.cells[option][cell];
    const place = new DOMPoint(x, y).matrixTransform(this.board.svg.getScreenCTM());
    const transform = `translate(${place.x - this.offset[0]}px, ${place.y - this.offset[1]}px)`;
    const glide = floating.animate([{}, { transform, opacity: 1 }], { duration: GLIDE, easing: "ease-out" });
    glide.finished.finally(() => floating.remove());
  }

  // Draw the piece under the pointer as it is held.
  dress() {
    const { pose, cell } = this.board.held;
    const scale = this.board.svg.getScreenCTM().a;
    this.floating.innerHTML = drawPose(this.painter, pose, scale);
    const option = pose.options[0];
    const { box } = outlinePlaces(this.painter, this.painter.covered(option));
    const [x, y] = this.tray.cells[option][cell];
    this.offset = [(x - box[0]) * scale, (y - box[1]) * scale];
  }

  follow(event) {
    this.last = event;
    const lift = event.pointerType === "touch" ? LIFT : 0;
    const [x, y] = [event.clientX, event.clientY - lift];
    this.floating.style.transform = `translate(${x - this.offset[0]}px, ${y - this.offset[1]}px)`;
    this.aimAt({ clientX: x, clientY: y });
  }

  // A piece that was picked up with a click shows where it would lie.
  hover(event) {
    if (this.floating || event.pointerType === "touch") return;
    if (this.board.held) this.aimAt(event);
    else this.board.workOn(this.placeAt(this.pointOf(event)));
  }

  click(event) {
    if (this.isFresh) return (this.isFresh = false);
    if (!this.board.held) return;
    this.aimAt(event);
    if (this.board.held.option >= 0) this.board.place();
  }

  aimAt(event) {
    const { pose, cell } = this.board.held;
    this.board.aim(this.tray.snap(pose, cell, this.pointOf(event)));
  }

  // The piece that is held was turned.
  turn() {
    this.dress();
    this.follow(this.last);
  }

  pointOf({ clientX, clientY }) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(this.board.svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  // The key of the place at a point.
  /** @param {number[]} point */
  placeAt([x, y]) {
    const far = (shape) => Math.hypot(...middle(shape).map((part, k) => part - [x, y][k]));
    return [...this.painter.places()].find(([, shape]) => far(shape) < UNIT * 0.6)?.[0];
  }

  // The option on top that covers a point.
  /** @param {number[]} point */
  optionAt([x, y]) {
    const near = (option) => this.tray.cells[option].some((cell) => Math.hypot(cell[0] - x, cell[1] - y) < UNIT * 0.6);
    return this.board.game.shown.findLast(near);
  }

  cellAt(pose, share) {
    const option = pose.options[0];
    const { box } = outlinePlaces(this.painter, this.painter.covered(option));
    return nearestCell(this.tray.cells[option], [box[0] + share[0] * box[2], box[1] + share[1] * box[3]]);
  }
}

function nearestCell(cells, point) {
  return leastBy([...cells.keys()], (k) => Math.hypot(cells[k][0] - point[0], cells[k][1] - point[1]));
}
