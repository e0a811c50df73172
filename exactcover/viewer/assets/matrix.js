// The matrix of 0 and 1 in a search: options are rows, items are columns. It shows what is chosen, what goes in a step,
// and what is gone.

import { countOf, escapeText, group, make } from "./data.js";

const MOST_CELLS = 6000; // of a matrix that is shown whole
const MOST_DIGITS = 400; // cells of a matrix that is written with 0 and 1
const MOST_ROWS = 60; // of a part of a matrix
const MOST_COLUMNS = 100;
const BEFORE = 3; // columns before the one that the matrix scrolls to

// What a step does with each row and column. `branch` is the item that it branches on, `choice` the option that it
// chooses (-1 for none), `after` the position then.
export class Step {
  constructor(matrix, before, branch, choice, after) {
    this.before = before;
    this.branch = branch;
    this.choice = choice;
    const taken = new Set(before.chosen);
    this.rowState = (option) => {
      if (taken.has(option)) return "taken";
      if (option === choice) return "choice";
      return !before.live[option] ? "gone" : after && !after.live[option] ? "goes" : "";
    };
    this.covers = choice < 0 ? [] : matrix.rows[choice].map(([item]) => item);
    this.closed = this.covers.filter((item) => after.isCovered(item)); // others can be covered again
    const closed = new Set(this.closed);
    this.columnState = (item) => (before.isCovered(item) ? "gone" : closed.has(item) ? "goes" : "");
    this.removed = [...matrix.rows.keys()].filter((option) => this.rowState(option) === "goes");
  }
}

export class MatrixView {
  constructor(matrix, names, labels, hue, hasBoard) {
    this.matrix = matrix;
    this.names = names;
    this.labels = labels;
    this.hue = hue;
    this.hasBoard = hasBoard;
    this.shape = "";
    this.isWhole = matrix.rows.length * names.length <= MOST_CELLS;
    this.order = { rows: rankNames(labels), columns: rankNames(names, matrix.primary) };
    this.caption = make("p", { class: "caption" });
    this.legend = make("ul", { class: "legend" });
    const hide = () => this.element.classList.toggle("compact", this.left.checked);
    this.left = make("input", { type: "checkbox", onchange: hide });
    const label = "the matrix: options are rows, items are columns";
    this.table = make("div", { class: "matrix", tabindex: "0", role: "group", "aria-label": label });
    this.element = make("div", { class: "matrix-box" },
      make("div", { class: "matrix-head" },
        make("h2", {}, "The matrix"), make("label", {}, this.left, " Only what is left"),
      ),
      this.legend, this.table, this.caption,
    );
  }

  show(step) {
    const { rows, columns } = this.isWhole ? this.all() : this.part(step);
    this.build(rows, columns);
    const { before } = step;
    const { primary } = this.matrix;
    for (const { element, option, item } of this.cells) {
      const name = classOf(step, option, item, primary);
      if (element.className !== name) element.className = name;
    }
    columns.forEach((item, k) => {
      const left = before.isOpen(item) ? String(before.numbers[item]) : "✓";
      this.counts[k].textContent = item >= primary ? "" : left;
    });
    rows.forEach((option, k) => {
      const isChosen = step.rowState(option) === "taken" || option === step.choice;
      this.swatches[k].style.background = isChosen ? this.hue(option) : "transparent";
    });
    const from = `${countOf(this.matrix.rows.length, "option")} and ${countOf(this.names.length, "item")}`;
    this.caption.textContent = this.isWhole ? "" : `Rows and columns of this step, out of ${from}.`;
    this.reveal(step, rows, columns);
  }

  all() {
    const all = (names, order) => sortBy([...names.keys()], order);
    return { rows: all(this.matrix.rows, this.order.rows), columns: all(this.names, this.order.columns) };
  }

  // The rows that are chosen or to choose from, and the columns that they have a 1 in.
  part(step) {
    const wanted = [
      ...step.before.chosen,
      ...(step.branch >= 0 ? step.before.options(step.branch) : []),
      ...(step.choice >= 0 ? [step.choice] : []),
      ...step.removed,
    ];
    const rows = sortBy([...new Set(wanted)].slice(0, MOST_ROWS), this.order.rows);
    const items = new Set(rows.flatMap((option) => this.matrix.rows[option].map(([item]) => item)));
    if (step.branch >= 0) items.add(step.branch);
    return { rows, columns: sortBy([...items], this.order.columns).slice(0, MOST_COLUMNS) };
  }

  build(rows, columns) {
    const shape = `${rows.join()} ${columns.join()}`;
    if (shape === this.shape) return;
    this.shape = shape;
    const isLong = columns.some((item) => this.names[item].length > 2);
    const writes = rows.length * columns.length <= MOST_DIGITS;
    const signs = listSigns(writes, this.hasBoard);
    this.legend.replaceChildren(...signs.map(([name, text]) => make("li", { class: name }, text)));
    this.cells = [];
    const keep = (element, option, item) => (this.cells.push({ element, option, item }), element);
    this.counts = columns.map(() => make("td", {}));
    this.swatches = rows.map(() => make("i", { class: "swatch" }));
    const head = columns.map((item) =>
      keep(make("th", { scope: "col", title: this.names[item] }, make("span", {}, this.names[item])), -1, item),
    );
    const numbers = columns.map((item, k) => keep(this.counts[k], -1, item));
    const body = rows.map((option, k) => {
      const has = new Map(this.matrix.rows[option]);
      const cells = columns.map((item) => {
        const color = has.get(item);
        const cell = make("td", {}, color === undefined ? (writes ? "0" : "") : color > 0 ? String(color) : "1");
        if (color !== undefined) cell.dataset.one = "";
        return keep(cell, option, item);
      });
      const name = make("span", {}, this.labels[option]);
      const first = make("th", { scope: "row", title: this.labels[option] }, this.swatches[k], name);
      return make("tr", {}, keep(first, option, -1), ...cells);
    });
    this.table.replaceChildren(
      make("table", { class: `${isLong ? "long" : ""} ${writes ? "digits" : ""}` },
        make("thead", {},
          make("tr", {}, make("td", {}), ...head),
          make("tr", { class: "numbers" }, make("th", { scope: "row" }, "options left"), ...numbers),
        ),
        make("tbody", {}, ...body),
      ),
    );
  }

  // Scroll to the row that is chosen, or to the column that is branched on.
  reveal(step, rows, columns) {
    const width = columns.length + 1;
    const [first] = step.branch >= 0 ? step.before.options(step.branch) : [-1];
    const row = rows.indexOf(step.choice >= 0 ? step.choice : first);
    const column = columns.indexOf(step.branch);
    const cell =
      this.cells[row < 0 ? Math.max(0, column) : 2 * columns.length + row * width + 1 + Math.max(0, column)]?.element;
    const box = this.table;
    this.fitColumns();
    if (!cell || (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth)) return;
    const [head, side] = [box.querySelector("thead").offsetHeight, box.querySelector("tbody th")?.offsetWidth ?? 0];
    if (row >= 0 && (cell.offsetTop < box.scrollTop + head || cell.offsetTop > box.scrollTop + box.clientHeight - 30))
      box.scrollTop = cell.offsetTop - box.clientHeight / 2;
    if (cell.offsetLeft < box.scrollLeft + side || cell.offsetLeft > box.scrollLeft + box.clientWidth - 30)
      box.scrollLeft = this.cells[Math.max(0, column - BEFORE)].element.offsetLeft - side;
  }

  // Let the last column that is seen be seen whole.
  fitColumns() {
    const { table: box, element } = this;
    const [side, ...columns] = [...box.querySelectorAll("thead tr:first-child > *")].map((one) => one.offsetWidth);
    const width = columns.find((one) => one > 0);
    if (!width || !element.clientWidth) return;
    const number = Math.max(1, Math.floor((element.clientWidth - side - 4) / width));
    box.style.maxWidth = `${side + number * width + 3}px`;
    box.style.scrollPaddingLeft = `${side}px`;
  }
}

// The ranks of names in reading order: names that differ only in numbers stand together, by their numbers. Those
// from `first` on come last.
function rankNames(names, first = Infinity) {
  const kinds = names.map((name) => name.replace(/\d+/g, "#"));
  const order = new Map([...new Set(kinds)].map((kind, rank) => [kind, rank]));
  const byPart = (place) => (place >= first ? order.size : 0) + order.get(kinds[place]);
  const { compare } = new Intl.Collator("en", { numeric: true });
  const sorted = [...names.keys()].sort((one, two) => byPart(one) - byPart(two) || compare(names[one], names[two]));
  const ranks = [];
  sorted.forEach((place, rank) => (ranks[place] = rank));
  return ranks;
}

function sortBy(places, ranks) {
  return places.sort((one, two) => ranks[one] - ranks[two]);
}

// The signs of the matrix; `writes` says whether it has digits.
const listSigns = (writes, hasBoard) => [
  ...(writes ? [] : [["one", "the option covers the item"], ["hollow", "removed option"]]),
  ["now", "item or option of this step"],
  ["goes", "removed in this step"],
  ["struck", "removed"],
  ["tick", "covered"],
  ...(hasBoard ? [["ring", "on the board: the item of this step, or where its options lie"]] : []),
];

function classOf(step, option, item, primary) {
  const row = option < 0 ? "" : step.rowState(option);
  const column = item < 0 ? "" : step.columnState(item);
  const isBranch = item >= 0 && item === step.branch ? " branch" : "";
  const isFirst = item === primary ? " secondary" : "";
  return `${row ? `row-${row}` : ""}${column ? ` column-${column}` : ""}${isBranch}${isFirst}`;
}

// Names as a sentence lists them.
export function listNames(names, most = 6) {
  const shown = names.slice(0, most).map((name) => escapeText(name.length > 60 ? `${name.slice(0, 60)}…` : name));
  if (names.length > most) return `${shown.join(", ")} and ${group(names.length - most)} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : (shown[0] ?? "");
}
