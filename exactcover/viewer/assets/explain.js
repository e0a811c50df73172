// Why a step of a search is taken, in one sentence.

import { countOf, group, sum } from "./data.js";
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
  if (choice < 0) return `Item <strong>${item}</strong> is covered often enough: its other options are excluded.`;
  const name = (items) => `item${items.length > 1 ? "s" : ""} ${listNames(items.map((one) => names[one]))}`;
  const all = closed.length === covers.length;
  const verb = closed.length > 1 ? "are" : "is";
  const some = closed.length ? `; ${name(closed)} ${verb} removed` : ", which may be covered again";
  const { tree, current } = panel;
  const end = tree.kind[current] === DEAD ? ` Then ${describeEnd(panel, panel.positionAt(current))}.` : "";
  return [
    describeTried(panel, item),
    `Choose <strong>${listNames([painter.labels[choice]])}</strong>: it covers ${name(covers)}`,
    all ? `, which ${verb} removed` : some,
    describeRemoved(removed.length, all ? closed.length : 0, closed.length > 0),
    `.${end}`,
  ].join("");
}

// Which item makes a node a dead end.
function describeEnd({ tree, current, names }, { numbers }) {
  const item = tree.item[current];
  const left = numbers[item] ? "too few options" : "no option";
  return `item <strong>${listNames([names[item]])}</strong> has ${left} left: <strong>a dead end</strong>`;
}

// The options that a choice removes; `covered` is how many items it removes, if these are all that it covers.
function describeRemoved(number, covered, some) {
  if (!number) return "";
  const others = `${number > 1 ? group(number) : "the"} other option${number > 1 ? "s" : ""}`;
  const [cover, conflict] = number > 1 ? ["cover", "conflict"] : ["covers", "conflicts"];
  if (!some) return `, but ${others} ${conflict} with it`;
  const why = covered ? `${cover} ${covered > 1 ? "one of them" : "it"}` : `${conflict} with it`;
  return number > 1 ? `, and so are the ${others} that ${why}` : `, and so is ${others} that ${why}`;
}

// What the options that were tried before led to.
function describeTried(panel, item) {
  const tried = panel.siblingsBefore(panel.current);
  if (!tried.length) return "";
  const found = sum(tried.map((node) => panel.tree.solutions[node]));
  const names = tried.map((node) => panel.edgeOf(node));
  const result = found ? countOf(found, "solution") : "no solution";
  return `Back at item <strong>${item}</strong>: ${listNames(names, 3)} led to ${result}. `;
}

function explainNode(panel, { before, branch }) {
  const { tree, current, names, painter } = panel;
  const kind = tree.kind[current];
  const name = (option) => painter.labels[option];
  if (kind === SOLUTION)
    return `Every item is covered: <strong>a solution</strong>, ${listNames(before.chosen.map(name), 12)}.`;
  if (kind === DEAD) return `I${describeEnd(panel, before).slice(1)}, back to the last choice.`;
  if (kind !== BRANCH) return `This subtree is ${KINDS[kind]}.`;
  const item = `<strong>${listNames([names[branch]])}</strong>`;
  const labels = before.options(branch).map(name);
  const options = labels.join("").length <= MOST_LETTERS ? ` (${listNames(labels, labels.length)})` : "";
  if (tree.children[current] === 1) return `Item ${item} leaves one choice${options}: <strong>a forced move</strong>.`;
  return `Branch on item ${item}${describeRule(panel, before, branch)}${options}.`;
}

// Why the search branches on this item.
function describeRule({ search, tree, current }, before, branch) {
  const fewest = before.numbers[branch];
  const isTie = before.numbers.some((number, item) => item !== branch && number === fewest && before.isOpen(item));
  const count = group(tree.children[current]);
  const first = `, the first of the items with the fewest choices, ${count}`;
  return {
    mrv: isTie ? first : `: it has the fewest choices, ${count}`,
    leftmost: `, the first open item of the problem, with ${countOf(tree.children[current], "choice")}`,
    weighted: `: of the items with the fewest choices, ${count}, it most often ran out of options`,
  }[search.heuristic];
}
