// The theme: that of the system, or the one that the site stores whose page this is.

const SYSTEM_THEME = matchMedia("(prefers-color-scheme: dark)");
const themed = []; // what to call when the site changes its theme
/** @type {string | null} */ let siteTheme = null;

export function isDarkTheme() {
  return matchMedia("screen").matches && (siteTheme === null ? SYSTEM_THEME.matches : siteTheme === "dark");
}

/** @param {() => void} act */
export function onTheme(act) {
  themed.push(act);
  SYSTEM_THEME.addEventListener("change", act);
}

// Let the rules of the dark theme hold as the site wants it.
export function followSite() {
  const rules = new Map();
  for (const rule of [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]))
    if (rule instanceof CSSMediaRule && rule.conditionText.includes("prefers-color-scheme"))
      rules.set(rule, rule.conditionText);
  const follow = () => {
    const stored = recallTheme();
    siteTheme = stored === "light" || stored === "dark" ? stored : null;
    document.documentElement.style.colorScheme = siteTheme ?? "";
    const wanted = siteTheme === "dark" ? "screen" : "not all";
    for (const [rule, text] of rules) rule.media.mediaText = siteTheme === null ? text : wanted;
    for (const act of themed) act();
  };
  addEventListener("storage", follow);
  follow();
}

function recallTheme() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null; // the browser allows no storage
  }
}
