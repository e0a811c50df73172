// Hints: the next step of a person who solves the puzzle by hand, with its reason.

import { Position } from "./position.js";
import { Solver } from "./solver.js";
import { Techniques } from "./techniques.js";

const MOST_TRIALS = 400; // options that are tried one step ahead
const CHAIN_PATIENCE = 500; // milliseconds for a chain

/**
 * What is known of a position: whether it has a solution, or null; a solution, and whether it is the only one.
 * @typedef {{solvable: boolean | null, solution?: number[] | null, isOnly?: boolean, error?: string}} Outlook
 *
 * Something that was done: in words, the options that it chose or left out, and how to get a state without it.
 * @typedef {{name: string, chosen: number[], without: number[], place?: number, takeBack: () => object}} Step
 *
 * Why a step is the next one, or why there is none; words.js puts it into words. `short` are the items that other
 * options would leave without options, and `broken` is how they would break rules; `chain` is what an option would
 * force, each with its item, until an item is short or a rule is broken, so that the options `excluded` are ruled out,
 * as they are by a subset: the items `truths` take all that the items `links` allow. `name` is that of the technique.
 * What is `supposed` about a line is wrong, because it would force `lines`, until something is wrong with an item, in
 * words the `end`, or with what `switches` turn on; or because a solution says so.
 * @typedef {{
 *   kind: "only" | "ahead" | "chain" | "subset" | "solution" | "wrong" | "short" | "solved" | "impossible" | "unknown",
 *   name?: string, item?: number, need?: number, others?: number, short?: number[], broken?: string[],
 *   isOnly?: boolean, chain?: [number, number][], truths?: number[], links?: number[], excluded?: number[],
 *   step?: Step, supposed?: Supposition, lines?: Supposition[], end?: string,
 *   switches?: number[][]}} Reason
 *
 * @typedef {import("./line_hints.js").Supposition} Supposition
 *
 * The next step with its reason; without an option or a supposition that is wrong, there is none.
 * @typedef {{reason: Reason, option: number | null, item: number | null, error?: string}} Hint
 */

// What answers questions about a puzzle; `position` is up to those who extend it.
export class Advisor {
  constructor(board) {
    this.board = board;
  }

  get techniques() {
    return new Techniques(this.board); // another board may have come
  }

  /** @returns {Promise<Outlook | null>} null if another question of the channel came first */
  async position(_chosen, _without, _wish = { channel: "position" }) {
    throw new Error("the position is not known");
  }

  // What to do next, or which of the steps that were done from `given` on is wrong.
  /**
   * @param {number[]} chosen
   * @param {number[]} without
   * @param {{given: number[], steps: Step[], advise?: (outlook: Outlook) => Hint,
   *   refute?: (steps: Step[], step: Step) => object}} done
   * @returns {Promise<Hint | null>}
   */
  async hint(chosen, without, { given, steps, advise, refute = this.refuteStep.bind(this, given) }) {
    if (this.board.solvable === false) return end({ kind: "impossible" });
    const outlook = await this.position(chosen, without, { channel: "hint" });
    if (outlook === null) return null;
    if (outlook.error) return { ...end({ kind: "unknown" }), error: outlook.error };
    if (outlook.solvable !== false) return advise ? advise(outlook) : this.advise(chosen, without, outlook);
    const step = await this.findWrong(given, steps);
    if (!step) return step === null ? null : end({ kind: "short" });
    return { ...end({ kind: "wrong", step }), ...(await refute(steps, step)) };
  }

  // How a wrong choice leads to a contradiction, if what it forces alone shows that.
  /** @returns {Promise<Hint | {}>} */
  async refuteStep(given, steps, step) {
    const [option] = step.chosen;
    if (option === undefined) return {};
    const chosen = steps.slice(0, steps.indexOf(step)).flatMap((one) => one.chosen);
    const without = steps.flatMap((one) => one.without);
    const before = await this.position([...given, ...chosen], without, { channel: "hint" });
    const known = before?.solvable ? without : []; // else some of them are wrong, too
    const { excluded } = this.board.matrix;
    const refute = (out) => this.makeSolver().refuteAlone(option, [...given, ...chosen], [...excluded, ...out]);
    const way = refute(known) ?? (known.length ? refute([]) : null);
    if (!way) return {};
    const broken = way.broken ? [way.broken.text] : [];
    const chain = /** @type {[number, number][]} */ (way.chain);
    return { option, item: way.short ?? null, reason: { kind: "wrong", step, chain, broken } };
  }

  // The first step with which there is no solution; undefined if there is none, or if that is not known in time, and
  // null if another question came first.
  async findWrong(given, steps) {
    let [good, bad] = [-1, steps.length + 1]; // numbers of steps with and without a solution
    while (bad - good > 1) {
      const middle = bad > steps.length ? steps.length : (good + bad) >> 1;
      const [chosen, without] = ["chosen", "without"].map((part) => steps.slice(0, middle).flatMap((one) => one[part]));
      const outlook = await this.position([...given, ...chosen], without, { channel: "hint" });
      if (outlook === null) return null;
      const { solvable } = outlook;
      if (typeof solvable !== "boolean" || (solvable && middle === steps.length)) return undefined;
      [good, bad] = solvable ? [middle, bad] : [good, middle];
    }
    return steps[good];
  }

  // An item that has only as many options as it needs comes first, then one all of whose other options would leave an
  // item with too few, then an option that forces others until an item has too few, and at last a choice from a
  // solution. Where steps have names, one step is one technique, from the simplest on.
  /** @returns {Hint} */
  advise(chosen, without, outlook) {
    const position = new Position(this.board.matrix, chosen, without);
    const needs = this.listNeeds(position);
    if (!needs.length) return position.isSolved ? end({ kind: "solved" }) : this.chooseMore(chosen, outlook);
    const [{ item, need, left }] = needs;
    if (left < need) return end({ kind: "short", item });
    const options = position.options(item);
    if (left === need) {
      const name = this.techniques.name("last", item);
      return { reason: { kind: "only", need, name }, option: options[0], item };
    }
    if (this.techniques.known) return this.findNamed(chosen, without, position) ?? choose(outlook, item, options);
    const ahead = this.lookAhead(position, needs);
    const isLong = this.board.tray; // of placements of pieces, there would be too many to rule out
    return ahead ?? (isLong ? null : this.findChain(chosen, without)) ?? choose(outlook, item, options);
  }

  // An option that no item needs, but a rule does.
  /** @returns {Hint} */
  chooseMore(chosen, { solution, isOnly }) {
    const option = solution?.find((one) => !chosen.includes(one));
    if (option === undefined) return end({ kind: "unknown" });
    return { reason: { kind: "solution", isOnly }, option, item: this.board.matrix.rows[option][0][0] };
  }

  // An option that an item, a subset or a chain excludes.
  /** @returns {Hint | null} */
  findNamed(chosen, without, position) {
    const chain = this.findChain(chosen, without);
    const subset = chain && !chain.reason.chain?.length ? null : this.techniques.findSubset(position);
    if (!subset) return chain;
    const [item] = subset.truths;
    return { reason: { kind: "subset", ...subset }, option: subset.excluded[0], item };
  }

  // Items that need more options, those with the fewest to spare first, and of these the easiest ones to see.
  listNeeds(position) {
    const { techniques } = this;
    const easiness = ({ item }) => techniques.find("last", item)[1];
    return position.needs
      .map((need, item) => ({ item, need, left: position.numbers[item] }))
      .filter(({ need }) => need > 0)
      .sort((one, two) => one.left - one.need - (two.left - two.need) || easiness(one) - easiness(two));
  }

  /** @returns {Hint | null} */
  lookAhead(position, needs) {
    const tried = new Map(); // option -> the item that it would leave with too few options, the broken rule, or null
    const { solver } = position;
    const open = needs.map(({ item }) => item).sort((one, two) => one - two);
    for (const { item, need } of needs) {
      if (need > 1) continue;
      const options = position.options(item);
      for (const option of options) {
        if (tried.has(option)) continue;
        if (tried.size >= MOST_TRIALS) return null;
        const way = solver.refute(option, open, false);
        tried.set(option, way && (way.short ?? way.broken.text));
      }
      const [option, ...others] = options.filter((one) => tried.get(one) === null);
      if (option === undefined || others.length) continue;
      const ends = [...new Set(options.filter((one) => one !== option).map((one) => tried.get(one)))];
      const [short, broken] = ["number", "string"].map((kind) => ends.filter((end) => typeof end === kind));
      return { reason: { kind: "ahead", short, broken, others: options.length - 1 }, option, item };
    }
    return null;
  }

  // A solver that finds items easier or harder to see, where steps have names.
  makeSolver(techniques = this.techniques) {
    const solver = new Solver(this.board.matrix);
    if (techniques.known) solver.rateBlock = (item) => techniques.find("block", item)[1] || 2;
    return solver;
  }

  /** @returns {Hint | null} */
  findChain(chosen, without) {
    const { matrix } = this.board;
    const { techniques } = this;
    const solver = this.makeSolver(techniques);
    const found = solver.findRefutation(chosen, [...matrix.excluded, ...without], CHAIN_PATIENCE);
    if (!found) return null;
    const excluded = /** @type {number[]} */ (found.refuted);
    const { chain, items, broken } = found;
    const short = broken ? items : [...items.filter((item) => item !== found.short), found.short];
    let name = "";
    if (!chain.length && !broken) name = techniques.name("block", found.short);
    else if (!broken) name = techniques.nameChain(short, (item) => solver.liveOptions(item));
    const reason = { kind: "chain", chain, short, broken: broken ? [broken.text] : [], excluded, name };
    return { reason: /** @type {Reason} */ (reason), option: Number(found.supposed), item: found.short ?? null };
  }
}

/** @returns {Hint} */
function choose({ solvable, solution, isOnly }, item, options) {
  if (!solution) return end({ kind: solvable === false ? "short" : "unknown" });
  return { reason: { kind: "solution", isOnly }, option: options.find((one) => solution.includes(one)), item };
}

/** @param {Reason} reason @returns {Hint} */
function end(reason) {
  return { reason, option: null, item: null };
}
