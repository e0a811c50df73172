// Sending a puzzle: a link that opens in this studio, or on any page that exactcover writes, which needs no server.

import { keep, make, makeButton, mistakeOf, say } from "./data.js";
import { makeIconButton } from "./icons.js";
import { ask, showDialog } from "./talk.js";
import { copyText } from "./taking.js";

const PLAYER = "exactcover-player"; // where the address of the page is kept

// Show the link of a puzzle, unless it changes meanwhile; `read` returns the puzzle, and `played` what was played.
export async function sharePuzzle(read, played) {
  say("making the link ...");
  const wish = read();
  const answer = await ask("link", { question: "link", ...wish, ...played });
  if (answer === null) return;
  if (JSON.stringify(read()) !== JSON.stringify(wish)) return say("the puzzle has changed; ask for its link again");
  if (!answer.link) return say(mistakeOf(answer));
  say("");
  const fragment = `#puzzle=${answer.link}`;
  const page = make("input", {
    type: "url", placeholder: "https://example.org/play.html", "aria-label": "Address of the page", value: recallPage(),
    oninput: () => update(),
  });
  const text = make("input", { readonly: true, "aria-label": "Link", id: "link" });
  const size = make("p", { class: "soft" });
  const update = () => {
    const address = page.value.trim().replace(/#.*$/s, "");
    keep(PLAYER, address);
    text.value = `${address || `${location.origin}/`}${fragment}`;
    const where = address ? "Opens without a server." : "Opens only on this computer.";
    size.textContent = `${where} ${answer.note}`;
  };
  const copy = () => (text.select(), copyText(text.value));
  const dialog = make("dialog", { "aria-label": "Link", class: "share" },
    make("h2", {}, "Send this puzzle"),
    make("div", { class: "bar" }, text, makeIconButton("copy", "Copy", copy, { class: "main" })),
    size,
    make("label", { class: "field" }, "On the page at", page),
    make("p", { class: "soft" },
      "Every page that exactcover writes can open this link, without a server. ",
      make("a", { href: "/assets/play.html", download: "play.html" }, "Download one"),
      ", put it on your site or keep it as a file, and give its address here.",
    ),
    make("div", { class: "bar" }, makeButton("Close", () => dialog.close())),
  );
  update();
  showDialog(dialog);
  text.select();
}

// The address of the page that plays links, as it was given last.
export function recallPage() {
  return keep(PLAYER) ?? "";
}
