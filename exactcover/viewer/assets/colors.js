// Colors that a player gives to cells. They are kept among the marks of a pencil.

import { arrowOf, make, makeButton, say, setPressed } from "./data.js";
import { describePlace, findNext, layOver, makePlace, outlinePlaces } from "./marks.js";
import { followPointer, isPlace, keyOf } from "./shapes.js";

const COLOR = " color"; // ends the names of these marks
// Eight tints of pieces that stay far apart at half strength, for all kinds of vision.
const TINTS = { yellow: 1, violet: 3, green: 4, lime: 5, blue: 6, red: 7, cyan: 8, brown: 11 };

export class Colors {
  constructor(game) {
    this.game = game;
    /** @type {string[]} */ const places = game.painter.board.filter(isPlace).map(keyOf);
    this.cells = game.view.options ?? new Set(places);
    this.key = game.view.key ?? places[0];
    this.chosen = ""; // the color that the pointer and keys give; while there is one, they do nothing else
    /** @type {Record<string, string[]>} */ this.drawn = {}; // marks where the pointer was since it is down
    this.buttons = Object.entries(TINTS).map(([name, tint]) =>
      makeButton("", () => this.choose(name), { class: `t${tint}`, "aria-label": name, title: name }),
    );
    this.element = make("div", { class: "bar colors", role: "group", "aria-label": "Color cells" }, ...this.buttons);
    this.layer = make("div", { onkeydown: (event) => this.press(event) });
    followPointer(this.layer, this.draw.bind(this), this.end.bind(this));
    for (const name of ["pointerdown", "pointermove", "click"])
      this.layer.addEventListener(name, (event) => event.stopPropagation()); // else the board would act as well
  }

  // Choose a color, or none if it is chosen.
  choose(name) {
    this.chosen = name === this.chosen ? "" : name;
    if (this.chosen) say("Drag over cells, or use arrow keys and Enter. Escape ends coloring.");
    this.game.show();
    this.focus();
  }

  focus() {
    this.layer.querySelector(`[data-key="${this.key}"]`)?.focus({ preventScroll: true });
  }

  colorOf(key) {
    return (this.drawn[key + COLOR] ?? this.game.state.pencil[key + COLOR])?.[0];
  }

  // Color a cell, or clear it if the first one had the color.
  mark(key) {
    this.key = key;
    const [mark = this.colorOf(key) === this.chosen ? [] : [this.chosen]] = Object.values(this.drawn);
    this.drawn[key + COLOR] = mark;
    this.fill();
  }

  end(isCancelled = false) {
    const { drawn, game } = this;
    this.drawn = {};
    if (isCancelled || !Object.keys(drawn).length) return this.fill();
    game.set({ ...game.state, pencil: { ...game.state.pencil, ...drawn } }, false);
  }

  draw([x, y], begins, pointer) {
    if (begins) this.layer.setPointerCapture(pointer);
    const key = document.elementFromPoint(x, y)?.closest("[data-key]")?.getAttribute("data-key");
    if (key && !this.drawn[key + COLOR]) this.mark(key);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
    const step = arrowOf(event);
    if (step.some(Boolean)) this.key = findNext(this.game.painter, this.cells, this.key, step);
    else if (event.key === "Enter" || event.key === " ") (this.mark(this.key), this.end());
    else if (event.key === "Escape") return this.choose("");
    else return;
    event.preventDefault();
    this.game.show();
  }

  show() {
    const { painter, view } = this.game;
    for (const button of this.buttons) setPressed(button, button.title === this.chosen);
    this.fill();
    if (!this.chosen) return;
    const hits = view.element.querySelector(".hits");
    const hadFocus = hits.contains(document.activeElement);
    const name = (key) => view.describeCell?.(key) ?? `${describePlace(key)}: ${this.colorOf(key) ?? "no color"}`;
    const places = [...this.cells.keys()].map((key) => makePlace(painter, key, this.key, name(key)));
    this.layer.innerHTML = layOver(hits, "cells", places);
    hits.replaceWith(this.layer);
    if (hadFocus) this.focus();
  }

  // Fill cells with their colors, below what is written or drawn.
  fill() {
    const { painter, view } = this.game;
    const svg = view.element.querySelector("svg");
    for (const path of svg.querySelectorAll(".color")) path.remove();
    const paths = Object.entries(TINTS).map(([name, tint]) => {
      const keys = [...this.cells.keys()].filter((key) => this.colorOf(key) === name);
      return `<path class="color t${tint}" d="${outlinePlaces(painter, keys).fill}"/>`;
    });
    svg.querySelector("g:not(.numbers)").insertAdjacentHTML("afterend", paths.join(""));
  }
}
