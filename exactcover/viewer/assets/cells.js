// The board of a puzzle whose options each lie on one place: digits with pencil marks, or queens and what they attack.
// Options that lie nowhere, such as the combinations of digits that a cage can hold, are noted, or follow as soon as
// they are the only ones left for an item; if none is left, what was chosen around the item is wrong.

import { arrowOf, capital, countOf, escapeText, leastBy, make, makeButton } from "./data.js";
import { makeChip, NO_ANSWER, pushTo, say, setPressed, sum } from "./data.js";
import { makeIconButton } from "./icons.js";
import { crossAt, describePlace, findNext, layOver, makePlace, outlinePlaces } from "./marks.js";
import { numberPlaces } from "./numbers.js";
import { middle, UNIT } from "./shapes.js";
import { Position } from "./position.js";
import { Solver } from "./solver.js";

const [WHOLE, CORNER_KIND] = [0, 1]; // what is written, besides marks in the center
const CENTER = " center"; // ends the names of marks in the middle of cells, as they are kept
const LEAST_MARK = 7.5; // the height of marks in pixels
const OUT_ARM = 0.12; // of a cross
const MOST_STARTS = 64; // of choices of items to count
const CORNERS = [[-1, -1], [1, -1], [-1, 1], [1, 1]];

export class CellsBoard {
  // Whether the options of a puzzle each lie on one place, and look different there, besides those that lie nowhere.
  static fits(painter) {
    const places = painter.draws ? painter.options.map((_, option) => painter.covered(option)) : [];
    const looks = places.flatMap(([key], option) => (key === undefined ? [] : [`${key} ${painter.textOf(option)}`]));
    return looks.length > 0 && new Set(looks).size === looks.length && places.every((keys) => keys.length <= 1);
  }

  // Draw no options that follow from symbols: areas, which share only colors with them.
  static hideAreas(painter, { rows }) {
    if (!painter.draws) return;
    const isSymbol = painter.options.map((_, option) => painter.textOf(option) !== undefined);
    const taken = new Set(rows.flatMap((row, option) => (isSymbol[option] ? row.filter(([, color]) => !color) : []))
      .map(([item]) => item));
    const isArea = (option) => !isSymbol[option] && !rows[option].some(([item]) => taken.has(item));
    if (taken.size > 0) painter.options = painter.options.map((shapes, option) => (isArea(option) ? [] : shapes));
  }

  constructor(game) {
    this.game = game;
    this.painter = game.painter;
    const keys = new Set(this.painter.options.flatMap((_, option) => this.painter.covered(option)));
    const ordered = [...this.painter.places().keys()].filter((key) => keys.has(key));
    this.options = new Map(ordered.map((key) => [key, []]));
    this.painter.options.forEach((_, option) => this.options.get(this.placeOf(option))?.push(option));
    const { matrix } = game.board;
    this.solver = new Solver(matrix);
    const isSilent = (option) => this.placeOf(option) === undefined; // it lies nowhere
    // items that are covered by such options alone, such as cages
    this.bare = [...this.solver.low.keys()].filter((item) => this.solver.holders[item]?.every(isSilent));
    this.around = [...new Set(matrix.rows.filter((_, option) => isSilent(option)).flat().map(([item]) => item))];
    this.blanks = this.listBlanks();
    this.texts = [...new Set(this.painter.options.map((_, option) => this.painter.textOf(option)))]
      .filter((text) => text !== undefined)
      .sort((one, two) => one.localeCompare(two, "en", { numeric: true }));
    this.symbols = this.texts.length ? this.texts : ["♛"]; // what is written, and drawn
    this.numbers = numberPlaces(this.painter, matrix.rows, game.board.items);
    this.key = ordered.find((key) => !this.isFixed(key)) ?? ordered[0];
    this.selected = new Set(); // with the key, which is the last of them, once there are some
    this.isDragged = false; // whether the pointer selects cells
    this.wasDragged = false; // whether it has selected some
    this.mode = WHOLE;
    const { counted, isPartial } = this.findCounted();
    this.counted = counted;
    this.isPartial = isPartial; // whether cells besides may hold something
    this.element = make("div", {
      class: "picture board cells",
      style: `--least: ${this.leastSize * this.painter.columns}px; --tall: ${this.leastSize * this.painter.rows}px`,
      onpointerdown: (event) => (this.isDragged = event.pointerType === "mouse" && event.button === 0),
      onpointermove: (event) => this.drag(event),
      onclick: (event) => this.click(event),
      onkeydown: (event) => this.press(event),
    });
    this.how = this.texts.length
      ? `Click a cell, then choose a ${game.words.symbol}.`
      : "Click a square to put a queen there, or to take it back.";
    this.keys = this.texts.length
      ? "Arrow keys move from cell to cell; Delete clears. Drag, Shift+arrow or Ctrl+click select several cells."
      : "Arrow keys move from square to square; Delete clears one.";
    if (this.texts.length > 1) this.keys += " Corner and Center write pencil marks.";
    this.notes = make("ul", { class: "chips", "aria-label": "Noted" });
    this.attacks = make("input", { type: "checkbox", checked: true, onchange: () => game.show() });
    const attacks = make("div", { class: "rules" }, make("label", {}, this.attacks, " Show what is attacked"));
    this.side = make("div", { class: "view-side" },
      ...(this.texts.length ? this.makePad() : []),
      this.texts.length > 1 ? null : attacks,
      this.notes,
    );
  }

  // How large a cell is at least, in pixels, for its digits and marks to be read.
  get leastSize() {
    const wide = Math.ceil(Math.sqrt(this.texts.length));
    return Math.max(28, Math.ceil((LEAST_MARK * wide) / (0.8 * this.markScale)));
  }

  // The size of marks below what the board writes in corners.
  get markScale() {
    return this.painter.board.some((shape) => shape[0] === "t" && shape[6]) ? 0.78 : 1;
  }

  makePad() {
    const { symbol } = this.game.words;
    const modes = [
      [capital(symbol), `Write ${symbol}s (key: p for the next kind)`],
      ["Corner", "Write marks in the corners (key: p, or hold Shift)"],
      ["Center", "Write marks in the middle (key: p)"],
    ];
    this.kinds = modes.map(([name, title], kind) =>
      makeButton(name, () => this.setMode(kind), { "aria-pressed": String(kind === this.mode), title }),
    );
    this.several = makeButton("Several", () => setPressed(this.several, !this.isSeveral), {
      "aria-pressed": "false",
      title: "Select several cells: clicks add cells, and take them away",
    });
    const all = makeButton("Mark by rules", () => this.pencilAll(), {
      title: `Write each ${symbol} as a pencil mark that neither a ${symbol} on the board nor a cage or line rules out`,
    });
    const marking = this.texts.length > 1 ? [all] : []; // where there is one symbol, crosses say more
    const possible = makeButton("Reveal candidates", () => this.pencilPossible());
    const warning = `Reveal candidates gives away which ${symbol}s chosen cells have in solutions. Your marks stay.`;
    const erase = makeIconButton("eraser", "Erase", () => this.clear(), { title: "Key: Delete" });
    const style = `--wide: ${Math.ceil(Math.sqrt(this.texts.length))}`;
    const keys = this.texts.map((text) => makeButton(text, () => this.write(text, this.mode)));
    const title = `Mark that no ${this.texts[0]} is there (key: x)`;
    if (this.texts.length === 1) keys.push(makeButton("×", () => this.cross(), { title }));
    this.pad = make("div", { class: "pad", style, role: "group", "aria-label": `Every ${symbol}` }, ...keys);
    const kinds = make("span", { class: "joined", role: "group", "aria-label": "What is written" }, ...this.kinds);
    const bar = (...buttons) => make("div", { class: "bar" }, ...buttons);
    const legend = [...this.game.words.meanings].map(([text, word]) => `${text} = ${word}`).join(", ");
    const lines = [legend, warning].filter(Boolean).map((line) => make("p", { class: "soft" }, line));
    const ways = this.texts.length > 1 ? [kinds] : [];
    const bars = [bar(...ways, this.several, erase), bar(...marking, possible)];
    return [...lines.slice(0, -1), this.pad, ...bars, lines.at(-1)];
  }

  placeOf(option) {
    return this.painter.covered(option)[0];
  }

  // The options that follow from others and lie nowhere. If nothing more is needed, all other cells are empty.
  imply(chosen, without) {
    const taken = new Set(chosen.map((option) => this.placeOf(option)));
    const isOpen = ([key, option]) => !taken.has(key) && !chosen.includes(option);
    const blank = [...this.blanks].filter(isOpen).map(([, option]) => option);
    return (blank.length && this.complete(chosen, blank, without)) || this.follow(chosen, without);
  }

  // The options that lie nowhere and are the only ones left for an item.
  follow(chosen, without) {
    return this.solver.force(chosen, [...this.game.board.matrix.excluded, ...without], this.bare);
  }

  // The options that lie nowhere in the solution in which all other cells are empty; null if that is none.
  complete(chosen, blank, without) {
    const { matrix } = this.game.board;
    const full = [...chosen, ...blank];
    const position = new Position(matrix, full, without);
    if (position.conflicts.size || position.broken) return null;
    const found = [...blank, ...this.follow(full, without)];
    return new Position(matrix, [...chosen, ...found], without).isSolved ? found : null;
  }

  // The option that leaves a cell empty, by the cell: it lies nowhere, and shares the item of the cell.
  listBlanks() {
    const { primary } = this.game.board.matrix;
    return new Map(this.solver.holders.slice(0, primary).flatMap((holders) => {
      const keys = new Set(holders.map((option) => this.placeOf(option)));
      const silent = holders.filter((option) => this.placeOf(option) === undefined);
      keys.delete(undefined);
      return keys.size === 1 && silent.length === 1 ? [[[...keys][0], silent[0]]] : [];
    }));
  }

  // What is wrong with a position, besides choices that conflict; nothing if nothing is.
  describeTrouble(position) {
    const [item] = this.listShort(position);
    return item === undefined ? "" : `Nothing fits ${this.game.words.item(item)}.`;
  }

  // The items for which something that lies nowhere is needed, and nothing is left.
  listShort({ numbers, needs }) {
    return this.bare.filter((item) => !numbers[item] && needs[item] > 0);
  }

  // The chosen options that share an item with those that would cover such an item.
  listCulprits(position) {
    const { rows } = this.game.board.matrix;
    const options = this.listShort(position).flatMap((item) => this.solver.holders[item]);
    const items = new Set(options.flatMap((option) => rows[option].map(([item]) => item)));
    return position.chosen.filter((option) => rows[option].some(([item]) => items.has(item)));
  }

  // Items no two of which share an option: what they need is the number of cells to fill, at least. Which come first
  // matters: the first choice that lets no option out is taken, or else that with the greatest need, which is partial.
  findCounted() {
    const { low, holders } = this.solver;
    const isCell = (option) => this.placeOf(option) !== undefined;
    const items = [...low.keys()].filter((item) => low[item] > 0 && holders[item]?.every(isCell));
    const all = this.painter.options.filter((_, option) => isCell(option)).length;
    let best = { counted: [], total: 0, isPartial: true };
    for (let start = 0; start < Math.min(items.length, MOST_STARTS) && best.isPartial; ++start) {
      const seen = new Set();
      const counted = [...items.slice(start), ...items.slice(0, start)].filter((item) => {
        const isFree = holders[item].every((one) => !seen.has(one));
        if (isFree) for (const option of holders[item]) seen.add(option);
        return isFree;
      });
      const total = sum(counted.map((item) => low[item]));
      const isPartial = seen.size < all;
      if (total > best.total || !isPartial) best = { counted, total, isPartial };
    }
    best.counted.sort((one, two) => one - two);
    return best;
  }

  // How many cells are left, in words.
  countLeft() {
    const { low, high } = this.solver;
    const left = this.counted.map((item) => Math.max(0, this.game.position.needs[item]));
    const isLeast = this.counted.map((item) => high[item] > low[item]);
    const kinds = this.game.words.countKinds(this.counted, left, isLeast);
    if (kinds) return `${kinds} left`;
    const number = sum(left);
    const cells = `${this.texts.length === 1 ? `${number} ${this.texts[0]}` : countOf(number, "cell")} left`;
    const areMore = this.isPartial || isLeast.includes(true);
    if (this.texts.length && (number || !areMore)) return areMore ? `At least ${cells}` : cells;
    const open = [...this.options].filter(([key]) => !this.isTaken(key));
    return countOf(open.filter(([, [option]]) => this.game.position.live[option]).length, "free square");
  }

  isTaken(key) {
    return this.game.shown.some((option) => this.placeOf(option) === key);
  }

  optionFor(key, text) {
    return this.options.get(key).find((option) => this.textOf(option) === text);
  }

  // -- what is done ---------------------------------------------------------------------------------

  chosenAt(key) {
    return this.game.state.chosen.find((option) => this.placeOf(option) === key);
  }

  isFixed(key) {
    return this.game.fixed.some((option) => this.placeOf(option) === key);
  }

  get isSeveral() {
    return this.several?.getAttribute("aria-pressed") === "true";
  }

  setMode(mode) {
    this.mode = mode;
    this.kinds.forEach((button, kind) => setPressed(button, kind === mode));
  }

  // The selected cells that are no givens.
  get open() {
    return [...this.selected].filter((key) => !this.isFixed(key));
  }

  // Write a digit, or marks; in several cells, a digit is a mark too.
  write(text, kind) {
    const { state } = this.game;
    if (!this.selected.size) return say("First choose a cell.");
    if (kind !== WHOLE || this.selected.size > 1) return this.mark(text, kind === CORNER_KIND ? "" : CENTER);
    const option = this.optionFor(this.key, text);
    if (option === undefined || this.isFixed(this.key)) return;
    const others = state.chosen.filter((one) => this.placeOf(one) !== this.key);
    if (this.chosenAt(this.key) === option) return this.game.set({ ...state, chosen: others });
    this.game.try({ chosen: [...others, option] });
  }

  // Rule out all that the selected cells without a choice may hold, or allow it again if all of it is ruled out.
  cross() {
    const { state } = this.game;
    const keys = this.open.filter((key) => this.chosenAt(key) === undefined);
    const options = keys.flatMap((key) => this.options.get(key));
    const without = state.without.filter((one) => !options.includes(one));
    const isOut = options.length === state.without.length - without.length;
    if (options.length) this.game.try({ without: isOut ? without : [...without, ...options] });
  }

  // Write a mark into the selected cells that are empty, or erase it if all have it.
  mark(text, kind) {
    const { state } = this.game;
    const slots = this.open
      .filter((key) => this.chosenAt(key) === undefined && this.optionFor(key, text) !== undefined)
      .map((key) => key + kind);
    const marks = (slot) => state.pencil[slot] ?? [];
    const isEverywhere = slots.every((slot) => marks(slot).includes(text));
    const change = (slot) => [...marks(slot).filter((one) => one !== text), ...(isEverywhere ? [] : [text])];
    const changed = Object.fromEntries(slots.map((slot) => [slot, change(slot)]));
    if (slots.length) this.game.set({ ...state, pencil: { ...state.pencil, ...changed } }, false);
  }

  // Write the digits that the rules leave: those of the empty board, and those of cages with what is on it. More steps
  // would give the solution away.
  pencilAll() {
    const { board, shown, state } = this.game;
    const { excluded, rows } = board.matrix;
    const { around, solver } = this;
    const possible = new Set(solver.settle([], excluded, [...this.counted, ...around]));
    const without = [...rows.keys()].filter((option) => !possible.has(option) && !shown.includes(option));
    const left = new Set(solver.settle(shown, [...without, ...state.without], around));
    this.pencilWhere((option) => left.has(option));
  }

  // Write the digits of the selected cells that are in some solution; which these are, a search says.
  async pencilPossible() {
    const open = this.open.filter((key) => !this.isMarked(key));
    if (!open.length) return say("No chosen cell is empty and without marks.");
    const { chosen } = this.game.state;
    const answer = await this.game.answers.candidates(this.game.shown, this.game.state.without);
    if (answer === null || chosen !== this.game.state.chosen) return;
    if (!answer.possible) return say(answer.error ?? NO_ANSWER);
    if (!answer.possible.length) return say("No longer solvable.");
    const possible = new Set(answer.possible);
    this.pencilWhere((option) => possible.has(option), open);
  }

  // Whether a cell has a digit, or marks of the player, which nothing else takes away.
  isMarked(key) {
    const { pencil } = this.game.state;
    return this.isTaken(key) || [key, key + CENTER].some((slot) => pencil[slot]?.length);
  }

  // The marks without those of some options.
  erase(options) {
    const pencil = { ...this.game.state.pencil };
    for (const option of options)
      for (const slot of [this.placeOf(option), this.placeOf(option) + CENTER])
        if (pencil[slot]) pencil[slot] = pencil[slot].filter((text) => text !== this.painter.textOf(option));
    return pencil;
  }

  // Write the digits of all options of some cells that a function accepts into those without marks.
  pencilWhere(accepts, keys = [...this.options.keys()]) {
    const pencil = { ...this.game.state.pencil };
    for (const key of keys)
      if (!this.isMarked(key))
        pencil[key] = this.options.get(key).filter(accepts).map((option) => this.painter.textOf(option));
    this.game.set({ ...this.game.state, pencil }, false);
  }

  clear() {
    const { state } = this.game;
    const keys = new Set(this.open);
    const isKept = (slot) => !keys.has(slot.replace(CENTER, ""));
    const pencil = Object.fromEntries(Object.entries(state.pencil).filter(([slot]) => isKept(slot)));
    const chosen = state.chosen.filter((one) => !keys.has(this.placeOf(one)));
    const isMarked = Object.entries(state.pencil).some(([slot, marks]) => marks.length && !isKept(slot));
    const isCross = (one) => this.texts.length === 1 && keys.has(this.placeOf(one)); // else hints have ruled it out
    const without = state.without.filter((one) => !isCross(one));
    const isChanged = chosen.length < state.chosen.length || without.length < state.without.length || isMarked;
    if (isChanged) this.game.set({ ...state, chosen, without, pencil });
  }

  // Put a queen on the place, or take it back.
  toggle() {
    const option = this.options.get(this.key)[0];
    if (option === undefined || this.isFixed(this.key)) return;
    const { chosen } = this.game.state;
    if (chosen.includes(option)) this.game.takeBack(option);
    else this.game.try({ chosen: [...chosen, option] });
  }

  click(event) {
    this.isDragged = false;
    const key = event.target.closest("[data-key]")?.dataset.key;
    if (key === undefined) {
      this.selected.clear(); // what a key writes must not go elsewhere
      this.game.show();
      return;
    }
    if (!this.texts.length) {
      this.select(key);
      this.toggle();
    } else if (event.ctrlKey || event.metaKey || event.shiftKey || this.isSeveral) this.select(key, "turn");
    else if (this.wasDragged) this.wasDragged = false;
    else this.select(key);
    this.game.show();
    this.focus();
  }

  // Select the cells that the pointer runs over.
  drag(event) {
    if (!this.isDragged || !(event.buttons & 1) || !this.texts.length) return;
    const key = event.target.closest("[data-key]")?.dataset.key;
    if (key === undefined || (key === this.key && this.wasDragged)) return;
    this.select(key, this.wasDragged ? "add" : undefined);
    this.wasDragged = true;
    this.game.show();
  }

  // Select a cell alone, or beside others.
  /** @param {string} key @param {"add" | "turn" | undefined} way */
  select(key, way = undefined) {
    if (way === undefined) this.selected.clear();
    if (way === "turn" && this.selected.size > 1 && this.selected.delete(key)) key = [...this.selected].at(-1) ?? key;
    this.selected.add(key);
    this.key = key;
  }

  focus() {
    this.element.querySelector(`[data-key="${this.key}"]`)?.focus();
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    this.isDragged = this.wasDragged = false;
    if (!this.selected.size) this.select(this.key);
    const [down, right] = arrowOf(event);
    const digit = /^Digit(\d)$/.exec(event.code)?.[1];
    const isMeant = (one) => one.toUpperCase() === event.key.toUpperCase() || (event.shiftKey && one === digit);
    const text = this.texts.find((one) => one === event.key) ?? this.texts.find(isMeant);
    if (down || right) {
      const key = findNext(this.painter, this.options, this.key, [down, right]);
      this.select(key, event.shiftKey && this.texts.length ? "add" : undefined);
      this.game.show();
    }
    else if (text !== undefined) this.write(text, event.shiftKey && this.mode === WHOLE ? CORNER_KIND : this.mode);
    else if (event.key === "Delete" || event.key === "Backspace" || event.key === "0")
      this.texts.length ? this.clear() : this.chosenAt(this.key) !== undefined && this.toggle();
    else if (event.key === "x" && this.texts.length === 1) this.cross();
    else if (event.key === "p" && this.kinds) this.setMode((this.mode + 1) % this.kinds.length);
    else if (event.key === "Escape") (this.select(this.key), this.game.show());
    else if ((event.key === "Enter" || event.key === " ") && !this.texts.length) this.toggle();
    else return;
    event.preventDefault();
    this.focus();
  }

  // -- drawing --------------------------------------------------------------------------------------

  show() {
    const { game, painter } = this;
    const hadFocus = this.element.querySelector(":focus") !== null;
    this.element.innerHTML = painter.draw(game.shown, { title: "the board" });
    const wrong = [...game.culprits, ...this.listCulprits(game.position)];
    const own = wrong.filter((option) => !game.fixed.includes(option));
    const place = (options) => [...new Set(options.map((option) => this.placeOf(option)))].filter(Boolean);
    const clashes = place(own.length ? own : wrong); // else givens conflict with each other
    this.showNotes();
    const isAttacked = ([key, options]) =>
      options.length && !this.isTaken(key) && options.every((option) => !game.position.live[option]);
    const isShown = this.texts.length <= 1 && this.attacks.checked && game.shown.length;
    const draw = (key) => `<path d="${crossAt(middle(painter.places().get(key)), OUT_ARM)}"/>`;
    const cross = (accepts) => [...this.options].filter(accepts).map(([key]) => draw(key)).join("");
    const isOut = ([key]) => this.isOut(key);
    const attacked = isShown ? cross((place) => isAttacked(place) && !isOut(place)) : "";
    const hits = [...this.options.keys()].map((key) => {
      const label = this.describeCell(key) + (clashes.includes(key) ? ", in conflict" : "");
      return makePlace(painter, key, this.key, label, `aria-pressed="${this.selected.has(key)}" `);
    });
    const svg = this.element.querySelector("svg");
    this.numbers.put(svg);
    svg.insertAdjacentHTML(
      "beforeend",
      `<g class="attacks soft">${attacked}</g><g class="attacks">${cross(isOut)}</g>${this.pencils()}` +
        `<path class="clash-cell" d="${outlinePlaces(painter, clashes).fill}"/>` +
        `<path class="clash-given" d="${outlinePlaces(painter, place(wrong)).border}"/>` +
        `<g class="hint-marks">${this.marks()}</g>`,
    );
    this.element.insertAdjacentHTML("beforeend", layOver(svg, "places", hits));
    if (hadFocus) this.focus();
  }

  // What was noted and lies nowhere can be taken back.
  showNotes() {
    const { game } = this;
    const noted = game.state.chosen.filter((option) => this.placeOf(option) === undefined);
    const title = "Take this note back";
    const write = (option) => makeChip(`${game.words.option(option)} ×`, () => game.takeBack(option), { title });
    this.notes.replaceChildren(...(game.position.isSolved ? [] : noted.map(write)));
  }

  // A cell in words.
  describeCell(key) {
    const here = this.game.shown.find((option) => this.placeOf(option) === key);
    const { pencil } = this.game.state;
    const marks = here === undefined ? [...(pencil[key] ?? []), ...(pencil[key + CENTER] ?? [])] : [];
    const out = this.isMarked(key) ? [] : this.listRuledOut(key);
    const free = this.isOut(key) ? "crossed out" : out.length ? `empty, without ${out.join(" ")}` : "empty";
    const open = marks.length ? `pencil marks ${marks.join(" ")}` : free;
    const what = here === undefined ? open : (this.painter.textOf(here) ?? "a queen");
    const state = [what, this.isFixed(key) ? "given" : "", this.game.colors.colorOf(key)].filter(Boolean);
    return `${describePlace(key)}: ${state.join(", ")}`;
  }

  // Pencil marks below what the board writes in corners: up to four in the corners, more where their digits would be on
  // a pad, and those for the center in a line. Where there are none, what is ruled out is struck out on the pad.
  pencils() {
    const { pencil } = this.game.state;
    const hinted = this.game.hint ? this.listCandidates(this.game.hint) : new Map();
    const free = [...this.options.keys()].filter((key) => !this.isMarked(key));
    const out = this.writeMarks(free.map((key) => [key, this.listRuledOut(key)]), true);
    const marks = this.writeMarks(Object.entries(pencil).filter(([slot]) => !hinted.has(slot.replace(CENTER, ""))));
    return `<g class="pencil" text-anchor="middle">${marks}<g class="out">${out}</g></g>`;
  }

  // Whether all that a place may hold is ruled out.
  isOut(key) {
    const options = this.options.get(key);
    return options.length > 0 && options.every((option) => this.game.state.without.includes(option));
  }

  // The symbols of a place that are ruled out; none if all are, or if there is only one, because a cross shows that.
  listRuledOut(key) {
    const options = this.options.get(key);
    const out = options.filter((option) => this.game.state.without.includes(option));
    return out.length < options.length ? out.map((option) => this.painter.textOf(option)) : [];
  }

  // Marks by place; `isOnPad` puts a few of them on the pad, too, where corners would say that the player wrote them.
  writeMarks(pencil, isOnPad = false) {
    const wide = Math.ceil(Math.sqrt(this.symbols.length));
    const scale = this.markScale;
    const [flat, lower, reach] = scale < 1 ? [0.62, UNIT * 0.11, UNIT * 0.29] : [1, 0, UNIT * 0.33]; // inside cages
    const texts = pencil.flatMap(([slot, all]) => {
      const key = slot.replace(CENTER, "");
      if (!this.options.has(key) || this.isTaken(key)) return [];
      const [x, y] = middle(this.painter.places().get(key));
      const marks = this.symbols.filter((text) => all.includes(text));
      const write = (text, dx, dy, size) => {
        const at = `x="${(x + dx).toFixed(1)}" y="${(y + dy * flat + lower).toFixed(1)}" dy="0.35em"`;
        return `<text ${at} font-size="${size.toFixed(1)}">${escapeText(text)}</text>`;
      };
      const most = (1.5 * scale) / Math.max(1, marks.length);
      if (slot !== key) return [write(marks.join(""), 0, 0, UNIT * Math.min(0.3, most))];
      const isFew = !isOnPad && marks.length <= CORNERS.length && this.texts.length > CORNERS.length;
      return marks.map((text, k) => {
        if (isFew) return write(text, ...CORNERS[k].map((part) => part * reach), UNIT * 0.27 * scale);
        const place = this.symbols.indexOf(text);
        const at = [(place % wide) - (wide - 1) / 2, Math.floor(place / wide) - (wide - 1) / 2];
        const [dx, dy] = at.map((part) => (part * UNIT * 0.88) / wide);
        return write(text, dx, dy, (UNIT * (wide > 1 ? 0.8 : 0.4) * scale) / wide);
      });
    });
    return texts.join("");
  }

  // -- hints ------------------------------------------------------------------------------------------

  // The options that rule out others of the items that a hint rests on, as few as are enough; those that lie nowhere
  // are among them. They are `isPartial` if some were ruled out before.
  findCauses({ option, item, reason: { kind, chain, truths } }) {
    const { game, solver } = this;
    if (item === null || !["only", "subset", "chain"].includes(kind) || chain?.length) return { causes: [] };
    const isHidden = (one) => this.texts.length > 1 && this.isTaken(this.placeOf(one)); // seen to be full
    const others = [...new Set((truths ?? [item]).flatMap((one) => solver.holders[one]))].filter(
      (one) => one !== option && !game.position.live[one] && !game.shown.includes(one) && !isHidden(one),
    );
    const causes = new Map(); // each option with those that it rules out
    for (const other of others)
      for (const cause of game.overlapping(other)) pushTo(causes, cause, other);
    /** @type {number[]} */ const found = [];
    const left = new Set([...causes.values()].flat());
    const isPartial = others.some((one) => !left.has(one));
    while (left.size) {
      const gain = (cause) => causes.get(cause).filter((other) => left.has(other)).length;
      const best = leastBy([...causes.keys()], (cause) => -gain(cause));
      for (const other of causes.get(best)) left.delete(other);
      found.push(best);
    }
    return { causes: found, isPartial };
  }

  // What the items that a hint rests on may still hold, by place.
  listCandidates({ stage, item, option, reason: { chain, excluded = [], kind, short, truths } }) {
    /** @type {Map<string, string[]>} */ const found = new Map();
    if (stage < 2 || ["only", "solution", "wrong"].includes(kind)) return found;
    const items = new Set(truths ?? (short?.length ? short : [item]));
    const forced = new Set([option, ...(chain ?? []).map(([one]) => one)].map((one) => this.placeOf(one)));
    const { live } = this.game.position;
    this.game.board.matrix.rows.forEach((row, one) => {
      const key = this.placeOf(one);
      if (key === undefined || !live[one] || (chain && stage === 2 && forced.has(key))) return;
      const isOwn = row.some(([own]) => items.has(own)) || (stage === 3 && excluded.includes(one));
      if (isOwn) pushTo(found, key, this.textOf(one));
    });
    return found;
  }

  textOf(option) {
    return this.painter.textOf(option) ?? this.symbols[0];
  }

  // Where a hint looks; from its second step on, what it rests on; at last, what follows.
  marks() {
    const { hint } = this.game;
    if (!hint) return "";
    const { chain, excluded = [], links = [], truths } = hint.reason;
    const fill = (name, keys) => `<path class="${name}" d="${outlinePlaces(this.painter, keys).fill}"/>`;
    const [first, second = first] = hint.looks;
    const where = hint.stage === 1 ? first : second;
    const parts = [fill("hint-cell", where.keys)];
    if (hint.stage === 1) return parts[0];
    const isLinked = (row) => row.some(([item]) => links.includes(item));
    const linked = this.game.board.matrix.rows.flatMap((row, one) => (isLinked(row) ? this.painter.covered(one) : []));
    const { border } = outlinePlaces(this.painter, [...new Set(linked)]);
    if (links.length) parts.push(`<path class="hint-shape" d="${border}"/>`);
    parts.push(fill("hint-cause", hint.causes.flatMap((one) => this.painter.covered(one))));
    const isOut = (one) => hint.stage === 3 && excluded.includes(one);
    const candidates = this.listCandidates(hint);
    const pick = (accepts) =>
      [...candidates].map(([key, texts]) => [key, texts.filter((text) => accepts(this.optionFor(key, text)))]);
    parts.push(`<g class="hint-text" text-anchor="middle">${this.writeMarks(pick((one) => !isOut(one)), true)}</g>`);
    parts.push(`<g class="pencil" text-anchor="middle"><g class="out">${this.writeMarks(pick(isOut), true)}</g></g>`);
    if (hint.stage === 3 && !excluded.length) parts.push(this.ghost(hint.option));
    const asked = hint.stage === 2 && excluded.length ? [hint.option] : [];
    const supposed = [...asked, ...(hint.stage === 2 ? (chain ?? []) : []).map(([one]) => one)];
    const isSeen = (key) => this.isTaken(key) || (truths && candidates.has(key));
    parts.push(...supposed.filter((one) => !isSeen(this.placeOf(one))).map((one) => this.ghost(one)));
    return parts.join("");
  }

  // What an option would put on its place.
  ghost(option) {
    const key = this.placeOf(option);
    if (key === undefined) return "";
    const [x, y] = middle(this.painter.places().get(key));
    const text = this.painter.textOf(option);
    return text === undefined
      ? `<circle class="hint-shape" cx="${x}" cy="${y}" r="${UNIT * 0.3}"/>`
      : `<text class="hint-text" x="${x}" y="${y}" dy="0.35em" text-anchor="middle" font-size="${UNIT * 0.6}">` +
          `${escapeText(text)}</text>`;
  }
}
