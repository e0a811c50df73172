// Making a puzzle: a painted board, pieces and copies; or a text, for problems that cannot be painted.

import { make, makeButton, makeChip, say } from "./data.js";
import { makeIconButton } from "./icons.js";
import { drawPiece, fill, isSolid, readLayers, shiftOf, splitDrawing, writeBoard, writePiece } from "./lattice.js";
import { PaintBoard } from "./paint.js";
import { ask, showDialog } from "./talk.js";

const TINTS = 14; // colors of pieces

export const START = {
  polyomino: { rows: 6, columns: 10, layers: 1, set: "pentominoes" },
  polyhex: { rows: 7, columns: 8, layers: 1, set: "tetrahexes" },
  polyiamond: { rows: 6, columns: 12, layers: 1, set: "hexiamonds" },
  polycube: { rows: 3, columns: 3, layers: 3, set: "soma" },
  polysphere: { rows: 4, columns: 4, layers: 1, set: "tetraspheres" },
};

// A document from what is painted, and back.
export function writeDocument({ problem, paintedOn, layers, shift, pieces, placed, rotate, reflect, rest }) {
  const named = Object.fromEntries(pieces.map(({ name, drawing, text }) => [name, text ?? drawing]));
  const copies = Object.fromEntries(pieces.map(({ name, copies: number }) => [name, readCopies(number)]));
  const params = { board: writeBoard(paintedOn, layers, shift), pieces: named, copies, rotate, reflect };
  return { problem, params: placed.length ? { ...params, placed } : params, ...rest };
}

// The sections that are not painted stay as they are.
export function readDocument({ problem, params: _, ...rest }, paintedOn, painted) {
  const drawn = painted.board.length && isSolid(paintedOn) ? painted.board : [painted.board.join("\n")];
  const layers = readLayers(paintedOn, drawn, "_");
  const pieces = Object.entries(painted.drawings).map(([name, drawing]) => {
    const text = painted.pieces[name] === drawing ? undefined : painted.pieces[name]; // a reference
    return { name, drawing, text, copies: [painted.copies[name]].flat().join("-") };
  });
  const { placed, rotate, reflect } = painted;
  return { problem, paintedOn, layers, shift: shiftOf(paintedOn, layers, "_"), pieces, placed, rotate, reflect, rest };
}

function readCopies(text) {
  const range = text.match(/^\s*(\d+)\s*(?:-|to|\.\.)\s*(\d+)\s*$/);
  if (range) return [Number(range[1]), Number(range[2])];
  return /^\s*\d+\s*$/.test(text) ? Number(text) : text.trim();
}

// The pieces of a set; says what is wrong if there are none.
export async function fetchPieces(problem, set) {
  const answer = await ask("file", { question: "pieces", problem, set });
  if (answer?.error) say(answer.error);
  const copies = problem === "polysphere" ? "any" : "1";
  return Object.entries(answer?.pieces ?? {}).map(([name, drawing]) => ({ name, drawing, copies }));
}

export class EditorView {
  // `change` is called with a new state after each step; `setsOf` returns the names of the sets of a problem.
  constructor(change, setsOf) {
    this.change = change;
    this.setsOf = setsOf;
    this.element = make("div", {});
  }

  show(state) {
    this.state = state;
    if (!state.paintedOn) return this.showText(state);
    const board = new PaintBoard(state.paintedOn, state.layers, {
      shift: state.shift,
      change: () => this.put({ layers: board.layers, placed: [] }),
    });
    this.sets = make("select", { "aria-label": "Set of pieces" });
    this.list = make("ul", { class: "pieces", "aria-label": "Pieces" });
    const check = (name, text, disabled = false) => {
      const put = () => this.put({ [name]: box.checked, placed: [] });
      const box = make("input", { type: "checkbox", checked: state[name], disabled, onchange: put });
      return make("label", {}, box, ` ${text}`);
    };
    const title = make("input", {
      "aria-label": "Title", maxlength: "200", value: state.rest.title ?? "",
      onchange: () => this.put({ rest: { ...this.state.rest, title: title.value.trim() || undefined } }),
    });
    this.element.replaceChildren(
      make("label", { class: "field" }, "Title", title),
      make("h2", {}, "Board"),
      board.element,
      make("h2", {}, "Pieces"),
      make("div", { class: "bar" },
        this.sets,
        makeButton("Add this set", () => this.addSet()),
        makeButton("Draw a piece", () => this.editPiece()),
        makeButton("Remove all", () => this.put({ pieces: [], placed: [] }, true)),
        check("rotate", "Rotate", state.paintedOn === "triangles"), // a drawing of triangles may turn a piece
        check("reflect", "Reflect"),
      ),
      this.list,
      this.showPlaced(),
    );
    this.showPieces();
    for (const name of this.setsOf(state.problem))
      this.sets.append(make("option", { selected: name === START[state.problem]?.set }, name));
  }

  showPlaced() {
    const { placed } = this.state;
    const takeBack = (label) => this.put({ placed: placed.filter((one) => one !== label) }, true);
    const write = (label) => makeChip(`${label} ×`, () => takeBack(label), { title: "Take it back" });
    if (!placed.length) return "";
    return make("div", {}, make("h2", {}, "Must lie there"), make("ul", { class: "chips" }, ...placed.map(write)));
  }

  showText(state) {
    const put = () => this.put({ yaml: text.value });
    const text = make("textarea", { "aria-label": "The puzzle as YAML", spellcheck: "false", onchange: put });
    text.value = state.yaml;
    const bar = make("div", { class: "bar" }, makeButton("Apply", put));
    this.element.replaceChildren(make("h2", {}, "The puzzle as YAML"), text, bar);
  }

  // Change the state; `again` shows everything again.
  put(part, again = false) {
    this.state = { ...this.state, ...part };
    this.change(this.state);
    if (again) this.show(this.state);
  }

  showPieces() {
    const items = this.state.pieces.map((piece, k) => {
      const change = () => {
        const pieces = this.state.pieces.map((one, other) => (other === k ? { ...one, copies: copies.value } : one));
        this.put({ pieces, placed: [] });
      };
      const remove = () => this.put({ pieces: this.state.pieces.filter((_, other) => other !== k), placed: [] }, true);
      const copies = make("input", {
        value: piece.copies, "aria-label": `Copies of ${piece.name}`, title: "A number, a range like 0-2, or any",
        onchange: change,
      });
      const picture = make("div", {});
      picture.innerHTML = drawPiece(this.state.paintedOn, piece.drawing, k % TINTS);
      return make("li", {},
        picture,
        make("div", { class: "bar" },
          make("b", {}, piece.name), "×", copies,
          makeIconButton("pencil", "", () => this.editPiece(k), {
            title: "Change", "aria-label": `Change ${piece.name}`,
          }),
          makeIconButton("x", "", remove, { title: "Remove", "aria-label": `Remove ${piece.name}` }),
        ),
      );
    });
    this.list.replaceChildren(...items);
  }

  async addSet() {
    const set = this.sets.value;
    const pieces = await fetchPieces(this.state.problem, set);
    const names = new Set(this.state.pieces.map(({ name }) => name));
    const isOneSided = set.startsWith("one-sided ");
    const added = pieces.map((piece) => ({
      ...piece,
      name: freeName(piece.name, names),
      text: isOneSided ? `${set}.${piece.name}` : undefined,
    }));
    if (added.length) this.put({ pieces: [...this.state.pieces, ...added], placed: [] }, true);
  }

  editPiece(k = null) {
    const { paintedOn } = this.state;
    const old = k === null ? null : this.state.pieces[k];
    const texts = old ? splitDrawing(old.drawing) : [fill("squares", 1, 1, ".").join("\n")];
    const [rows, columns] = { hexagons: [6, 12], triangles: [5, 11] }[paintedOn] ?? [6, 6];
    let layers = readLayers(paintedOn, texts, ".", rows, columns);
    if (isSolid(paintedOn))
      while (layers.length < 3) layers = [...layers, fill("squares", layers[0].length, layers[0][0].length, ".")];
    const shift = shiftOf(paintedOn, layers, ".");
    const names = { "#": "cell of the piece", ".": "empty" };
    const board = new PaintBoard(paintedOn, layers, { shift, tools: ["#", "."], names, label: "piece" });
    const value = old?.name ?? freeName("A", new Set(this.state.pieces.map((one) => one.name)));
    const name = make("input", { value, "aria-label": "Name of the piece", class: "short" });
    const accept = () => {
      const drawing = writePiece(paintedOn, board.layers, shift);
      const piece = { name: name.value.trim(), drawing, copies: old?.copies ?? "1" };
      const others = this.state.pieces.filter((_, other) => other !== k);
      if (!piece.name || /\s/.test(piece.name)) return say("a piece needs a name of one word");
      if (others.some((one) => one.name === piece.name)) return say(`there is a piece ${piece.name} already`);
      if (!board.layers.flat(2).includes("#")) return say("paint at least one cell");
      const pieces =
        k === null ? [...this.state.pieces, piece] : this.state.pieces.map((one, other) => (other === k ? piece : one));
      dialog.close();
      this.put({ pieces, placed: [] }, true);
    };
    const dialog = make("dialog", { "aria-label": "Piece" },
      make("h2", {}, old ? `Change ${old.name}` : "Draw a piece"),
      make("label", {}, "Name ", name),
      board.element,
      make("div", { class: "bar" }, makeButton("Done", accept), makeButton("Cancel", () => dialog.close())),
    );
    showDialog(dialog);
  }
}

function freeName(name, taken) {
  let free = name;
  for (let number = 2; taken.has(free); ++number)
    free =
      /^[A-Z]$/.test(name) && number < 28
        ? String.fromCharCode(65 + ((name.charCodeAt(0) - 65 + number - 1) % 26))
        : `${name}${number}`;
  taken.add(free);
  return free;
}
