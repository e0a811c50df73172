// The theme: that of the system, or the one that is chosen on any page of this origin, as the site keeps it.

import { capital, keep, say } from "./data.js";
import { makeIconButton } from "./icons.js";

const SYSTEM_THEME = matchMedia("(prefers-color-scheme: dark)");
const THEMES = ["auto", "light", "dark"];
let theme = "auto";

// The theme in which a canvas is drawn.
export function themeOfCanvas() {
  const isDark = theme === "auto" ? SYSTEM_THEME.matches : theme === "dark";
  return isDark && matchMedia("screen").matches ? "dark" : "light";
}

export function onTheme(act) {
  addEventListener("themechange", act);
  SYSTEM_THEME.addEventListener("change", act);
}

// Let the rules of the dark theme hold as chosen; returns the button that chooses.
export function followTheme() {
  const rules = new Map();
  for (const rule of [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]))
    if (rule instanceof CSSMediaRule && rule.conditionText.includes("prefers-color-scheme"))
      rules.set(rule, rule.conditionText);
  const follow = (wanted) => {
    theme = THEMES.includes(wanted) ? wanted : "auto";
    document.documentElement.style.colorScheme = theme === "auto" ? "" : theme; // frames follow it
    for (const [rule, text] of rules)
      rule.media.mediaText = theme === "auto" ? text : theme === "dark" ? "screen" : "not all";
    dispatchEvent(new Event("themechange"));
  };
  addEventListener("storage", () => follow(keep("theme")));
  follow(keep("theme"));
  const change = () => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    keep("theme", next);
    follow(next);
    say(next === "auto" ? "The theme is that of the system." : `${capital(next)} theme.`);
  };
  return makeIconButton("sun-moon", "", change, { class: "bare theme", "aria-label": "Theme", title: "Light or dark" });
}
