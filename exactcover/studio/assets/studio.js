// Puts the studio together: documents, undo and redo, files, and the views.

import { make, makeButton, mistakeOf, ONE_MOMENT, onControl, say } from "./data.js";
import { ICONS, makeIconButton, makeKeyButton } from "./icons.js";
import { EditorView, fetchPieces, readDocument, START, writeDocument } from "./editor.js";
import { FactsView, listMistakes } from "./facts.js";
import { askForName, chooseFile, EXPORTS, exportPuzzle, writeFile } from "./files.js";
import { Generator } from "./generator.js";
import { fill, isSolid } from "./lattice.js";
import { unpackLink } from "./link.js";
import { PlayView } from "./play.js";
import { sharePuzzle } from "./share.js";
import { makeTabs } from "./tabs.js";
import { ask, ServerAnswers } from "./talk.js";
import { followTheme } from "./theme.js";

// From Lucide, under the license in icons.js.
Object.assign(ICONS, {
  "folder-open":
    "M6 14l1.5-2.9A2 2 0 0 1 9.24 10H20a2 2 0 0 1 1.94 2.5l-1.54 6a2 2 0 0 1-1.95 1.5H4a2 2 0 0 1-2-2V5a2 2 0 0" +
    " 1 2-2h3.9a2 2 0 0 1 1.69.9l.81 1.2a2 2 0 0 0 1.67.9H18a2 2 0 0 1 2 2v2",
  save:
    "M15.2 3a2 2 0 0 1 1.4.6l3.8 3.8a2 2 0 0 1 .6 1.4V19a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z" +
    "M17 21v-7a1 1 0 0 0-1-1H8a1 1 0 0 0-1 1v7M7 3v4a1 1 0 0 0 1 1h7",
  "wand-sparkles":
    "M21.64 3.64l-1.28-1.28a1.21 1.21 0 0 0-1.72 0L2.36 18.64a1.21 1.21 0 0 0 0 1.72l1.28 1.28a1.2 1.2 0 0 0" +
    " 1.72 0L21.64 5.36a1.2 1.2 0 0 0 0-1.72M14 7l3 3M5 6v4M19 14v4M10 2v2M7 8H3M21 16h-4M11 3H9",
});

const KEPT = "exactcover-studio";
const past = [];
const future = [];
let state = null; // what is painted, or a text
let families = []; // with their names, cells and sets of pieces
let examples = []; // names of bundled files
let name = "puzzle.yaml";
let isSaved = true;
let known = null; // the text of the file when it was read or written last
let view = "make";
let isOpening = false; // a link
let written = ""; // the text that was shown last

const read = () => (state.paintedOn ? { document: writeDocument(state) } : { yaml: state.yaml });
const editor = new EditorView(put, (problem) => families.find((one) => one.name === problem)?.sets ?? []);
const facts = new FactsView(read);
const waiting = make("p", { class: "soft" }, ONE_MOMENT);
const solutions = make("iframe", { title: "Solutions", sandbox: "allow-scripts allow-downloads allow-modals" });
const generator = new Generator({
  read,
  open: openDocument,
  start: (givens) => play.start(givens),
  keep: () => keepGivens(play.done.chosen),
});
const play = new PlayView({ answers: new ServerAnswers(read), change: () => forgetLink(), extra: generator.element });
const source = make("textarea", { "aria-label": "The puzzle as YAML", spellcheck: "false" });
const apply = makeButton("Apply", () => openDocument({ yaml: source.value }, "make"));
const sourceMistakes = make("ul", { class: "mistakes", "aria-live": "polite" });
const views = {
  make: ["Make", make("div", { class: "split" }, editor.element, facts.element)],
  play: ["Play", play.element],
  solutions: ["Solutions", make("div", {}, waiting, solutions)],
  text: ["Text", make("div", {}, source, sourceMistakes, make("div", { class: "bar" }, apply))],
};

// -- the puzzle ---------------------------------------------------------------------------------------

// Change the puzzle; the step can be undone, unless it is one through the past.
function put(next, { keeps = true, saved = false } = {}) {
  if (keeps && state !== null) past.push(state);
  if (keeps) future.length = 0;
  if (past.length > 500) past.shift();
  state = next;
  isSaved = saved;
  refresh();
}

// Keep the puzzle in the browser, and ask what is known of it.
function refresh() {
  undo.disabled = !past.length;
  redo.disabled = !future.length;
  keep();
  forgetLink();
  if (view === "make") facts.look();
}

function keep() {
  try {
    for (const storage of [sessionStorage, localStorage])
      storage.setItem(KEPT, JSON.stringify({ state, name, isSaved, known }));
  } catch {
    say("the browser cannot keep this puzzle; save it");
  }
}

// Begin with another puzzle.
function forget(file) {
  past.length = future.length = 0;
  state = null;
  ({ name, known } = file);
}

async function write() {
  const answer = await ask("file", { question: "write", ...read() });
  if (mistakeOf(answer)) say(mistakeOf(answer));
  return answer?.yaml;
}

// Open a document. If it comes from a file, with its name and its text there, undo does not lead back to another file.
async function openDocument(what, next = "make", file = null) {
  const answer = await ask("act", { question: "open", ...what });
  if (answer === null) return false;
  if (mistakeOf(answer)) {
    if (view === "text" && file === null) sourceMistakes.replaceChildren(...listMistakes(answer));
    else say(answer.error ?? answer.mistakes[0]);
    return false;
  }
  sourceMistakes.replaceChildren();
  const opened = answer.painted
    ? readDocument(answer.document, answer.paintedOn, answer.painted)
    : { problem: answer.document.problem, yaml: answer.yaml };
  if (file) forget(file);
  put(opened, { saved: file !== null });
  editor.show(state);
  written = source.value;
  await open(next);
  return true;
}

async function begin(problem, paintedOn) {
  if (!mayLose()) return;
  if (!paintedOn) return openDocument({ yaml: `problem: ${problem}\n` }, "play", { name: "puzzle.yaml", known: null });
  const { rows, columns, layers, set } = START[problem];
  const pieces = await fetchPieces(problem, set);
  const board = Array.from({ length: layers }, () => fill(paintedOn, rows, columns, "."));
  forget({ name: "puzzle.yaml", known: null });
  put(
    {
      problem, paintedOn, layers: board, shift: 0, pieces, placed: [],
      rotate: true, reflect: !isSolid(paintedOn), rest: {},
    },
    { saved: true },
  );
  editor.show(state);
  await open(document.documentElement.dataset.ready ? "make" : view); // which may have been chosen early
}

function keepGivens(labels) {
  if (!state.paintedOn) return say("the givens of this problem stand in its text");
  put({ ...state, placed: [...new Set([...state.placed, ...labels])] });
  editor.show(state);
  say("these placements are givens now");
}

function mayLose() {
  return isSaved || confirm("The puzzle has not been saved. Go on without saving?");
}

async function travel(from, to) {
  if (!from.length) return;
  to.push(state);
  put(from.pop(), { keeps: false });
  editor.show(state);
  if (view !== "make") await open(view);
}

// -- the views ----------------------------------------------------------------------------------------

// `done` is what was played before.
async function open(next, done = null) {
  const isChanged = view === "text" && source.value !== written;
  if (isChanged && next !== "text" && !confirm("The changed text has not been applied. Discard it?")) return;
  view = next;
  select(next);
  undo.hidden = redo.hidden = next !== "make"; // playing has its own
  if (state === null) return;
  if (next === "make") facts.look();
  else facts.stop();
  if (next === "play") await (done ? play.start([], done) : play.resume());
  if (next === "text" && !isChanged) await showText();
  if (next === "solutions") {
    [waiting.hidden, solutions.hidden] = [false, true];
    const answer = await ask("page", { question: "page", ...read() });
    if (answer === null) return;
    solutions.srcdoc = answer.page ?? "<p></p>";
    [waiting.hidden, solutions.hidden] = [true, false];
    if (!answer.page) say(mistakeOf(answer));
  }
}

const select = makeTabs(views, open);

// Show the text of the puzzle. Until the server has written it, or if it cannot, nothing can be changed or applied.
async function showText() {
  source.disabled = apply.disabled = true;
  source.value = written = ONE_MOMENT;
  sourceMistakes.replaceChildren();
  const text = await write();
  source.value = written = text ?? "";
  source.disabled = apply.disabled = text === undefined;
}

// -- files --------------------------------------------------------------------------------------------

async function save() {
  const yaml = await write();
  if (yaml === undefined) return;
  const wanted = await askForName(name.replace(/\.yaml$/, ""));
  if (wanted === null) return;
  const file = wanted.replace(/(\.yaml)?$/, ".yaml");
  if (!(await writeFile(file, yaml, file === name ? known : null))) return;
  [name, isSaved, known] = [file, true, yaml];
  keep();
}

async function load() {
  if (!mayLose()) return;
  const chosen = await chooseFile(examples);
  if (chosen !== null) await openDocument(chosen.what, "make", chosen.file);
}

// Show a link of the puzzle, and of what was played.
function share() {
  const isPlayed = view === "play" && play.board;
  return sharePuzzle(read, { ...(isPlayed ? play.done : {}), view: isPlayed ? "play" : "make" });
}

// The address no longer says what is shown.
function forgetLink() {
  if (location.hash && !isOpening) history.replaceState(null, "", "/");
}

// Open the puzzle of the address; false if there is none, or it cannot be opened.
async function openLink() {
  const text = new URLSearchParams(location.hash.slice(1)).get("puzzle");
  if (text === null) return false;
  isOpening = true;
  try {
    const linked = await unpackLink(text);
    if (linked.source === null) throw new Error("this link can only be played, on a page of its own");
    if (!mayLose() || !(await openDocument(linked.source, "make", { name: "puzzle.yaml", known: null }))) return false;
    if (linked.view === "play") await open("play", linked.done);
    return true;
  } catch (error) {
    say(error.message);
    return false;
  } finally {
    isOpening = false;
  }
}

const undo = makeKeyButton("undo-2", "Undo", "Ctrl+Z", () => travel(past, future));
const redo = makeKeyButton("redo-2", "Redo", "Ctrl+Y", () => travel(future, past));

// What the browser has kept, or null.
function recallKept() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT) ?? "null");
    return kept?.state ? kept : null;
  } catch {
    return null;
  }
}

// Show the puzzle that the browser has kept; false if it is none of this version.
async function restore(kept) {
  try {
    forget(kept);
    put(kept.state, { saved: kept.isSaved });
    editor.show(state);
    await open(view); // which may have been chosen early
    return true;
  } catch {
    state = null;
    return false;
  }
}

// A menu that acts on what is chosen, and then shows its title again.
function makeMenu(name, title, choices, act) {
  const choose = () => {
    const { value } = menu;
    menu.value = "";
    if (value) act(value);
  };
  const entries = [["", title], ...choices].map(([value, text]) => make("option", { value }, text));
  const menu = make("select", { "aria-label": name, onchange: choose }, ...entries);
  return menu;
}

async function start() {
  ({ families, examples } = { families: [], examples: [], ...(await ask("act", { question: "families" })) });
  const cells = new Map(families.filter(({ isPlayed }) => isPlayed).map((one) => [one.name, one.paintedOn]));
  const names = [...cells].map(([family, paintedOn]) => [family, paintedOn ? `${family} (${paintedOn})` : family]);
  document.getElementById("menu").append(
    makeMenu("New puzzle", "New ...", names, (family) => begin(family, cells.get(family))),
    makeIconButton("folder-open", make("span", { class: "word" }, "Open"), load, { "aria-label": "Open" }),
    makeIconButton("save", make("span", { class: "word" }, "Save"), save, { "aria-label": "Save" }),
    makeIconButton("link", make("span", { class: "word" }, "Link"), share, { "aria-label": "Link" }),
    makeMenu("Export", "Export ...", Object.entries(EXPORTS), (format) => exportPuzzle(read(), format)),
    undo, redo,
  );
  document.querySelector("header").append(followTheme());
  document.body.append(make("div", { id: "exports" }));
  addEventListener("beforeunload", (event) => isSaved || event.preventDefault());
  const turn = (from, to) => () => view === "play" || travel(from, to); // a game has keys of its own
  onControl(document.body, { z: turn(past, future), y: turn(future, past), s: save });
  addEventListener("hashchange", openLink);
  const kept = recallKept();
  isSaved = kept?.isSaved ?? true; // a link asks before it takes the place of a puzzle that is not saved
  if (await openLink()) say("the puzzle of the link was opened");
  else if (kept && (await restore(kept)))
    document.getElementById("message").textContent || say("the last puzzle was restored");
  else if (families.length) await begin("polyomino", "squares");
  else say("the studio does not answer; open the address that exactcover studio prints");
  document.documentElement.dataset.ready = "1";
}

start();
