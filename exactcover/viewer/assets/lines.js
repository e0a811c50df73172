// The board of a puzzle whose options draw lines, such as a loop: each line is drawn, crossed out, or open. Options
// follow from the lines, and the puzzle is solved as soon as the lines drawn are those of a solution.

import { addTo, arrowOf, capital, countOf, escapeText, leastBy, make, say } from "./data.js";
import { crossAt, layOver, nameCell } from "./marks.js";
import { followPointer, reach, round, UNIT } from "./shapes.js";
import { numberSquares } from "./numbers.js";
import { LineSolver } from "./line_hints.js";
import { Solver } from "./solver.js";

const [DRAWN, CROSSED] = ["line", "cross"]; // as they are kept, among the marks of a pencil
const NEXT = { [DRAWN]: [CROSSED], [CROSSED]: [] }; // what a click changes; it draws an open line
const ARM = 0.1; // of a cross
const THIN = 0.08; // half the width of a line
const HALF = 0.5; // of a line to its sides, where it can be clicked
const POINT = /^point r(\d+)c(\d+)$/; // an item
const NEAR = 0.3; // a point, on the way from it to another
const RING = 0.3; // around a cell or point that a hint names

/**
 * A line from one point to another, and the options that draw it, or allow for nothing there.
 * @typedef {{key: string, name: string, ends: [number, number, number, number], drawers: Set<number>, others: number[],
 *   isFixed: boolean, isGiven: boolean}} DrawnLine
 */

export class LinesBoard {
  static fits(painter) {
    return painter.draws && painter.segments.length > 0;
  }

  constructor(game) {
    this.game = game;
    this.painter = game.painter;
    const { matrix } = game.board;
    const solver = new Solver(matrix);
    solver.begin(game.fixed, matrix.excluded);
    /** @type {DrawnLine[]} */ this.lines = this.painter.segments.map(([...ends]) => {
      const drawers = new Set(ends.pop());
      const others = findRivals(matrix, solver.holders, drawers);
      const isFixed = ![...drawers].some((option) => !solver.dead[option]);
      const isGiven = game.fixed.some((option) => drawers.has(option));
      return { key: ends.join(" "), name: "", ends, drawers, others, isFixed, isGiven };
    });
    const [columns, rows] = [2, 3].map((side) => Math.ceil(Math.max(...this.lines.map(({ ends }) => ends[side]))));
    this.numbers = numberSquares(rows, columns, UNIT);
    this.rows = rows;
    this.columns = columns;
    for (const line of this.lines) line.name = this.describe(line);
    this.solver = new LineSolver(matrix, this.lines);
    /** @type {number[][]} */ this.drawnBy = matrix.rows.map(() => []);
    this.lines.forEach(({ drawers }, k) => drawers.forEach((option) => this.drawnBy[option].push(k)));
    this.current = Math.max(0, this.lines.findIndex(({ isFixed }) => !isFixed));
    /** @type {WeakMap<object, {without: number[], implied: number[]}>} */ this.known = new WeakMap(); // of states
    this.element = make("div", {
      class: "picture board lines", onclick: (event) => this.click(event), onkeydown: (event) => this.press(event),
    });
    followPointer(this.element, this.drag.bind(this));
    /** @type {number[] | null} */ this.from = null; // the point where the pointer was last
    this.turns = Promise.resolve(); // what it has done
    this.offset = this.lines[0].ends[0] % 1; // of points
    this.how = "Draw from point to point, or click between two: for a line, again for a cross, and again to clear it.";
    if (this.offset) this.how = this.how.replaceAll("point", "cell");
    this.keys = "Arrow keys move from line to line; Enter draws one, x crosses it out, and Delete clears it.";
    this.side = make("div", { class: "view-side" });
  }

  // -- what follows from the lines --------------------------------------------------------------------

  is(mark, line, { pencil } = this.game.state) {
    return pencil[line.key]?.[0] === mark;
  }

  isDrawn(line, state = this.game.state) {
    return line.isGiven || this.is(DRAWN, line, state);
  }

  leaveOut(state) {
    return this.look(state).without;
  }

  imply(_chosen, _without, state) {
    return this.look(state).implied;
  }

  // What a state says, which is asked often.
  look(state) {
    if (!this.known.has(state)) this.known.set(state, this.read(state));
    return this.known.get(state);
  }

  // The options that are left out by the lines, and those that follow. If the lines drawn solve the puzzle, all others
  // are left out; else nothing follows that would draw another one.
  read(state) {
    const list = (isCrossed) =>
      this.lines.flatMap((line) => {
        if (this.is(DRAWN, line, state)) return line.others;
        return isCrossed(line) ? [...line.drawers] : [];
      });
    const { fixed, board } = this.game;
    const { excluded } = board.matrix;
    const whole = list((line) => !line.isGiven);
    const solution = this.solver.findSoon(fixed, [...excluded, ...whole]);
    if (solution) return { without: whole, implied: solution.slice(fixed.length) };
    const without = list((line) => this.is(CROSSED, line, state));
    const isDrawn = (option) => this.drawnBy[option].every((k) => this.isDrawn(this.lines[k], state));
    return { without, implied: this.solver.force(fixed, [...excluded, ...without]).filter(isDrawn) };
  }

  // What is wrong with a position: nothing fits an item any more.
  describeTrouble({ numbers, needs }) {
    const item = numbers.findIndex((left, one) => left < needs[one]);
    return item < 0 ? "" : `${capital(this.describeEnd(item, this.marked))}.`;
  }

  // -- names ------------------------------------------------------------------------------------------

  // Where a line is, in words: at a side of a cell, or from a cell on.
  describe({ ends: [left, top, , bottom] }) {
    const isAcross = top === bottom;
    if (left % 1) return `${isAcross ? "to the right" : "down"} from ${nameCell(Math.ceil(top), Math.ceil(left))}`;
    const cell = nameCell(Math.min(top + 1, this.rows), Math.min(left + 1, this.columns));
    if (isAcross) return `${top < this.rows ? "above" : "below"} ${cell}`;
    return `${left < this.columns ? "left" : "right"} of ${cell}`;
  }

  // The place of an item in words; a point as the corner of a cell.
  namePlace(item) {
    const [, row, column] = POINT.exec(this.game.board.items[item])?.map(Number) ?? [];
    if (!row) return this.game.words.item(item);
    const corner = `${row > this.rows ? "lower" : "upper"} ${column > this.columns ? "right" : "left"} corner`;
    return `the ${corner} of the cell in ${nameCell(Math.min(row, this.rows), Math.min(column, this.columns))}`;
  }

  // Why nothing fits an item any more, if some lines are drawn or left out, besides those that are given.
  /** @param {number} item @param {import("./line_hints.js").Supposition[]} supposed */
  describeEnd(item, supposed) {
    const { solver } = this;
    solver.begin(this.game.fixed, this.game.board.matrix.excluded);
    const { isOn, isOpen } = this.suppose(supposed);
    const own = solver.linesOf[item];
    const [drawn, most] = [own.filter(isOn).length, own.filter((k) => isOn(k) || isOpen(k)).length];
    const needs = solver.liveOptions(item).map((option) => this.drawnBy[option].length);
    const [least, largest] = [Math.min(...needs), Math.max(...needs)];
    const place = this.namePlace(item);
    const isCell = this.lines[0].ends[0] % 1 === 0 && !POINT.test(this.game.board.items[item]); // which lines go around
    const verb = drawn > 1 ? "are" : "is";
    if (isCell && drawn > largest) return `${countOf(drawn, "line")} ${verb} around ${place}, not ${largest}`;
    if (isCell && most < least) return `only ${countOf(most, "line")} can be around ${place}, not ${least}`;
    const tooMany = largest === 2 ? "lines branch in" : "a path goes on at its end in";
    if (!isCell && drawn > largest) return `${tooMany} ${place}`;
    if (!isCell && drawn === 1 && most === 1 && !needs.includes(1)) return `a line ends in ${place}`;
    return `no way through ${place} is left`;
  }

  // Which lines are drawn, and which are still open, if some are drawn or left out.
  suppose(supposed) {
    const known = new Map(supposed.map(({ place, isDrawn }) => [place, isDrawn]));
    const isOn = (k) => known.get(k) ?? this.lines[k].isGiven;
    const isOpen = (k) => !known.has(k) && !this.lines[k].isFixed;
    return { isOn, isOpen };
  }

  // What the player has marked, as suppositions.
  get marked() {
    return this.listSteps().map(({ supposed }) => supposed);
  }

  // How a wrong line leads to a contradiction with those before it.
  refuteStep(steps, step) {
    const before = steps.slice(0, steps.indexOf(step)).map(({ supposed }) => supposed);
    const { fixed, board } = this.game;
    const excluded = [...board.matrix.excluded, ...before.flatMap(({ leavesOut }) => leavesOut)];
    const way = this.solver.refuteAlone(step.supposed, fixed, excluded);
    if (!way) return {};
    const lines = way.chain.map(([one]) => one).filter((one) => typeof one !== "number");
    const reason = { kind: "wrong", step, lines, ...this.solver.stateBroken(way.broken) };
    if (way.short === undefined) return { reason };
    const end = this.describeEnd(way.short, [...before, step.supposed, ...lines]);
    return { item: way.short, reason: { ...reason, end } };
  }

  isMarked({ key }) {
    return Boolean(this.game.state.pencil[key]?.length);
  }

  countLeft() {
    const drawn = this.lines.filter((line) => this.is(DRAWN, line)).length;
    return `${countOf(drawn, "line")} drawn`;
  }

  // -- what is done -----------------------------------------------------------------------------------

  // The state with another mark on a line, which comes after all others; an empty one clears the line.
  mark({ key }, mark) {
    const { state } = this.game;
    const others = Object.entries(state.pencil).filter(([own]) => own !== key);
    return { ...state, pencil: Object.fromEntries([...others, ...(mark.length ? [[key, mark]] : [])]) };
  }

  // What was drawn and crossed out, one after another.
  listSteps() {
    return Object.entries(this.game.state.pencil).flatMap(([key, [mark]]) => {
      const place = this.lines.findIndex((line) => line.key === key);
      if (place < 0 || !mark) return [];
      const line = this.lines[place];
      const isDrawn = mark === DRAWN;
      const supposed = this.solver.choices[place][isDrawn ? 0 : 1];
      const name = `the line ${line.name} was ${isDrawn ? "drawn" : "crossed out"}`;
      return [{ name, place, supposed, chosen: [], without: supposed.leavesOut, takeBack: () => this.mark(line, []) }];
    });
  }

  // The next step of one who draws lines, which follows from what is seen: the puzzle, and the lines marked before.
  advise(outlook) {
    const { game } = this;
    const isOpen = (k) => !this.lines[k].isGiven && !this.isMarked(this.lines[k]);
    const { marked } = this;
    const without = [...game.board.matrix.excluded, ...marked.flatMap(({ leavesOut }) => leavesOut)];
    const hint = this.solver.advise(game.fixed, without, outlook, isOpen);
    const { supposed, lines = [] } = hint.reason;
    if (hint.item !== null) hint.reason.end = this.describeEnd(hint.item, [...marked, supposed, ...lines]);
    return hint;
  }

  // The state without a supposition.
  reject({ place, isDrawn }) {
    return this.mark(this.lines[place], [isDrawn ? CROSSED : DRAWN]);
  }

  put(k, mark) {
    const line = this.lines[k];
    this.current = k;
    if (line.isFixed) {
      this.game.show();
      return true;
    }
    const state = this.mark(line, mark);
    if (mark.length) return this.game.try(state);
    this.game.set(state);
    return true;
  }

  click(event) {
    const k = event.target.closest("[data-line]")?.dataset.line;
    if (k !== undefined) {
      this.turn(Number(k));
      this.focus();
    } else if (event.target !== this.element) say("No line can be drawn here.");
  }

  // Draw or erase the lines along which a pointer goes from point to point.
  drag(place, begins, pointer) {
    if (begins) this.from = null;
    const svg = this.element.querySelector("svg");
    const { x, y } = new DOMPoint(...place).matrixTransform(svg.getScreenCTM().inverse());
    const point = [x, y].map((part) => Math.round(part / UNIT - this.offset) + this.offset);
    if (Math.hypot(x / UNIT - point[0], y / UNIT - point[1]) > NEAR) return;
    const keys = [[this.from, point], [point, this.from]].map((ends) => ends.flat().join(" "));
    const k = this.lines.findIndex(({ key }) => keys.includes(key));
    if (k >= 0) {
      this.element.setPointerCapture(pointer); // so that no click follows
      this.turns = this.turns.then(() => this.put(k, this.is(DRAWN, this.lines[k]) ? [] : [DRAWN]));
    }
    this.from = point;
  }

  // A mark that is refused is passed over.
  async turn(k) {
    let mark = NEXT[this.game.state.pencil[this.lines[k].key]?.[0]] ?? [DRAWN];
    while (!(await this.put(k, mark))) {
      if (mark[0] === DRAWN) say("No solution has this line: it is crossed out instead.");
      mark = NEXT[mark[0]];
    }
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = arrowOf(event);
    if (direction.some(Boolean)) this.move(direction);
    else if (event.key === "Enter" || event.key === " ") this.turn(this.current);
    else if (event.key === "x") this.put(this.current, [CROSSED]);
    else if (event.key === "Delete" || event.key === "Backspace") this.put(this.current, []);
    else return;
    event.preventDefault();
    this.focus();
  }

  // Go to the nearest line in a direction.
  move(direction) {
    const [x, y] = centerOf(this.lines[this.current]);
    const far = (k) => {
      const [cx, cy] = centerOf(this.lines[k]);
      return this.lines[k].isFixed ? Infinity : reach([cx - x, cy - y], direction);
    };
    this.current = leastBy([this.current, ...this.lines.keys()], far);
    this.game.show();
  }

  focus() {
    this.element.querySelector(`[data-line="${this.current}"]`)?.focus();
  }

  // -- drawing ----------------------------------------------------------------------------------------

  show() {
    const { game, painter } = this;
    const hadFocus = this.element.querySelector(":focus") !== null;
    const isBare = (option) => !this.drawnBy[option].length; // options draw halves of lines, the board whole ones
    this.element.innerHTML = painter.draw(game.shown.filter(isBare), { title: "the board" });
    const drawn = this.lines.filter((line) => this.isDrawn(line));
    const crossed = this.lines.filter((line) => this.is(CROSSED, line));
    const broken = (!game.hint?.reason.step && game.broken?.switches) || [];
    const isBroken = ({ drawers }) => broken.some((options) => options.every((option) => drawers.has(option)));
    const svg = this.element.querySelector("svg");
    const ground = svg.firstElementChild; // what stands above it are numbers and pearls
    ground.insertAdjacentHTML("afterend", `<path class="line" d="${drawn.map(outlineOfLine).join("")}"/>`);
    svg.insertAdjacentHTML(
      "beforeend",
      `<path class="cross" d="${crossed.map(crossOf).join("")}"/>` +
        `<path class="clash-edge" d="${[...drawn, ...crossed].filter(isBroken).map(pathOf).join("")}"/>` +
        `<g class="hint-marks">${this.marks()}</g>`,
    );
    this.numbers.put(svg);
    const places = this.lines.map((line, k) => (line.isFixed ? "" : this.makePlace(line, k)));
    this.element.insertAdjacentHTML("beforeend", layOver(svg, "lines", places));
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
    const what = this.isDrawn(line) ? "drawn" : this.is(CROSSED, line) ? "crossed out" : "open";
    return (
      `<path data-line="${k}" role="button" tabindex="${k === this.current ? 0 : -1}" ` +
      `aria-label="${escapeText(`${line.name}: ${what}`)}" d="M${path}z"/>`
    );
  }

  // Where a hint looks: the line that is wrong, or the one that is supposed, with those that it would decide and the
  // place or the lines where this ends; at last, what follows.
  marks() {
    const { hint } = this.game;
    if (!hint) return "";
    const { lines, step, switches = [] } = hint.reason;
    const supposed = hint.reason.supposed ?? step.supposed;
    const join = (some, make) => some.map(({ place }) => make(this.lines[place])).join("");
    const draw = (name, some) => {
      const [on, off] = [true, false].map((wanted) => some.filter(({ isDrawn }) => isDrawn === wanted));
      const crosses = name === "hint-shape" ? "hint-cross" : name; // dashes would be too long
      return `<path class="${name}" d="${join(on, pathOf)}"/><path class="${crosses}" d="${join(off, crossOf)}"/>`;
    };
    if (hint.stage === 1) return draw("hint-shape", [{ ...supposed, isDrawn: true }]);
    const opposite = { ...supposed, isDrawn: !supposed.isDrawn };
    const own = draw(step ? "hint-supposed wrong" : "hint-supposed", [supposed]);
    if (step && !lines) return own;
    if (hint.stage === 3 || !lines) return draw("hint-shape", [opposite]);
    const isEnd = ({ drawers }) => switches.some((options) => options.every((option) => drawers.has(option)));
    const end = this.lines.filter(isEnd);
    const green = `<path class="hint-end" d="${end.map(pathOf).join("")}"/>`;
    const all = [...this.marked, supposed, ...lines];
    const rings = hint.item === null ? this.ringEnds(end, all) : this.ringAt(hint.item);
    return green + draw("hint-shape", lines) + own + rings;
  }

  // Rings where wrong lines branch or end.
  ringEnds(wrong, supposed) {
    const { isOn, isOpen } = this.suppose(supposed);
    const split = ({ ends }) => [ends.slice(0, 2).join(" "), ends.slice(2).join(" ")];
    return [...new Set(wrong.flatMap(split))].map((point) => {
      const own = [...this.lines.keys()].filter((k) => split(this.lines[k]).includes(point));
      const drawn = own.filter(isOn).length;
      return drawn > 2 || (drawn === 1 && !own.some(isOpen)) ? ring(...point.split(" ").map(Number)) : "";
    }).join("");
  }

  // A ring around the cell, or the point, of an item like "r1c5" or "point r2c2".
  ringAt(item) {
    const name = this.game.board.items[item] ?? "";
    const found = /r(\d+)c(\d+)$/.exec(name);
    if (!found) return "";
    return ring(...[found[2], found[1]].map((part) => Number(part) - (POINT.test(name) ? 1 : 0.5)));
  }
}

// The options that exclude each one that draws a line.
function findRivals({ rows, primary, high }, holders, drawers) {
  const found = new Map(); // option -> how many of them it excludes
  for (const option of drawers) {
    const rivals = new Set();
    for (const [item, color] of rows[option])
      for (const other of item < primary && (high[item] ?? 1) > 1 ? [] : holders[item])
        if (item < primary || color === 0 || rows[other].find(([one]) => one === item)[1] !== color)
          rivals.add(other);
    for (const other of rivals) addTo(found, other);
  }
  return [...found.keys()].filter((option) => found.get(option) === drawers.size && !drawers.has(option));
}

function ring(x, y) {
  const [cx, cy, size] = [x, y, RING].map((part) => round(part * UNIT));
  return `<circle cx="${cx}" cy="${cy}" r="${size}" fill="none" stroke="var(--mark)" stroke-width="3.5"/>`;
}

function centerOf({ ends: [left, top, right, bottom] }) {
  return [(left + right) / 2, (top + bottom) / 2];
}

function pathOf({ ends }) {
  const [left, top, right, bottom] = ends.map((part) => round(part * UNIT));
  return `M${left} ${top}L${right} ${bottom}`;
}

function outlineOfLine({ ends: [left, top, right, bottom] }) {
  const [x, y, width, height] = [left - THIN, top - THIN, right - left + 2 * THIN, bottom - top + 2 * THIN].map(
    (part) => round(part * UNIT),
  );
  return `M${x} ${y}h${width}v${height}h${-width}z`;
}

function crossOf(line) {
  return crossAt(centerOf(line).map((part) => part * UNIT), ARM);
}
