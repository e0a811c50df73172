// Puts the views together.

import { make, readData, say } from "./data.js";
import { Painter } from "./picture.js";
import { findLink, makeOwnPlay, openLink, playAlone } from "./player.js";
import { SearchView } from "./search.js";
import { SolidView } from "./solid.js";
import { SolutionsView } from "./solutions.js";
import { makeTabs } from "./tabs.js";
import { followTheme } from "./theme.js";

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
  const painter = new Painter(data.drawing ?? {}, data.labels);
  Object.assign(painter, data.palette);
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

start().catch((error) => {
  say(`This page could not be shown: ${error.message}`);
  throw error;
});
