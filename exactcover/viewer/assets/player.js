// Playing on a page without a server: the puzzle of the page itself, or that of a link.

import { LocalAnswers } from "./answers.js";
import { capital, make, say } from "./data.js";
import { makeIconButton } from "./icons.js";
import { LONGEST_LINK, unpackLink } from "./link.js";
import { PlayView } from "./play.js";
import { copyText } from "./taking.js";

const PAUSE_OF_LINK = 300; // milliseconds after a move until the address says what was played

// The view for the puzzle of the page. Without a board to play on it is null, or says so if play was asked for.
export function makeOwnPlay(data, painter, solutions) {
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
export function playAlone(data) {
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
export function findLink() {
  return new URLSearchParams(location.hash.slice(1)).get("puzzle");
}

// Show the puzzle of a link in place of everything else, with what was played.
export async function openLink(text, palette) {
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
