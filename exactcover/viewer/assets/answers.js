// What play asks about a puzzle, answered by the page alone: from all solutions, which it may contain, or by a search
// of its own. The studio answers the same questions by its server.

import { Position } from "./position.js";
import { Solver } from "./solver.js";

const PATIENCE = 2_000; // milliseconds for one search
const MOST_TRIALS = 400; // options that are tried one step ahead

/**
 * Solutions as lists of positions.
 * @typedef {ArrayLike<number>[]} Solutions
 *
 * What is known of a position: whether it has a solution, or null, and since which choice it has none.
 * @typedef {{solvable: boolean | null, since?: number | null, error?: string}} Outlook
 *
 * The next step, with its reason.
 * @typedef {{kind: string, reason: string, option: number | null, item: number | null, error?: string}} Hint
 */

export class LocalAnswers {
  // `known` are all solutions as lists of positions, or a function that returns those with some options and without
  // others, or null.
  /**
   * @param {Record<string, any>} board
   * @param {Solutions | ((chosen: number[], without: number[]) => Solutions) | null} known
   * @param {Solutions} examples some solutions, if not all are known
   */
  constructor(board, known, examples = []) {
    this.board = board;
    this.known = known;
    this.examples = examples;
    this.solver = new Solver(board.matrix);
    this.asked = 0;
  }

  // Which puzzle this is.
  get key() {
    return "";
  }

  // The board.
  async play() {
    const { given } = this.board;
    const solvable = this.board.solvable ?? (await this.find(given, [])).solvable;
    return { ...this.board, solvable };
  }

  /**
   * @param {number[]} chosen
   * @param {number[]} without
   * @returns {Promise<Outlook | null>} null if another question came first
   */
  async position(chosen, without, { since = false } = {}) {
    const number = ++this.asked;
    const { solvable } = await this.find(chosen, without);
    if (number !== this.asked) return null;
    if (solvable !== false || !since) return { solvable };
    return { solvable, since: await this.findWrong(chosen) };
  }

  /**
   * @param {number[]} chosen
   * @param {number[]} without
   * @returns {Promise<Hint | null>}
   */
  async hint(chosen, without) {
    const number = ++this.asked;
    const none = { option: null, item: null };
    const first = await this.find(this.board.given, []);
    if (first.solvable === false) return { kind: "impossible", reason: "this puzzle has no solution", ...none };
    const wrong = await this.findWrong(chosen);
    if (number !== this.asked) return null;
    if (wrong !== null) {
      const reason = `'${this.board.labels[wrong]}' is in no solution with what was chosen before it`;
      return { kind: "stuck", reason, option: wrong, item: null };
    }
    return this.advise(chosen, without);
  }

  // The options that are in some solution of a position, or null if that is not known in time.
  /**
   * @param {number[]} chosen
   * @param {number[]} without
   * @returns {Promise<{possible: number[] | null} | null>}
   */
  async candidates(chosen, without) {
    const number = ++this.asked;
    const end = performance.now() + PATIENCE;
    const possible = new Set();
    const { live, conflicts } = new Position(this.board.matrix, chosen, without);
    if (conflicts.size) return { possible: [] };
    for (const option of [null, ...live.keys()]) {
      if (option !== null && (!live[option] || possible.has(option))) continue;
      const { solvable, solution } = await this.find(option === null ? chosen : [...chosen, option], without);
      if (number !== this.asked) return null;
      if (solvable === null || performance.now() > end) return { possible: null };
      if (solution === null && option === null) return { possible: [] };
      for (const one of solution ?? []) possible.add(one);
    }
    return { possible: [...possible].sort((one, two) => one - two) };
  }

  // -- solutions ------------------------------------------------------------------------------------

  // Whether a position has a solution, and one.
  /** @returns {Promise<{solvable: boolean | null, solution: number[] | null, isOnly?: boolean}>} */
  async find(chosen, without) {
    if (this.known !== null) {
      const { known } = this;
      const found = typeof known === "function" ? known(chosen, without) : filter(known, chosen, without);
      const solution = found.length ? Array.from(found[0]) : null;
      return { solvable: solution !== null, solution, isOnly: found.length === 1 };
    }
    const [example] = filter(this.examples, chosen, without);
    if (example) return { solvable: true, solution: Array.from(example) };
    const solution = await this.solver.find(chosen, [...this.board.matrix.excluded, ...without], PATIENCE);
    return { solvable: solution === undefined ? null : solution !== null, solution: solution ?? null };
  }

  // The first option that was chosen wrongly; null if there is none, or if that is not known in time.
  async findWrong(chosen) {
    const { given } = this.board;
    let [good, bad] = [given.length, chosen.length + 1]; // numbers of options with and without a solution
    while (bad - good > 1) {
      const middle = bad > chosen.length ? chosen.length : (good + bad) >> 1;
      const { solvable } = await this.find(chosen.slice(0, middle), []);
      if (solvable === null || (solvable && middle === chosen.length)) return null;
      [good, bad] = solvable ? [middle, bad] : [good, middle];
    }
    return chosen[good] ?? null;
  }

  // -- hints ----------------------------------------------------------------------------------------

  // An item that has only as many options as it needs comes first, then one all of whose other options would leave an
  // item with too few, and at last a choice from a solution.
  async advise(chosen, without) {
    const { items, labels } = this.board;
    const position = new Position(this.board.matrix, chosen, without);
    const needs = this.listNeeds(position);
    const none = { option: null, item: null };
    if (!needs.length) return { kind: "solved", reason: "every item is covered", ...none };
    const [{ item, need, left }] = needs;
    if (left < need) return { kind: "stuck", reason: `${shortage(need)} left for '${items[item]}'`, ...none };
    const options = position.options(item);
    if (left === need) {
      const what = need === 1 ? "the only option" : `one of the only ${need} options`;
      const reason = `'${labels[options[0]]}' is ${what} left for '${items[item]}'`;
      return { kind: "choose", reason, option: options[0], item };
    }
    return this.lookAhead(chosen, without, position, needs) ?? (await this.choose(chosen, without, item, options));
  }

  // Items that need more options, those with the fewest to spare first.
  listNeeds(position) {
    const { primary, low } = this.board.matrix;
    return Array.from({ length: primary }, (_, item) => {
      const need = (low[item] ?? 1) - (position.uses.get(item) ?? 0);
      return { item, need, left: position.numbers[item] };
    })
      .filter(({ need }) => need > 0)
      .sort((one, two) => one.left - one.need - (two.left - two.need));
  }

  lookAhead(chosen, without, position, needs) {
    const { items, labels } = this.board;
    const tried = new Map();
    for (const { item, need } of needs) {
      if (need > 1) continue;
      const options = position.options(item);
      const why = [];
      for (const option of options) {
        if (!tried.has(option)) {
          if (tried.size >= MOST_TRIALS) return null;
          const after = this.listNeeds(new Position(this.board.matrix, [...chosen, option], without))[0];
          const isShort = after && after.left < after.need;
          tried.set(option, isShort ? `${shortage(after.need)} for '${items[after.item]}'` : null);
        }
        if (tried.get(option)) why.push(`'${labels[option]}' would leave ${tried.get(option)}`);
      }
      if (why.length !== options.length - 1) continue;
      const option = options.find((one) => !tried.get(one));
      const only = `'${labels[option]}' is the only option for '${items[item]}' that works`;
      return { kind: "choose", reason: `${only}: ${why.join(", ")}`, option, item };
    }
    return null;
  }

  async choose(chosen, without, item, options) {
    const { solution, solvable, isOnly } = await this.find(chosen, without);
    if (solution === null) {
      const reason = solvable === false ? "no solution contains what is chosen" : "no simple step was found in time";
      return { kind: solvable === false ? "stuck" : "unknown", reason, option: null, item: null };
    }
    const option = options.find((one) => solution.includes(one));
    const where = isOnly ? "in the only solution" : "in a solution";
    const reason = `no simple step was found; '${this.board.labels[option]}' is ${where}`;
    return { kind: "choose", reason, option, item };
  }
}

function shortage(need) {
  return need === 1 ? "no option" : "too few options";
}

// The solutions with some options and without others.
function filter(solutions, chosen, without) {
  return solutions.filter(
    (solution) =>
      chosen.every((option) => solution.includes(option)) && !without.some((option) => solution.includes(option)),
  );
}
