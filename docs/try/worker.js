// Runs the core beside the page. It is stopped by ending it, so it never has to look for messages while it works.
"use strict";

// Passes a copy of numbers, which lasts as long as the call, and returns what the call returns.
function pass(core, numbers, use) {
  const place = core._malloc(4 * Math.max(1, numbers.length));
  core.HEAP32.set(numbers, place / 4);
  const result = use(place);
  core._free(place);
  return result;
}

// Loads a problem, and its symmetries if they are wanted: those that are stated, or else all. Returns whether it succeeds.
function begin(core, { numbers, symmetries, distinct, action }) {
  if (pass(core, numbers, (place) => core._core_load(place, numbers.length)) < 0) return false;
  for (const images of distinct ? symmetries ?? [] : []) pass(core, images, (place) => core._core_add_symmetry(place));
  if (distinct && !symmetries && core._core_find_symmetries() < 0) return false;
  return core._core_begin((action === "count" ? 1 : 0) + (distinct ? 2 : 0)) >= 0;
}

// Answers a request: { numbers, action: "count" }, { numbers, action: "first" } or { action: "next" }; with `distinct`, up
// to symmetry.
async function answer(core, request, report) {
  const fail = () => ({ kind: "failed", message: core.UTF8ToString(core._core_message()) });
  if (request.numbers && !begin(core, request)) return fail();
  let reported = Date.now();
  for (;;) {
    const more = core._core_advance();
    if (more < 0) return fail();
    const size = core._core_solution_size();
    if (size >= 0) {
      const place = core._core_solution() / 4;
      return { kind: "solution", options: [...core.HEAPU32.subarray(place, place + size)].sort((a, b) => a - b) };
    }
    if (more === 0) {
      const total = request.action === "count" ? BigInt(`0x${core.UTF8ToString(core._core_total())}`).toString() : null;
      return { kind: "done", total, listed: core._core_listed() };
    }
    if (Date.now() - reported > 500) {
      reported = Date.now();
      report({ kind: "progress", explored: core._core_explored() });
    }
  }
}

if (typeof module !== "undefined") module.exports = { answer };
else {
  const loading = createCore();
  onmessage = async ({ data }) => {
    try {
      postMessage(await answer(await loading, data, postMessage));
    } catch (error) {
      postMessage({ kind: "failed", message: String(error) });
    }
  };
}
