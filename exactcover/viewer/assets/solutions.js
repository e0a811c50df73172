// The view of the solutions: a sheet of small pictures, one large, and what they have in common.

import { Diagram } from "./diagram.js";
import { make, makeButton, readNumbers, readSolutions, remember, say } from "./data.js";

const SAMPLES = 200; // random solutions that are shown if there are too many to list
const SIZE = 132; // of a small picture, in pixels

export class SolutionsView {
  constructor(data, painter) {
    Object.assign(this, { data, painter });
    this.solutions = readSolutions(data.solutions);
    painter.pictures = new Map(data.pictures.map((picture, k) => [this.solutions[k].join(), picture]));
    this.diagram = data.diagram ? new Diagram(unpackDiagram(data.diagram)) : null;
    this.given = new Set();
    this.without = new Set();
    this.representatives = data.representatives ? new Set(data.representatives) : null;
    this.unique = false;
    this.current = 0;
    this.pinned = null;
    this.mode = "picture";
    this.build(); // nothing is shown before recall()
  }

  build() {
    this.count = make("p", { id: "count", role: "status" });
    this.sheet = make("div", { class: "sheet", role: "group", "aria-label": "All solutions", onscroll: () => this.showSheet() });
    this.inner = make("div");
    this.sheet.append(this.inner);
    this.large = make("div", { class: "picture", id: "large", onclick: (event) => this.pick(event), onkeydown: (event) => this.pickByKey(event) });
    this.caption = make("p", { id: "caption" });
    this.filters = make("ul", { class: "chips", "aria-label": "Filters" });
    this.difference = make("ul", { class: "chips", id: "difference", "aria-label": "Differences" });
    this.heat = makeButton("heat map", () => this.toggle("heat"), { "aria-pressed": "false", disabled: !this.painter.draws });
    this.pin = makeButton("compare with this one", () => this.compare());
    this.distinct = makeButton("up to symmetry", () => this.toggleUnique(this.distinct), { "aria-pressed": "false" });
    const bar = make(
      "div", { class: "bar" },
      makeButton("previous", () => this.show(this.current - 1)), makeButton("next", () => this.show(this.current + 1)),
      makeButton("random", () => this.showRandom()), this.heat, this.pin, this.representatives ? this.distinct : null,
    );
    const copies = make(
      "div", { class: "bar" },
      makeButton("copy labels", () => this.copy(this.describe())), makeButton("copy SVG", () => this.copy(this.large.innerHTML), { disabled: !this.data.drawn }),
      makeButton("save PNG", () => this.savePng(), { disabled: !this.data.drawn }), makeButton("print", () => print()),
    );
    this.element = make(
      "div", { class: "split" },
      make("div", {}, bar, this.large, this.caption, this.difference, copies),
      make("div", {}, this.count, this.filters, this.sheet),
    );
    addEventListener("resize", () => this.showSheet());
    this.element.addEventListener("keydown", (event) => this.moveByKey(event));
  }

  // -- which solutions ----------------------------------------------------------------------------

  filter(number = 0) {
    const known = this.diagram === null || this.data.complete;
    if (known) {
      this.found = [];
      for (let k = 0; k < this.solutions.length; ++k) if (this.fits(this.solutions[k], k)) this.found.push(this.solutions[k]);
      this.total = BigInt(this.found.length);
    } else {
      this.total = this.diagram.count(this.given, this.without);
      const wanted = this.total < BigInt(SAMPLES) ? Number(this.total) * 3 : SAMPLES;
      const samples = new Map();
      const random = makeRandom(1); // so that a link shows the same solutions again
      for (let k = 0; k < wanted && this.total > 0n; ++k) {
        const sample = this.diagram.sample(random);
        samples.set(sample.join(), sample);
      }
      this.found = [...samples.values()];
    }
    this.shares = null;
    this.showFilters();
    this.count.textContent = this.describeCount();
    this.sheet.scrollTop = 0;
    this.show(number);
  }

  fits(solution, number) {
    if (this.unique && !this.representatives.has(number)) return false;
    for (const option of this.given) if (!solution.includes(option)) return false;
    for (const option of this.without) if (solution.includes(option)) return false;
    return true;
  }

  describeCount() {
    const number = group(this.total);
    const what = this.total === 1n ? "solution" : "solutions";
    if (this.diagram !== null && !this.data.complete) return `${number} ${what}; ${this.found.length === 1 ? "a random one is" : `${this.found.length} random ones are`} shown`;
    const whole = this.data.complete ? "" : " of those that are listed; there may be more";
    return `${number} ${what}${this.unique ? " up to symmetry" : ""}${whole}`;
  }

  showFilters() {
    const chip = (option, set, sign) =>
      make("li", {}, makeButton(`${sign} ${this.painter.labels[option]} ×`, () => (set.delete(option), this.filter()), { title: "remove this filter" }));
    this.filters.replaceChildren(
      ...[...this.given].map((option) => chip(option, this.given, "with")),
      ...[...this.without].map((option) => chip(option, this.without, "without")),
    );
  }

  toggleUnique(button) {
    this.unique = !this.unique;
    button.setAttribute("aria-pressed", String(this.unique));
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
    say(`${not ? "without" : "with"} ${this.painter.labels[option]}: ${this.describeCount()}`);
  }

  // -- what is shown ------------------------------------------------------------------------------

  show(number) {
    this.mode = "picture";
    this.heat.setAttribute("aria-pressed", "false");
    const size = this.found.length;
    this.current = size ? ((number % size) + size) % size : 0;
    const solution = this.found[this.current];
    this.large.innerHTML = solution ? this.painter.draw(solution, { title: this.describe(), clickable: true, focus: this.focus(solution) }) : `<p>${this.total === 0n && this.data.complete ? "no solution" : "no solution is listed"}</p>`;
    this.caption.textContent = solution ? `solution ${group(this.current + 1)} of ${group(size)}. Click a ${this.painter.draws ? "piece" : "label"} to keep only solutions with it; Shift-click to keep only those without it.` : "";
    this.showDifference(solution);
    this.showSheet();
    this.remember();
  }

  showRandom() {
    if (this.found.length > 1) this.show((this.current + 1 + Math.floor(Math.random() * (this.found.length - 1))) % this.found.length);
  }

  compare() {
    if (this.pinned === null && !this.found.length) return;
    this.pinned = this.pinned === null ? this.found[this.current] : null;
    this.pin.textContent = this.pinned === null ? "compare with this one" : "end the comparison";
    this.show(this.current);
  }

  focus(solution) {
    return this.pinned === null || this.pinned === solution ? null : new Set([...solution].filter((option) => !this.pinned.includes(option)));
  }

  showDifference(solution) {
    this.difference.replaceChildren();
    const focus = solution ? this.focus(solution) : null;
    if (focus === null) return this.showLabels(solution);
    const gone = [...this.pinned].filter((option) => !solution.includes(option));
    const write = (option, sign) => make("li", {}, makeButton(`${sign} ${this.painter.labels[option]}`, () => this.require(option, sign === "−")));
    this.difference.append(...gone.map((option) => write(option, "−")), ...[...focus].map((option) => write(option, "+")));
  }

  // Where placements cannot be clicked in the picture, their labels can be.
  showLabels(solution) {
    if (this.painter.draws || !solution) return;
    const write = (option) => make("li", {}, makeButton(this.painter.labels[option], (event) => this.require(option, event.shiftKey)));
    this.difference.append(...Array.from(solution, write));
  }

  toggle(mode) {
    if (this.mode === mode) return this.show(this.current);
    this.mode = mode;
    this.heat.setAttribute("aria-pressed", "true");
    this.large.innerHTML = this.painter.drawShares(this.countShares());
    this.caption.textContent = "percentage of the solutions shown that cover each place";
  }

  // The share of the solutions that cover each place with a piece.
  countShares() {
    if (this.shares !== null) return this.shares;
    const counts = new Map();
    for (const solution of this.found)
      for (const option of solution) counts.set(option, (counts.get(option) ?? 0) + 1);
    this.shares = new Map();
    for (const [option, number] of counts)
      for (const key of this.painter.covered(option))
        this.shares.set(key, (this.shares.get(key) ?? 0) + number / this.found.length);
    return this.shares;
  }

  // Only the pictures in sight exist.
  showSheet() {
    const width = this.sheet.clientWidth || 400;
    const across = Math.max(1, Math.floor(width / SIZE));
    this.inner.style.height = `${Math.ceil(this.found.length / across) * SIZE}px`;
    const first = Math.floor(this.sheet.scrollTop / SIZE) * across;
    const last = Math.min(this.found.length, first + (Math.ceil((this.sheet.clientHeight || 500) / SIZE) + 1) * across);
    const cells = [];
    for (let k = first; k < last; ++k) {
      const button = make("button", { type: "button", "aria-current": String(k === this.current), "aria-label": `solution ${k + 1}`, tabindex: k === this.current ? "0" : "-1", onclick: () => this.show(k) });
      const cell = make("div", { class: "small" });
      Object.assign(cell.style, { left: `${(k % across) * SIZE}px`, top: `${Math.floor(k / across) * SIZE}px`, width: `${SIZE - 6}px`, height: `${SIZE - 6}px` });
      cell.innerHTML = this.painter.draw(this.found[k]);
      cell.append(button);
      cells.push(cell);
    }
    this.inner.replaceChildren(...cells);
    this.across = across;
  }

  moveByKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.across, ArrowUp: -this.across, PageDown: 4 * this.across, PageUp: -4 * this.across }[event.key];
    if (step === undefined || event.target.closest("[data-option], select, input")) return;
    event.preventDefault();
    const next = Math.min(this.found.length - 1, Math.max(0, this.current + step));
    const top = Math.floor(next / this.across) * SIZE;
    if (top < this.sheet.scrollTop || top > this.sheet.scrollTop + this.sheet.clientHeight - SIZE) this.sheet.scrollTop = top;
    this.show(next);
    this.inner.querySelector('[aria-current="true"]')?.focus({ preventScroll: true });
  }

  // -- taking it along ----------------------------------------------------------------------------

  describe() {
    return Array.from(this.found[this.current] ?? [], (option) => this.painter.labels[option]).join(", ");
  }

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
    const read = (name) => new Set((fragment.get(name) ?? "").split(".").filter(Boolean).map(Number).filter((option) => this.painter.labels[option] !== undefined));
    this.given = read("with");
    this.without = read("without");
    this.unique = this.representatives !== null && fragment.get("unique") === "1";
    this.distinct.setAttribute("aria-pressed", String(this.unique));
    this.filter(Number(fragment.get("n") ?? 0) || 0);
    this.isReady = true;
  }

  async copy(content) {
    try {
      await navigator.clipboard.writeText(content);
      say("copied");
    } catch {
      say("the browser does not allow copying here");
    }
  }

  savePng() {
    const svg = this.large.querySelector("svg");
    if (!svg) return;
    const box = svg.viewBox.baseVal;
    const image = new Image();
    image.onload = () => {
      const canvas = make("canvas", { width: String(box.width * 2), height: String(box.height * 2) });
      const context = canvas.getContext("2d");
      context.fillStyle = "#ffffff";
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      make("a", { href: canvas.toDataURL("image/png"), download: "solution.png" }).click();
    };
    const whole = svg.outerHTML.replace("<svg ", `<svg width="${box.width}" height="${box.height}" `);
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(whole)}`;
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

function unpackDiagram(packed) {
  const [level, lo, hi] = ["level", "lo", "hi"].map((name) => readNumbers(packed[name]));
  return { level, lo, hi, options: packed.options, root: packed.root };
}

function group(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}
