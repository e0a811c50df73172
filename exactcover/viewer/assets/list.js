// The board of a puzzle that is neither a tiling nor a grid: its picture, and the options that still fit as a list.

import { group, make, makeButton, say } from "./data.js";
import { markHint, outlinePlaces } from "./marks.js";
import { followPointer, placeOf } from "./shapes.js";

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
    const distinct = new Set(covered.map((keys) => keys.toSorted().join())).size;
    const isArea = (keys) => keys[1] && !keys.join().includes("[") && outlinePlaces(painter, keys).loops === 1;
    const { length } = covered;
    // The places of each option, if they name it and can be drawn over.
    this.areas = distinct === length && covered.filter(isArea).length * 2 > length ? covered : [];
    this.areBoxes = this.areas.every((keys) => keys.length === this.boxOf(keys).length);
    /** @type {Set<string> | null} */ this.drawn = null; // the places that are drawn over
    this.first = ""; // of them
    this.element = make("div", { class: `picture board table${this.areas.length ? " areas" : ""}` });
    followPointer(this.element, this.draw.bind(this), this.end.bind(this));
    this.how = this.areas.length
      ? `Draw over cells${this.areBoxes ? " from corner to corner" : ""} to choose them; click to take them back.`
      : "Click a choice to make it, or to take it back.";
    this.list = make("ul", { class: "chips choices", "aria-label": "Options" });
    this.side = this.areas.length ? make("details", {}, make("summary", {}, "All choices"), this.list) : this.list;
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

  draw([x, y], begins, pointer) {
    const key = document.elementFromPoint(x, y)?.closest("[data-key]")?.getAttribute("data-key");
    if (begins) this.drawn = null;
    if (!key) return;
    if (!this.drawn) {
      this.element.setPointerCapture(pointer);
      this.first = key;
    }
    this.drawn = new Set(this.areBoxes ? this.boxOf([this.first, key]) : [...(this.drawn ?? []), key]);
    this.showDrawn();
  }

  showDrawn() {
    this.element.querySelector(".picked")?.remove();
    if (this.drawn) this.add(`<path class="picked" d="${outlinePlaces(this.game.painter, [...this.drawn]).border}"/>`);
  }

  // Choose the option that covers what is drawn over, in place of those on the same cells; or take it back.
  end(isCancelled) {
    const { drawn, game } = this;
    this.drawn = null;
    this.showDrawn();
    if (!drawn || isCancelled) return;
    say("");
    const { chosen } = game.state;
    const isDrawn = (keys) => keys.length === drawn.size && keys.every((key) => drawn.has(key));
    const option = this.areas.findIndex(isDrawn);
    const left = chosen.filter((one) => !this.areas[one].some((key) => drawn.has(key)));
    if (drawn.size === 1 && left.length < chosen.length) game.set({ ...game.state, chosen: left });
    else if (option < 0) say(`No choice covers just these ${drawn.size} cells.`);
    else if (!game.shown.includes(option)) game.try({ chosen: [...left, option] });
  }

  // Add marks to the picture.
  add(marks) {
    this.element.firstChild.insertAdjacentHTML("beforeend", marks);
  }

  // -- the list -------------------------------------------------------------------------------------

  show() {
    const { game } = this;
    const { hint, painter, words } = game;
    const row = (text, action, kind = "") => make("li", { class: kind }, makeButton(text, action));
    this.element.innerHTML = painter.draw(game.shown, { title: "the puzzle" });
    if (painter.draws) this.element.firstChild.style.minWidth = `${painter.leastWidth}px`;
    if (hint && painter.draws) this.add(`<g class="hint-marks">${markHint(painter, hint)}</g>`);
    if (game.culprits.length && painter.draws) {
      const { fill } = outlinePlaces(painter, game.culprits.flatMap((option) => painter.covered(option)));
      this.add(`<path class="clash-cell" d="${fill}"/>`);
    }
    if (this.areas.length) {
      const keys = [...new Set(this.areas.flat())];
      const hit = (key) => `<path data-key="${key}" d="${outlinePlaces(painter, [key]).fill}"/>`;
      this.add(`<g class="hits">${keys.map(hit).join("")}</g>`);
      this.showDrawn();
    }
    const isHinted = (option) =>
      hint?.stage >= 3 ? option === hint.option : game.board.matrix.rows[option].some(([item]) => item === hint?.item);
    const live = game.board.labels.map((_, option) => option).filter((option) => game.position.live[option]);
    this.list.replaceChildren(
      ...game.state.chosen.map((option) => row(`Take back ${words.option(option)}`, () => game.takeBack(option))),
      ...live.slice(0, MOST_CHOICES).map((option) => {
        const text = words.option(option) + this.details[option];
        return row(text, () => game.try({ chosen: [...game.state.chosen, option] }), isHinted(option) ? "hinted" : "");
      }),
      live.length > MOST_CHOICES
        ? make("li", { class: "soft" }, `and ${group(live.length - MOST_CHOICES)} more`)
        : "",
    );
  }
}
