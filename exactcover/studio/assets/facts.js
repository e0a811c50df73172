// What is known of the puzzle while it is made: each change asks anew, and the answers come one after another.

import { capital, countOf, make, makeButton, mistakeOf, ONE_MOMENT, toSentence } from "./data.js";
import { ask, stopAsking } from "./talk.js";
import { CELL, readCells, spellCells } from "./words.js";

export class FactsView {
  constructor(read) {
    this.read = read;
    this.table = make("dl", { id: "facts" });
    this.mistakes = make("ul", { class: "mistakes", id: "mistakes" });
    this.picture = make("figure", { class: "picture", hidden: true });
    this.forced = make("figure", { class: "picture", id: "forced", hidden: true });
    this.decisive = make("figure", { class: "picture", id: "decisive", hidden: true });
    this.reasons = make("div", { id: "reasons", role: "status" });
    const why = makeButton("Explain", () => this.explain());
    this.element = make("div", { "aria-live": "polite" },
      make("h2", {}, "What is known"),
      this.mistakes,
      this.table,
      make("div", { class: "bar" }, why),
      this.reasons,
      this.forced,
      this.decisive,
      this.picture,
    );
  }

  // Ask again, a moment after the last change.
  look() {
    clearTimeout(this.timer);
    this.clear();
    this.timer = setTimeout(() => this.update(), 250);
  }

  // Leave the processors to other questions.
  stop() {
    clearTimeout(this.timer);
    stopAsking("look");
  }

  // What was known is not true of the changed puzzle.
  clear() {
    this.mistakes.replaceChildren();
    this.reasons.replaceChildren();
    this.list([["working", "..."]]);
  }

  async update() {
    const known = {};
    const last = await ask("look", { question: "look", ...this.read() }, (part) => {
      Object.assign(known, part);
      this.show(known, true);
    });
    if (last !== null) this.show(known, false);
  }

  show(known, working) {
    const none = known.count === "0" ? "no" : "no answer"; // a count proves that there is none
    const refusal = known.reason ? `${none}: ${known.reason}` : "no";
    const lines = {
      placements: known.options?.toLocaleString("en"),
      solvable: known.solved === undefined ? undefined : known.solved ? "yes" : refusal,
      solutions: known.count && (known.unique ? "exactly one" : known.count),
      "up to symmetry": known.distinct,
      effort: known.reason ? undefined : known.estimate,
    };
    if (working) lines.working = "...";
    const rows = Object.entries(lines).filter(([, text]) => text !== undefined);
    this.list(rows);
    this.mistakes.replaceChildren(...listMistakes(known));
    const one = known.leave === 1 ? "One option" : `Any one of ${known.leave} options`;
    const isAll = known.forced && known.forced === known.picture;
    this.draw(this.forced, known.forced, isAll ? "All of it follows at once" : "This much follows at once");
    this.draw(this.decisive, known.decisive, `${one} in colored places, if given as well, leaves one solution`);
    this.draw(this.picture, isAll ? "" : known.picture, known.caption);
  }

  draw(figure, picture, caption) {
    figure.hidden = !picture;
    if (picture) figure.innerHTML = picture;
    if (picture && caption) figure.append(make("figcaption", { class: "soft" }, caption));
  }

  list(rows) {
    const show = ([name, text]) => [make("dt", {}, capital(name)), make("dd", { "data-name": name }, capital(text))];
    this.table.replaceChildren(...rows.flatMap(show));
  }

  async explain() {
    this.reasons.replaceChildren(ONE_MOMENT);
    const answer = await ask("look", { question: "explain", ...this.read() });
    if (answer === null) return;
    const list = (title, labels = []) => {
      const names = labels.map(spellName);
      const ways = (name) => names.filter((one) => one === name).length; // to lie in the same rows and columns
      const show = (name) => make("li", {}, ways(name) > 1 ? `${name} (${ways(name)} ways)` : name);
      const entries = make("ul", { class: "chips" }, ...[...new Set(names)].map(show));
      return names.length ? make("div", {}, make("p", {}, title), entries) : "";
    };
    const some = answer.solutions === 1 ? "is exactly one solution" : `are ${countOf(answer.solutions, "solution")}`;
    const no = `is no solution${answer.reason ? `: ${answer.reason}` : ""}`;
    const several = "are several solutions, of which not all were listed";
    const all = answer.several ? several : answer.solutions === 0 ? no : some;
    this.reasons.replaceChildren(
      make("p", {}, mistakeOf(answer) ?? toSentence(`There ${all}`)),
      list("Each of these givens could be left out on its own:", answer.needless),
      list("Each of these, if given as well, leaves only one solution:", answer.decisive),
      list("These givens conflict:", answer.conflict),
      list("These cannot be covered together:", answer.items),
    );
    this.resume();
  }

  // The question before was ended by this one; what it would have said is not known.
  resume() {
    this.table.querySelector('[data-name="working"]')?.replaceChildren("Stopped");
  }
}

// What is wrong, as the entries of a list.
export function listMistakes({ mistakes = [], error }) {
  return [...mistakes, error].filter(Boolean).map((text) => make("li", {}, toSentence(text)));
}

// The name of an option or item without a board, its cells in words.
function spellName(name) {
  const rest = name.replace(CELL, "").replace(/^[\s=:]+/, "").trim();
  const place = spellCells(readCells(name));
  return rest && place ? `${rest} in ${place}` : rest || place;
}
