// A row of tabs, and the panels that they open.

import { arrowOf, make, makeButton } from "./data.js";

// Add a tab and a panel for each view, a pair of a title and an element. `open` is called with the name of the view
// that is wanted. Returns a function that shows the panel of a view.
export function makeTabs(views, open) {
  const list = document.getElementById("tabs");
  const panels = {};
  for (const [name, [title, element]] of Object.entries(views)) {
    const attributes = { role: "tab", id: `tab-${name}`, "aria-controls": `view-${name}` };
    const tab = makeButton(title, () => open(name), attributes);
    const panel = make("section", { id: `view-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}` }, element);
    list.append(tab);
    document.querySelector("main").append(panel);
    panels[name] = { tab, panel };
  }
  list.addEventListener("keydown", (event) => {
    const names = Object.keys(panels);
    const [, step] = arrowOf(event);
    const now = names.findIndex((name) => panels[name].tab === document.activeElement);
    if (!step || now < 0) return;
    const next = names[(now + step + names.length) % names.length];
    open(next);
    panels[next].tab.focus();
  });
  return (name) => {
    for (const [other, { tab, panel }] of Object.entries(panels)) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      panel.hidden = other !== name;
    }
  };
}
