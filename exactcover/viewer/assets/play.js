// Playing with a puzzle: what lies on the board, undo, hints in steps, and whether there is still a solution.

import { CellsBoard } from "./cells.js";
import { Colors } from "./colors.js";
import { capital, countOf, make, makeButton, mistakeOf, ONE_MOMENT, onControl, say, toSentence } from "./data.js";
import { icon, makeIconButton, makeKeyButton, makeNamedButton } from "./icons.js";
import { Painter } from "./picture.js";
import { PiecesBoard } from "./pieces.js";
import { LinesBoard } from "./lines.js";
import { ListBoard } from "./list.js";
import { costOf, Position } from "./position.js";
import { wrapLayers } from "./stack.js";
import { Words } from "./words.js";

const PAUSE = 200; // milliseconds after a move until it is checked
const WIDTH = 9; // of a cell at most, in rem
const ABOVE = 13.5; // what is above and below the board, in rem
const COLUMN = matchMedia("(max-width: 900px) and (max-aspect-ratio: 3/2)"); // where all stands in one column
const SIDE = 26.5; // what is beside the board elsewhere, in rem
const LAYERS = 0.4; // the share of the window that the layers of a solid get, from top to bottom
const STRIP = 4; // how much wider than high a board is that gets the whole window
const MOST_PLACES = 4; // of an item, such as the edges of a tile
const EMPTY = { chosen: [], without: [], pencil: {} };

export class PlayView {
  // `answers` knows the puzzle, and answers questions about it; `change` is called with what was done after each step;
  // `extra` is shown below the controls.
  /** @param {{answers: any, change?: (done: object) => void, extra?: string | Node}} game */
  constructor({ answers, change = () => {}, extra = "" }) {
    this.answers = answers;
    this.change = change;
    this.extra = extra;
    this.past = [];
    this.future = [];
    /** @type {any} */ this.view = null; // the board, of whichever kind
    /** @type {number[]} */ this.implied = []; // options that follow from the choices
    this.asked = this.tried = 0; // hints, and moves
    this.isPossible = true;
    this.element = make("div", { class: "play" });
    addEventListener("resize", () => this.fit());
    onControl(this.element, { z: () => this.undo?.click(), y: () => this.redo?.click() });
  }

  // Go on with the same puzzle, or begin with another.
  async resume() {
    if (this.puzzle !== this.answers.key) await this.start();
  }

  // Begin, with more givens, and with what was done before, as labels.
  async start(given = [], done = null) {
    this.puzzle = this.answers.key;
    this.undo = this.redo = undefined; // of a board that is not shown any more
    this.element.replaceChildren(make("p", { class: "soft" }, ONE_MOMENT));
    const answer = await this.answers.play();
    if (answer === null) return (this.puzzle = null);
    if (mistakeOf(answer)) {
      this.puzzle = null;
      this.element.replaceChildren(make("p", { class: "mistakes" }, mistakeOf(answer)));
      return;
    }
    this.board = answer;
    const find = (labels) => labels.map((label) => answer.labels.indexOf(label)).filter((k) => k >= 0);
    this.fixed = [...new Set([...answer.given, ...find(given)])];
    const chosen = done ? find(done.chosen).filter((option) => !this.fixed.includes(option)) : [];
    this.state = { ...EMPTY, chosen, pencil: done?.pencil ?? {} };
    [this.past, this.future] = [[], []];
    this.hint = null;
    this.implied = [];
    this.isPossible = answer.solvable !== false;
    this.layOut();
    if (document.activeElement === document.body && parent === window && this.view.focus) {
      this.view.element.tabIndex = -1; // for keys, before any of them shows where it goes
      this.view.element.focus({ preventScroll: true });
    }
    await this.check();
  }

  // What is drawn; the layers of a solid lie as the window has room for them.
  get drawing() {
    const { drawing, solid } = this.board;
    if (!drawing || !solid) return drawing ?? {};
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const width = this.element.clientWidth || innerWidth;
    return wrapLayers(drawing, COLUMN.matches ? width : width - SIDE * rem, LAYERS * innerHeight);
  }

  // Follow the window: numbers beside the board stay readable.
  fit() {
    if (!this.view) return;
    const { drawing, painter } = this;
    if (painter.rows === drawing.rows && painter.columns === drawing.columns) return this.show();
    this.layOut();
    this.tell();
  }

  layOut() {
    const { labels, palette, tray } = this.board;
    this.painter = new Painter(this.drawing, labels, palette);
    CellsBoard.hideAreas(this.painter, this.board.matrix);
    const Board = [LinesBoard, CellsBoard, ListBoard].find((one) => one.fits(this.painter));
    this.words = new Words(this.board, this.painter, Board === CellsBoard && !tray);
    this.view = tray && this.painter.draws ? new PiecesBoard(this, tray) : new Board(this);
    this.colors = tray || Board === ListBoard ? null : new Colors(this);
    this.build();
    this.show();
  }

  build() {
    this.status = make("p", { role: "status", id: "play-status" });
    this.live = make("p", { class: "unseen", "aria-live": "polite" });
    this.tip = make("div", { id: "hint", role: "status" });
    this.cost = make("p", { id: "play-cost" });
    this.ruled = make("p", { class: "soft" });
    this.undo = makeKeyButton("undo-2", "Undo", "Ctrl+Z", () => this.step(this.past, this.future));
    this.redo = makeKeyButton("redo-2", "Redo", "Ctrl+Y", () => this.step(this.future, this.past));
    const about = { title: "First where to look, then why, then what" };
    this.hinter = makeIconButton("lightbulb", "Hint", () => this.help(), about);
    this.strict = make("input", { type: "checkbox" });
    this.clock = make("span", { class: "clock", hidden: true });
    this.timer = make("input", { type: "checkbox", onchange: () => this.runClock() });
    const bar = make("div", { class: "bar" },
      make("span", { class: "joined" }, this.undo, this.redo),
      makeNamedButton("list-restart", "Start again", "Start again", () => this.set(EMPTY)),
      this.hinter,
      ...(this.view.tools ?? []),
    );
    const wishes = make("div", { class: "bar rules" },
      make("label", {}, this.strict, " Refuse wrong moves"),
      make("label", {}, this.timer, " Timer"),
      this.clock,
    );
    const { columns = 6, rows = 6 } = this.painter;
    const { solid, rules } = this.board;
    const shape = columns / rows;
    const kind = solid ? " solids" : shape > STRIP ? " wide" : "";
    const room = `(100vh - ${ABOVE}rem - var(--stack, 0px)) * var(--shape)`;
    const board = `min(${Math.max(18, WIDTH * columns)}rem, max(18rem, ${room}))`;
    this.element.replaceChildren(
      make("p", { id: "play-rules", class: "soft" }, rules, make("span", { class: "how" }, ` ${this.view.how}`)),
      make("div", { class: `play-grid${kind}`, style: `--board: ${board}; --shape: ${shape.toFixed(3)}` },
        make("div", { class: "board-side" },
          this.view.element,
          this.view.below,
          make("p", { id: "play-keys", class: "soft" }, this.view.keys),
        ),
        make("div", { class: "play-side" },
          this.status, this.cost, bar, this.tip, this.ruled, this.view.side, this.colors?.element, wishes,
          this.extra, this.live,
        ),
      ),
    );
  }

  // -- the state ------------------------------------------------------------------------------------

  // All options on the board, the givens first, and those that follow at the end.
  get shown() {
    return [...this.fixed, ...this.state.chosen, ...this.implied];
  }

  // What follows from the choices, without being on the board.
  imply(state) {
    return this.view.imply?.([...this.fixed, ...state.chosen], this.leaveOut(state), state) ?? [];
  }

  // The options that are left out: ruled out by hints, or by what is drawn.
  leaveOut(state = this.state) {
    return [...state.without, ...(this.view.leaveOut?.(state) ?? [])];
  }

  // What was done: choices in their order, then what was ruled out. A choice is taken back with all those after it.
  /** @returns {import("./advisor.js").Step[]} */
  listSteps() {
    const { state } = this;
    const { chosen, without } = state;
    const before = (k) => ({ ...state, chosen: chosen.slice(0, k) });
    const allow = (option) => ({ ...state, without: without.filter((one) => one !== option) });
    return this.view.listSteps?.() ?? [
      ...chosen.map((option, k) => (
        { name: this.words.done(option), chosen: [option], without: [], takeBack: () => before(k) })),
      ...without.map((option) => (
        { name: this.words.out(option), chosen: [], without: [option], takeBack: () => allow(option) })),
    ];
  }

  // Do a step, which can be undone. Pencil marks do not change what is known.
  set(state, isMove = true) {
    this.past.push(this.state);
    this.future = [];
    this.enter(state, isMove);
  }

  takeBack(option) {
    this.set({ ...this.state, chosen: this.state.chosen.filter((one) => one !== option) });
  }

  step(from, to) {
    if (!from.length) return;
    to.push(this.state);
    this.enter(from.pop());
  }

  enter(state, isMove = true) {
    this.state = state;
    this.hint = null;
    this.tip.replaceChildren();
    this.show();
    this.change(this.done);
    if (isMove) {
      clearTimeout(this.waiting);
      this.tell();
      this.waiting = setTimeout(() => this.check(), PAUSE);
    }
  }

  // What was done, as labels.
  get done() {
    return { chosen: this.state.chosen.map((option) => this.board.labels[option]), pencil: this.state.pencil };
  }

  // Change what is on the board, unless wrong moves are refused and this is one; returns whether it was not refused.
  async try(change) {
    const number = ++this.tried;
    const { state: before } = this;
    const state = { ...before, ...change };
    const accept = () => {
      this.set(state);
      return true;
    };
    if (!this.strict.checked) return accept();
    const all = [...this.fixed, ...state.chosen, ...this.imply(state)];
    const without = this.leaveOut(state);
    const position = new Position(this.board.matrix, all, without);
    const answer = position.conflicts.size ? { solvable: false } : await this.answers.position(all, without);
    if (answer === null || number !== this.tried || before !== this.state) return true; // another move took its place
    if (answer.solvable !== false) return accept();
    this.show();
    const { conflicts } = position;
    say(conflicts.size ? `Refused: ${this.words.conflict([...conflicts.keys()])}` : "That leads to no solution.");
    return false;
  }

  // The options that conflict with one, besides one that is lifted.
  overlapping(option, without) {
    const others = this.shown.filter((one) => one !== without);
    const { conflicts } = new Position(this.board.matrix, [...others, option], []);
    return conflicts.has(option) ? others.filter((one) => conflicts.has(one)) : [];
  }

  announce(text) {
    this.live.textContent = text;
  }

  // -- what is known --------------------------------------------------------------------------------

  show() {
    this.implied = this.imply(this.state);
    this.position = new Position(this.board.matrix, this.shown, this.leaveOut());
    this.broken = this.position.broken;
    this.undo.disabled = !this.past.length;
    this.redo.disabled = !this.future.length;
    this.hinter.disabled = !this.isPossible || this.position.isSolved;
    this.showCost();
    this.ruled.textContent = this.words.listRuledOut(this.state.without);
    this.ruled.hidden = !this.state.without.length || this.position.isSolved;
    this.view.show();
    this.colors?.show();
  }

  // What the choices cost, and the least cost that is known, unless nothing costs anything.
  showCost() {
    const costs = [this.shown, this.board.cheapest ?? []].map((options) => costOf(this.board, options) ?? 0);
    const [cost, least] = costs.map((one) => one.toLocaleString("en", { maximumFractionDigits: 6 }));
    const more = this.board.cheapest ? ` The least known for a solution: ${least}.` : "";
    this.cost.hidden = !costs.some(Boolean);
    this.cost.textContent = `Cost so far: ${cost}.${more}`;
  }

  // Say at once what can be seen, then ask whether there is a solution.
  async check() {
    const { position, state } = this;
    this.tell();
    if (position.isSolved || position.conflicts.size || this.broken || !this.isPossible) return;
    const answer = await this.answers.position(this.shown, this.leaveOut());
    if (answer === null || state !== this.state) return;
    this.tell(answer.error ? null : answer.solvable);
  }

  tell(solvable = undefined) {
    const { position, status } = this;
    const pairs = position.conflicts.size;
    const trouble = (this.broken && `${capital(this.broken.text)}.`) ?? this.view.describeTrouble?.(position);
    const isWrong = pairs || trouble || solvable === false || !this.isPossible;
    status.className = position.isSolved ? "solved" : isWrong ? "wrong" : "";
    status.dataset.solvable = String(solvable);
    const left = this.countLeft();
    if (position.isSolved) status.replaceChildren(icon("check"), "Solved.");
    else if (!this.isPossible) status.replaceChildren(icon("circle-alert"), "This puzzle has no solution.");
    else if (pairs)
      status.replaceChildren(
        icon("circle-alert"), `${this.words.conflict([...position.conflicts.keys()])} `, this.makeReturn());
    else if (trouble || solvable === false)
      status.replaceChildren(
        icon("circle-alert"),
        `${trouble || "No longer solvable."} `,
        this.listSteps().length ? makeButton("Since when?", () => this.help(), { class: "bare" }) : "",
      );
    else status.replaceChildren(solvable ? `${left}. Still solvable.` : left);
    this.view.element.classList.toggle("done", position.isSolved);
    if (position.isSolved) this.stopClock();
  }

  // The chosen options that conflict, or by which a rule is broken.
  get culprits() {
    const switches = new Set(this.broken?.switches.flat());
    return [...this.position.conflicts.keys(), ...this.shown.filter((option) => switches.has(option))];
  }

  // The button that takes back the last choice that is wrong; nothing if there is none.
  makeReturn(isNamed = false) {
    const wrong = this.state.chosen.findLast((option) => this.culprits.includes(option));
    if (wrong === undefined) return "";
    const name = isNamed ? `Take back ${this.words.option(wrong)}` : "Take it back";
    return makeButton(name, () => this.takeBack(wrong), { class: "bare" });
  }

  countLeft() {
    return this.view.countLeft?.() ?? countOf(this.position.live.filter(Boolean).length, "possible choice");
  }

  // -- hints ----------------------------------------------------------------------------------------

  // The next step of a hint: where to look, why, what.
  async help() {
    const advise = this.view.advise && ((outlook) => this.view.advise(outlook));
    const refute = this.view.refuteStep?.bind(this.view);
    const done = { given: this.fixed, steps: this.listSteps(), advise, refute };
    if (this.culprits.length && !advise)
      return this.tip.replaceChildren("First take back what is wrong, as the board shows. ", this.makeReturn(true));
    const { hint } = this;
    if (hint && !hint.reason.step && hint.stage < 3) return this.showHint({ ...hint, stage: hint.stage + 1 });
    this.tip.replaceChildren(ONE_MOMENT);
    const { state } = this;
    const number = ++this.asked;
    const answer = await this.answers.hint(this.shown, this.leaveOut(), done);
    if (answer === null || state !== this.state || number !== this.asked) return; // it is about an earlier position
    if (answer.error) return this.tip.replaceChildren(toSentence(answer.error));
    const { chain, excluded, short = [], supposed, step, truths } = answer.reason;
    if (supposed) return this.showHint({ ...answer, looks: [], stage: 1 });
    if (step) return this.showWrong(answer);
    if (answer.option === null) return this.tip.replaceChildren(this.words.refuse(answer));
    const ends = truths ?? (chain || !short.length ? [answer.item] : short);
    const looks = [[answer.item], ends].map((items) => this.lookAt(items));
    const found = this.view.findCauses?.(answer) ?? { causes: [] };
    const lookAtOptions = (options) => {
      return { pieces: [], keys: [...new Set(options.flatMap((one) => this.painter.covered(one)))], isOne: false };
    };
    if (excluded) {
      const own = lookAtOptions([answer.option]);
      const items = this.board.matrix.rows[answer.option].map(([item]) => item);
      looks[0] = own.keys.length ? own : this.lookAt(items); // what lies nowhere is about what shares its items
    }
    if (chain && answer.item === null) looks[1] = lookAtOptions([answer.option, ...chain.map(([one]) => one)]);
    this.showHint({ ...answer, looks, ...found, position: this.position, stage: 1 });
  }

  // Where to look for some items: pieces of the tray, and places: those that all options share, if they are few, or
  // else those of any option, or of what is around, as in a cage.
  lookAt(items) {
    if (!this.painter.draws || items[0] === null) return { pieces: [], keys: [], isOne: false };
    const pieces = items.map((item) => this.words.findPiece(item));
    const others = items.filter((_, k) => pieces[k] === undefined);
    const { rows } = this.board.matrix;
    const options = [...rows.keys()].filter((option) => rows[option].some(([item]) => others.includes(item)));
    const places = options.map((option) => this.painter.covered(option));
    const shared = places.reduce((all, one) => all.filter((key) => one.includes(key)), places[0] ?? []);
    const isOne = shared.length > 0 && shared.length <= MOST_PLACES;
    const keys = isOne ? shared : [...new Set(places.flat())];
    const around = [...new Set(options.flatMap((option) => rows[option].map(([item]) => item)))];
    return keys.length || around.length <= others.length ? { pieces, keys, isOne } : this.lookAt(around);
  }

  // The button that does what a hint says.
  makeTaker({ option, reason: { excluded = [], supposed } }) {
    const { chosen, without } = this.state;
    const take = () => this.set({ ...this.state, chosen: [...chosen, option] });
    if (supposed)
      return makeButton(supposed.isDrawn ? "Cross it out" : "Draw it", () => this.set(this.view.reject(supposed)));
    const isSilent = this.painter.covered(option).length === 0; // it lies nowhere
    const ruleOut = () => {
      const pencil = this.view.erase?.(excluded) ?? this.state.pencil;
      this.set({ ...this.state, without: [...without, ...excluded], pencil });
    };
    return excluded.length
      ? makeButton("Rule it out", ruleOut)
      : makeButton(isSilent ? "Note it" : "Place it", take);
  }

  // Say which step is wrong, and mark it where that is a line.
  showWrong(answer) {
    const { reason } = answer;
    const { place, takeBack } = reason.step;
    const later = this.state.chosen.length - takeBack().chosen.length;
    this.tip.replaceChildren(
      `${this.words.refuse(answer)} `,
      makeButton(later > 1 ? `Take back the last ${later}` : "Take it back", () => this.set(takeBack())),
    );
    if (place === undefined && answer.item === null) return;
    const look = place === undefined ? this.lookAt([answer.item]) : null;
    this.hint = { ...answer, looks: [look, look], causes: [], position: this.position, stage: 2 };
    this.show();
  }

  showHint(hint) {
    this.hint = hint;
    this.tip.replaceChildren(
      make("span", { class: "soft" }, `Hint ${hint.stage} of 3: `),
      this.words.steps(hint)[hint.stage - 1],
      " ",
      hint.stage < 3
        ? makeButton("More", () => this.help())
        : this.makeTaker(hint),
    );
    this.show();
    const mark = this.view.element.querySelector(".hint-marks > :not([d=''])");
    mark?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // -- the clock ------------------------------------------------------------------------------------

  runClock() {
    this.stopClock();
    this.clock.hidden = !this.timer.checked;
    if (!this.timer.checked) return;
    const start = Date.now();
    const tick = () => {
      const seconds = Math.floor((Date.now() - start) / 1000);
      this.clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    };
    tick();
    this.ticking = setInterval(tick, 1000);
  }

  stopClock() {
    clearInterval(this.ticking);
  }
}
