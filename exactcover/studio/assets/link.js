// A puzzle as a link: what is made and played, compressed, in the part of the address that browsers do not send.
//
// Links come from strangers, so nothing of them is taken on trust: sizes are bounded, also after decompression, and
// only texts of the expected form are kept. The puzzle itself is checked by the server, like any file.

const VERSION = 1;
const MOST_LETTERS = 60_000; // of a link
const MOST_BYTES = 1 << 20; // of what it expands to
const MOST_CHOSEN = 5_000;
const MOST_NAME = 500; // letters of the name of an option

// A link's text for a puzzle, { document } or { yaml }, and what was done, { chosen, pencil }; null if it is too long.
export async function packPuzzle(puzzle, done, view) {
  const bytes = new TextEncoder().encode(JSON.stringify({ version: VERSION, ...puzzle, ...done, view }));
  const packed = new Uint8Array(
    await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer(),
  );
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return text.length > MOST_LETTERS || bytes.length > MOST_BYTES
    ? null
    : text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// What a link contains. Throws an error that says what is wrong with it.
export async function unpackPuzzle(text) {
  if (text.length > MOST_LETTERS) throw new Error("the link is too long");
  const content = await expand(text);
  const isTexts = (list) =>
    Array.isArray(list) &&
    list.length <= MOST_CHOSEN &&
    list.every((one) => typeof one === "string" && one.length <= MOST_NAME);
  if (!isObject(content) || content.version !== VERSION) throw new Error("the link contains no puzzle of this version");
  const puzzle =
    typeof content.yaml === "string"
      ? { yaml: content.yaml }
      : isObject(content.document)
        ? { document: content.document }
        : null;
  if (puzzle === null) throw new Error("the link contains no puzzle");
  const { chosen = [], pencil = {} } = content;
  if (
    !isTexts(chosen) ||
    !isObject(pencil) ||
    Object.keys(pencil).length > MOST_CHOSEN ||
    !Object.values(pencil).every(isTexts)
  )
    throw new Error("the moves in the link are damaged");
  return { puzzle, done: { chosen, pencil }, view: content.view === "play" ? "play" : "make" };
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Decompress and read JSON; stop as soon as it gets too large.
async function expand(text) {
  if (!/^[\w-]+$/.test(text)) throw new Error("the link is damaged");
  const parts = [];
  let size = 0;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      size += value.length;
      if (size > MOST_BYTES) {
        reader.cancel().catch(() => {});
        break;
      }
      parts.push(value);
    }
    if (size <= MOST_BYTES)
      return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await new Blob(parts).arrayBuffer()));
  } catch {
    throw new Error("the link is damaged");
  }
  throw new Error("the puzzle in the link is too large");
}
