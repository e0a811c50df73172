// The board of a puzzle that is neither a tiling nor a grid: its picture, and the options that still fit as a list.

import { make, makeButton, say } from "./data.js";
import { markHint, outlinePlaces } from "./marks.js";
import { placeOf } from "./shapes.js";

const MOST_CHOICES = 200;
const MOST_ITEMS = 6; // of a choice

export class ListBoard {
  static fits() {
    return true;
  }

  constructor(game) {
    this.game = game;
    const { painter } = game;
    const covered = painter.draws ? painter.options.map((_, option) => painter.covered(option)) : [];
    this.areas = covered.some((keys) => keys.length > 1) ? covered : []; // the places of each option
    this.areBoxes = this.areas.every((keys) => keys.length === this.boxOf(keys).length);
    this.first = ""; // of the places that are drawn over
    /** @type {Set<string> | null} */ this.drawn = null;
    this.element = make("div", {
      class: `picture board table${this.areas.length ? " areas" : ""}`,
      onpointerdown: (event) => this.draw(event),
      onpointermove: (event) => this.draw(event),
      onpointerup: () => this.end(),
    });
    this.below = null;
    this.keys = "";
    this.how = this.areas.length
      ? `Draw over cells${this.areBoxes ? " from corner to corner" : ""} to choose them; click to take them back.`
      : "Click a choice to make it, or to take it back.";
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

  // -- drawing over the board -----------------------------------------------------------------------

  // The places in the rectangle around some.
  boxOf(keys) {
    const places = this.game.painter.places();
    const ends = keys.map((key) => placeOf(places.get(key)));
    const bounds = [0, 1].map((k) => [Math.min, Math.max].map((choose) => choose(...ends.map((end) => end[k]))));
    const isIn = (shape) => placeOf(shape).every((part, k) => part >= bounds[k][0] && part <= bounds[k][1]);
    return [...places.keys()].filter((key) => isIn(places.get(key)));
  }

  draw({ type, button, pointerId, clientX, clientY }) {
    const key = document.elementFromPoint(clientX, clientY)?.closest("[data-key]")?.getAttribute("data-key");
    if (type === "pointerdown" && button === 0 && key) {
      this.element.setPointerCapture(pointerId);
      this.first = key;
      this.drawn = new Set();
    }
    if (!this.drawn || !key) return;
    this.drawn = new Set(this.areBoxes ? this.boxOf([this.first, key]) : [...this.drawn, key]);
    this.element.querySelector(".picked")?.remove();
    this.add(`<path class="picked" d="${outlinePlaces(this.game.painter, [...this.drawn]).border}"/>`);
  }

  // Choose the option that covers what is drawn over, in place of those that overlap; or take it back.
  end() {
    const { drawn, game } = this;
    if (!drawn) return;
    this.drawn = null;
    this.element.querySelector(".picked").remove();
    const { chosen } = game.state;
    const taken = chosen.filter((option) => drawn.size === 1 && this.areas[option].includes(this.first));
    const isDrawn = (keys) => keys.length === drawn.size && keys.every((key) => drawn.has(key));
    const fitting = this.areas.map((keys, k) => (isDrawn(keys) ? k : -1)).filter((k) => k >= 0);
    const live = fitting.filter((k) => game.position.live[k]);
    const [option, other] = live.length ? live : fitting;
    if (taken.length) game.set({ ...game.state, chosen: chosen.filter((one) => !taken.includes(one)) });
    else if (other !== undefined) say("Several choices cover just these cells.");
    else if (option === undefined) say("No choice covers just these cells.");
    else game.try({ chosen: [...chosen.filter((one) => !game.overlapping(option).includes(one)), option] });
  }

  // Add marks to the picture.
  add(marks) {
    this.element.firstChild.insertAdjacentHTML("beforeend", marks);
  }

  // -- the list -------------------------------------------------------------------------------------

  show() {
    const { game } = this;
    const { words } = game;
    const row = (text, action, kind = "") => make("li", { class: kind }, makeButton(text, action));
    this.element.innerHTML = game.painter.draw(game.shown, { title: "the puzzle" });
    if (game.painter.draws) this.element.firstChild.style.minWidth = `${game.painter.leastWidth}px`;
    if (game.hint && game.painter.draws) {
      const marks = `<g class="hint-marks">${markHint(game.painter, game.hint)}</g>`;
      this.add(marks);
    }
    if (game.culprits.length && game.painter.draws) {
      const { fill } = outlinePlaces(game.painter, game.culprits.flatMap((option) => game.painter.covered(option)));
      this.add(`<path class="clash-cell" d="${fill}"/>`);
    }
    if (this.areas.length) {
      const keys = [...new Set(this.areas.flat())];
      const hit = (key) => `<path data-key="${key}" d="${outlinePlaces(game.painter, [key]).fill}"/>`;
      this.add(`<g class="hits">${keys.map(hit).join("")}</g>`);
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
