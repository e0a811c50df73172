// The program of Algorithm X, with the lines that a step of the search is about.

import { make } from "./data.js";
import { DEAD, SOLUTION } from "./tree.js";

export class ProgramView {
  /** @param {string[]} lines */
  constructor(lines) {
    this.element = make(
      "ol", { class: "algorithm", "aria-label": "Algorithm X", tabindex: "0" },
      ...lines.map((line) => make("li", {}, make("code", {}, line))),
    );
  }

  // `isChoice` says whether the step chooses, `takes` whether it chooses an option, and `returns` whether it comes back
  // from another option before.
  show({ isChoice, takes, kind, returns }) {
    const wanted = isChoice
      ? takes
        ? /select\(X|solve\(X, Y, \(/
        : /for option/
      : kind === SOLUTION
        ? /if not X|yield solution/
        : kind === DEAD
          ? /for option/
          : /min\(/;
    for (const line of this.element.children) {
      const text = line.textContent;
      const isBack = text.includes("deselect");
      const isNow = wanted.test(text) && (!isBack || (isChoice && returns)) && !text.startsWith("def");
      line.classList.toggle("now", isNow);
      if (isNow) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
  }
}
