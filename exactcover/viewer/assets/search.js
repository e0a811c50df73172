// The view of a search: its tree, the board and the matrix, step by step, each step with its reason.
//
// A step leads from a node to the choice of an option (phase 0), or to what is left after it (phase 1).

import { TreeCanvas } from "./canvas.js";
import { capital, countOf, group, make, makeButton, setPressed } from "./data.js";
import { explainStep, RULES } from "./explain.js";
import { icon, makeIconButton, makeNamedButton } from "./icons.js";
import { tintColor, ringAt } from "./marks.js";
import { MatrixView, Step } from "./matrix.js";
import { numberPlaces } from "./numbers.js";
import { Position } from "./position.js";
import { SimilarView } from "./similar.js";
import { DEAD, KINDS, SearchTree, SOLUTION } from "./tree.js";

const FOLDED_AT = 300; // nodes from which failed subtrees are folded at first

export class SearchView {
  constructor(data, painter) {
    this.data = data;
    this.painter = painter;
    this.both = makeIconButton("columns-2", "Side by side", () => this.toggle(), {
      "aria-pressed": "false", class: "both",
    });
    this.panels = [new SearchPanel(this, 0)];
    this.tree = make("div", {});
    this.element = make("div", { class: "search" }, this.tree);
    document.addEventListener("keydown", (event) => this.moveByKey(event));
    this.arrange();
  }

  toggle() {
    const both = this.panels.length < 2;
    setPressed(this.both, both);
    this.panels.slice(1).forEach((panel) => panel.pause());
    this.panels = both ? [this.panels[0], new SearchPanel(this, 1)] : [this.panels[0]];
    this.arrange();
  }

  arrange() {
    this.tree.className = this.panels.length > 1 ? "pair" : "";
    this.tree.replaceChildren(...this.panels.map((panel) => panel.element));
    this.panels.forEach((panel) => panel.show(panel.current, panel.phase));
  }

  // Keys go to the panel with the focus, or to the first one.
  moveByKey(event) {
    if (!this.element.checkVisibility() || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = document.activeElement ?? document.body;
    if (target !== document.body && !this.element.contains(target)) return;
    if (target.closest("input, select, .matrix, summary")) return;
    const panel = this.panels.find((one) => one.element.contains(target)) ?? this.panels[0];
    const isTree = target.classList.contains("tree");
    const pressesButton = !isTree && target !== document.body;
    if ((event.key === "Enter" || event.key === " ") && pressesButton) return;
    if (panel.press(event.key)) event.preventDefault();
  }
}

class SearchPanel {
  constructor(view, number) {
    this.view = view;
    this.painter = view.painter;
    this.hasBoard = view.painter.draws && view.data.hasBoard;
    this.names = view.data.items;
    this.matrix = view.data.matrix;
    this.current = 0;
    this.phase = 1; // 0 while an option is chosen, 1 when it is
    this.timer = null;
    this.build(number);
    this.load(number);
  }

  load(number) {
    this.pause();
    this.search = this.view.data.searches[number];
    this.tree = new SearchTree(this.search);
    this.setFolded(this.tree.size > FOLDED_AT);
    this.canvas.use(this.tree);
    this.similar.use(this.tree);
    [this.current, this.phase] = [0, 1];
  }

  build(number) {
    const { searches, algorithm } = this.view.data;
    this.canvas = new TreeCanvas({ select: (node) => this.show(node), nameOf: (node) => this.edgeOf(node) });
    this.failed = makeIconButton("list-tree", "Fold failed subtrees", () => this.foldFailed());
    this.player = makeButton("", () => this.toggle(), { title: "Key: space" });
    this.speed = make("input", { type: "range", min: "0", max: "3", step: "any", value: "0.4", "aria-label": "Speed" });
    const choose = () => (this.load(Number(select.value)), this.show(0));
    const select = make("select", { "aria-label": "Heuristic", onchange: choose },
      ...searches.map((search, k) =>
        make("option", { value: String(k), selected: k === number }, `${RULES[search.heuristic]}: ${search.total}`),
      ),
    );
    const heuristic = searches.length > 1 ? select : make("span", { class: "soft" }, searches[number].total);
    this.board = make("div", { class: "picture" });
    this.numbers = numberPlaces(this.painter, this.matrix.rows, this.names);
    this.partial = make("p", { class: "partial" });
    this.place = make("span", { class: "soft place" });
    this.why = make("span", { class: "why" });
    this.program = make("ol", { class: "algorithm", "aria-label": "Algorithm X", tabindex: "0" },
      ...(algorithm ?? []).map((line) => make("li", {}, make("code", {}, line))),
    );
    const about = "X maps each remaining item to its options, Y each option to its items.";
    const title = make("h2", {}, "Algorithm X");
    const program = make("div", { class: "algorithm-box" }, title, this.program, make("p", { class: "soft" }, about));
    const hue = (option) => tintColor(this.painter, this.hues.get(option) ?? 0);
    this.table = new MatrixView(this.matrix, this.names, this.painter.labels, hue, this.hasBoard);
    this.similar = new SimilarView(this.matrix.rows, (nodes, next) => {
      this.canvas.marked = new Set(nodes);
      this.show(nodes[next]);
    });
    const jump = (image, name, action, key) =>
      makeNamedButton(image, name, name, action, { title: `${name} (key: ${key})` });
    this.element = make("div", { class: `search-panel${this.hasBoard ? "" : " plain"}` },
      make("div", { class: "bar" },
        make("span", { class: "joined" },
          jump("skip-back", "First", () => this.show(0), "Home"),
          jump("step-back", "Back", () => this.step(-1), "←"),
          this.player,
          jump("step-forward", "Step", () => this.step(1), "→"),
        ),
        addKind("solution", jump("skip-forward", "Next solution", () => this.seek(SOLUTION), "s")),
        addKind("dead", jump("skip-forward", "Next dead end", () => this.seek(DEAD), "d")),
        make("label", { class: "speed soft" }, "Speed ", this.speed),
        this.failed,
        heuristic,
        number === 0 && searches.length > 1 ? this.view.both : "",
      ),
      make("p", { class: "sentence", role: "status" }, this.place, " ", this.why),
      make("div", { class: "search-grid" },
        make("div", { class: "tree-side" }, this.canvas.element),
        make("div", { class: "board-side" },
          this.hasBoard ? this.board : "",
          algorithm ? program : "",
          this.partial,
        ),
        make("div", { class: "more-side" }, this.similar.element, KEYS()),
        this.table.element,
      ),
    );
  }

  // -- moving ---------------------------------------------------------------------------------------

  // In small problems each choice is a step of its own.
  get phases() {
    return this.table.isWhole ? 2 : 1;
  }

  show(node, phase = 1) {
    this.current = Math.max(0, Math.min(this.tree.size - 1, node));
    this.phase = this.current === 0 ? 1 : phase;
    this.tree.reveal(this.current);
    this.showState();
    this.canvas.show(this.current);
    this.similar.compare();
  }

  step(change) {
    const { current, phase, phases } = this;
    const last = this.tree.size - 1;
    const forth = phase === 0 ? [current, 1] : [current + 1, 2 - phases];
    const back = phase === 1 && phases === 2 && current > 0 ? [current, 0] : [current - 1, 1];
    const [node, next] = change > 0 ? forth : back;
    if (node < 0 || node > last) return false;
    this.show(node, next);
    return this.current < last || this.phase === 0;
  }

  seek(kind) {
    for (let k = this.current + Number(this.phase === 1); k < this.tree.size; ++k)
      if (this.tree.kind[k] === kind) return this.show(k);
    const where = this.search.truncated ? " in the part of the search that was recorded" : "";
    this.why.textContent = `There is no further ${KINDS[kind]}${where}.`;
  }

  toggle() {
    if (this.timer !== null) return this.pause();
    this.setPlayer("pause");
    const go = () => {
      if (!this.step(1)) return this.pause();
      this.timer = setTimeout(go, 1000 / 10 ** Number(this.speed.value));
    };
    this.timer = setTimeout(go, 0);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.setPlayer("play");
  }

  setPlayer(name) {
    this.player.replaceChildren(icon(name), make("span", { class: "word" }, capital(name)));
    this.player.setAttribute("aria-label", capital(name));
  }

  press(key) {
    const { tree, current } = this;
    const skipped = tree.end[current] < tree.size ? tree.end[current] : current;
    const actions = {
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      ArrowUp: () => this.show(tree.parent[current]),
      ArrowDown: () => this.show(skipped),
      Home: () => this.show(0),
      End: () => this.show(tree.size - 1),
      s: () => this.seek(SOLUTION),
      d: () => this.seek(DEAD),
      " ": () => this.toggle(),
      Enter: () => this.canvas.fold(current),
      "+": () => this.canvas.zoom(1.4),
      "-": () => this.canvas.zoom(1 / 1.4),
    };
    const action = actions[key];
    if (action && tree.size) action();
    return Boolean(action);
  }

  foldFailed() {
    this.setFolded(this.failed.getAttribute("aria-pressed") === "false");
    this.canvas.use(this.tree);
    this.show(this.current, this.phase);
  }

  setFolded(isFolded) {
    setPressed(this.failed, isFolded);
    this.tree.foldFailed(isFolded);
  }

  // -- the state at a node --------------------------------------------------------------------------

  // The options chosen above a node, and those that were tried before and are left out.
  pathTo(node) {
    const chosen = [];
    const left = new Set();
    for (let k = node; k > 0; k = this.tree.parent[k]) {
      if (this.tree.option[k] >= 0) chosen.unshift(this.tree.option[k]);
      for (const child of this.siblingsBefore(k)) if (this.tree.option[child] >= 0) left.add(this.tree.option[child]);
    }
    return { chosen: [...this.view.data.given, ...chosen], left };
  }

  siblingsBefore(node) {
    const siblings = this.tree.childrenOf(this.tree.parent[node]);
    return siblings.slice(0, siblings.indexOf(node));
  }

  positionAt(node) {
    const { chosen, left } = this.pathTo(node);
    return new Position(this.matrix, chosen, left);
  }

  // What happens in this step: before a choice, the position above the node, without what was tried.
  look() {
    const after = this.positionAt(this.current);
    if (this.phase === 1) return new Step(this.matrix, after, this.tree.item[this.current] ?? -1, -1, null);
    const choice = this.tree.option[this.current];
    const { chosen, left } = this.pathTo(this.current);
    const before = new Position(this.matrix, choice < 0 ? chosen : chosen.slice(0, -1), left);
    const item = this.tree.item[this.tree.parent[this.current]];
    return new Step(this.matrix, before, item, choice, choice < 0 ? null : after);
  }

  showState() {
    const step = this.look();
    const shown = step.choice < 0 ? step.before.chosen : [...step.before.chosen, step.choice];
    this.hues = new Map(shown.map((option, k) => [option, this.painter.tintOfOption(option) ?? k]));
    const names = shown.map((option) => this.painter.labels[option]);
    if (this.hasBoard) {
      const title = `the board at this step: ${countOf(shown.length, "option")} chosen`;
      this.board.innerHTML = this.painter.draw(shown, { title });
      const svg = this.board.querySelector("svg");
      svg.insertAdjacentHTML("beforeend", this.markItem(step));
      this.numbers.put(svg);
    }
    this.partial.replaceChildren(
      make("span", { class: "soft" }, "Chosen: "),
      names.length ? make("strong", {}, names.join(", ")) : "nothing yet",
    );
    this.partial.hidden = this.hasBoard;
    this.place.textContent = this.tree.size
      ? `Node ${group(this.current + 1)} of ${group(this.tree.size)}, level ${this.tree.level[this.current]}.`
      : "";
    this.why.innerHTML = explainStep(this, step);
    this.table.show(step);
    this.showProgram(step);
  }

  // Mark the line of Algorithm X that a step is about.
  showProgram({ choice }) {
    const begin = this.phase === 0
      ? choice >= 0 ? "removed = select" : "for option"
      : { [SOLUTION]: "yield solution", [DEAD]: "for option" }[this.tree.kind[this.current]] ?? "item = min";
    for (const line of this.program.children) {
      if (line.textContent.trim().startsWith(begin)) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
  }

  // Rings around the place of the item that is branched on, or dots where its options would lie.
  markItem({ before, branch }) {
    if (branch < 0) return "";
    const places = before.options(branch).map((option) => this.painter.covered(option));
    const shared = places.length ? places[0].filter((key) => places.every((one) => one.includes(key))) : [];
    if (shared.length === 1) return ringAt(this.painter, shared);
    return places.every((one) => one.length === 1) ? places.map((one) => ringAt(this.painter, one, 0.16)).join("") : "";
  }

  edgeOf(node) {
    const option = this.tree.option[node];
    return option >= 0 ? this.painter.labels[option] : this.tree.parent[node] >= 0 ? "no more" : "root";
  }
}

const KEYS = () =>
  make("details", { class: "keys" },
    make("summary", {}, "Keys"),
    make("dl", {},
      ...[
        ["→ ←", "step, back"],
        ["↑ ↓", "up, past this subtree"],
        ["s d", "next solution, next dead end"],
        ["space", "play"],
        ["enter", "fold or unfold (in the tree)"],
        ["+ −", "larger, smaller"],
        ["Home End", "first, last node"],
      ].flatMap(([key, what]) => [make("dt", {}, key), make("dd", {}, what)]),
    ),
  );

// The sign of a kind of node, as in the legend of the tree, after the icon of a button.
function addKind(kind, button) {
  button.querySelector(".icon").after(make("span", { class: `kind ${kind}` }));
  return button;
}
