// The board of a tiling and the tray beside it. Pieces are dragged with the mouse or by touch, or picked up with a
// click or a key and moved with the arrow keys. What is dropped snaps to the nearest place, also where it is wrong.

import { drawBlocks } from "./blocks.js";
import { arrowOf, make, makeButton } from "./data.js";
import { tintColor, outlinePlaces, ringAt, withIcon } from "./marks.js";
import { UNIT } from "./picture.js";
import { Tray } from "./tray.js";

const LEAST_MOVE = 6; // pixels from which a press is a drag
const LIFT = 56; // pixels that a piece is held above a finger

export class PiecesBoard {
  // `game` has the painter, the chosen options and `set`; it is told what is done.
  constructor(game, tray) {
    this.game = game;
    this.painter = game.painter;
    this.tray = new Tray(game.painter, tray, Boolean(game.board.solid));
    this.poses = this.tray.pieces.map((piece) => piece.poses[0]);
    this.held = null;
    this.element = make("div", {
      class: "picture board",
      tabindex: "0",
      role: "application",
      "aria-label": "the board; choose a piece and move it with the arrow keys",
      "aria-describedby": "play-keys",
      onpointerdown: (event) => this.grabFromBoard(event),
      onpointermove: (event) => this.hover(event),
      onclick: (event) => this.drop(event),
      onkeydown: (event) => this.press(event),
    });
    const tools = [
      ["rotate-cw", "turn", () => this.turn()],
      ["flip-horizontal-2", "flip", () => this.flip()],
    ].map(([image, name, action]) =>
      withIcon(image, makeButton(name, action, { title: `key: ${name === "turn" ? "r" : "f"}` })),
    );
    if (this.tray.isSolid) tools.pop();
    this.tools = make("div", { class: "bar" }, ...tools);
    this.list = make("ul", { class: "tray", "aria-label": "Pieces" });
    this.side = make("div", { class: "view-side" }, this.tools, this.list);
    this.side.addEventListener("keydown", (event) => this.pressTray(event));
  }

  // -- the tray -------------------------------------------------------------------------------------

  leftOf(piece) {
    if (piece.most === null) return Infinity;
    return piece.most - this.game.shown.filter((option) => this.tray.pieceOf[option] === piece.number).length;
  }

  showTray() {
    const items = this.tray.pieces
      .filter((piece) => piece.poses.length)
      .map((piece) => {
        const left = this.leftOf(piece);
        const isHeld = this.held?.pose.number === piece.number;
        const count = piece.most === 1 ? "" : piece.most === null ? "any number" : `${left} left`;
        const button = makeButton("", (event) => event.detail === 0 && this.take(piece), {
          class: "piece",
          "data-piece": piece.name,
          "aria-pressed": String(isHeld),
          disabled: left <= 0 && !isHeld,
          "aria-label": `piece ${piece.name}${count ? `, ${count}` : ""}`,
          onpointerdown: (event) => this.grabFromTray(event, piece),
        });
        button.innerHTML = this.drawInTray(this.poses[piece.number]);
        if (count) button.append(make("small", {}, count));
        return make("li", { class: this.hinted === piece.number ? "hinted" : "" }, button);
      });
    this.list.replaceChildren(...items);
  }

  // In the tray, solid pieces are seen in space.
  drawInTray(pose) {
    const { solid } = this.game.board;
    if (!solid) return this.drawPose(pose);
    const option = pose.options[0];
    return drawBlocks(solid.blocks[option], solid.kind, this.hueOf(pose.number, option));
  }

  drawPose(pose, scale = null) {
    const option = pose.options[0];
    const { box, fill, border } = outlinePlaces(this.painter, this.painter.covered(option));
    const size =
      scale === null ? "" : ` width="${(box[2] * scale).toFixed(1)}" height="${(box[3] * scale).toFixed(1)}"`;
    return (
      `<svg viewBox="${box.join(" ")}"${size} aria-hidden="true" style="--span: ${box[2] / UNIT}">` +
      `<path d="${fill}" style="fill: ${this.hueOf(pose.number, option)}"/><path class="rim" d="${border}"/></svg>`
    );
  }

  hueOf(number, option) {
    return tintColor(this.painter, this.painter.tintOfOption(option) ?? number);
  }

  // -- holding a piece ------------------------------------------------------------------------------

  // Hold a piece; `from` is the option that is lifted from the board, or -1.
  hold(pose, cell = 0, from = -1) {
    this.held = { pose, cell: Math.min(cell, pose.cells.length - 1), from, option: from };
    this.game.show();
  }

  release() {
    this.floating?.remove();
    [this.held, this.floating] = [null, null];
    this.game.show();
  }

  // Pick a piece up to move it with keys.
  take(piece) {
    if (this.held?.pose.number === piece.number) return this.release();
    const pose = this.poses[piece.number];
    this.hold(pose);
    const free = pose.options.find((option) => this.game.position.live[option]);
    this.aim(free ?? pose.options[0]);
    this.element.focus();
  }

  aim(option) {
    if (!this.held || option === this.held.option) return;
    this.held.option = option;
    this.drawHeld();
    if (option >= 0) this.game.announce(this.describe(option));
  }

  describe(option) {
    const others = this.game.overlapping(option, this.held.from);
    const cells = this.game.board.labels[option];
    return others.length ? `${cells}: not free` : `${cells}: free`;
  }

  place() {
    const { option, from } = this.held;
    const chosen = this.game.state.chosen.filter((one) => one !== from);
    if (option < 0 && from < 0) return this.release();
    [this.held, this.floating] = [null, (this.floating?.remove(), null)];
    if (option === from) return this.game.show();
    this.game.try(option < 0 ? chosen : [...chosen, option]);
  }

  turn() {
    this.change((pose) => this.tray.turn(pose));
  }

  flip() {
    this.change((pose) => this.tray.flip(pose));
  }

  change(move) {
    if (!this.held) {
      for (const piece of this.tray.pieces)
        if (piece.poses.length) this.poses[piece.number] = move(this.poses[piece.number]);
      return this.showTray();
    }
    const { held } = this;
    const pose = move(held.pose);
    this.poses[pose.number] = held.pose = pose;
    if (this.floating) {
      this.dress();
      this.follow(this.pointer);
    } else if (held.option >= 0) this.aim(this.tray.nearest(pose, held.option));
    this.showTray();
  }

  // -- the pointer ----------------------------------------------------------------------------------

  grabFromTray(event, piece) {
    if (event.button !== 0) return;
    event.preventDefault();
    const pose = this.poses[piece.number];
    const box = event.currentTarget.querySelector("svg").getBoundingClientRect();
    const share = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    this.watch(
      event,
      () => this.hold(pose, this.tray.isSolid ? 0 : this.cellAt(pose, share)),
      () => (this.held?.pose === pose ? this.release() : this.hold(pose)),
    );
  }

  grabFromBoard(event) {
    if (event.button !== 0 || this.held) return;
    const option = this.optionAt(this.pointOf(event));
    if (option === undefined || !this.game.state.chosen.includes(option)) return;
    event.preventDefault();
    const point = this.pointOf(event);
    const cells = this.tray.cells[option];
    const far = (cell) => (cell[0] - point[0]) ** 2 + (cell[1] - point[1]) ** 2;
    const cell = cells.reduce((best, one, k) => (far(one) < far(cells[best]) ? k : best), 0);
    const lift = () => this.hold(this.tray.poseOf[option], cell, option);
    this.watch(event, lift, () => (lift(), (this.isFresh = true)));
  }

  // Follow the pointer until it is up; a press that does not move is a click.
  watch(start, begin, click) {
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
      if (isDrag && (event.key === "r" || event.key === "f")) event.key === "r" ? this.turn() : this.flip();
    };
    const stop = (event) => {
      if (event.pointerId !== id) return;
      for (const [name, listener] of listeners) removeEventListener(name, listener);
      if (event.type === "pointercancel") return isDrag && this.release();
      if (!isDrag) return click();
      if (this.held) this.place();
      this.isFresh = true; // the click that follows is not another one
      setTimeout(() => (this.isFresh = false), 0);
    };
    /** @type {[string, (event: any) => void][]} */
    const listeners = [
      ["pointermove", move],
      ["pointerup", stop],
      ["pointercancel", stop],
      ["keydown", press],
    ];
    for (const [name, listener] of listeners) addEventListener(name, listener, { passive: false });
  }

  float() {
    this.floating = make("div", { class: "floating", "aria-hidden": "true" });
    this.dress();
    document.body.append(this.floating);
  }

  dress() {
    this.floating.innerHTML = this.drawPose(this.held.pose, this.scale);
    const option = this.held.pose.options[0];
    const { box } = outlinePlaces(this.painter, this.painter.covered(option));
    const [x, y] = this.tray.cells[option][this.held.cell];
    this.offset = [(x - box[0]) * this.scale, (y - box[1]) * this.scale];
  }

  follow(event) {
    this.pointer = event;
    const lift = event.pointerType === "touch" ? LIFT : 0;
    const [x, y] = [event.clientX, event.clientY - lift];
    this.floating.style.transform = `translate(${x - this.offset[0]}px, ${y - this.offset[1]}px)`;
    this.aim(this.tray.snap(this.held.pose, this.held.cell, this.pointOf({ clientX: x, clientY: y })));
  }

  // A piece that was picked up with a click shows where it would lie.
  hover(event) {
    if (!this.held || this.floating || event.pointerType === "touch") return;
    this.aim(this.tray.snap(this.held.pose, this.held.cell, this.pointOf(event)));
  }

  drop(event) {
    if (this.isFresh) return (this.isFresh = false);
    if (!this.held) return;
    this.aim(this.tray.snap(this.held.pose, this.held.cell, this.pointOf(event)));
    if (this.held.option >= 0) this.place();
  }

  get svg() {
    return this.element.querySelector("svg");
  }

  get scale() {
    return this.svg.getScreenCTM().a;
  }

  pointOf({ clientX, clientY }) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  // The option on top that covers a point.
  /** @param {number[]} point */
  optionAt([x, y]) {
    const near = (option) => this.tray.cells[option].some((cell) => Math.hypot(cell[0] - x, cell[1] - y) < UNIT * 0.6);
    return this.game.shown.findLast(near);
  }

  /**
   * @param {any} pose
   * @param {number[]} share
   */
  cellAt(pose, [right, down]) {
    const option = pose.options[0];
    const { box } = outlinePlaces(this.painter, this.painter.covered(option));
    const [x, y] = [box[0] + right * box[2], box[1] + down * box[3]];
    const cells = this.tray.cells[option];
    const far = (cell) => Math.hypot(cell[0] - x, cell[1] - y);
    return cells.reduce((best, one, k) => (far(one) < far(cells[best]) ? k : best), 0);
  }

  // -- keys -----------------------------------------------------------------------------------------

  press(event) {
    const { key } = event;
    const { held } = this;
    if (!held) {
      const mine = this.game.state.chosen;
      const [down, right] = arrowOf(event);
      if ((down || right) && mine.length)
        this.choose((mine.indexOf(this.picked) + (down + right) + mine.length) % mine.length);
      else if ((key === "Enter" || key === " ") && mine.includes(this.picked))
        this.hold(this.tray.poseOf[this.picked], 0, this.picked);
      else if ((key === "Delete" || key === "Backspace") && mine.includes(this.picked))
        this.game.set({ ...this.game.state, chosen: mine.filter((one) => one !== this.picked) });
      else return;
      return event.preventDefault();
    }
    const [down, right] = arrowOf(event);
    if ((down || right) && held.option >= 0) this.aim(this.tray.neighbor(held.option, [down, right]));
    else if (key === "r" || key === "R") this.turn();
    else if (key === "f" || key === "F") this.flip();
    else if (key === "Enter" || key === " ") this.place();
    else if (key === "Delete" || key === "Backspace") ((held.option = -1), this.place());
    else if (key === "Escape") this.release();
    else return;
    event.preventDefault();
  }

  // Arrow keys lead through the tray; the keys of turning work there too.
  pressTray(event) {
    const buttons = [...this.list.querySelectorAll("button:not(:disabled)")];
    const now = buttons.indexOf(document.activeElement);
    const [down, right] = arrowOf(event);
    if (now >= 0 && (down || right)) buttons[(now + down + right + buttons.length) % buttons.length].focus();
    else if (now >= 0 && (event.key === "r" || event.key === "f")) {
      const name = buttons[now].dataset.piece;
      const { number } = this.tray.pieces.find((piece) => piece.name === name);
      this.poses[number] = event.key === "r" ? this.tray.turn(this.poses[number]) : this.tray.flip(this.poses[number]);
      this.showTray();
      this.list.querySelector(`[data-piece="${CSS.escape(name)}"]`)?.focus();
    } else return;
    event.preventDefault();
  }

  // Pick a piece on the board, to be lifted or taken back.
  choose(place) {
    this.picked = this.game.state.chosen[place];
    this.game.announce(`${this.game.board.labels[this.picked]}: Enter lifts it, Delete takes it back`);
    this.game.show();
  }

  // -- drawing --------------------------------------------------------------------------------------

  show() {
    const { game } = this;
    const shown = game.shown.filter((option) => option !== this.held?.from);
    this.element.innerHTML = game.painter.draw(shown, { title: `the board: ${shown.length} pieces lie on it` });
    if (this.picked !== undefined && !game.state.chosen.includes(this.picked)) this.picked = undefined;
    const clashes = this.clashingPlaces();
    const { fill } = outlinePlaces(this.painter, clashes);
    const grid = outlinePlaces(this.painter, [...this.painter.places().keys()]).fill;
    const picked =
      this.picked === undefined || this.held
        ? ""
        : `<path class="picked" d="${outlinePlaces(this.painter, this.painter.covered(this.picked)).border}"/>`;
    this.svg.insertAdjacentHTML(
      "beforeend",
      `${HATCH}<path class="grid" d="${grid}"/><path class="clash" d="${fill}"/>${picked}` +
        `<g class="hint-marks">${this.marks()}</g><g class="ghost"></g>`,
    );
    this.element.classList.toggle("holding", this.held !== null);
    this.drawHeld();
    this.showTray();
  }

  // The places that are covered more than once.
  clashingPlaces() {
    const seen = new Set();
    const twice = new Set();
    for (const option of this.game.shown)
      if (option !== this.held?.from)
        for (const key of this.painter.covered(option)) (seen.has(key) ? twice : seen).add(key);
    return [...twice];
  }

  drawHeld() {
    const ghost = this.element.querySelector(".ghost");
    if (!ghost) return;
    if (!this.held || this.held.option < 0) return ghost.replaceChildren();
    const { option, from } = this.held;
    const { fill, border } = outlinePlaces(this.painter, this.painter.covered(option));
    const isWrong = this.game.overlapping(option, from).length > 0;
    const color = this.hueOf(this.held.pose.number, option);
    ghost.innerHTML =
      `<path class="shade" style="fill: ${color}" d="${fill}"/>` +
      `<path class="${isWrong ? "wrong" : "right"}" d="${border}"/>`;
  }

  marks() {
    const { hint } = this.game;
    this.hinted = hint?.stage >= 2 && hint.option !== null ? this.tray.pieceOf[hint.option] : hint?.piece;
    if (!hint) return "";
    const ring = hint.place ? ringAt(this.painter, hint.place) : "";
    if (hint.stage < 3 || hint.option === null) return ring;
    return `<path class="hint-shape" d="${outlinePlaces(this.painter, this.painter.covered(hint.option)).border}"/>`;
  }
}

const HATCH =
  '<defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
  '<rect width="8" height="8" fill="var(--paper)" fill-opacity="0.35"/>' +
  '<path d="M0 0v8" stroke="var(--mark)" stroke-width="6"/></pattern></defs>';
