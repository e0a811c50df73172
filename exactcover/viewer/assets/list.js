// The board of a puzzle that is neither a tiling nor a grid: its picture, and the options that still fit as a list.

import { make, makeButton } from "./data.js";
import { markHint, outlinePlaces } from "./marks.js";

const MOST_CHOICES = 200;
const MOST_ITEMS = 6; // of a choice

export class ListBoard {
  static fits() {
    return true;
  }

  constructor(game) {
    this.game = game;
    this.element = make("div", { class: "picture board table" });
    this.below = null;
    this.keys = "";
    this.how = "Click a choice to make it, or to take it back.";
    this.side = make("ul", { class: "chips choices", "aria-label": "Options" });
    this.details = this.readDetails();
  }

  // What options cost, and the items that their names do not say, without a first word that all have.
  readDetails() {
    const { costs, items, labels, matrix } = this.game.board;
    const spaced = labels.map((label) => ` ${label.replaceAll(/[:,]/g, " ")} `);
    const isSaid = (name, k) => spaced[k].includes(` ${name.replace(/^\S+ /, "")} `);
    const names = matrix.rows.map((row, k) => row.map(([item]) => items[item]).filter((name) => !isSaid(name, k)));
    const first = names.flat()[0]?.match(/^\S+ /)?.[0];
    const cut = first && names.flat().every((name) => name.startsWith(first)) ? first.length : 0;
    return names.map((all, k) => {
      const shown = all.map((name) => name.slice(cut));
      const more = shown.splice(MOST_ITEMS).length ? ", ..." : "";
      const text = [costs?.[k], shown.join(", ") + more].filter(Boolean).join(": ");
      return text && ` (${text})`;
    });
  }

  show() {
    const { game } = this;
    const { words } = game;
    const row = (text, action, kind = "") => make("li", { class: kind }, makeButton(text, action));
    this.element.innerHTML = game.painter.draw(game.shown, { title: "the puzzle" });
    if (game.painter.draws) this.element.firstChild.style.minWidth = `${game.painter.leastWidth}px`;
    if (game.hint && game.painter.draws) {
      const marks = `<g class="hint-marks">${markHint(game.painter, game.hint)}</g>`;
      this.element.firstChild.insertAdjacentHTML("beforeend", marks);
    }
    if (game.culprits.length && game.painter.draws) {
      const { fill } = outlinePlaces(game.painter, game.culprits.flatMap((option) => game.painter.covered(option)));
      this.element.firstChild.insertAdjacentHTML("beforeend", `<path class="clash-cell" d="${fill}"/>`);
    }
    const { hint } = game;
    const isHinted = (option) =>
      hint?.stage >= 3 ? option === hint.option : game.board.matrix.rows[option].some(([item]) => item === hint?.item);
    const live = game.board.labels.map((_, option) => option).filter((option) => game.position.live[option]);
    this.side.replaceChildren(
      ...game.state.chosen.map((option) =>
        row(`Take back ${words.option(option)}`, () =>
          game.set({ ...game.state, chosen: game.state.chosen.filter((one) => one !== option) }),
        ),
      ),
      ...live.slice(0, MOST_CHOICES).map((option) => {
        const text = words.option(option) + this.details[option];
        return row(text, () => game.try({ chosen: [...game.state.chosen, option] }), isHinted(option) ? "hinted" : "");
      }),
      live.length > MOST_CHOICES
        ? make("li", { class: "soft" }, `and ${(live.length - MOST_CHOICES).toLocaleString("en")} more`)
        : "",
    );
  }
}
