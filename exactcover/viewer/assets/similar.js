// Subtrees of a search that have the same shape, those that repeat the most work first.

import { countOf, make, makeButton } from "./data.js";

const ROOMY = "(min-width: 1150px)"; // where there is room for the list beside the tree
const MOST_GROUPS = 60; // that are listed

export class SimilarView {
  // `show` is called with the roots of a group, and the place of the one to show.
  /**
   * @param {import("./tree.js").SearchTree} tree
   * @param {number[][][]} rows
   * @param {(nodes: number[], place: number) => void} show
   */
  constructor(tree, rows, show) {
    this.tree = tree;
    this.rows = rows;
    this.show = show;
    this.isDone = false;
    this.groups = make("ul", { class: "groups" });
    this.element = make(
      "details", { class: "similar", open: matchMedia(ROOMY).matches, ontoggle: () => this.compare() },
      make("summary", {}, "Similar subtrees"), this.groups,
    );
  }

  use(tree) {
    this.tree = tree;
    this.isDone = false;
  }

  // List the groups, once they are to be seen.
  compare() {
    if (this.isDone || !this.element.open || !this.element.checkVisibility()) return;
    this.isDone = true;
    const groups = this.tree.similar(this.rows).slice(0, MOST_GROUPS);
    const none = make("li", { class: "soft" }, "No two subtrees have the same shape.");
    this.groups.replaceChildren(...(groups.length ? groups.map((group) => this.makeRow(group)) : [none]));
  }

  // Each click on a group shows its next subtree.
  makeRow({ nodes, size, solutions, isSame }) {
    const what = [
      `${countOf(nodes.length, "subtree")} of ${countOf(size, "node")}`,
      `, ${solutions ? countOf(solutions, "solution") : "failed"}`,
      isSame ? ": the same items are left" : "",
    ].join("");
    let next = 0;
    const press = () => {
      for (const other of this.groups.querySelectorAll("button"))
        other.setAttribute("aria-pressed", String(other === button));
      this.show(nodes, next);
      next = (next + 1) % nodes.length;
    };
    const button = makeButton(what, press, { "aria-pressed": "false" });
    return make("li", {}, button);
  }
}
