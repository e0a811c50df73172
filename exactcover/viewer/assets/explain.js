// Why a step of a search is taken, in one sentence.

import { countOf } from "./data.js";
import { listNames } from "./matrix.js";
import { BRANCH, DEAD, KINDS, SOLUTION } from "./tree.js";

// How a search chooses its items.
export const RULES = {
  mrv: "fewest options first",
  leftmost: "in problem order",
  weighted: "fewest options, then most failures",
};
const MOST_LETTERS = 80; // of names of options in a sentence

// The sentence for a step of a panel, as HTML.
export function explainStep(panel, step) {
  const { tree, phase, search } = panel;
  if (!tree.size) return `No search was needed${search.reason ? `: ${listNames([search.reason])}` : ""}.`;
  return phase === 0 ? explainChoice(panel, step) : explainNode(panel, step);
}

function explainChoice(panel, { choice, covers, closed, removed, branch }) {
  const { names, painter } = panel;
  const item = listNames([names[branch]]);
  if (choice < 0) return `Item <strong>${item}</strong> is covered often enough: its other options are left out.`;
  const name = (items) => listNames(items.map((one) => names[one]));
  const all = closed.length === covers.length;
  const these = covers.length > 1 ? "these items go" : "this item goes";
  const some = closed.length ? `${name(closed)} ${closed.length > 1 ? "go" : "goes"}` : "all can be covered again";
  const { tree, current } = panel;
  const end = tree.kind[current] === DEAD ? ` Then ${describeEnd(panel, panel.positionAt(current))}.` : "";
  return [
    describeTried(panel, item),
    `Choose <strong>${listNames([painter.labels[choice]])}</strong>, which covers ${name(covers)}: `,
    all ? these : some,
    describeRemoved(removed.length, all, closed.length > 0),
    `.${end}`,
  ].join("");
}

// Which item makes a node a dead end.
function describeEnd({ tree, current, names }, { numbers }) {
  const item = tree.item[current];
  const left = numbers[item] ? "too few options" : "no option";
  return `item <strong>${listNames([names[item]])}</strong> has ${left} left: <strong>a dead end</strong>`;
}

// The options that go because of a choice.
function describeRemoved(number, all, some) {
  if (!number) return "";
  const others = `${number > 1 ? number.toLocaleString("en") : "the"} other option${number > 1 ? "s" : ""}`;
  const [cover, conflict] = number > 1 ? ["cover", "conflict"] : ["covers", "conflicts"];
  if (!some) return `, but ${others} ${conflict} with it`;
  const why = all ? `${cover} one of them` : `${conflict} with it`;
  return number > 1 ? `, and so do the ${others} that ${why}` : `, and so does ${others} that ${why}`;
}

// What the options that were tried before led to.
function describeTried(panel, item) {
  const tried = panel.siblingsBefore(panel.current);
  if (!tried.length) return "";
  const found = tried.reduce((sum, node) => sum + panel.tree.solutions[node], 0);
  const names = tried.map((node) => panel.edgeOf(node));
  const result = found ? countOf(found, "solution") : "no solution";
  return `Back at item <strong>${item}</strong>: ${listNames(names, 3)} led to ${result}. `;
}

function explainNode(panel, { before, branch }) {
  const { tree, current, names, painter } = panel;
  const kind = tree.kind[current];
  const chosen = () =>
    listNames(
      before.chosen.map((option) => painter.labels[option]),
      12,
    );
  if (kind === SOLUTION) return `Every item is covered: <strong>a solution</strong>, ${chosen()}.`;
  const item = `<strong>${listNames([names[branch]])}</strong>`;
  if (kind === DEAD) return `I${describeEnd(panel, before).slice(1)}, back to the last choice.`;
  if (kind !== BRANCH) return `This subtree is ${KINDS[kind]}.`;
  const labels = before.options(branch).map((option) => painter.labels[option]);
  const options = labels.join("").length <= MOST_LETTERS ? `, ${listNames(labels, labels.length)}` : "";
  if (tree.children[current] === 1) return `Item ${item} leaves one choice${options}: <strong>a forced move</strong>.`;
  const choices = countOf(tree.children[current], "choice");
  return `Branch on item ${item}, which leaves ${choices}${options}: ${describeRule(panel, before, branch)}.`;
}

// Why the search branches on this item.
function describeRule({ search }, before, branch) {
  const fewest = before.numbers[branch];
  const isTie = before.numbers.some((number, item) => item !== branch && number === fewest && before.isOpen(item));
  return {
    mrv: isTie ? "no item has fewer, and it is the first of them in the problem" : "all others have more",
    leftmost: "it is the first open item of the problem",
    weighted: "no item has fewer, and ties go to the one that most often ran out of options",
  }[search.heuristic];
}
