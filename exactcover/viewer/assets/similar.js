// Subtrees of a search that have the same shape, those that repeat the most work first.

import { addTo, countOf, make, makeButton, setPressed } from "./data.js";
import { DEAD, SOLUTION } from "./tree.js";

const ROOMY = "(min-width: 1150px)"; // where there is room for the list beside the tree
const FEW_NODES = 300; // of a tree whose list is left out if it is empty
const MOST_GROUPS = 60; // that are listed

export class SimilarView {
  // `show` is called with the roots of a group, and the place of the one to show.
  constructor(rows, show) {
    this.rows = rows;
    this.show = show;
    this.isDone = false;
    this.groups = make("ul", { class: "groups" });
    const open = matchMedia(ROOMY).matches;
    this.element = make("details", { class: "similar", open, ontoggle: () => this.compare() },
      make("summary", {}, "Similar subtrees"), this.groups,
    );
  }

  use(tree) {
    this.tree = tree;
    this.isDone = false;
    this.element.hidden = tree.size <= FEW_NODES && !tree.similar(this.rows).length;
  }

  // The shape of a subtree as a small picture.
  drawShape(root) {
    const { tree } = this;
    const x = new Map();
    let [leaves, levels, lines, nodes] = [0, 0, "", ""];
    for (let node = tree.end[root] - 1; node >= root; --node) {
      const below = tree.childrenOf(node).map((child) => x.get(child));
      const y = 6 * (tree.level[node] - tree.level[root]);
      levels = Math.max(levels, y);
      x.set(node, below.length ? (below[0] + below.at(-1)) / 2 : 6 * leaves++);
      for (const at of below) lines += `M${-x.get(node)} ${y}L${-at} ${y + 6}`;
      const kind = tree.kind[node] === SOLUTION ? "solution" : tree.kind[node] === DEAD ? "dead" : "branch";
      nodes += `<circle cx="${-x.get(node)}" cy="${y}" r="2" fill="var(--tree-${kind})"/>`;
    }
    const box = `${-6 * leaves + 3} -3 ${6 * leaves} ${levels + 6}`;
    return `<svg viewBox="${box}" aria-hidden="true"><path d="${lines}" stroke="var(--tree-edge)"/>${nodes}</svg>`;
  }

  // List the groups, once they are to be seen.
  compare() {
    if (this.isDone || !this.element.open || !this.element.checkVisibility()) return;
    this.isDone = true;
    const groups = this.tree.similar(this.rows).slice(0, MOST_GROUPS);
    const none = make("li", { class: "soft" }, "No two subtrees have the same shape.");
    const seen = new Map(); // how many shapes have one description
    const rows = groups.map((group) => {
      const end = group.solutions ? countOf(group.solutions, "solution") : "failed";
      const what = `${countOf(group.size, "node")}, ${end}`;
      addTo(seen, what);
      return this.makeRow(group, seen.get(what) > 1 ? `${what}, shape ${seen.get(what)}` : what);
    });
    this.groups.replaceChildren(...(rows.length ? rows : [none]));
  }

  // Each click on a group shows its next subtree.
  makeRow({ nodes, isSame }, kind) {
    const what = `${countOf(nodes.length, "subtree")} of ${kind}${isSame ? ": the same items are left" : ""}`;
    let next = 0;
    const press = () => {
      for (const other of this.groups.querySelectorAll("button"))
        setPressed(other, other === button);
      this.show(nodes, next);
      next = (next + 1) % nodes.length;
    };
    const button = makeButton(what, press, { "aria-pressed": "false" });
    button.insertAdjacentHTML("afterbegin", this.drawShape(nodes[0]));
    return make("li", {}, button);
  }
}
