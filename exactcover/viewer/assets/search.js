// The view of a search: the tree that an engine has recorded, the board, and the items' numbers of options.
//
// A node has a level, a kind, the option that leads to it (-1 for none), and the item that it branches on.

import { countOf, escapeText, make, makeButton, readNumbers } from "./data.js";

const KINDS = ["branch", "dead end", "solution", "pruned", "not recorded"];
const ROW = 20; // height in pixels
const MOST_CELLS = 4000; // of the matrix that is shown

export class SearchView {
  constructor(data, painter) {
    Object.assign(this, { data, painter });
    this.panels = [new SearchPanel(this, 0)];
    this.tree = make("div", {});
    this.element = make("div", {}, this.choose(), this.tree);
    this.arrange();
  }

  choose() {
    if (this.data.searches.length < 2) return make("div");
    this.both = makeButton("side by side", () => this.toggle(), { "aria-pressed": "false" });
    return make("div", { class: "bar" }, this.both);
  }

  toggle() {
    const both = this.panels.length < 2;
    this.both.setAttribute("aria-pressed", String(both));
    this.panels.slice(1).forEach((panel) => panel.pause());
    this.panels = both ? [this.panels[0], new SearchPanel(this, 1)] : [this.panels[0]];
    this.arrange();
  }

  arrange() {
    this.tree.className = this.panels.length > 1 ? "split" : "";
    this.tree.replaceChildren(...this.panels.map((panel) => panel.element));
    this.panels.forEach((panel) => panel.show(panel.current));
  }
}

class SearchPanel {
  constructor(view, number) {
    Object.assign(this, { view, painter: view.painter, current: 0, timer: null, filter: null });
    this.names = view.data.items;
    this.id = `node-${number}`;
    this.matrix = view.data.matrix;
    this.load(number);
    this.build(number);
  }

  load(number) {
    this.search = this.view.data.searches[number];
    const numbers = readNumbers(this.search.nodes);
    const size = numbers.length / 5;
    Object.assign(this, { level: new Uint32Array(size), kind: new Uint8Array(size), option: new Int32Array(size), item: new Int32Array(size), children: new Uint32Array(size), parent: new Int32Array(size), end: new Uint32Array(size), solutions: new Uint32Array(size) });
    const path = [];
    for (let k = 0; k < size; ++k) {
      const [kind, level, option, item, children] = numbers.subarray(5 * k, 5 * k + 5);
      this.children[k] = children;
      this.kind[k] = kind;
      this.level[k] = level;
      this.option[k] = option - 1;
      this.item[k] = item - 1;
      this.parent[k] = level ? path[level - 1] : -1;
      path[level] = k;
      path.length = level + 1;
    }
    for (let k = size - 1; k >= 0; --k) {
      this.end[k] = Math.max(this.end[k], k + 1);
      this.solutions[k] += this.kind[k] === 2;
      const above = this.parent[k];
      if (above < 0) continue;
      this.end[above] = Math.max(this.end[above], this.end[k]);
      this.solutions[above] += this.solutions[k];
    }
    this.closed = new Set();
    this.visible = null;
    this.unfinished = new Set(); // the nodes above the end of a log that was cut off
    if (this.search.truncated) for (let k = size - 1; k >= 0; k = this.parent[k]) this.unfinished.add(k);
    this.hide?.setAttribute("aria-pressed", "false");
  }

  build(number) {
    this.hide = makeButton("hide failed subtrees", () => this.hideFailed(this.hide), { "aria-pressed": "false" });
    this.player = makeButton("play", () => this.toggle());
    this.speed = make("input", { type: "range", min: "0", max: "3", step: "any", value: "1", "aria-label": "speed" });
    const heuristic = make("select", { "aria-label": "heuristic", onchange: () => (this.pause(), this.load(Number(heuristic.value)), this.show(0)) },
      ...this.view.data.searches.map((search, k) => make("option", { value: String(k), selected: k === number }, `${search.heuristic}: ${search.total}`)));
    this.rows = make("div", { class: "rows", tabindex: "0", role: "tree", "aria-label": "the tree of the search", onscroll: () => this.showRows() });
    this.inner = make("div", { role: "none" });
    this.rows.append(this.inner);
    this.inner.style.position = "relative";
    this.board = make("div", { class: "picture" });
    this.why = make("p", { role: "status" });
    this.items = make("div", { class: "items", tabindex: "0", role: "region", "aria-label": "items" });
    this.table = make("div", { class: "matrix", tabindex: "0", role: "region", "aria-label": "matrix" });
    this.element = make(
      "div", {},
      make("div", { class: "bar" }, heuristic, makeButton("first", () => this.show(0)), makeButton("back", () => this.step(-1)), this.player, makeButton("step", () => this.step(1)),
        makeButton("next solution", () => this.seek(2)), makeButton("next dead end", () => this.seek(1)), make("label", {}, "speed ", this.speed),
        this.hide),
      this.why,
      make("div", { class: "split" }, make("div", {}, this.board, this.items), make("div", {}, this.rows)),
      this.table,
    );
    this.rows.addEventListener("keydown", (event) => this.moveByKey(event));
    new ResizeObserver(() => this.showRows()).observe(this.rows);
  }

  // -- moving ---------------------------------------------------------------------------------------

  show(node) {
    this.current = Math.max(0, Math.min(this.level.length - 1, node));
    for (let above = this.parent[this.current]; above >= 0; above = this.parent[above])
      if (this.closed.delete(above)) this.visible = null;
    this.showState();
    this.showRows(true);
  }

  step(change) {
    this.show(this.current + change);
    return this.current + change < this.level.length;
  }

  seek(kind) {
    for (let k = this.current + 1; k < this.level.length; ++k) if (this.kind[k] === kind) return this.show(k);
  }

  toggle() {
    if (this.timer !== null) return this.pause();
    this.player.textContent = "pause";
    const go = () => {
      if (!this.step(1) || this.current === this.level.length - 1) return this.pause();
      this.timer = setTimeout(go, 1000 / 10 ** Number(this.speed.value));
    };
    this.timer = setTimeout(go, 0);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.player.textContent = "play";
  }

  moveByKey(event) {
    const next = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    const rows = this.listVisible();
    if (event.key === "ArrowLeft" || event.key === "Enter") this.fold(this.current);
    else if (event.key === "ArrowRight") this.show(this.current + 1);
    else if (next !== undefined) this.show(rows[Math.min(rows.length - 1, Math.max(0, rows.indexOf(this.current) + next))]);
    else return;
    event.preventDefault();
  }

  fold(node) {
    if (this.kind[node] !== 0) return;
    if (!this.closed.delete(node)) this.closed.add(node);
    this.visible = null;
    this.showRows();
  }

  hideFailed(button) {
    const hide = button.getAttribute("aria-pressed") === "false";
    button.setAttribute("aria-pressed", String(hide));
    this.closed.clear();
    if (hide) for (let k = 0; k < this.level.length; ++k) if (this.kind[k] === 0 && this.solutions[k] === 0 && !this.unfinished.has(k)) this.closed.add(k);
    this.visible = null;
    this.show(this.current);
  }

  // -- the state at a node --------------------------------------------------------------------------

  // The options chosen on the way, and those that were tried before and are left out.
  path(node) {
    const chosen = [];
    const left = new Set();
    for (let k = node; k >= 0; k = this.parent[k]) {
      if (this.option[k] >= 0) chosen.unshift(this.option[k]);
      const above = this.parent[k];
      if (above < 0) continue;
      const parts = this.childrenOf(above);
      for (const child of parts) {
        if (child === k) break;
        if (this.option[child] >= 0) left.add(this.option[child]);
      }
    }
    return { chosen: [...this.view.data.given, ...chosen], left };
  }

  childrenOf(node) {
    const children = [];
    for (let k = node + 1; k < this.end[node]; k = this.end[k]) children.push(k);
    return children;
  }

  // Which options are still possible, and how often each item is covered.
  survey(node) {
    const { chosen, left } = this.path(node);
    const { rows, primary, high } = this.matrix;
    const uses = new Map();
    const colors = new Map();
    for (const option of chosen)
      for (const [item, color] of rows[option]) {
        uses.set(item, (uses.get(item) ?? 0) + 1);
        if (item >= primary) colors.set(item, color);
      }
    const taken = new Set([...chosen, ...this.matrix.excluded]);
    const live = rows.map((row, option) => !taken.has(option) && !left.has(option) &&
      row.some(([item]) => item < primary) &&
      row.every(([item, color]) => item < primary ? (uses.get(item) ?? 0) < (high[item] ?? 1) : !colors.has(item) || (color !== 0 && colors.get(item) === color)));
    const numbers = new Array(primary).fill(0);
    rows.forEach((row, option) => live[option] && row.forEach(([item]) => item < primary && ++numbers[item]));
    return { chosen, live, uses, numbers };
  }

  showState() {
    const node = this.current;
    const state = this.survey(node);
    this.board.innerHTML = this.painter.draw(state.chosen, { title: "the board at this node" });
    this.why.textContent = this.explain(node, state);
    this.showItems(node, state);
    this.showMatrix(node, state);
  }

  explain(node, { chosen }) {
    if (!this.level.length) return `No search was needed${this.search.reason ? `: ${this.search.reason}` : ""}.`;
    const place = `Node ${node + 1} of ${this.level.length}, level ${this.level[node]}, ${countOf(chosen.length, "option")} chosen. `;
    const item = this.item[node];
    const name = item >= 0 ? this.names[item] : "";
    const children = this.children[node];
    if (this.kind[node] === 2) return `${place}A solution: every item is covered.`;
    if (this.kind[node] === 1) return `${place}A dead end: item ${name} has too few options left.`;
    if (this.kind[node] > 2) return `${place}This subtree is ${KINDS[this.kind[node]]}.`;
    if (children === 1) return `${place}Item ${name} leaves one choice: a forced move.`;
    const rule = { mrv: "no open item leaves fewer; ties go to the first", leftmost: "it is the first open item", weighted: "no open item leaves fewer; ties go to the one that most often ran out of options" };
    return `${place}The search branches on item ${name}, which leaves ${children} choices: ${rule[this.search.heuristic]}.`;
  }

  showItems(node, { uses, numbers }) {
    const { low, high } = this.matrix;
    const isOpen = ([number, item]) => (uses.get(item) ?? 0) < (number > 0 ? (high[item] ?? 1) : (low[item] ?? 1));
    const open = numbers.map((number, item) => [number, item]).filter(isOpen);
    open.sort((one, two) => one[0] - two[0] || one[1] - two[1]);
    const rows = open.slice(0, 200).map(([number, item]) => `<tr class="${item === this.item[node] ? "now" : ""}"><th scope="row">${escapeText(this.names[item])}</th><td>${number}</td></tr>`);
    this.items.innerHTML = `<table><thead><tr><th scope="col">open item</th><th scope="col">options left</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
  }

  showMatrix(node, { chosen, live, uses }) {
    const { rows } = this.matrix;
    if (rows.length * this.names.length > MOST_CELLS) return;
    const taken = new Set(chosen);
    const covered = (item) => (uses.get(item) ?? 0) >= (this.matrix.low[item] ?? 1);
    const head = this.names.map((name, item) => `<th scope="col" class="${covered(item) ? "off" : ""}">${escapeText(name)}</th>`).join("");
    const body = rows.map((row, option) => {
      const has = new Map(row);
      const state = taken.has(option) ? "chosen" : live[option] ? "" : "off";
      const cells = this.names.map((_, item) => `<td class="${!taken.has(option) && covered(item) ? "off" : ""}">${has.has(item) ? (has.get(item) || 1) : ""}</td>`).join("");
      return `<tr class="${state}"><th scope="row">${escapeText(this.painter.labels[option])}</th>${cells}</tr>`;
    });
    this.table.innerHTML = `<h2>The matrix</h2><table><thead><tr><th scope="col">option</th>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
  }

  // -- the tree -------------------------------------------------------------------------------------

  listVisible() {
    if (this.visible !== null) return this.visible;
    this.visible = [];
    for (let k = 0; k < this.level.length; k = this.closed.has(k) ? this.end[k] : k + 1) this.visible.push(k);
    return this.visible;
  }

  showRows(follow = false) {
    const rows = this.listVisible();
    this.inner.style.height = `${rows.length * ROW}px`;
    if (follow) {
      const place = find(rows, this.current) * ROW;
      if (place < this.rows.scrollTop || place > this.rows.scrollTop + this.rows.clientHeight - 2 * ROW) this.rows.scrollTop = Math.max(0, place - this.rows.clientHeight / 2);
    }
    const first = Math.floor(this.rows.scrollTop / ROW);
    const last = Math.min(rows.length, first + Math.ceil((this.rows.clientHeight || 400) / ROW) + 1);
    const elements = [];
    for (let place = first; place < last; ++place) elements.push(this.makeRow(rows[place], place));
    this.inner.replaceChildren(...elements);
    this.rows.setAttribute("aria-activedescendant", `${this.id}-${this.current}`);
  }

  makeRow(node, place) {
    const kind = ["", "dead", "solution", "dead", "dead"][this.kind[node]];
    const option = this.option[node];
    const lead = option >= 0 ? this.painter.labels[option] : this.parent[node] >= 0 ? "no more options" : "root";
    const item = this.item[node] >= 0 ? ` → ${this.names[this.item[node]]}` : "";
    const what = this.kind[node] ? ` (${KINDS[this.kind[node]]})` : "";
    const folded = this.closed.has(node) ? ` … ${this.end[node] - node - 1} more nodes` : "";
    const row = make("div", { role: "treeitem", id: `${this.id}-${node}`, "aria-level": String(this.level[node] + 1), "aria-current": String(node === this.current), "aria-selected": String(node === this.current), class: kind, onclick: () => this.show(node), ondblclick: () => this.fold(node) },
      `${"  ".repeat(Math.min(this.level[node], 40))}${lead}${item}${what}${folded}`);
    if (this.kind[node] === 0) row.setAttribute("aria-expanded", String(!this.closed.has(node)));
    row.style.top = `${place * ROW}px`;
    row.style.whiteSpace = "pre";
    return row;
  }
}

// The place of a number in an ascending list.
function find(numbers, number) {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle] <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}
