// The board of a tiling and the tray beside it. Pieces are dragged with the mouse or by touch, or picked up with a
// click or a key and moved with the arrow keys. What is dropped snaps to the nearest place, also where it is wrong.

import { arrowOf, countOf, make, sum } from "./data.js";
import { fillOption, markHint, outlinePlaces, sharedSides } from "./marks.js";
import { numberPlaces } from "./numbers.js";
import { PiecePointer } from "./pointer.js";
import { Shelf } from "./shelf.js";
import { Stack } from "./stack.js";
import { Tray } from "./tray.js";

export class PiecesBoard {
  // `game` has the painter, the chosen options and `set`; it is told what is done.
  constructor(game, tray) {
    this.game = game;
    this.painter = game.painter;
    this.tray = new Tray(game.painter, tray, Boolean(game.board.solid));
    this.poses = this.tray.pieces.map((piece) => piece.poses[0]);
    this.held = null;
    this.element = make("div", {
      class: "picture board", tabindex: "0", role: "application",
      "aria-label": "the board; choose a piece and move it with the arrow keys",
      "aria-describedby": "play-keys",
      onpointerdown: (event) => this.pointer.grabFromBoard(event),
      onpointermove: (event) => this.pointer.hover(event),
      onclick: (event) => this.pointer.click(event),
      onkeydown: (event) => this.press(event),
    });
    this.pointer = new PiecePointer(this);
    this.shelf = new Shelf(this);
    this.side = this.shelf.element;
    this.tools = this.shelf.tools;
    this.how = "Drag a piece, or choose it and click where it should lie.";
    this.numbers = numberPlaces(game.painter, game.board.matrix.rows, game.board.items);
    this.stack = game.board.solid ? new Stack(game.board.solid, game.painter) : null;
    this.below = this.stack?.element ?? null;
  }

  // What the keys do.
  get keys() {
    const { canTurn, canFlip } = this.tray;
    const turns = `${canTurn ? "r turns it, " : ""}${canFlip ? "f flips it, " : ""}`;
    return `Keys: arrows move a piece, ${turns}Enter drops it, Delete takes it back, Escape lets it go.`;
  }

  // -- holding a piece ------------------------------------------------------------------------------

  // Hold a piece; `from` is the option that is lifted from the board, or -1.
  hold(pose, cell = 0, from = -1) {
    this.held = { pose, cell: Math.min(cell, pose.cells.length - 1), from, option: from };
    this.game.show();
  }

  release() {
    this.pointer.drop();
    this.held = null;
    this.game.show();
  }

  // Pick a piece up to move it with keys, or to click where it should lie.
  take(piece) {
    if (this.held?.pose.number === piece.number) return this.release();
    const pose = this.poses[piece.number];
    this.hold(pose);
    const free = pose.options.find((option) => this.game.position.live[option]);
    this.aim(free ?? pose.options[0]);
    this.element.focus({ preventScroll: true });
  }

  aim(option) {
    if (!this.held || option === this.held.option) return;
    this.held.option = option;
    this.drawHeld();
    if (option >= 0) this.game.announce(this.describe(option));
  }

  describe(option) {
    const others = this.game.overlapping(option, this.held.from);
    return `${this.game.words.option(option)}: ${others.length ? "not free" : "free"}`;
  }

  place() {
    const { option, from } = this.held;
    const chosen = this.game.state.chosen.filter((one) => one !== from);
    if (option < 0 && from < 0) return this.release();
    this.pointer.drop();
    this.held = null;
    if (option === from) return this.game.show();
    this.game.try({ chosen: option < 0 ? chosen : [...chosen, option] });
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
      return this.shelf.show();
    }
    const { held } = this;
    const pose = move(held.pose);
    this.poses[pose.number] = held.pose = pose;
    if (this.pointer.floating) this.pointer.turn();
    else if (held.option >= 0) this.aim(this.tray.nearest(pose, held.option));
    this.shelf.show();
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
        this.game.takeBack(this.picked);
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

  // Pick a piece on the board, to be lifted or taken back.
  choose(place) {
    this.picked = this.game.state.chosen[place];
    this.game.announce(`${this.game.words.option(this.picked)}: Enter lifts it, Delete takes it back`);
    this.game.show();
  }

  // What is left to be done, in words: pieces, if it is certain how many are needed, or else cells.
  countLeft() {
    const { shown, position, words, board } = this.game;
    const { low } = position.solver;
    const pieces = low.map((_, item) => words.findPiece(item));
    const most = sum(board.tray.most.map((one) => one ?? Infinity));
    if (sum(low.filter((_, item) => pieces[item] !== undefined)) === most)
      return `${countOf(Math.max(0, most - shown.length), "piece")} left`;
    const isCell = low.map((least, item) => least > 0 && pieces[item] === undefined);
    const left = isCell.filter((one, item) => one && position.needs[item] > 0).length;
    const [size, ...others] = new Set(board.matrix.rows.map((row) => row.filter(([item]) => isCell[item]).length));
    if (size && !others.length && left % size === 0) return `${countOf(left / size, "piece")} left`;
    return `${countOf(left, "cell")} left`;
  }

  get svg() {
    return this.element.querySelector("svg");
  }

  // -- drawing --------------------------------------------------------------------------------------

  show() {
    const { game } = this;
    const shown = game.shown.filter((option) => option !== this.held?.from);
    if (game.position.isSolved) this.stack?.focus(undefined); // the whole solid is seen
    this.element.innerHTML = game.painter.draw(shown, { title: `the board: ${shown.length} pieces lie on it` });
    if (this.picked !== undefined && !game.state.chosen.includes(this.picked)) this.picked = undefined;
    const clashes = this.clashingPlaces();
    const { fill } = outlinePlaces(this.painter, clashes);
    const covered = new Set(shown.flatMap((option) => this.painter.covered(option)));
    const open = [...this.painter.places().keys()].filter((key) => !covered.has(key));
    const grid = outlinePlaces(this.painter, open).fill;
    const picked =
      this.picked === undefined || this.held
        ? ""
        : `<path class="picked" d="${outlinePlaces(this.painter, this.painter.covered(this.picked)).border}"/>`;
    this.svg.insertAdjacentHTML(
      "beforeend",
      `${HATCH}<path class="layer" d="${this.stack ? outlinePlaces(this.painter, this.stack.keys).border : ""}"/>` +
        `<path class="grid" d="${grid}"/><path class="rim" d="${outlinePlaces(this.painter, [...covered]).border}"/>` +
        `<path class="clash" d="${fill}"/>` +
        `<path class="clash-edge" d="${this.clashingSides()}"/>${picked}` +
        `<g class="hint-marks">${this.marks()}</g><g class="ghost"></g>`,
    );
    this.numbers.put(this.svg);
    this.element.classList.toggle("holding", this.held !== null);
    this.drawHeld();
    this.shelf.show();
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

  // The sides at which pieces lie that conflict without lying on each other, such as edges of different colors.
  clashingSides() {
    const { conflicts } = this.game.position;
    const found = [...conflicts].filter(([option]) => option !== this.held?.from);
    const sides = found.flatMap(([one, items], k) => {
      const clashing = found.slice(k + 1).filter(([, others]) => items.some((item) => others.includes(item)));
      return clashing.map(([other]) => sharedSides(this.painter, one, other));
    });
    return sides.join("");
  }

  drawHeld() {
    if (this.stack) this.showStack();
    const ghost = this.element.querySelector(".ghost");
    if (!ghost) return;
    if (!this.held || this.held.option < 0) return ghost.replaceChildren();
    const { option, from } = this.held;
    const { border } = outlinePlaces(this.painter, this.painter.covered(option));
    const isWrong = this.game.overlapping(option, from).length > 0;
    ghost.innerHTML =
      `<g class="shade">${fillOption(this.painter, option, this.held.pose.number)}</g>` +
      `<path class="${isWrong ? "wrong" : "right"}" d="${border}"/>`;
  }

  // Show in space what lies there, and what is held or hinted at; the layer of a held piece is the one worked on.
  showStack() {
    const { held } = this;
    const { hint, shown } = this.game;
    const air = held?.option >= 0 ? held.option : !held && hint?.stage >= 3 ? hint.option : null;
    this.stack.show(shown.filter((option) => option !== held?.from), air);
    if (air !== null) this.workOn(this.tray.cells[air][held?.cell ?? 0][3]);
  }

  // Work on the layer of a place.
  workOn(key) {
    if (!this.stack || key === undefined || this.game.position.isSolved) return;
    this.stack.focus(key);
    const frame = this.element.querySelector(".layer");
    frame.setAttribute("d", outlinePlaces(this.painter, this.stack.keys).border);
  }

  marks() {
    const { hint } = this.game;
    this.hinted = new Set(hint?.stage >= 3 ? [this.tray.pieceOf[hint.option]] : hint?.looks[hint.stage - 1].pieces);
    return hint ? markHint(this.painter, hint) : "";
  }
}

const HATCH =
  '<defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
  '<rect width="8" height="8" fill="var(--paper)" fill-opacity="0.35"/>' +
  '<path d="M0 0v8" stroke="var(--mark)" stroke-width="6"/></pattern></defs>';
