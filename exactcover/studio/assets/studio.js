// Puts the studio together: documents, undo and redo, files, and the views.

import { make, makeButton, say } from "./data.js";
import { EditorView, fetchPieces, readDocument, START, writeDocument } from "./editor.js";
import { FactsView } from "./facts.js";
import { fill, isSolid } from "./lattice.js";
import { PlayView } from "./play.js";
import { makeTabs } from "./tabs.js";
import { ask, mistakeOf, showDialog, useFiles } from "./talk.js";

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
let written = ""; // the text that was shown last

const read = () => (state.paintedOn ? { document: writeDocument(state) } : { yaml: state.yaml });
const editor = new EditorView(put, (problem) => families.find((one) => one.name === problem)?.sets ?? []);
const facts = new FactsView(read);
const solutions = make("iframe", { title: "solutions", sandbox: "allow-scripts allow-downloads allow-modals" });
const play = new PlayView({ read, open: openDocument, keep: (labels) => keepGivens(labels) });
const source = make("textarea", { "aria-label": "The puzzle as YAML", spellcheck: "false" });
const sourceMistakes = make("ul", { class: "mistakes" });
const views = {
  make: ["Make", make("div", { class: "split" }, editor.element, facts.element)],
  play: ["Play", play.element],
  solutions: ["Solutions", solutions],
  text: ["Text", make("div", {}, source, sourceMistakes, make("div", { class: "bar" }, makeButton("apply", () => openDocument({ yaml: source.value }, "make"))))],
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
  if (view === "make") facts.look();
}

function keep() {
  try {
    for (const storage of [sessionStorage, localStorage]) storage.setItem(KEPT, JSON.stringify({ state, name, isSaved, known }));
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
    sourceMistakes.replaceChildren(...(answer.mistakes ?? [answer.error]).map((text) => make("li", {}, text)));
    say(answer.error ?? answer.mistakes[0]);
    return false;
  }
  sourceMistakes.replaceChildren();
  const opened = answer.painted ? readDocument(answer.document, answer.paintedOn, answer.painted) : { problem: answer.document.problem, yaml: answer.yaml };
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
  put({ problem, paintedOn, layers: board, shift: 0, pieces, placed: [], rotate: true, reflect: !isSolid(paintedOn), rest: {} }, { saved: true });
  editor.show(state);
  await open("make");
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

async function open(next) {
  const isLost = view === "text" && next !== "text" && source.value !== written;
  if (isLost && !confirm("The changed text has not been applied. Discard it?")) return;
  view = next;
  select(next);
  undo.hidden = redo.hidden = next !== "make"; // playing has its own
  if (state === null) return;
  if (next === "make") facts.look();
  if (next === "play") await play.resume();
  if (next === "text") source.value = written = (await write()) ?? "";
  if (next === "solutions") {
    solutions.srcdoc = "<p>one moment ...</p>";
    const answer = await ask("page", { question: "page", ...read() });
    if (answer !== null) solutions.srcdoc = answer.page ?? "<p></p>";
    if (answer && !answer.page) say(mistakeOf(answer));
  }
}

const select = makeTabs(views, open);

// -- files --------------------------------------------------------------------------------------------

async function save() {
  const wanted = prompt("Name of the file", name);
  const yaml = wanted ? await write() : undefined;
  if (yaml === undefined) return;
  const file = wanted.endsWith(".yaml") ? wanted : `${wanted}.yaml`;
  let answer = await useFiles({ name: file, text: yaml, known: file === name ? known : null });
  if (answer.error?.includes("exists already") && confirm(`${answer.error}. Replace it?`)) answer = await useFiles({ name: file, text: yaml, replace: true });
  if (answer.error) return say(answer.error);
  [name, isSaved, known] = [file, true, yaml];
  keep();
  say(`saved as ${file}`);
}

async function load() {
  if (!mayLose()) return;
  const kept = await useFiles({});
  const dialog = make("dialog", { "aria-label": "Open" });
  const row = (text, action) => make("li", {}, makeButton(text, () => (dialog.close(), action())));
  const openFile = async (file) => {
    const answer = await useFiles({ name: file });
    if (answer.error) return say(answer.error);
    await openDocument({ yaml: answer.text }, "make", { name: file, known: answer.text });
  };
  dialog.append(
    make("h2", {}, `Puzzles in ${kept.folder ?? ""}`),
    kept.names?.length ? make("ul", { class: "chips" }, ...kept.names.map((file) => row(file, () => openFile(file)))) : make("p", {}, kept.error ?? "There is none yet."),
    make("h2", {}, "Examples"),
    make("ul", { class: "chips" }, ...examples.map((file) => row(file, () => openDocument({ example: file }, "make", { name: file, known: null })))),
    make("div", { class: "bar" }, makeButton("cancel", () => dialog.close())),
  );
  showDialog(dialog);
}

async function download(format) {
  const answer = await ask("file", { question: "export", ...read(), format });
  if (answer === null) return;
  if (!answer.content) return say(mistakeOf(answer));
  const bytes = Uint8Array.from(atob(answer.content), (letter) => letter.charCodeAt(0));
  const link = make("a", { href: URL.createObjectURL(new Blob([bytes])), download: answer.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say(`${answer.name}: ${bytes.length.toLocaleString("en")} bytes`);
}

const undo = makeButton("undo", () => travel(past, future), { disabled: true });
const redo = makeButton("redo", () => travel(future, past), { disabled: true });

// Show the puzzle that the browser has kept; false if there is none, or none of this version.
async function restore() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT) ?? "null");
    if (!kept?.state) return false;
    forget(kept);
    put(kept.state, { saved: kept.isSaved });
    editor.show(state);
    await open("make");
    return true;
  } catch {
    state = null;
    return false;
  }
}

async function start() {
  ({ families, examples } = { families: [], examples: [], ...(await ask("act", { question: "families" })) });
  const fresh = make("select", { "aria-label": "New puzzle", onchange: () => choose() }, make("option", { value: "" }, "new ..."));
  const playable = families.filter(({ isPlayed }) => isPlayed);
  for (const { name: family, paintedOn } of playable) fresh.append(make("option", { value: family, "data-cells": paintedOn }, paintedOn ? `${family} (${paintedOn})` : family));
  const choose = () => {
    const [chosen] = fresh.selectedOptions;
    fresh.value = "";
    if (chosen.value) begin(chosen.value, chosen.dataset.cells);
  };
  const formats = { html: "page", sheet: "sheet of solutions (SVG)", svg: "one solution (SVG)", puzzle: "puzzle (SVG)", stl: "pieces (STL)", yaml: "YAML" };
  const exports = make("select", { "aria-label": "Export", onchange: () => pick() }, make("option", { value: "" }, "export ..."));
  for (const [format, text] of Object.entries(formats)) exports.append(make("option", { value: format }, text));
  const pick = () => {
    const format = exports.value;
    exports.value = "";
    if (format) download(format);
  };
  document.getElementById("menu").append(fresh, makeButton("open", load), makeButton("save", save), undo, redo, exports);
  addEventListener("beforeunload", (event) => isSaved || event.preventDefault());
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.closest("input, textarea") || document.querySelector("dialog[open]")) return;
    const undone = () => (view === "play" ? play.step(play.past, play.future) : travel(past, future));
    const redone = () => (view === "play" ? play.step(play.future, play.past) : travel(future, past));
    const action = { z: undone, y: redone, s: save }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  if (await restore()) say("the last puzzle was restored");
  else if (families.length) await begin("polyomino", "squares");
  else say("the studio does not answer; open the address that exactcover studio prints");
  document.documentElement.dataset.ready = "1";
}

start();
