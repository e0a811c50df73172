// The board of a puzzle whose options draw lines, such as a loop: each line is drawn, crossed out, or open. Options
// follow from the lines, and the puzzle is solved as soon as the lines drawn are those of a solution.

import { arrowOf, escapeText, make } from "./data.js";
import { Position } from "./position.js";
import { round, UNIT } from "./shapes.js";
import { Solver } from "./solver.js";

const [DRAWN, CROSSED] = ["line", "cross"]; // as they are kept, among the marks of a pencil
const NEXT = { [DRAWN]: [CROSSED], [CROSSED]: [] }; // what a click changes; it draws an open line
const ARM = 0.1; // of a cross
const THIN = 0.08; // half the width of a line
const HALF = 0.5; // of a line to its sides, where it can be clicked

/**
 * A line from one point to another, and the options that draw it, or allow for nothing there.
 * @typedef {{key: string, ends: [number, number, number, number], drawers: Set<number>, others: number[],
 *   isFixed: boolean}} DrawnLine
 */

export class LinesBoard {
  static fits(painter) {
    return painter.draws && painter.segments.length > 0;
  }

  constructor(game) {
    this.game = game;
    this.painter = game.painter;
    const { matrix } = game.board;
    this.solver = new Solver(matrix);
    this.solver.begin(game.fixed, matrix.excluded);
    /** @type {DrawnLine[]} */ this.lines = this.painter.segments.map(([...ends]) => {
      const drawers = new Set(ends.pop());
      const others = this.findRivals(matrix, drawers);
      const isFixed = ![...drawers].some((option) => !this.solver.dead[option]);
      return { key: ends.join(" "), ends, drawers, others, isFixed };
    });
    /** @type {number[][]} */ this.drawnBy = matrix.rows.map(() => []);
    this.lines.forEach(({ drawers }, k) => drawers.forEach((option) => this.drawnBy[option].push(k)));
    this.current = Math.max(0, this.lines.findIndex(({ isFixed }) => !isFixed));
    /** @type {WeakMap<object, number[]>} */ this.known = new WeakMap(); // what states leave out
    this.element = make("div", {
      class: "picture board lines", onclick: (event) => this.click(event), onkeydown: (event) => this.press(event),
    });
    this.below = null;
    this.how = "Click between two points to draw a line, again for a cross, and once more to clear it.";
    if (this.painter.segments.some(([x]) => x % 1)) this.how = this.how.replace("points", "cells");
    this.keys = "Arrow keys move from line to line; Enter draws one, x crosses it out, and Delete clears it.";
    this.side = make("div", { class: "view-side" });
  }

  // The options that exclude each one that draws a line.
  findRivals({ rows, primary, high }, drawers) {
    const found = new Map(); // option -> how many of them it excludes
    for (const option of drawers) {
      const rivals = new Set();
      for (const [item, color] of rows[option])
        for (const other of item < primary && (high[item] ?? 1) > 1 ? [] : this.solver.holders[item])
          if (item < primary || color === 0 || rows[other].find(([one]) => one === item)[1] !== color)
            rivals.add(other);
      for (const other of rivals) found.set(other, (found.get(other) ?? 0) + 1);
    }
    return [...found.keys()].filter((option) => found.get(option) === drawers.size && !drawers.has(option));
  }

  // -- what follows from the lines --------------------------------------------------------------------

  is(mark, line, { pencil } = this.game.state) {
    return pencil[line.key]?.[0] === mark;
  }

  // The options that are left out by the lines; if those drawn solve the puzzle, also by all others.
  leaveOut(state) {
    if (!this.known.has(state)) this.known.set(state, this.findLeftOut(state));
    return this.known.get(state);
  }

  findLeftOut(state) {
    const list = (isCrossed) =>
      this.lines.flatMap((line) => {
        if (this.is(DRAWN, line, state)) return line.others;
        return isCrossed(line) ? [...line.drawers] : [];
      });
    const chosen = [...this.game.fixed, ...state.chosen];
    const whole = [...state.without, ...list(() => true)];
    const all = [...chosen, ...this.imply(chosen, whole)];
    return new Position(this.game.board.matrix, all, whole).isSolved
      ? whole
      : list((line) => this.is(CROSSED, line, state));
  }

  // The options that follow because an item has no other one left.
  imply(chosen, without) {
    const { solver } = this;
    solver.begin(chosen, [...this.game.board.matrix.excluded, ...without]);
    /** @type {number[]} */ const found = [];
    const need = (item) => solver.low[item] - solver.uses[item];
    for (let isOver = false; !isOver; ) {
      isOver = true;
      for (let item = 0; item < solver.primary; ++item) {
        if (need(item) <= 0 || solver.left[item] !== need(item)) continue;
        const [option] = solver.liveOptions(item);
        solver.select(option);
        found.push(option);
        isOver = false;
      }
    }
    return found;
  }

  // What is wrong with a position: nothing fits an item any more.
  describeTrouble({ numbers, uses }) {
    const { low } = this.game.board.matrix;
    const item = numbers.findIndex((left, one) => left < (low[one] ?? 1) - (uses.get(one) ?? 0));
    return item < 0 ? "" : `Nothing fits ${this.game.words.item(item)}.`;
  }

  countLeft() {
    const drawn = this.lines.filter((line) => this.is(DRAWN, line)).length;
    return `${drawn === 1 ? "1 line" : `${drawn} lines`} drawn`;
  }

  // -- what is done -----------------------------------------------------------------------------------

  // The state with marks on some lines, without choices that say something about them; an empty mark clears a line.
  mark(lines, marks, { pencil, ...state } = this.game.state) {
    const changed = Object.fromEntries(lines.map((line, k) => [line.key, marks[k]]));
    const chosen = state.chosen.filter((option) => !lines.some((line) => this.concerns(option, line)));
    return { ...state, chosen, pencil: { ...pencil, ...changed } };
  }

  concerns(option, line) {
    return line.drawers.has(option) || line.others.includes(option);
  }

  // The state with an option: what it draws, and what it leaves empty.
  take(option) {
    const own = this.lines.filter((line) => this.concerns(option, line));
    const state = this.mark(own, own.map((line) => [line.drawers.has(option) ? DRAWN : CROSSED]));
    return { ...state, chosen: [...state.chosen, option] };
  }

  // The state without some options, with the lines about which nothing is open then.
  ruleOut(options) {
    const state = { ...this.game.state, without: [...this.game.state.without, ...options] };
    const { matrix } = this.game.board;
    const { live, options: list } = new Position(matrix, this.game.shown, this.game.leaveOut(state));
    const items = [...new Set(options.flatMap((option) => matrix.rows[option].map(([item]) => item)))];
    const left = items.filter((item) => item < matrix.primary).map(list);
    const decide = (line) => {
      if (![...line.drawers].some((option) => live[option] || this.game.shown.includes(option))) return [CROSSED];
      return left.some((own) => own.length && own.every((option) => line.drawers.has(option))) ? [DRAWN] : [];
    };
    const own = this.lines.filter(
      (line) => !state.pencil[line.key]?.length && options.some((option) => this.concerns(option, line)),
    );
    return this.mark(own, own.map(decide), state);
  }

  // The lines that are open, each once drawn and once left out.
  listSuppositions() {
    const { position } = this.game;
    const isLive = (option) => position.live[option];
    return this.lines.flatMap((line, place) => {
      const [drawers, others] = [[...line.drawers].filter(isLive), line.others.filter(isLive)];
      if (this.game.state.pencil[line.key]?.length || !drawers.length || !others.length) return [];
      const name = this.describe(line);
      return [
        { name, place, leavesOut: others, needs: drawers, isDrawn: true },
        { name, place, leavesOut: drawers, needs: others, isDrawn: false },
      ];
    });
  }

  // The state without a supposition.
  reject({ place, isDrawn }) {
    return this.mark([this.lines[place]], [[isDrawn ? CROSSED : DRAWN]]);
  }

  put(k, mark) {
    const line = this.lines[k];
    this.current = k;
    if (line.isFixed) return this.game.show();
    const state = this.mark([line], [mark]);
    if (mark.length) this.game.try(state);
    else this.game.set(state);
  }

  click(event) {
    const k = event.target.closest("[data-line]")?.dataset.line;
    if (k === undefined) return;
    this.turn(Number(k));
    this.focus();
  }

  turn(k) {
    this.put(k, NEXT[this.game.state.pencil[this.lines[k].key]?.[0]] ?? [DRAWN]);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [down, right] = arrowOf(event);
    if (down || right) this.move(down, right);
    else if (event.key === "Enter" || event.key === " ") this.turn(this.current);
    else if (event.key === "x") this.put(this.current, [CROSSED]);
    else if (event.key === "Delete" || event.key === "Backspace") this.put(this.current, []);
    else return;
    event.preventDefault();
    this.focus();
  }

  // Go to the nearest line in a direction.
  move(down, right) {
    const [x, y] = centerOf(this.lines[this.current]);
    let [best, least] = [this.current, Infinity];
    this.lines.forEach((line, k) => {
      const [dx, dy] = centerOf(line).map((part, side) => part - [x, y][side]);
      const [ahead, aside] = [dx * right + dy * down, Math.abs(dx * down) + Math.abs(dy * right)];
      if (ahead > 0.1 && !line.isFixed && ahead + 3 * aside < least) [best, least] = [k, ahead + 3 * aside];
    });
    this.current = best;
    this.game.show();
  }

  focus() {
    this.element.querySelector(`[data-line="${this.current}"]`)?.focus();
  }

  // -- drawing ----------------------------------------------------------------------------------------

  show() {
    const { game, painter } = this;
    const hadFocus = this.element.contains(document.activeElement);
    const { fixed, shown, position } = game;
    const isDrawn = (k) => position.isSolved || this.is(DRAWN, this.lines[k]);
    const options = shown.filter((option) => fixed.includes(option) || this.drawnBy[option].every(isDrawn));
    this.element.innerHTML = painter.draw(options, { title: "the board" });
    const known = new Set(options.flatMap((option) => this.drawnBy[option]));
    const [drawn, crossed] = [DRAWN, CROSSED].map((mark) => this.lines.filter((line) => this.is(mark, line)));
    const loose = drawn.filter((line) => !known.has(this.lines.indexOf(line)));
    const broken = game.broken?.switches ?? [];
    const isBroken = ({ drawers }) => broken.some((options) => options.every((option) => drawers.has(option)));
    const svg = this.element.querySelector("svg");
    svg.insertAdjacentHTML(
      "beforeend",
      `<path class="line" d="${loose.map(outlineOfLine).join("")}"/>` +
        `<path class="cross" d="${crossed.map(crossOf).join("")}"/>` +
        `<path class="clash-edge" d="${this.lines.filter(isBroken).map(pathOf).join("")}"/>` +
        `<g class="hint-marks">${this.marks()}</g>`,
    );
    const places = this.lines.map((line, k) => (line.isFixed ? "" : this.makePlace(line, k)));
    this.element.insertAdjacentHTML(
      "beforeend",
      `<svg class="hits" role="group" aria-label="lines" viewBox="${svg.getAttribute("viewBox")}">` +
        `${places.join("")}</svg>`,
    );
    if (hadFocus) this.focus();
  }

  makePlace(line, k) {
    const [left, top, right, bottom] = line.ends;
    const [x, y] = centerOf(line);
    const isAcross = top === bottom;
    const corners = isAcross
      ? [[left, y], [x, y - HALF], [right, y], [x, y + HALF]]
      : [[x, top], [x + HALF, y], [x, bottom], [x - HALF, y]];
    const path = corners.map((corner) => corner.map((part) => round(part * UNIT)).join(" ")).join("L");
    const what = this.is(DRAWN, line) ? "drawn" : this.is(CROSSED, line) ? "crossed out" : "open";
    return (
      `<path data-line="${k}" role="button" tabindex="${k === this.current ? 0 : -1}" ` +
      `aria-label="${escapeText(`${this.describe(line)}: ${what}`)}" d="M${path}z"/>`
    );
  }

  /** @param {DrawnLine} line */
  describe({ ends: [left, top, , bottom] }) {
    const [row, column] = [Math.floor(top) + 1, Math.floor(left) + 1];
    return `${top === bottom ? "to the right" : "down"} from row ${row}, column ${column}`;
  }

  // Where a hint looks: lines of the item, those of what a chain forces, and what the last step draws or rules out.
  marks() {
    const { hint } = this.game;
    if (!hint) return "";
    const { chain, excluded = [], supposed } = hint.reason;
    const join = (lines) => [...new Set(lines)].map((k) => pathOf(this.lines[k])).join("");
    const path = (lines) => `<path class="hint-shape" d="${join(lines)}"/>`;
    const draw = (options) => path(options.flatMap((option) => this.drawnBy[option]));
    if (supposed) return path([supposed.place]) + (hint.stage === 2 ? draw(chain.map(([one]) => one)) : "");
    if (hint.stage === 3 || chain) {
      const forced = chain && hint.stage === 2 ? chain.map(([one]) => one) : [];
      return draw(hint.stage === 3 && excluded.length ? excluded.slice(0, 1) : [hint.option, ...forced]);
    }
    const { rows } = this.game.board.matrix;
    return draw([...rows.keys()].filter((one) => rows[one].some(([item]) => item === hint.item)));
  }
}

/** @param {DrawnLine} line */
function centerOf({ ends: [left, top, right, bottom] }) {
  return [(left + right) / 2, (top + bottom) / 2];
}

/** @param {DrawnLine} line */
function pathOf({ ends }) {
  const [left, top, right, bottom] = ends.map((part) => round(part * UNIT));
  return `M${left} ${top}L${right} ${bottom}`;
}

/** @param {DrawnLine} line */
function outlineOfLine({ ends: [left, top, right, bottom] }) {
  const [x, y, width, height] = [left - THIN, top - THIN, right - left + 2 * THIN, bottom - top + 2 * THIN].map(
    (part) => round(part * UNIT),
  );
  return `M${x} ${y}h${width}v${height}h${-width}z`;
}

function crossOf(line) {
  const [x, y] = centerOf(line).map((part) => part * UNIT);
  const arm = ARM * UNIT;
  return `M${round(x - arm)} ${round(y - arm)}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`;
}
