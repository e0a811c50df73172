// The program of Algorithm X, with the lines that a step of the search is about.

import { make } from "./data.js";
import { DEAD, SOLUTION } from "./tree.js";

export class ProgramView {
  constructor(lines) {
    this.element = make("ol", { class: "algorithm", "aria-label": "Algorithm X", tabindex: "0" },
      ...lines.map((line) => make("li", {}, make("code", {}, line))),
    );
    const about = "X maps each remaining item to its options, Y each option to its items.";
    const title = make("h2", {}, "Algorithm X");
    this.box = make("div", { class: "algorithm-box" }, title, this.element, make("p", { class: "soft" }, about));
  }

  // `isChoice` says whether the step chooses, `takes` whether it chooses an option.
  show({ isChoice, takes, kind }) {
    const begin = isChoice
      ? takes ? "removed = select" : "for option"
      : { [SOLUTION]: "yield solution", [DEAD]: "for option" }[kind] ?? "item = min";
    for (const line of this.element.children) {
      const isNow = line.textContent.trim().startsWith(begin);
      line.classList.toggle("now", isNow);
      if (isNow) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
  }
}
