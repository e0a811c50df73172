// Puts the views together.

import { make, readData, say } from "./data.js";
import { Painter } from "./picture.js";
import { SearchView } from "./search.js";
import { SolidView } from "./solid.js";
import { SolutionsView } from "./solutions.js";

async function start() {
  const data = await readData(document.getElementById("data").textContent.trim());
  const painter = new Painter(data.drawing ?? {}, data.labels);
  Object.assign(painter, data.palette);
  const solutions = new SolutionsView(data, painter);
  const views = { solutions: ["Solutions", solutions] };
  if (data.solid) views.solid = ["Solid", new SolidView(data, painter, solutions)];
  if (data.searches?.length) views.search = ["Search", new SearchView(data, painter)];
  const tabs = document.getElementById("tabs");
  const first = document.getElementById("first");
  const main = document.querySelector("main");
  const panels = {};
  for (const [name, [title, view]] of Object.entries(views)) {
    const tab = make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `view-${name}`, onclick: () => open(name) }, title);
    const panel = make("section", { id: `view-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}` });
    panel.append(view.element);
    tabs.append(tab);
    panels[name] = { tab, panel };
    main.append(panel);
  }
  function open(name) {
    for (const [other, { tab, panel }] of Object.entries(panels)) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      panel.hidden = other !== name;
    }
    if (name === "solid") views.solid[1].draw();
    if (name === "solutions") solutions.showSheet();
    if (name === "search") views.search[1].panels.forEach((panel) => panel.showRows());
  }
  tabs.addEventListener("keydown", (event) => {
    const names = Object.keys(panels);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const now = names.findIndex((name) => panels[name].tab === document.activeElement);
    if (!step || now < 0) return;
    const next = names[(now + step + names.length) % names.length];
    open(next);
    panels[next].tab.focus();
  });
  first.remove();
  tabs.hidden = false;
  const recall = (selection) => {
    const fragment = new URLSearchParams(selection);
    solutions.recall(fragment);
    open(panels[fragment.get("view")] ? fragment.get("view") : Object.keys(panels)[0]);
  };
  addEventListener("hashchange", () => recall(location.hash.slice(1)));
  addEventListener("message", (event) => {
    if (event.source !== parent || parent === window || !event.data?.exactcover) return;
    recall(event.data.exactcover.selection);
    solutions.remember(); // the answer
  });
  recall(location.hash.slice(1));
  if (parent !== window) parent.postMessage({ exactcover: { isReady: true } }, "*");
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

start().catch((error) => {
  say(`this page could not be shown: ${error.message}`);
  throw error;
});
