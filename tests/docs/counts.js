// Counts puzzles with the compiled core under Node, and lists the first solutions, also up to symmetry:  node counts.js CORE [totals] < puzzles.json
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
    const { numbers, labels, symmetries } = encodePuzzle(puzzle);
    const ask = (action, distinct) => answer(core, { numbers, symmetries, distinct, action }, () => {});
    const { total } = await ask("count", false);
    const result = { total, classes: null };
    results.push(result);
    if (process.argv[3] === "totals") continue;
    if (Number(total) < 20_000) result.classes = await ask("count", true);
    for (const distinct of [false, true]) {
      const listed = [];
      let found = await ask("first", distinct);
      for (; found.kind === "solution" && listed.length < 100; found = await answer(core, { action: "next" }, () => {}))
        listed.push(found.options.map((option) => labels[option]));
      Object.assign(result, distinct ? { distinct: listed.length } : { listed, ended: found.kind });
    }
  }
  process.stdout.write(JSON.stringify(results));
})();
