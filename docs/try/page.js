// The page on which puzzles are stated and solved. It knows the core only as a worker that answers.
"use strict";

const SQUARE = 32;
const TINTS = 14; // of the palette of all pages
const NAMES = Object.entries(PIECES).flatMap(([set, pieces]) => Object.keys(pieces).map((letter) => `${set}.${letter}`));
const fillOf = (tint) => `var(--tint-${tint % TINTS})`;
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

function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    name in element ? (element[name] = value) : element.setAttribute(name, value);
  element.append(...children);
  return element;
}

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
  root.querySelector(".picture").replaceChildren();
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
    root.querySelector(".picture").replaceChildren(draw(states[kind], data.options.map((option) => problem.labels[option])));
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

function drawShape(tag, properties, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function drawText(row, column, text, weight = "normal") {
  return drawShape("text", { x: (column + 0.5) * SQUARE, y: (row + 0.72) * SQUARE, "text-anchor": "middle",
    "font-size": 0.6 * SQUARE, "font-weight": weight, fill: "var(--ink)" }, text);
}

function draw(puzzle, labels) {
  if (puzzle.kind === "options") return make("ol", {}, ...labels.map((label) => make("li", {}, label)));
  const sizes = { tiling: () => [puzzle.rows.length, puzzle.rows[0].length], sudoku: () => [9, 9], queens: () => [puzzle.n, puzzle.n] };
  const [rows, columns] = sizes[puzzle.kind]();
  const svg = drawShape("svg", { viewBox: `-2 -2 ${columns * SQUARE + 4} ${rows * SQUARE + 4}`, role: "img",
    "aria-label": `a solution of ${rows} by ${columns} squares` });
  const square = (row, column, fill) =>
    svg.append(drawShape("rect", { x: column * SQUARE, y: row * SQUARE, width: SQUARE, height: SQUARE, fill,
      "shape-rendering": "crispEdges" }));
  if (puzzle.kind === "tiling") {
    const owners = new Map();
    const names = [...new Set(labels.map(({ piece }) => piece))];
    labels.forEach(({ cells }, number) => cells.forEach((cell) => owners.set(cell, number)));
    for (const [cell, number] of owners) {
      const [row, column] = cell.split(",").map(Number);
      square(row, column, fillOf(names.length > 1 ? NAMES.indexOf(labels[number].piece) : 5 * number));
    }
    for (const [cell, number] of owners) {
      const [row, column] = cell.split(",").map(Number);
      for (const [dr, dc, x1, y1, x2, y2] of [[-1, 0, 0, 0, 1, 0], [1, 0, 0, 1, 1, 1], [0, -1, 0, 0, 0, 1], [0, 1, 1, 0, 1, 1]])
        if (owners.get(`${row + dr},${column + dc}`) !== number)
          svg.append(drawShape("line", { x1: (column + x1) * SQUARE, y1: (row + y1) * SQUARE, x2: (column + x2) * SQUARE,
            y2: (row + y2) * SQUARE, stroke: "var(--outline)", "stroke-width": 2, "stroke-linecap": "round" }));
    }
  } else {
    for (let row = 0; row < rows; ++row)
      for (let column = 0; column < columns; ++column) {
        const dark = puzzle.kind === "queens" ? (row + column) % 2 : (Math.floor(row / 3) + Math.floor(column / 3)) % 2;
        square(row, column, `var(--tint-${dark ? "shaded" : "paper"})`);
      }
    const givens = puzzle.kind === "sudoku" ? [...puzzle.grid].filter((one) => !/\s/.test(one)) : [];
    for (const [row, column, digit] of labels) {
      const given = /[1-9]/.test(givens[9 * row + column] ?? "");
      svg.append(drawText(row, column, digit ?? "♛", given ? "bold" : "normal"));
    }
  }
  return svg;
}

function drawPiece(drawing, tint) {
  const columns = Math.max(...drawing.map((row) => row.length));
  const svg = drawShape("svg", { viewBox: `-1 -1 ${columns * SQUARE + 2} ${drawing.length * SQUARE + 2}`, "aria-hidden": true });
  svg.style.width = `${columns}rem`;
  for (const [row, column] of readDrawing(drawing))
    svg.append(drawShape("rect", { x: column * SQUARE, y: row * SQUARE, width: SQUARE, height: SQUARE, fill: fillOf(tint),
      stroke: "var(--outline)" }));
  return svg;
}

// Panels: what a kind of puzzle is made of.
function paintBoard(state) {
  const grid = make("div", { className: "board", role: "group", "aria-label": "board; squares that are pressed are cells" });
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
    const button = make("button", { type: "button", "aria-pressed": one === "#", "aria-label": `row ${r + 1}, column ${c + 1}` });
    button.dataset.cell = `${r},${c}`;
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
    const copies = make("select", {}, make("option", { value: "1" }, "one of each"), make("option", { value: "any" }, "any number of each"));
    copies.value = any ? "any" : "1";
    const read = () => (copies.value === "any" ? "any" : 1);
    copies.onchange = () => {
      for (const name of Object.keys(state.pieces)) state.pieces[name] = read();
      change();
    };
    const tray = make("ul", { className: "tray" }, ...NAMES.map((name, tint) => {
      const [set, letter] = name.split(".");
      const button = make("button", { type: "button", className: "piece", "aria-pressed": name in state.pieces,
        "aria-label": `${set} ${letter}` }, drawPiece(PIECES[set][letter], tint), make("small", {}, letter));
      button.onclick = () => {
        if (name in state.pieces) delete state.pieces[name];
        else state.pieces[name] = read();
        button.setAttribute("aria-pressed", name in state.pieces);
        change();
      };
      return make("li", {}, button);
    }));
    return [
      make("p", {}, numberField("rows", state.rows.length, 1, 30, (rows) => resize(rows, state.rows[0].length)), " ",
        numberField("columns", state.rows[0].length, 1, 30, (columns) => resize(state.rows.length, columns)), " ",
        make("label", {}, "pieces ", copies)),
      paintBoard(state), tray,
    ];
  },
  sudoku(state) {
    const cells = [...state.grid].filter((one) => !/\s/.test(one));
    const grid = make("div", { className: "sudoku", role: "group", "aria-label": "Sudoku" });
    for (let k = 0; k < 81; ++k) {
      const input = make("input", { inputMode: "numeric", maxLength: 1, value: /[1-9]/.test(cells[k] ?? "") ? cells[k] : "",
        "aria-label": `row ${Math.floor(k / 9) + 1}, column ${(k % 9) + 1}` });
      input.oninput = () => {
        if (!/^[1-9]$/.test(input.value)) input.value = "";
        cells[k] = input.value || ".";
        state.grid = cells.join("");
        change();
      };
      grid.append(input);
    }
    return [grid];
  },
  queens: (state) => [make("p", {}, numberField("queens", state.n, 1, 100, (n) => ((state.n = n), change())))],
  options(state) {
    const area = make("textarea", { rows: 10, value: state.text, spellcheck: false, "aria-label": "items and options" });
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

const choice = make("select", { name: "kind" }, ...[["tiling", "a tiling"], ["sudoku", "Sudoku"], ["queens", "queens"],
  ["options", "options as text"]].map(([value, text]) => make("option", { value }, text)));
choice.onchange = () => ((kind = choice.value), render());
const distinct = make("input", { type: "checkbox", name: "distinct" });
distinct.onchange = () => {
  if (distinct.checked) states[kind].distinct = true;
  else delete states[kind].distinct;
  change();
};
const act = (name, text, run) => {
  const button = make("button", { type: "button", onclick: run }, text);
  button.dataset.do = name;
  return button;
};
root.replaceChildren(
  make("p", { className: "acts" }, make("label", {}, "puzzle ", choice), make("label", {}, distinct, "up to symmetry")),
  make("div", { className: "panel" }),
  make("p", { className: "acts" }, act("first", "First solution", () => ask("first")), act("next", "Next", () => ask("next")),
    act("count", "Count", () => ask("count")), act("stop", "Stop", () => (end(), setBusy(false), say("stopped; there may be more solutions"))),
    act("reset", "Reset", () => ((states[kind] = structuredClone(START[kind])), render()))),
  make("p", { role: "status" }),
  make("div", { className: "picture" }),
);
const trouble = readAddress();
render();
if (trouble) say(trouble);
root.dataset.ready = true;
