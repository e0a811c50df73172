// Runs the core beside the page. It is stopped by ending it, so it never has to look for messages while it works.
"use strict";

function copyNumbers(core, numbers) {
  const place = core._malloc(4 * Math.max(1, numbers.length));
  core.HEAP32.set(numbers, place / 4);
  return place;
}

// Answers a request: { numbers, action: "count" }, { numbers, action: "first" } or { action: "next" }.
async function answer(core, request, report) {
  const fail = () => ({ kind: "failed", message: core.UTF8ToString(core._core_message()) });
  if (request.numbers) {
    const place = copyNumbers(core, request.numbers);
    const loaded = core._core_load(place, request.numbers.length);
    core._free(place);
    if (loaded < 0 || core._core_begin(request.action === "count" ? 1 : 0) < 0) return fail();
  }
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
      return { kind: "done", total };
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
