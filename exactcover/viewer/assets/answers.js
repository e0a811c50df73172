// What play asks about a puzzle, answered by the page alone: from all solutions, which it may contain, or by a search
// of its own. The studio answers the same questions by its server.

import { Advisor } from "./advisor.js";
import { filterSolutions, leastBy } from "./data.js";
import { costOf, Position } from "./position.js";
import { Solver } from "./solver.js";

const PATIENCE = 2_000; // milliseconds for one search

/**
 * Solutions as lists of positions.
 * @typedef {ArrayLike<number>[]} Solutions
 * @typedef {import("./advisor.js").Outlook} Outlook
 */

export class LocalAnswers extends Advisor {
  // `known` are all solutions as lists of positions, or a function that returns those with some options and without
  // others, or null.
  /**
   * @param {Record<string, any>} board
   * @param {Solutions | ((chosen: number[], without: number[]) => Solutions) | null} known
   * @param {Solutions} examples some solutions, if not all are known; the cheapest one of the board comes before them
   */
  constructor(board, known, examples = []) {
    super(board);
    this.known = known;
    this.asked = 0; // for candidates
    this.examples = board.cheapest ? [board.cheapest, ...examples] : examples;
  }

  // Which puzzle this is.
  get key() {
    return "";
  }

  // The board.
  async play() {
    this.board.solvable ??= (await this.position(this.board.given, [])).solvable;
    return this.board;
  }

  // The options that are in some solution of a position, or null if that is not known in time.
  /** @param {number[]} chosen @param {number[]} without @returns {Promise<{possible: number[] | null} | null>} */
  async candidates(chosen, without) {
    const number = ++this.asked;
    const end = performance.now() + PATIENCE;
    const possible = new Set();
    const { live, conflicts } = new Position(this.board.matrix, chosen, without);
    if (conflicts.size) return { possible: [] };
    for (const option of [null, ...live.keys()]) {
      if (option !== null && (!live[option] || possible.has(option))) continue;
      const { solvable, solution } = await this.position(option === null ? chosen : [...chosen, option], without);
      if (number !== this.asked) return null; // another question took its place
      if (solvable === null || performance.now() > end) return { possible: null };
      if (solution === null && option === null) return { possible: [] };
      for (const one of solution ?? []) possible.add(one);
    }
    return { possible: [...possible].sort((one, two) => one - two) };
  }

  // -- solutions ------------------------------------------------------------------------------------

  // Whether a position has a solution, and one.
  /** @returns {Promise<Outlook>} */
  async position(chosen, without) {
    if (this.known !== null) {
      const { known } = this;
      const found = typeof known === "function" ? known(chosen, without) : filterSolutions(known, chosen, without);
      const cheapest = this.board.cheapest ? filterSolutions([this.board.cheapest], chosen, without) : [];
      const solutions = [...cheapest, ...found.filter((one) => one !== null)]; // of some, only their number is known
      const best = leastBy(solutions, (one) => costOf(this.board, one) ?? 0); // without costs, the first one
      const solution = found.length ? Array.from(best) : null;
      return { solvable: solution !== null, solution, isOnly: found.length === 1 };
    }
    const [example] = filterSolutions(this.examples, chosen, without);
    if (example) return { solvable: true, solution: Array.from(example) };
    const solver = new Solver(this.board.matrix); // of its own, since other questions may be asked meanwhile
    const solution = await solver.find(chosen, [...this.board.matrix.excluded, ...without], PATIENCE);
    return { solvable: solution === undefined ? null : solution !== null, solution: solution ?? null };
  }
}
