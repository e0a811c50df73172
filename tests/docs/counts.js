// Counts puzzles with the compiled core under Node, and lists the first solutions:  node counts.js CORE < puzzles.json
"use strict";
const fs = require("fs");
const path = require("path");
const site = path.join(__dirname, "..", "..", "docs", "try");
const { encodePuzzle } = require(path.join(site, "puzzles.js"));
const { answer } = require(path.join(site, "worker.js"));
const createCore = require(path.resolve(process.argv[2]));

(async () => {
  const core = await createCore();
  const results = [];
  for (const puzzle of JSON.parse(fs.readFileSync(0, "utf8"))) {
    const { numbers, labels } = encodePuzzle(puzzle);
    const { total } = await answer(core, { numbers, action: "count" }, () => {});
    const listed = [];
    let found = await answer(core, { numbers, action: "first" }, () => {});
    for (; found.kind === "solution" && listed.length < 100; found = await answer(core, { action: "next" }, () => {}))
      listed.push(found.options.map((option) => labels[option]));
    results.push({ total, listed, ended: found.kind });
  }
  process.stdout.write(JSON.stringify(results));
})();
