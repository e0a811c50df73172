// Playing with a puzzle: choose what lies where, with hints.

import { arrowOf, countOf, make, makeButton, say } from "./data.js";
import { cornersOf, Painter, UNIT } from "./picture.js";
import { ask, mistakeOf } from "./talk.js";

const MOST_CHOICES = 200;

export class PlayView {
  // `read` returns the puzzle; `open` opens another document; `keep` makes the chosen options givens, if it can.
  constructor({ read, open, keep }) {
    Object.assign(this, { read, open, keep });
    this.element = make("div", {});
  }

  // Go on with the same puzzle, or begin with another.
  async resume() {
    if (this.puzzle !== JSON.stringify(this.read())) await this.start();
  }

  async start(given = []) {
    this.puzzle = JSON.stringify(this.read());
    this.element.replaceChildren(make("p", {}, "one moment ..."));
    const answer = await ask("act", { question: "play", ...this.read() });
    if (answer === null) return (this.puzzle = null);
    if (mistakeOf(answer)) {
      this.puzzle = null;
      this.element.replaceChildren(make("p", { class: "mistakes" }, mistakeOf(answer)));
      return;
    }
    this.board = answer;
    this.painter = new Painter(answer.drawing ?? {}, answer.labels);
    Object.assign(this.painter, answer.palette, { pictures: new Map() });
    this.fixed = [...answer.given, ...given.map((label) => answer.labels.indexOf(label)).filter((k) => k >= 0)];
    this.past = [];
    this.future = [];
    this.state = { chosen: [], without: [] };
    this.key = null;
    this.build();
    await this.update();
  }

  build() {
    this.picture = make("div", { class: "picture board" });
    this.status = make("p", { role: "status", id: "play-status" });
    this.hint = make("p", { id: "hint", role: "status" });
    this.choices = make("ul", { class: "chips choices", "aria-label": "Options here" });
    this.undo = makeButton("undo", () => this.step(this.past, this.future));
    this.redo = makeButton("redo", () => this.step(this.future, this.past));
    const number = (label) => make("input", { type: "number", min: "0", "aria-label": label });
    [this.low, this.high, this.clues] = ["At least this many nodes", "At most this many nodes", "Number of givens"].map(number);
    this.element.replaceChildren(
      make(
        "div", { class: "split" },
        this.picture,
        make(
          "div", {},
          this.status,
          make("div", { class: "bar" }, this.undo, this.redo, makeButton("start again", () => this.set({ chosen: [], without: [] })), makeButton("hint", () => this.help()),
            this.keep ? makeButton("make these givens", () => this.keep(this.state.chosen.map((k) => this.board.labels[k]))) : ""),
          this.hint,
          this.choices,
          make("h2", {}, "Make a puzzle"),
          make("p", {}, "A puzzle has exactly one solution. The more nodes a search needs, the harder it is."),
          make("div", { class: "bar" }, "nodes", this.low, "to", this.high, "givens", this.clues, makeButton("new puzzle", () => this.generate())),
        ),
      ),
    );
  }

  get chosen() {
    return [...this.fixed, ...this.state.chosen];
  }

  set(state) {
    this.past.push(this.state);
    this.future = [];
    this.state = state;
    this.key = null;
    this.update();
  }

  step(from, to) {
    if (!from.length) return;
    to.push(this.state);
    this.state = from.pop();
    this.update();
  }

  async update() {
    this.hint.textContent = "";
    this.draw();
    this.undo.disabled = !this.past.length;
    this.redo.disabled = !this.future.length;
    const answer = await ask("act", { question: "moves", ...this.read(), chosen: this.chosen, without: this.state.without });
    if (answer === null) return;
    this.live = new Set(answer.live ?? []);
    this.status.textContent = answer.error ?? (answer.solved ? "Solved." : this.live.size ? `${this.live.size.toLocaleString("en")} ${this.live.size === 1 ? "option is" : "options are"} left` : "No option is left, but the puzzle is not solved: undo a step.");
    this.showChoices();
  }

  draw(focus = null) {
    const all = focus === null ? this.chosen : [...this.chosen, focus];
    this.picture.innerHTML = this.painter.draw(all, { title: "the puzzle", focus: focus === null ? null : new Set(all) });
    if (!this.painter.draws) return;
    const { columns, rows } = this.painter;
    const hits = [...this.painter.places()].map(([key, shape], k) => {
      const line = cornersOf(shape).map(([x, y]) => `${x * UNIT} ${y * UNIT}`).join("L");
      const [row, column] = key.split(" ").map((part) => Number(part) + 1);
      return `<path data-key="${key}" role="button" tabindex="${(this.key ?? null) === key || (this.key === null && k === 0) ? 0 : -1}" aria-pressed="${this.key === key}" aria-label="row ${row}, column ${column}" d="M${line}z"/>`;
    });
    this.picture.insertAdjacentHTML("beforeend", `<svg class="hits" role="group" aria-label="places" viewBox="-4 -4 ${columns * UNIT + 8} ${rows * UNIT + 8}">${hits.join("")}</svg>`);
    const overlay = this.picture.querySelector(".hits");
    overlay.addEventListener("click", (event) => this.pick(event.target.closest("[data-key]")?.dataset.key));
    overlay.addEventListener("keydown", (event) => this.press(event));
  }

  pick(key) {
    if (key === undefined) return;
    this.key = key;
    this.draw();
    this.showChoices();
    this.picture.querySelector(`[data-key="${key}"]`)?.focus();
  }

  press(event) {
    const key = event.target.dataset.key;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(key);
      this.choices.querySelector("button")?.focus();
      return;
    }
    const digit = [...(this.live ?? [])].find((option) => this.painter.covered(option).includes(key) && this.textOf(option) === event.key.toUpperCase());
    if (digit !== undefined) return this.choose(digit);
    const [down, right] = arrowOf(event);
    if (!down && !right) return;
    event.preventDefault();
    const [row, column] = key.split(" ").map(Number);
    for (let far = 1; far <= 3; ++far) {
      const next = this.picture.querySelector(`[data-key="${row + down * far} ${column + right * far}"]`);
      if (next) return this.pick(next.dataset.key);
    }
  }

  // The text that an option writes, such as a digit.
  textOf(option) {
    return this.painter.options[option].find((shape) => shape[0] === "x")?.[3];
  }

  // The options that cover the place that was picked; without a picture, all of them.
  showChoices() {
    const here = (option) => !this.painter.draws || (this.key !== null && this.painter.covered(option).includes(this.key));
    const taken = this.state.chosen.filter((option) => here(option));
    const live = [...(this.live ?? [])].filter(here).slice(0, MOST_CHOICES);
    const row = (option, text, action) => {
      const choice = makeButton("", action, { title: text, "aria-label": text, onmouseenter: () => this.draw(option), onmouseleave: () => this.draw() });
      const isPiece = this.painter.draws && this.painter.options[option].some((shape) => shape[0] === "c" || shape[0] === "t");
      if (isPiece) choice.innerHTML = this.drawNear(option);
      else choice.append(text);
      return make("li", {}, choice);
    };
    this.choices.replaceChildren(
      ...taken.map((option) => row(option, `take back ${this.board.labels[option]}`, () => this.set({ ...this.state, chosen: this.state.chosen.filter((one) => one !== option) }))),
      ...live.map((option) => row(option, this.board.labels[option], () => this.choose(option))),
    );
    if (this.key === null && this.painter.draws) this.choices.replaceChildren(make("li", {}, "Pick a place on the board to see what fits there."));
  }

  // A picture of an option and the places around it.
  drawNear(option) {
    const corners = this.painter.covered(option).flatMap((key) => cornersOf(this.painter.places().get(key)));
    const [left, top, right, bottom] = [0, 1, 2, 3].map((k) => (k < 2 ? Math.min : Math.max)(...corners.map((corner) => corner[k % 2])));
    const box = [left - 1, top - 1, right - left + 2, bottom - top + 2].map((part) => Math.round(part * UNIT));
    return this.painter.draw([option]).replace(/viewBox="[^"]*"/, `viewBox="${box.join(" ")}"`);
  }

  choose(option) {
    this.set({ ...this.state, chosen: [...this.state.chosen, option] });
  }

  async help() {
    this.hint.textContent = "one moment ...";
    const answer = await ask("act", { question: "hint", ...this.read(), chosen: this.chosen, without: this.state.without });
    if (answer === null) return;
    if (answer.error) return (this.hint.textContent = answer.error);
    const label = answer.option === null ? "" : this.board.labels[answer.option];
    const start = { solved: "Solved", stuck: "No solution from here", choose: `Choose ${label}`, exclude: `Rule out ${label}` }[answer.kind];
    this.hint.textContent = `${start}: ${answer.reason}. `;
    if (answer.kind === "choose" || answer.kind === "exclude") {
      const next = answer.kind === "choose" ? { ...this.state, chosen: [...this.state.chosen, answer.option] } : { ...this.state, without: [...this.state.without, answer.option] };
      this.hint.append(makeButton("do it", () => this.set(next)));
      if (answer.kind === "choose") this.draw(answer.option);
    }
  }

  async generate() {
    say("making a puzzle ...");
    const question = { question: "generate", ...this.read(), low: this.low.value, high: this.high.value, clues: this.clues.value };
    const answer = await ask("act", question);
    if (answer === null) return;
    if (mistakeOf(answer)) return say(mistakeOf(answer));
    say(`a puzzle with ${countOf(answer.givens.length, "given")}; a search needs ${countOf(answer.nodes, "node")}`);
    if (answer.document) await this.open({ document: answer.document }, "play");
    else await this.start(answer.givens);
  }
}
