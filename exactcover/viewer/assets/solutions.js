// The view of the solutions: one large picture, a sheet of small ones, and what they have in common.

import { Diagram } from "./diagram.js";
import { capital, countOf, filterSolutions, group, make, makeButton, makeChip } from "./data.js";
import { readSolutions, remember, say, setPressed } from "./data.js";
import { HeatMaps, countShares } from "./heat.js";
import { makeIconButton, makeNamedButton } from "./icons.js";
import { Sheet } from "./sheet.js";
import { copyText, savePng } from "./taking.js";

const SAMPLES = 200; // random solutions that are shown if there are too many to list
const HINT = matchMedia("(hover: none)").matches
  ? "Tap a part of the picture to see only solutions that have it there."
  : "Click a part of the picture to see only solutions that have it there; with Shift, only the others.";

export class SolutionsView {
  /** @param {Record<string, any>} data @param {import("./picture.js").Painter} painter */
  constructor(data, painter) {
    this.data = data;
    this.painter = painter;
    this.isReady = false;
    this.total = 0n;
    /** @type {Uint32Array[]} */ this.found = []; // the solutions that are shown
    /** @type {Map<number, number> | null} */ this.shares = null;
    this.solutions = readSolutions(data.solutions);
    painter.pictures = new Map(data.pictures.map((picture, k) => [this.solutions[k].join(), picture]));
    this.diagram = data.diagram ? new Diagram(data.diagram) : null;
    this.given = new Set();
    this.without = new Set();
    // One solution of each class, or null if that is not known or does not differ.
    this.classes = data.representatives?.map((number) => this.solutions[number]) ?? null;
    if (data.classes && !this.classes) this.classes = readSolutions(data.classes);
    this.unique = false;
    this.current = 0;
    this.pinned = null;
    this.kind = null; // of the heat map that is shown
    this.heatMaps = new HeatMaps(painter);
    this.build(); // nothing is shown before recall()
  }

  build() {
    this.isSingle = this.solutions.length <= 1 && (this.data.complete || this.data.cheapest);
    const { draws } = this.painter;
    const canPick = draws && !this.isSingle;
    const shape = draws ? (this.painter.rows + 0.2) / (this.painter.columns + 0.2) : 0.8;
    this.count = make("p", { id: "count", role: "status" });
    this.sheet = new Sheet({
      draw: (k) => this.painter.draw(this.found[k], { small: true }), choose: (k) => this.show(k), shape,
    });
    const listeners = { onclick: (event) => this.pick(event), onkeydown: (event) => this.pickByKey(event) };
    this.large = make("div", { class: "picture", id: "large", ...(canPick ? listeners : {}) });
    this.caption = make("p", { id: "caption", class: "soft" });
    this.filters = make("ul", { class: "chips", "aria-label": "Filters" });
    this.difference = make("ul", { class: "chips", id: "difference", "aria-label": "Differences" });
    this.kinds = make("div", { class: "bar kinds", role: "group", "aria-label": "Whose heat map", hidden: true });
    this.element = make("div", {
      class: `solutions${this.isSingle ? " single" : shape < 0.45 ? " wide" : ""}`,
      style: `--shape: ${(1 / shape).toFixed(3)}`,
      onkeydown: (event) => this.moveByKey(event),
    },
      make("div", { class: "bar controls" }, ...this.makeControls()),
      make("div", { class: "shown" }, this.filters, this.kinds, this.large, this.difference, this.caption),
      this.isSingle ? null : make("div", { class: "all" }, this.count, this.sheet.element),
    );
  }

  // One solution needs no way to others.
  makeControls() {
    const { draws } = this.painter;
    this.heat = makeIconButton("thermometer", "Heat map", () => this.toggleHeat(), {
      "aria-pressed": "false", hidden: !draws || this.isSingle,
    });
    this.pin = makeIconButton("diff", "Compare", () => this.compare(), {
      "aria-pressed": "false", title: "Keep this solution, and show what differs in others", hidden: this.isSingle,
    });
    this.distinct = makeIconButton("square-stack", "Up to symmetry", () => this.toggleUnique(), {
      "aria-pressed": "false", title: "One solution of each class of symmetric ones", hidden: this.classes === null,
    });
    const step = (name, what, action) => makeNamedButton(name, what, what, action);
    this.steps = make("span", { class: "joined", hidden: this.isSingle },
      step("chevron-left", "Previous", () => this.show(this.current - 1)),
      step("chevron-right", "Next", () => this.show(this.current + 1)),
      step("shuffle", "Random", () => this.showRandom()),
    );
    const take = (name, word, what, action, hidden = false) =>
      makeNamedButton(name, word, what, action, { class: "bare", hidden });
    return [
      this.steps, this.heat, this.pin, this.distinct,
      make("span", { class: "bar take" },
        take("copy", "Labels", "Copy labels", () => copyText(this.describe())),
        take("image", "SVG", "Copy SVG", () => copyText(this.large.innerHTML), !this.data.drawn),
        take("download", "PNG", "Save PNG", () => savePng(this.large.querySelector("svg")), !this.data.drawn),
        take("printer", "Print", "Print", () => print()),
      ),
    ];
  }

  // -- which solutions ----------------------------------------------------------------------------

  filter(number = 0) {
    const listed = this.unique ? this.classes : this.solutions;
    if (this.diagram === null || this.data.complete || this.unique) {
      this.found = filterSolutions(listed, this.given, this.without);
      this.total = BigInt(this.found.length);
    } else {
      this.total = this.diagram.count(this.given, this.without);
      this.found = this.drawSamples();
    }
    this.shares = null;
    this.showFilters();
    this.count.textContent = this.describeCount();
    this.sheet.fillWith(this.found.length);
    const kind = this.kind;
    this.show(number);
    if (kind !== null) this.showHeat(kind);
  }

  drawSamples() {
    if (this.total <= BigInt(SAMPLES)) return this.diagram.list();
    const samples = new Map();
    const random = makeRandom(1); // so that a link shows the same solutions again
    for (let k = 0; k < SAMPLES; ++k) {
      const sample = this.diagram.sample(random);
      samples.set(sample.join(), sample);
    }
    return [...samples.values()];
  }

  describeTotal() {
    const unique = this.unique || this.data.distinct ? " up to symmetry" : "";
    return `${countOf(this.total, "solution")}${unique}`;
  }

  // One line, which also says what is not here.
  describeCount() {
    const total = this.describeTotal();
    if (this.data.complete || this.unique) return total;
    const isWhole = this.found.length === this.solutions.length;
    const extreme = this.data.maximize ? "dearest" : "cheapest";
    if (this.data.cheapest && isWhole) return `The ${extreme} ${this.total === 1n ? "solution" : total}`;
    if (this.diagram === null) {
      const [listed, { count }] = [group(this.solutions.length), this.data];
      const all = count ? `first ${listed} of ${count}` : listed;
      if (this.given.size + this.without.size) return `${total} among the ${all} listed.`;
      return count ? `The ${all} solutions are listed.` : `${total} are listed. There may be more.`;
    }
    if (BigInt(this.found.length) === this.total) return total;
    return `${total}; ${this.found.length} random ones are shown. Filters and numbers apply to all of them.`;
  }

  showFilters() {
    const chip = (option, set, sign) => {
      const name = `${sign} ${this.painter.labels[option]}`;
      const turn = () => this.require(option, set === this.given);
      const remove = () => (set.delete(option), this.filter());
      return make("li", {},
        makeButton(make("span", {}, name), turn, { title: "Click to invert this filter" }),
        makeIconButton("x", "", remove, { "aria-label": `Remove the filter ${name}`, title: "Remove this filter" }),
      );
    };
    const chips = [
      ...[...this.given].map((option) => chip(option, this.given, "with")),
      ...[...this.without].map((option) => chip(option, this.without, "without")),
    ];
    if (chips.length > 1) {
      const clear = () => (this.given.clear(), this.without.clear(), this.filter());
      chips.push(make("li", { class: "plain" }, makeButton("Remove all filters", clear, { class: "bare" })));
    }
    this.filters.replaceChildren(...chips);
  }

  toggleUnique() {
    this.unique = !this.unique;
    setPressed(this.distinct, this.unique);
    this.filter();
  }

  // A click keeps the solutions with a placement; with Shift, those without it.
  pick(event) {
    const group = event.target.closest("[data-option]");
    if (group) this.require(Number(group.dataset.option), event.shiftKey);
  }

  pickByKey(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    const option = event.target.closest("[data-option]")?.dataset.option;
    this.pick(event);
    (this.large.querySelector(`[data-option="${option}"]`) ?? this.large.querySelector("[data-option]"))?.focus();
  }

  require(option, not) {
    (not ? this.given : this.without).delete(option);
    const set = not ? this.without : this.given;
    if (set.has(option)) set.delete(option);
    else set.add(option);
    this.filter();
    say(`${not ? "Without" : "With"} ${this.painter.labels[option]}: ${this.describeTotal()}`);
  }

  // -- what is shown ------------------------------------------------------------------------------

  show(number) {
    this.endHeat();
    const size = this.found.length;
    this.current = size ? ((number % size) + size) % size : 0;
    const solution = this.found[this.current];
    this.large.innerHTML = solution ? this.drawLarge(solution) : `<p class="nothing">${this.describeNothing()}</p>`;
    const hint = this.isSingle || this.found.length < 2 ? "" : ` ${HINT}`;
    const isSaid = solution && (!this.isSingle || this.data.costs?.length);
    this.caption.textContent = isSaid ? `${this.describePlace()}.${hint}` : "";
    const svg = this.large.querySelector("svg");
    svg?.setAttribute("preserveAspectRatio", "xMinYMin"); // flush with the bar
    if (svg && this.painter.draws) svg.style.minWidth = `${this.painter.leastWidth}px`;
    this.showDifference(solution);
    this.sheet.mark(this.current);
    this.remember();
  }

  // Which solution is shown, and what it costs.
  describePlace() {
    const [number, size] = [this.current + 1, this.found.length].map(group);
    const cost = this.data.costs?.[this.solutions.findIndex((one) => one === this.found[this.current])];
    const costs = cost === undefined ? "" : `, cost ${cost}`;
    if (BigInt(this.found.length) === this.total) return `Solution ${number} of ${size}${costs}`;
    return `Random solution ${number} of ${size}; there are ${group(this.total)}`;
  }

  drawLarge(solution) {
    const [title, focus] = [this.describe(), this.focus(solution)];
    return this.painter.draw(solution, { title, clickable: !this.isSingle, focus });
  }

  describeNothing() {
    const isNone = this.total === 0n && (this.data.complete || this.diagram !== null);
    return isNone ? "There is no solution." : "No solution is listed.";
  }

  showRandom() {
    const others = this.found.length - 1;
    if (others > 0) this.show((this.current + 1 + Math.floor(Math.random() * others)) % this.found.length);
  }

  compare() {
    if (this.pinned === null && !this.found.length) return;
    this.pinned = this.pinned === null ? this.found[this.current] : null;
    setPressed(this.pin, this.pinned !== null);
    this.show(this.current);
  }

  focus(solution) {
    if (this.pinned === null || this.pinned === solution) return null;
    return new Set([...solution].filter((option) => !this.pinned.includes(option)));
  }

  showDifference(solution) {
    this.difference.replaceChildren();
    const focus = solution ? this.focus(solution) : null;
    if (focus === null) return this.showLabels(solution);
    const gone = [...this.pinned].filter((option) => !solution.includes(option));
    const write = (sign) => (option) =>
      makeChip(`${sign} ${this.painter.labels[option]}`, () => this.require(option, sign === "−"));
    this.difference.append(...gone.map(write("−")), ...[...focus].map(write("+")));
  }

  // Where placements cannot be clicked in the picture, their labels can be.
  showLabels(solution) {
    if (this.painter.draws || !solution || this.isSingle) return;
    const { labels } = this.painter;
    const write = (option) => makeChip(labels[option], (event) => this.require(option, event.shiftKey));
    this.difference.append(...Array.from(solution, write));
  }

  // -- heat maps ----------------------------------------------------------------------------------

  toggleHeat() {
    if (this.kind !== null) this.show(this.current);
    else if (this.found.length) this.showHeat(this.heatMaps.kinds.keys().next().value);
  }

  endHeat() {
    this.kind = null;
    setPressed(this.heat, false);
    this.kinds.hidden = true;
    for (const button of this.steps.children) button.disabled = false;
  }

  showHeat(kind) {
    if (!this.found.length) return;
    this.kind = kind;
    setPressed(this.heat, true);
    this.showKinds();
    const sampled = this.diagram !== null && !this.data.complete && !this.unique;
    this.shares ??= sampled ? this.diagram.shares() : countShares(this.found);
    const whole = sampled || this.data.complete || this.unique ? this.describeTotal() : "the solutions listed";
    const { picture, title } = this.heatMaps.draw(kind, this.shares, whole);
    this.large.innerHTML = picture;
    this.large.querySelector("svg").setAttribute("preserveAspectRatio", "xMinYMin");
    for (const button of this.steps.children) button.disabled = true; // it shows no single solution
    this.sheet.mark(-1);
    this.difference.replaceChildren();
    this.caption.textContent = `${capital(title)}.`;
  }

  showKinds() {
    const kinds = [...this.heatMaps.kinds.keys()];
    this.kinds.hidden = kinds.length < 2;
    const focused = this.kinds.contains(document.activeElement);
    const write = (kind) => {
      const tint = this.heatMaps.tintOf(kind);
      const color = tint === undefined ? "" : ` t${tint % this.painter.palette.pieces.length}`;
      const dot = make("span", { class: `dot${color}` });
      const state = { type: "button", "aria-pressed": String(kind === this.kind) };
      return make("button", { ...state, onclick: () => this.showHeat(kind) }, dot, kind || "other");
    };
    this.kinds.replaceChildren(...kinds.map(write));
    if (focused) this.kinds.querySelector('[aria-pressed="true"]').focus();
  }

  moveByKey(event) {
    const next = this.sheet.numberAfter(event.key);
    if (next === null || next < 0 || event.target.closest("[data-option], select, input, .kinds, .chips")) return;
    event.preventDefault();
    this.show(next);
    this.sheet.focus(next);
  }

  describe() {
    return Array.from(this.found[this.current] ?? [], (option) => this.painter.labels[option]).join(", ");
  }

  // -- the address --------------------------------------------------------------------------------

  remember() {
    if (!this.isReady) return; // the address says what to show first
    const fragment = new URLSearchParams({ view: "solutions", n: String(this.current) });
    if (this.given.size) fragment.set("with", [...this.given].join("."));
    if (this.unique) fragment.set("unique", "1");
    if (this.without.size) fragment.set("without", [...this.without].join("."));
    const [given, without] = [[...this.given], [...this.without]];
    remember(String(fragment), { positions: Array.from(this.found[this.current] ?? []), given, without });
  }

  recall(fragment) {
    const read = (name) => {
      const numbers = (fragment.get(name) ?? "").split(".").filter(Boolean).map(Number);
      return new Set(numbers.filter((option) => this.painter.labels[option] !== undefined));
    };
    this.given = read("with");
    this.without = read("without");
    this.unique = this.classes !== null && fragment.get("unique") === "1";
    setPressed(this.distinct, this.unique);
    this.filter(Number(fragment.get("n") ?? 0) || 0);
    this.isReady = true;
  }
}

// A generator of random numbers from 0 to 1 (mulberry32).
function makeRandom(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
