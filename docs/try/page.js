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
const BLANK = { kind: "sudoku", grid: ".".repeat(81) };
const states = structuredClone(START);
let kind = "tiling";
let worker = null;
let problem = null; // what the worker has loaded
let shown = 0; // solutions

const say = (text) => (root.querySelector(".told").textContent = toSentence(text));
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
  if (kind === "queens") show(states[kind], []);
  else root.querySelector(".result").replaceChildren();
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
  const middle = meanOf(cells);
  return leastBy(cells, (cell) => Math.round(1e6 * Math.hypot(cell[0] - middle[0], cell[1] - middle[1])));
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
    const board = makeSquares(9, 9, (row, column) => [isGiven(cells[9 * row + column]) ? -2 : -1, 1, String(boxOf(row, column))]);
    const write = ([row, column, digit]) => ["x", row, column, String(digit), isGiven(cells[9 * row + column])];
    return { board, options: labels.map((label) => [write(label)]), rows: 9, columns: 9, grid: true };
  },
  queens({ n }, labels) {
    const board = makeSquares(n, n, (row, column) => [(row + column) % 2 ? -2 : -1, 1, ""]);
    return { board, options: labels.map(([row, column]) => [["d", row, column]]), rows: n, columns: n };
  },
};

function paint(drawing, how) {
  return new Painter(drawing, [], PALETTE).draw([...drawing.options.keys()], how);
}

function show(puzzle, labels) {
  const result = root.querySelector(".result");
  if (puzzle.kind === "options")
    return result.replaceChildren(make("ol", {}, ...labels.map((label) => make("li", {}, label))));
  const drawing = SHAPES[puzzle.kind](puzzle, labels);
  result.innerHTML = paint(drawing, { title: `${drawing.rows} by ${drawing.columns} squares` });
  numberSquares(drawing.rows, drawing.columns, UNIT).put(result.firstChild);
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

const nameDigit = ([row, column, digit]) => `r${row + 1}c${column + 1} ${digit}`;

// The items of each option, from the numbers that the core loads.
function readRows([, , count, , ...numbers]) {
  const rows = [];
  for (let place = 0; rows.length < count; place += 1 + 2 * numbers[place])
    rows.push(Array.from({ length: numbers[place] }, (_, k) => numbers.slice(place + 1 + 2 * k, place + 3 + 2 * k)));
  return rows;
}

function makeChoice(entries, value, attributes = {}) {
  const choice = make("select", attributes, ...entries.map(([name, text]) => make("option", { value: name }, text)));
  choice.value = value;
  return choice;
}

let game = null; // one Sudoku that is played, since it listens to the window

function makeGame() {
  const write = ({ chosen }) => {
    const digits = new Map(chosen.map((name) => name.split(" ")));
    states.sudoku.grid = Array.from({ length: 81 }, (_, k) => digits.get(`r${Math.floor(k / 9) + 1}c${(k % 9) + 1}`) ?? ".").join("");
    change();
  };
  const { labels, items, numbers } = encodePuzzle(BLANK);
  const look = ([row, column, digit]) =>
    [["c", row, column, -2, 1, String(boxOf(row, column))], ["x", row, column, String(digit), true]]; // as a given
  const board = {
    drawing: { ...SHAPES.sudoku(BLANK, labels), options: labels.map(look) }, labels: labels.map(nameDigit), items, given: [], solvable: true,
    tray: null, solid: null, palette: PALETTE,
    matrix: { primary: items.length, rows: readRows(numbers), low: {}, high: {}, excluded: [] },
  };
  return new PlayView({ answers: new LocalAnswers(board, null), change: write });
}

// What a kind of puzzle is made of; the pieces stand below the controls.
const PANELS = {
  tiling(state) {
    const layer = state.rows.map((row) => [...row.replaceAll(".", "_")]);
    const board = new PaintBoard("squares", [layer], {
      tools: ["#", "_"], names: { "#": "cell", _: "no cell" },
      change: () => {
        state.rows = board.layers[0].map((row) => row.join("").replaceAll("_", "."));
        change();
      },
    });
    const any = Object.values(state.pieces).includes("any");
    const copies = makeChoice([["1", "One of each"], ["any", "Any number of each"]], any ? "any" : "1");
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
    return [board.element, make("div", {}, make("label", {}, "Pieces ", copies), tray)];
  },
  sudoku(state) {
    game ??= makeGame();
    const givens = cellsOf(state).flatMap((digit, k) => (isGiven(digit) ? [nameDigit([Math.floor(k / 9), k % 9, digit])] : []));
    game.start([], { chosen: givens });
    return [game.element];
  },
  queens(state) {
    const input = make("input", { type: "number", min: 1, max: 100, value: state.n });
    input.onchange = () => {
      input.value = state.n = Math.min(100, Math.max(1, Math.round(Number(input.value)) || 1));
      change();
    };
    return [make("div", {}, make("label", {}, "Queens ", input))];
  },
  options(state) {
    const area = make("textarea", { rows: 10, spellcheck: "false", "aria-label": "Items and options" }, state.text);
    area.oninput = () => ((state.text = area.value), change());
    const help = "The first line names the items; secondary ones stand after |. Each further line is an option. x:red gives a " +
      "secondary item a color, and 0:2|a in the first line lets a be covered up to twice.";
    return [make("p", {}, help), area];
  },
};

function render() {
  const panel = root.querySelector(".panel");
  const [board, ...below] = PANELS[kind](states[kind]);
  panel.replaceChildren(board);
  root.querySelector(".below").replaceChildren(...below);
  root.querySelector("[name=distinct]").checked = Boolean(states[kind].distinct);
  root.querySelector("[name=kind]").value = kind;
  change();
}

// Takes a puzzle from the address, which a stranger may have written: it must encode, or nothing of it is used.
function readAddress() {
  try {
    const puzzle = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    encodePuzzle(puzzle);
    if (puzzle.kind === "tiling" && !puzzle.rows.every((row) => /^[#.]+$/.test(row) && row.length === puzzle.rows[0].length))
      throw new PuzzleError("the rows of the board must be equally long texts of # and .");
    [kind, states[puzzle.kind]] = [puzzle.kind, puzzle];
  } catch (error) {
    if (location.hash.length > 1) return "the address holds no puzzle that this page can read";
  }
}

const kinds = [["tiling", "A tiling"], ["sudoku", "Sudoku"], ["queens", "Queens"], ["options", "Options as text"]];
const choice = makeChoice(kinds, kind, { name: "kind" });
choice.onchange = () => ((kind = choice.value), render());
const distinct = make("input", { type: "checkbox", name: "distinct" });
distinct.onchange = () => {
  if (distinct.checked) states[kind].distinct = true;
  else delete states[kind].distinct;
  change();
};
const act = (name, image, text, run) => makeIconButton(image, text, run, { "data-do": name });
const stop = () => (end(), setBusy(false), say("stopped; there may be more solutions"));
root.replaceChildren(
  make("div", { class: "bar" }, make("label", {}, "Puzzle ", choice), make("label", {}, distinct, " Up to symmetry")),
  make("div", { class: "panel" }),
  make("div", { class: "bar acts" },
    act("first", "play", "First solution", () => ask("first")), act("next", "chevron-right", "Next", () => ask("next")),
    act("count", "layers", "Count", () => ask("count")), act("stop", "x", "Stop", stop),
    act("reset", "list-restart", "Example", () => ((states[kind] = structuredClone(START[kind])), render()))),
  make("p", { class: "told", role: "status" }),
  make("div", { class: "picture board result" }),
  make("div", { class: "below" }),
  make("p", { id: "message", role: "status" }),
);
const trouble = readAddress();
render();
if (trouble) say(trouble);
root.dataset.ready = true;
