// The data of the page: compressed JSON, and numbers in groups of seven bits.

export async function readData(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// Numbers in groups of seven bits, the lowest group first, one after another.
export class NumberReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.place = 0;
  }

  get isAtEnd() {
    return this.place >= this.bytes.length;
  }

  // Throws an error at the end.
  next() {
    let number = 0;
    for (let scale = 1; ; scale *= 128) {
      if (this.isAtEnd) throw new Error("the numbers are truncated");
      const byte = this.bytes[this.place++];
      number += (byte & 127) * scale;
      if (byte < 128) return number;
    }
  }
}

export function readNumbers(text) {
  const reader = new NumberReader(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  const numbers = new Uint32Array(reader.bytes.length);
  let count = 0;
  while (!reader.isAtEnd) numbers[count++] = reader.next();
  return numbers.subarray(0, count);
}

// Solutions as arrays of ascending positions of options.
export function readSolutions(text) {
  const numbers = readNumbers(text);
  const solutions = [];
  for (let place = 0; place < numbers.length; ) {
    const size = numbers[place++];
    const solution = new Uint32Array(size);
    let last = 0;
    for (let k = 0; k < size; ++k) solution[k] = last += numbers[place++];
    solutions.push(solution);
  }
  return solutions;
}

// The solutions with some options and without others.
export function filterSolutions(solutions, given, without) {
  const [wanted, unwanted] = [[...given], [...without]];
  const isIn = (solution) => (option) => solution.includes(option);
  return solutions.filter((solution) => wanted.every(isIn(solution)) && !unwanted.some(isIn(solution)));
}

export function escapeText(text) {
  return String(text).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

export const NO_ANSWER = "No answer within 2 s.";
export const ONE_MOMENT = "One moment ...";

export function countOf(number, noun) {
  return `${group(number)} ${noun}${Number(number) === 1 ? "" : "s"}`;
}

export function sum(numbers) {
  return numbers.reduce((one, two) => one + two, 0);
}

// The one of some with the least measure, the first of several; undefined if there is none.
export function leastBy(list, measure) {
  return list.reduce((best, one) => (measure(one) < measure(best) ? one : best), list[0]);
}

// A number with its digits in groups.
export function group(number) {
  return number.toLocaleString("en");
}

// Add to the number, or the text, that a map has for a key.
/** @param {any} more */
export function addTo(map, key, more = 1) {
  map.set(key, map.has(key) ? map.get(key) + more : more);
}

// Add to the list that a map has for a key.
export function pushTo(map, key, value) {
  (map.get(key) ?? map.set(key, []).get(key)).push(value);
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// A text as a sentence; what begins with a name, such as that of a file, keeps it as it is.
export function toSentence(text) {
  const start = /^[a-z]+(?=[ ,;]|$)/.test(text) ? capital(text) : text;
  return start.replace(/[^.?!]$/, "$&.");
}

// What is wrong according to an answer, in one text; nothing if nothing is.
export function mistakeOf(answer) {
  const text = answer?.error ?? answer?.mistakes?.join("; ");
  return text && toSentence(text);
}

// Store a text, if there is one, and return the one that is stored.
export function keep(key, text = null) {
  try {
    if (text !== null) localStorage.setItem(key, text);
    return localStorage.getItem(key);
  } catch {
    return text; // the browser allows no storage
  }
}

// One of its candidates for each name, and none for two names; those with the fewest choose first.
/** @param {Map<string, string[]>} candidates */
export function pairOff(candidates) {
  /** @type {Map<string, string>} */ const owners = new Map();
  for (const [name, own] of [...candidates].sort(([, one], [, other]) => one.length - other.length)) {
    const free = own.find((one) => !owners.has(one));
    if (free !== undefined) owners.set(free, name);
  }
  return [...owners].map(([one, name]) => [name, one]);
}

// An element with attributes, listeners (names that begin with "on") and children.

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function makeButton(text, action, attributes = {}) {
  return make("button", { type: "button", onclick: action, ...attributes }, text);
}

export function setPressed(button, isPressed) {
  button.setAttribute("aria-pressed", String(isPressed));
}

// A short text in a list, as a button.
export function makeChip(text, action, attributes = {}) {
  return make("li", {}, makeButton(make("span", {}, text), action, attributes));
}

// The steps down and to the right that an arrow key asks for.
export function arrowOf(event) {
  return { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key] ?? [0, 0];
}

// Let keys with Ctrl act while an element is seen, unless somebody writes a text.
export function onControl(element, actions) {
  addEventListener("keydown", (event) => {
    const isText = document.activeElement?.closest("input:not([type=checkbox]), textarea, dialog");
    if (!(event.ctrlKey || event.metaKey) || isText || !element.checkVisibility() || !actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
}

// Keep what is selected in the address of the page, and tell it the page around this one.
export function remember(selection, details) {
  try {
    history.replaceState(null, "", `#${selection}`);
  } catch {
    // A page in a frame may have no address of its own.
  }
  if (parent !== window) parent.postMessage({ exactcover: { selection, ...details } }, "*");
}

let silence = 0; // the timer that ends the message

export function say(text) {
  const message = document.getElementById("message");
  message.textContent = toSentence(text);
  clearTimeout(silence);
  silence = setTimeout(() => (message.textContent = ""), 4000);
}
