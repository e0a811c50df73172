// The page on which puzzles are stated and solved. It knows the core only as a worker that answers, and draws with the
// painter of all pages.
"use strict";

const NAMES = Object.entries(PIECES).flatMap(([set, pieces]) => Object.keys(pieces).map((letter) => `${set}.${letter}`));
const START = {
  tiling: { kind: "tiling", rows: Array(6).fill("#".repeat(10)),
    pieces: Object.fromEntries(Object.keys(PIECES.pentominoes).map((name) => [`pentominoes.${name}`, 1])) },
  sudoku: { kind: "sudoku",
    grid: "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79" },
  queens: { kind: "queens", n: 8 },
  options: { kind: "options", text: "a b c | x\na x:red\nb c x:red\na b\nc x:blue" },
};

const root = document.getElementById("try");
const states = structuredClone(START);
let kind = "tiling";
let worker = null;
let problem = null; // what the worker has loaded
let shown = 0; // solutions

const say = (text) => (root.querySelector("[role=status]").textContent = text);
const setBusy = (busy) => {
  for (const name of ["first", "next", "count"]) root.querySelector(`[data-do=${name}]`).disabled = busy;
  if (!busy) root.querySelector("[data-do=next]").disabled = worker === null || shown === 0;
  root.querySelector("[data-do=stop]").disabled = !busy;
  root.dataset.busy = busy;
};

function end() {
  worker?.terminate();
  worker = null;
  shown = 0;
}

// Whatever is changed ends what runs, and goes into the address.
function change() {
  end();
  setBusy(false);
  say("");
  root.querySelector(".result").replaceChildren();
  history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(states[kind]))}`);
}

function ask(action) {
  let message = { action };
  if (action !== "next") {
    end();
    try {
      problem = encodePuzzle(states[kind]);
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      say(error.message);
      return;
    }
    worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
    message = { action, distinct: Boolean(states[kind].distinct), ...problem, labels: null };
  }
  const begun = performance.now();
  const current = worker;
  worker.onmessage = ({ data }) => current === worker && receive(data, action, begun);
  worker.onerror = (event) => current === worker && receive({ kind: "failed", message: event.message }, action, begun);
  setBusy(true);
  say(action === "count" ? "counting ..." : "searching ...");
  worker.postMessage(message);
}

function receive(data, action, begun) {
  if (data.kind === "progress") return say(`searching ... ${(100 * data.explored).toFixed(1)} % of the tree`);
  const seconds = ((performance.now() - begun) / 1000).toFixed(2);
  if (data.kind === "solution") {
    ++shown;
    say(`solution ${shown.toLocaleString("en")}`);
    show(states[kind], data.options.map((option) => problem.labels[option]));
  } else if (data.kind === "failed") {
    end();
    say(`this went wrong: ${data.message}`);
  } else if (action === "count") {
    end();
    const number = `${BigInt(data.total).toLocaleString("en")} solution${data.total === "1" ? "" : "s"}`;
    const all = states[kind].distinct ? ` up to symmetry, ${data.listed.toLocaleString("en")} in all` : "";
    say(`${number}${all}, counted in ${seconds} s`);
  } else {
    const which = states[kind].distinct ? " up to symmetry" : "";
    const all = shown === 1 ? "this was the only solution" : `these were all ${shown.toLocaleString("en")} solutions`;
    say(shown === 0 ? "there is no solution" : all + which);
    worker?.terminate();
    worker = null;
  }
  setBusy(false);
}

// The pieces of a tiling in the order of the tray, which numbers their colors.
const listPieces = ({ pieces }) => NAMES.filter((name) => name in pieces);
const isGiven = (digit) => /[1-9]/.test(digit ?? "");
const cellsOf = ({ grid }) => [...grid].filter((one) => !/\s/.test(one));
// The cell nearest to the middle of a piece.
const findMiddle = (cells) => {
  const middle = [0, 1].map((k) => cells.reduce((sum, cell) => sum + cell[k], 0) / cells.length);
  const far = (cell) => Math.hypot(cell[0] - middle[0], cell[1] - middle[1]);
  return cells.reduce((best, cell) => (far(cell) < far(best) - 1e-9 ? cell : best));
};
const makeSquares = (rows, columns, look) =>
  Array.from({ length: rows * columns }, (_, k) => {
    const [row, column] = [Math.floor(k / columns), k % columns];
    return ["c", row, column, ...look(row, column)];
  });

// A puzzle as the painter of all pages knows it: the shapes of its board, and those of some options.
const SHAPES = {
  tiling(puzzle, labels) {
    const pieces = listPieces(puzzle);
    const options = labels.map(({ piece, cells }, number) => {
      const strength = puzzle.pieces[piece] === 1 ? 1 : null;
      const covered = cells.map((cell) => cell.split(",").map(Number));
      const name = pieces.length > 1 ? [["x", ...findMiddle(covered), piece.split(".")[1], false]] : [];
      return [...covered.map((cell) => ["c", ...cell, pieces.indexOf(piece), strength, String(number)]), ...name];
    });
    const board = readDrawing(puzzle.rows).map((cell) => ["c", ...cell, -1, 1, "?"]);
    return { board, options, rows: puzzle.rows.length, columns: puzzle.rows[0].length };
  },
  sudoku(puzzle, labels) {
    const cells = cellsOf(puzzle);
    const boxOf = (row, column) => `${Math.floor(row / 3)} ${Math.floor(column / 3)}`;
    const board = makeSquares(9, 9, (row, column) => [isGiven(cells[9 * row + column]) ? -2 : -1, 1, boxOf(row, column)]);
    const write = ([row, column, digit]) => ["x", row, column, String(digit), isGiven(cells[9 * row + column])];
    return { board, options: labels.map((label) => [write(label)]), rows: 9, columns: 9, grid: true };
  },
  queens({ n }, labels) {
    const board = makeSquares(n, n, (row, column) => [(row + column) % 2 ? -2 : -1, 1, ""]);
    return { board, options: labels.map(([row, column]) => [["d", row, column]]), rows: n, columns: n };
  },
};

function paint(drawing, how) {
  return Object.assign(new Painter(drawing, []), PALETTE).draw([...drawing.options.keys()], how);
}

function draw(puzzle, labels) {
  const drawing = SHAPES[puzzle.kind](puzzle, labels);
  return paint(drawing, { title: `${drawing.rows} by ${drawing.columns} squares` });
}

function show(puzzle, labels) {
  const result = root.querySelector(".result");
  if (puzzle.kind === "options") result.replaceChildren(make("ol", {}, ...labels.map((label) => make("li", {}, label))));
  else result.innerHTML = draw(puzzle, labels);
}

// A piece in the color that it has on the board, or in that of paper.
function drawPiece(name, tint) {
  const [set, letter] = name.split(".");
  const drawing = PIECES[set][letter];
  const columns = Math.max(...drawing.map((row) => row.length));
  const options = [readDrawing(drawing).map((cell) => ["c", ...cell, tint, 1, name])];
  const shape = make("span", { class: "shape", style: `width: ${columns}rem` });
  shape.innerHTML = paint({ board: [], options, rows: drawing.length, columns }, { small: true });
  return shape;
}

function makeChoice(entries, value, attributes = {}) {
  const choice = make("select", attributes, ...entries.map(([name, text]) => make("option", { value: name }, text)));
  choice.value = value;
  return choice;
}

// Panels: what a kind of puzzle is made of.
function paintBoard(state) {
  const grid = make("div", { class: "board", role: "group", "aria-label": "board; squares that are pressed are cells" });
  let painting = null;
  const set = (button, value) => {
    const [row, column] = button.dataset.cell.split(",").map(Number);
    const line = [...state.rows[row]];
    if (line[column] === value) return;
    line[column] = value;
    state.rows[row] = line.join("");
    button.setAttribute("aria-pressed", value === "#");
    change();
  };
  grid.style.gridTemplateColumns = `repeat(${state.rows[0].length}, 1fr)`;
  state.rows.forEach((row, r) => [...row].forEach((one, c) => {
    const name = { "aria-label": `row ${r + 1}, column ${c + 1}`, "data-cell": `${r},${c}` };
    const button = make("button", { type: "button", "aria-pressed": String(one === "#"), ...name });
    button.onclick = (event) => event.detail === 0 && set(button, state.rows[r][c] === "#" ? "." : "#"); // by keyboard
    button.onpointerdown = (event) => {
      button.releasePointerCapture?.(event.pointerId);
      painting = state.rows[r][c] === "#" ? "." : "#";
      set(button, painting);
    };
    grid.append(button);
  }));
  grid.onpointermove = (event) => {
    const button = painting && document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
    if (button && grid.contains(button)) set(button, painting);
  };
  grid.onpointerup = grid.onpointercancel = grid.onpointerleave = () => (painting = null);
  return grid;
}

const numberField = (label, value, least, most, set) => {
  const input = make("input", { type: "number", min: least, max: most, value });
  input.onchange = () => {
    input.value = Math.min(most, Math.max(least, Math.round(Number(input.value)) || least));
    set(Number(input.value));
  };
  return make("label", {}, `${label} `, input);
};

const PANELS = {
  tiling(state) {
    const resize = (rows, columns) => {
      state.rows = Array.from({ length: rows }, (_, r) =>
        Array.from({ length: columns }, (_, c) => state.rows[r]?.[c] ?? "#").join(""));
      render();
    };
    const any = Object.values(state.pieces).includes("any");
    const copies = makeChoice([["1", "one of each"], ["any", "any number of each"]], any ? "any" : "1");
    const read = () => (copies.value === "any" ? "any" : 1);
    copies.onchange = () => {
      for (const name of Object.keys(state.pieces)) state.pieces[name] = read();
      change();
    };
    const tray = make("ul", { class: "tray" }, ...NAMES.map((name) => {
      const [set, letter] = name.split(".");
      const button = makeButton("", () => {
        if (name in state.pieces) delete state.pieces[name];
        else state.pieces[name] = read();
        update();
        change();
      }, { class: "piece", "aria-label": `${set} ${letter}`, "data-piece": name });
      return make("li", {}, button);
    }));
    const update = () => {
      const chosen = listPieces(state);
      for (const button of tray.querySelectorAll("button")) {
        const { piece } = button.dataset;
        button.setAttribute("aria-pressed", piece in state.pieces);
        button.replaceChildren(drawPiece(piece, chosen.indexOf(piece)), make("small", {}, piece.split(".")[1]));
      }
    };
    update();
    return [
      make("p", {}, numberField("rows", state.rows.length, 1, 30, (rows) => resize(rows, state.rows[0].length)), " ",
        numberField("columns", state.rows[0].length, 1, 30, (columns) => resize(state.rows.length, columns)), " ",
        make("label", {}, "pieces ", copies)),
      paintBoard(state), tray,
    ];
  },
  sudoku(state) {
    const cells = cellsOf(state);
    const picture = make("div", { class: "picture" });
    const update = () => {
      const givens = cells.flatMap((digit, k) => (isGiven(digit) ? [[Math.floor(k / 9), k % 9, digit]] : []));
      picture.innerHTML = draw(state, givens);
    };
    const inputs = Array.from({ length: 81 }, (_, k) => {
      const name = `row ${Math.floor(k / 9) + 1}, column ${(k % 9) + 1}`;
      const input = make("input", { inputmode: "numeric", maxlength: 1, value: isGiven(cells[k]) ? cells[k] : "", "aria-label": name });
      input.oninput = () => {
        if (!isGiven(input.value)) input.value = "";
        cells[k] = input.value || ".";
        state.grid = cells.join("");
        update();
        change();
      };
      return input;
    });
    update();
    return [make("div", { class: "sudoku", role: "group", "aria-label": "Sudoku" }, picture, make("div", { class: "cells" }, ...inputs))];
  },
  queens: (state) => [make("p", {}, numberField("queens", state.n, 1, 100, (n) => ((state.n = n), change())))],
  options(state) {
    const area = make("textarea", { rows: 10, spellcheck: "false", "aria-label": "items and options" }, state.text);
    area.oninput = () => ((state.text = area.value), change());
    const help = "The first line names the items; secondary ones stand after |. Each further line is an option. x:red gives a " +
      "secondary item a color, and 0:2|a in the first line lets a be covered up to twice.";
    return [make("p", {}, help), area];
  },
};

function render() {
  const panel = root.querySelector(".panel");
  panel.replaceChildren(...PANELS[kind](states[kind]));
  root.querySelector("[name=distinct]").checked = Boolean(states[kind].distinct);
  root.querySelector("[name=kind]").value = kind;
  change();
}

// Takes a puzzle from the address, which a stranger may have written: it must encode, or nothing of it is used.
function readAddress() {
  try {
    const puzzle = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    encodePuzzle(puzzle);
    if (puzzle.kind === "tiling" && !puzzle.rows.every((row) => row.length === puzzle.rows[0].length))
      throw new PuzzleError("the rows of the board differ");
    [kind, states[puzzle.kind]] = [puzzle.kind, puzzle];
  } catch (error) {
    if (location.hash.length > 1) return "the address holds no puzzle that this page can read";
  }
}

const kinds = [["tiling", "a tiling"], ["sudoku", "Sudoku"], ["queens", "queens"], ["options", "options as text"]];
const choice = makeChoice(kinds, kind, { name: "kind" });
choice.onchange = () => ((kind = choice.value), render());
const distinct = make("input", { type: "checkbox", name: "distinct" });
distinct.onchange = () => {
  if (distinct.checked) states[kind].distinct = true;
  else delete states[kind].distinct;
  change();
};
const act = (name, text, run) => makeButton(text, run, { "data-do": name });
root.replaceChildren(
  make("p", { class: "acts" }, make("label", {}, "puzzle ", choice), make("label", {}, distinct, "up to symmetry")),
  make("div", { class: "panel" }),
  make("p", { class: "acts" }, act("first", "First solution", () => ask("first")), act("next", "Next", () => ask("next")),
    act("count", "Count", () => ask("count")), act("stop", "Stop", () => (end(), setBusy(false), say("stopped; there may be more solutions"))),
    act("reset", "Reset", () => ((states[kind] = structuredClone(START[kind])), render()))),
  make("p", { role: "status" }),
  make("div", { class: "picture result" }),
);
const trouble = readAddress();
render();
if (trouble) say(trouble);
root.dataset.ready = true;
