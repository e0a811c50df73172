// Puts the views together: those of the puzzle of the page, or the one in which that of a link is played.

import { LocalAnswers } from "./answers.js";
import { capital, make, readData, say } from "./data.js";
import { makeIconButton } from "./icons.js";
import { LONGEST_LINK, unpackLink } from "./link.js";
import { Painter } from "./picture.js";
import { PlayView } from "./play.js";
import { SearchView } from "./search.js";
import { SolidView } from "./solid.js";
import { SolutionsView } from "./solutions.js";
import { makeTabs } from "./tabs.js";
import { copyText } from "./taking.js";
import { followTheme } from "./theme.js";

const PAUSE_OF_LINK = 300; // milliseconds after a move until the address says what was played

async function start() {
  const brand = document.getElementById("brand");
  brand.hidden = parent !== window;
  /** @type {HTMLAnchorElement | null} */ const home = brand.querySelector("a"); // on a site
  brand.append(followTheme());
  if (home !== null && location.search) home.hash = location.search.slice(1); // the card that led here
  const data = await readData(document.getElementById("data").textContent.trim());
  addEventListener("hashchange", () => findLink() === null || location.reload());
  const link = findLink();
  if (link !== null) await openLink(link, data.palette).catch(refuseLink);
  else if (data.puzzleOnly) await playAlone(data);
  else if (data.labels) showPuzzle(data);
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

function refuseLink(error) {
  const home = document.querySelector("#brand a")?.getAttribute("href");
  const way = home ? make("a", { href: home }, "Choose one in the gallery.") : "";
  const text = `This puzzle cannot be played: ${error.message}. `;
  document.querySelector("main").replaceChildren(make("p", {}, text, way));
}

// Show the puzzle of the page.
function showPuzzle(data) {
  const painter = new Painter(data.drawing ?? {}, data.labels, data.palette);
  const solutions = new SolutionsView(data, painter);
  /** @type {Record<string, [string, any]>} */
  const views = {};
  if (data.solid && solutions.solutions.length) views.solid = ["Solid", new SolidView(data, painter, solutions)];
  const isKnown = data.start !== "play" && solutions.solutions.length === 1 && solutions.isSingle;
  views.solutions = [isKnown ? "Solution" : "Solutions", solutions];
  if (data.searches?.length) views.search = ["Search", new SearchView(data, painter)];
  const play = makeOwnPlay(data, painter, solutions);
  if (play !== null) views.play = ["Play", play];
  const elements = Object.entries(views).map(([name, [title, view]]) => [name, [title, view.element]]);
  const select = makeTabs(Object.fromEntries(elements), open);
  /** @type {URLSearchParams | null} */ let selection = null; // of solutions, until one may be shown
  function open(name) {
    select(name);
    if (selection !== null && name !== "play") solutions.recall(selection);
    if (name !== "play") selection = null;
    if (name === "solid") views.solid[1].draw();
    if (name === "solutions") solutions.sheet.renew(); // it comes into sight
    if (name === "search") views.search[1].arrange();
    if (name === "play") play.resume();
  }
  document.getElementById("first").remove();
  document.getElementById("summary").hidden = !solutions.isSingle; // the view of the solutions counts them
  document.getElementById("tabs").hidden = elements.length === 1;
  const recall = (text) => {
    const fragment = (selection = new URLSearchParams(text));
    const wanted = fragment.get("view") ?? data.start;
    open(Object.hasOwn(views, wanted) ? wanted : Object.keys(views)[0]);
  };
  addEventListener("hashchange", () => findLink() === null && recall(location.hash.slice(1)));
  addEventListener("message", (event) => {
    if (event.source !== parent || parent === window || !event.data?.exactcover) return;
    recall(event.data.exactcover.selection);
    solutions.remember(); // the answer
  });
  recall(location.hash.slice(1));
  if (parent !== window) parent.postMessage({ exactcover: { isReady: true } }, "*");
}

// -- playing without a server -----------------------------------------------------------------------

// The view for the puzzle of the page. Without a board to play on it is null, or says so if play was asked for.
function makeOwnPlay(data, painter, solutions) {
  const { tray = null, refusal, costs, cheapest, rules, techniques } = data.play ?? {};
  if (refusal === undefined) return null;
  if (painter.draws) {
    const known = recallSolutions(solutions);
    const board = { ...data, tray, costs, cheapest, rules, techniques, solvable: null };
    return new PlayView({ answers: new LocalAnswers(board, known, solutions.solutions) });
  }
  const text = `${capital(refusal)}.`;
  return data.start === "play" ? { element: make("p", { id: "play-refusal" }, text), resume: () => {} } : null;
}

// The puzzle of a page that contains nothing else.
function playAlone(data) {
  const view = new PlayView({ answers: new LocalAnswers(data, null) });
  document.querySelector("main").replaceChildren(make("section", { id: "view-play" }, view.element));
  return view.start();
}

// What the page knows of the solutions: all of them, or the diagram that they come from.
function recallSolutions({ data, solutions, diagram }) {
  if (data.complete && !data.distinct) return solutions;
  if (!diagram) return null;
  return (chosen, without) => {
    const count = diagram.count(new Set(chosen), new Set(without));
    return count === 0n ? [] : count === 1n ? [diagram.sample()] : [diagram.sample(), null];
  };
}

// The text of a puzzle in the address, or null.
function findLink() {
  return new URLSearchParams(location.hash.slice(1)).get("puzzle");
}

// Show the puzzle of a link in place of everything else, with what was played.
async function openLink(text, palette) {
  const link = await unpackLink(text);
  if (link.played === null) throw new Error("this puzzle has no board to play on; open the link in a studio");
  const { board, solutions } = link.played;
  let waiting;
  const rewrite = async (done) => {
    const fragment = `#puzzle=${await link.repack(done)}`;
    if (fragment.length <= LONGEST_LINK) history.replaceState(null, "", fragment); // a longer one could not be read
    return fragment;
  };
  const share = async () => {
    try {
      await rewrite(view.done);
      await copyText(location.href);
    } catch {
      say("No link can be made here.");
    }
  };
  const view = new PlayView({
    answers: new LocalAnswers({ ...board, palette }, solutions),
    change: (done) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => rewrite(done).catch(() => {}), PAUSE_OF_LINK);
    },
    extra: make("div", { class: "foot" },
      makeIconButton("link", "Copy link", share),
      make("p", { class: "soft" }, "Nothing is sent anywhere."),
    ),
  });
  const title = link.title || "Play a puzzle";
  document.title = `${title} - exactcover`;
  document.querySelector("h1").textContent = title;
  for (const name of ["summary", "tabs"]) document.getElementById(name).hidden = true;
  document.querySelector("main").replaceChildren(make("section", { id: "view-play" }, view.element));
  await view.start([], link.done);
}

start().catch((error) => {
  say(`This page could not be shown: ${error.message}`);
  throw error;
});
