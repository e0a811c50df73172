// A drawing to paint: with the mouse, by touch, or with the arrow keys and the space bar.

import { arrowOf, capital, escapeText, make, makeButton } from "./data.js";
import { makeIconButton } from "./icons.js";
import { numberSquares } from "./numbers.js";
import { extent, fill, isPlace, isSolid, outerSides, outline, path } from "./lattice.js";
import { followPointer } from "./shapes.js";

/** @type {Record<string, string>} */
const NAMES = { ".": "to cover", "?": "may stay free", "#": "blocked", _: "no cell" };

export class PaintBoard {
  // `tools` are characters, the last one erases; `names` are what they mean; `change` is called after each stroke.
  constructor(
    kind,
    layers,
    { tools = [".", "?", "#", "_"], names = NAMES, label = "board", change = () => {}, shift = 0 } = {},
  ) {
    this.kind = kind;
    this.layers = layers;
    this.tools = tools;
    this.names = names;
    this.label = label;
    this.change = change;
    this.shift = shift;
    this.blank = tools.at(-1);
    this.tool = tools[0];
    this.layer = 0;
    this.focus = [0, 0];
    this.element = make("div", {});
    this.build();
  }

  get rows() {
    return this.layers[0].length;
  }

  get columns() {
    return this.layers[0][0].length;
  }

  build() {
    this.end(); // the stroke on the drawing that is replaced now
    const tools = this.tools.map((tool, k) => {
      const state = { "aria-pressed": String(tool === this.tool), title: `Key: ${k + 1}` };
      const button = makeButton(capital(this.names[tool]), () => this.choose(tool), state);
      button.prepend(make("span", { class: "swatch", "data-kind": this.kindOf(tool) }));
      return button;
    });
    const sizes = [
      this.makeSize("row", this.rows, 60, [1, 0, 0]),
      this.makeSize("column", this.columns, 60, [0, 1, 0]),
      isSolid(this.kind) ? this.makeSize("layer", this.layers.length, 20, [0, 0, 1]) : "",
    ];
    const all = makeButton("Fill all", () => this.fillAll());
    const layers = this.layers.map((_, k) =>
      makeButton(`Layer ${k + 1}`, () => this.open(k), { "aria-pressed": String(k === this.layer) }),
    );
    this.svg = make("div", {
      onpointerdown: (event) => event.preventDefault(), // the focus stays where it is
      onkeydown: (event) => this.press(event),
    });
    followPointer(this.svg, this.follow.bind(this), this.end.bind(this));
    this.element.replaceChildren(
      make("div", { class: "bar", role: "group", "aria-label": "Tools" }, ...tools, all),
      isSolid(this.kind)
        ? make("div", { class: "bar", role: "group", "aria-label": "Layers, from the bottom up" }, ...layers)
        : "",
      this.svg,
      make("div", { class: "bar", role: "group", "aria-label": "Size" }, ...sizes),
    );
    this.draw();
  }

  // A number with buttons that make it one less and one more.
  makeSize(name, value, most, step) {
    const button = (sign, image, way) =>
      makeIconButton(image, "", () => this.resize(...step.map((part) => part * way)), {
        "aria-label": `${sign} ${name}`, title: `${sign} ${name}`,
      });
    const put = () => {
      const size = Number(input.value);
      const more = Number.isInteger(size) && size >= 1 ? size - value : 0;
      this.resize(...step.map((part) => part * more));
      this.build(); // also if that size is refused
    };
    const input = make("input", {
      type: "number", min: "1", max: String(most), value: String(value), "aria-label": `Number of ${name}s`,
      onchange: put,
    });
    const parts = [button("−", "minus", -1), input, button("+", "plus", 1)];
    return make("span", { class: "size" }, capital(`${name}s`), make("span", { class: "joined" }, ...parts));
  }

  draw() {
    const [width, height] = extent(this.kind, this.rows, this.columns);
    const layer = this.layers[this.layer];
    let inside = "";
    const cells = [];
    for (let row = 0; row < this.rows; ++row)
      for (let column = 0; column < this.columns; ++column) {
        if (!isPlace(this.kind, row, column, this.shift)) continue;
        inside += this.drawPlace(layer, row, column);
        if (layer[row][column] !== this.blank) cells.push(outline(this.kind, row, column, this.shift));
      }
    const rim = `<path class="edge" d="${outerSides(cells)}"/>`;
    const size = `viewBox="-1 -1 ${width + 2} ${height + 2}" style="--wide: ${width}"`;
    this.svg.innerHTML = `<svg class="paint" role="group" aria-label="${this.label}" ${size}>${inside}${rim}</svg>`;
    if (this.kind === "squares" && this.label === "board")
      numberSquares(this.rows, this.columns, width / this.columns).put(this.svg.firstChild);
  }

  drawPlace(layer, row, column) {
    const value = layer[row][column];
    const kind = this.kindOf(value);
    const isFocused = this.focus[0] === row && this.focus[1] === column;
    return (
      `<path data-kind="${escapeText(kind)}" data-row="${row}" data-column="${column}" role="checkbox" ` +
      `tabindex="${isFocused ? 0 : -1}" aria-checked="${value !== this.blank}" ` +
      `aria-label="row ${row + 1}, column ${column + 1}: ${this.names[value]}" ` +
      `d="${path(outline(this.kind, row, column, this.shift))}"/>`
    );
  }

  // How a character looks.
  kindOf(value) {
    const shown = value === "." && this.blank === "." ? "_" : value;
    return this.tools.length === 2 && value === "#" ? "cell" : shown;
  }

  choose(tool) {
    this.tool = tool;
    this.build();
  }

  open(layer) {
    this.layer = layer;
    this.build();
  }

  fillAll() {
    const layer = fill(this.kind, this.rows, this.columns, this.tool, this.blank, this.shift);
    this.layers = this.layers.map((old, k) => (k === this.layer ? layer : old));
    this.draw();
    this.change();
  }

  resize(rows, columns, layers) {
    const [height, width] = [this.rows + rows, this.columns + columns];
    const depth = this.layers.length + layers;
    if (Math.min(height, width, depth) < 1 || Math.max(height, width) > 60 || depth > 20) return;
    const grown = (row, column) => (isPlace(this.kind, row, column, this.shift) ? this.tools[0] : this.blank);
    const add = this.blank === "." ? () => "." : grown;
    this.layers = Array.from({ length: depth }, (_, k) =>
      Array.from({ length: height }, (_, row) =>
        Array.from({ length: width }, (_, column) => this.layers[k]?.[row]?.[column] ?? add(row, column)),
      ),
    );
    this.layer = Math.min(this.layer, depth - 1);
    this.focus = [Math.min(this.focus[0], height - 1), Math.min(this.focus[1], width - 1)];
    this.build();
    this.change();
  }

  // -- painting -------------------------------------------------------------------------------------

  follow([x, y], begins, pointer) {
    if (begins) this.svg.setPointerCapture(pointer); // also if it leaves the board
    const cell = document.elementFromPoint(x, y)?.closest("path");
    if (!cell || !this.svg.contains(cell)) return;
    const [row, column] = [Number(cell.dataset.row), Number(cell.dataset.column)];
    if (begins) this.beginStroke(row, column);
    else if (this.stroke !== undefined) this.paint(row, column);
  }

  // Paint with the tool; on a cell that has its kind already, erase.
  beginStroke(row, column) {
    this.stroke = this.layers[this.layer][row][column] === this.tool ? this.blank : this.tool;
    this.paint(row, column);
  }

  end() {
    if (this.stroke === undefined) return;
    this.stroke = undefined;
    this.change();
  }

  paint(row, column) {
    this.focus = [row, column];
    if (this.layers[this.layer][row][column] === this.stroke) return;
    this.layers = this.layers.map((layer, k) =>
      k === this.layer ? layer.map((old, r) => (r === row ? old.with(column, this.stroke) : old)) : layer,
    );
    this.draw();
  }

  press(event) {
    const number = Number(event.key);
    if (number >= 1 && number <= this.tools.length) {
      this.choose(this.tools[number - 1]);
      this.svg.querySelector('[tabindex="0"]')?.focus();
      return;
    }
    const [down, right] = arrowOf(event);
    let [row, column] = this.focus;
    if (event.key === " " || event.key === "Enter") {
      this.beginStroke(row, column);
      this.end();
    } else if (down || right) {
      const skip = this.kind === "hexagons" ? (right ? 2 : 1) : 1;
      row += down;
      column += right * skip;
      if (!isPlace(this.kind, row, column, this.shift)) column += column > 0 ? -1 : 1;
      if (row < 0 || column < 0 || row >= this.rows || column >= this.columns) return;
      this.focus = [row, column];
      this.draw();
    } else return;
    event.preventDefault();
    this.svg.querySelector('[tabindex="0"]')?.focus();
  }
}
