// Rules about graphs: one loop, paths between ends, or regions that hang together; exactcover/rules.py defines them.
//
// An element is an edge, or a pair of a vertex and the color of its region. It is on if an option is chosen that turns
// it on. A look at a rule takes time in proportion to its graph.

import { addTo, leastBy } from "./data.js";

const [OFF, POSSIBLE, ON] = [0, 1, 2];

/**
 * What breaks a rule, whatever else is chosen: in words, and the elements concerned by number.
 * @typedef {{text: string, elements: number[]}} Fault
 * @typedef {{text: string, switches: number[][]}} Broken
 * @typedef {(option: number) => boolean} Test
 *
 * @typedef {{kind: string, vertices: number, elements: [number, number, number[]][], lit: number[],
 *   neighbors: number[][], sizes: [number, number | null][], weights: number[], ends: (number | null)[][],
 *   orNone: boolean}} Stated
 */

// A partition of vertices into parts that hang together.
class Parts {
  constructor(size) {
    this.parents = Int32Array.from({ length: size }, (_, vertex) => vertex);
  }

  find(vertex) {
    const { parents } = this;
    while (parents[vertex] !== vertex) vertex = parents[vertex] = parents[parents[vertex]];
    return vertex;
  }

  // Join two parts; false if they were one already.
  join(one, other) {
    const [a, b] = [this.find(one), this.find(other)];
    this.parents[a] = b;
    return a !== b;
  }
}

export class GraphRule {
  /** @param {Stated} stated */
  constructor(stated) {
    this.stated = stated;
    this.isLoop = stated.kind === "loop";
    this.lit = new Set(stated.lit);
    /** @type {Map<number, number | null>} */ this.partners = new Map(); // the other end of the path of each end
    for (const [one, other] of stated.ends)
      for (const [end, partner] of [[one, other], [other, one]]) if (end !== null) this.partners.set(end, partner);
    this.freePaths = stated.ends.filter(([one, other]) => one === null && other === null).length;
    this.isFree = stated.ends.some((pair) => pair.includes(null));
  }

  // What breaks the rule if these options are chosen, and those may be; null if nothing is known to.
  /** @param {Test} isChosen @param {Test} mayBe @returns {Fault | null} */
  findFault(isChosen, mayBe) {
    const { elements, kind } = this.stated;
    this.states = elements.map(([, , options], element) =>
      this.lit.has(element) || options.some(isChosen) ? ON : options.some(mayBe) ? POSSIBLE : OFF,
    );
    return kind === "regions" ? this.lookAtRegions() : this.lookAtEdges();
  }

  // The elements that are on, or may be, and that a function accepts.
  list(accepts, least = ON) {
    const { elements } = this.stated;
    return [...elements.keys()].filter((k) => this.states[k] >= least && accepts(elements[k][0], elements[k][1]));
  }

  lookAtEdges() {
    const { vertices, elements, orNone } = this.stated;
    const [lit, left] = [new Parts(vertices), new Parts(vertices)];
    const [on, open] = [new Int32Array(vertices), new Int32Array(vertices)];
    let [edges, closing, isAny] = [0, -1, orNone];
    elements.forEach(([one, other], k) => {
      if (this.states[k] === OFF) return;
      isAny = true;
      left.join(one, other);
      for (const vertex of [one, other]) {
        ++open[vertex];
        if (this.states[k] === ON) ++on[vertex];
      }
      if (this.states[k] !== ON) return;
      ++edges;
      if (!lit.join(one, other)) closing = one;
    });
    const at = (vertex) => this.list((one, other) => one === vertex || other === vertex);
    for (let vertex = 0; vertex < vertices; ++vertex) {
      const isEnd = this.partners.has(vertex);
      if (on[vertex] > (isEnd ? 1 : 2))
        return { text: isEnd ? "a path goes on at its end" : "lines branch", elements: at(vertex) };
      if (open[vertex] < (isEnd ? 1 : on[vertex] === 0 ? 0 : this.isFree ? 1 : 2))
        return { text: on[vertex] ? "a line leads nowhere" : "no line can begin here", elements: at(vertex) };
    }
    const inside = (parts, part) => this.list((one) => parts.find(one) === part);
    if (closing >= 0 && !this.isLoop)
      return { text: "a path closes to a loop", elements: inside(lit, lit.find(closing)) };
    if (closing >= 0 && edges > inside(lit, lit.find(closing)).length)
      return { text: "a loop is closed early: other lines are outside it", elements: inside(lit, lit.find(closing)) };
    if (!this.isLoop) return this.lookAtPaths(lit, left, on, inside);
    if (!isAny) return { text: "there is no line", elements: [] };
    const parts = new Set(this.list(() => true).map((k) => left.find(elements[k][0])));
    if (parts.size < 2) return null;
    const smallest = leastBy([...parts].map((part) => inside(left, part)), (elements) => elements.length);
    return { text: "a line is cut off from the others", elements: smallest };
  }

  lookAtPaths(lit, left, on, inside) {
    const { vertices } = this.stated;
    const isOver = !this.states.includes(POSSIBLE);
    const [first, ends, reached] = [new Map(), new Map(), new Set()]; // by part
    for (const [end, partner] of this.partners) {
      if (partner !== null && left.find(end) !== left.find(partner)) {
        const own = this.list((one, other) => [end, partner].some((vertex) => vertex === one || vertex === other), OFF);
        return { text: "two ends cannot be joined any more", elements: own };
      }
      reached.add(left.find(end));
      const part = lit.find(end);
      addTo(ends, part);
      if (!first.has(part)) first.set(part, end);
      else if (this.partners.get(first.get(part)) !== end)
        return { text: "a path joins ends that do not belong together", elements: inside(lit, part) };
    }
    let free = 0;
    for (let vertex = 0; vertex < vertices; ++vertex) {
      if (!on[vertex]) continue;
      const part = lit.find(vertex);
      if (!reached.has(left.find(vertex)) && !this.freePaths)
        return { text: "a line reaches no end", elements: inside(lit, part) };
      if (!isOver || part !== vertex) continue;
      if (!ends.has(part)) ++free;
      if (ends.get(part) === 1 && this.partners.get(first.get(part)) !== null)
        return { text: "a path stops before its end", elements: inside(lit, part) };
    }
    if (!isOver || free === this.freePaths) return null;
    return { text: "there are too many paths, or too few", elements: this.list(() => true) };
  }

  lookAtRegions() {
    for (let color = 0; color < this.stated.sizes.length; ++color) {
      const fault = this.lookAtRegion(color);
      if (fault) return fault;
    }
    return null;
  }

  lookAtRegion(color) {
    const { vertices, elements, neighbors, sizes, weights } = this.stated;
    const states = new Uint8Array(vertices);
    elements.forEach(([vertex, own], k) => own === color && (states[vertex] = this.states[k]));
    const parts = new Parts(vertices);
    for (const [one, other] of neighbors) if (states[one] !== OFF && states[other] !== OFF) parts.join(one, other);
    const room = new Map(); // the size of each part, and of what is on
    let size = 0;
    for (let vertex = 0; vertex < vertices; ++vertex) {
      if (states[vertex] === OFF) continue;
      const part = parts.find(vertex);
      const [all, own] = room.get(part) ?? [0, 0];
      room.set(part, [all + weights[vertex], own + Number(states[vertex] === ON)]);
      if (states[vertex] === ON) size += weights[vertex];
    }
    const some = [...room.keys()].filter((part) => room.get(part)[1] > 0);
    const own = (accepts = /** @type {(vertex: number) => boolean} */ (() => true)) =>
      this.list((vertex, its) => its === color && accepts(vertex));
    if (some.length > 1) {
      const smallest = leastBy(some, (part) => room.get(part)[1]);
      return { text: "a part is cut off from the rest", elements: own((vertex) => parts.find(vertex) === smallest) };
    }
    const [low, high] = sizes[color];
    if (high !== null && size > high) return { text: `a region is larger than ${high}`, elements: own() };
    const most = Math.max(0, ...(some.length ? some : [...room.keys()]).map((part) => room.get(part)[0]));
    return most < low ? { text: `a region has no room for ${low}`, elements: own() } : null;
  }
}

// What breaks the first rule that is broken, with the options that turn on each of the elements concerned; or null.
/** @param {GraphRule[]} rules @param {Test} isChosen @param {Test} mayBe @returns {Broken | null} */
export function findBroken(rules, isChosen, mayBe) {
  for (const rule of rules) {
    const fault = rule.findFault(isChosen, mayBe);
    if (fault) return { text: fault.text, switches: fault.elements.map((k) => rule.stated.elements[k][2]) };
  }
  return null;
}
