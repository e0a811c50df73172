// Makes puzzles with exactly one solution while playing, and givens of what was placed.

import { countOf, make, makeButton, mistakeOf, say } from "./data.js";
import { makeIconButton } from "./icons.js";
import { ask } from "./talk.js";

export class Generator {
  // `read` returns the puzzle; `open` opens another document; `start` plays with more givens; `keep` makes what is
  // placed givens.
  constructor({ read, open, start, keep }) {
    this.read = read;
    this.open = open;
    this.start = start;
    const number = (label) => make("input", { type: "number", min: "0", "aria-label": label });
    this.low = number("At least this many nodes");
    this.high = number("At most this many nodes");
    this.clues = number("Number of givens");
    const about = "A puzzle has exactly one solution. The more nodes a search needs, the harder it is.";
    const makes = makeIconButton("wand-sparkles", "New puzzle", () => this.generate());
    this.element = make("details", { class: "generator" },
      make("summary", {}, "Make a puzzle"),
      make("p", { class: "soft" }, about),
      make("div", { class: "bar" }, "Nodes", this.low, "to", this.high, "givens", this.clues, makes),
      make("div", { class: "bar" }, makeButton("Make these givens", keep)),
    );
  }

  async generate() {
    say("making a puzzle ...");
    const [low, high, clues] = [this.low, this.high, this.clues].map((input) => input.value);
    const answer = await ask("act", { question: "generate", ...this.read(), low, high, clues });
    if (answer === null) return;
    if (mistakeOf(answer)) return say(mistakeOf(answer));
    say(`a puzzle with ${countOf(answer.givens.length, "given")}; a search needs ${countOf(answer.nodes, "node")}`);
    if (answer.document) await this.open({ document: answer.document }, "play");
    else await this.start(answer.givens);
  }
}
