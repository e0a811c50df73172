// Files of the studio: what to save a puzzle as, which one to open, and exports.

import { make, makeButton, makeChip, mistakeOf, say } from "./data.js";
import { recallPage } from "./share.js";
import { ask, showDialog, stopAsking, useFiles } from "./talk.js";

export const EXPORTS = {
  html: "Page to look at and play (HTML)",
  puzzle: "Puzzle (SVG)",
  print: "Puzzle to print (PDF)",
  svg: "One solution (SVG)",
  sheet: "Sheet of solutions (SVG)",
  cut: "Pieces to cut (SVG)",
  dxf: "Pieces to cut (DXF)",
  stl: "Pieces to print in 3-D (STL)",
  yaml: "YAML",
};

// Ask for the name of a file, without its suffix; null if there is none.
export function askForName(name) {
  const wanted = make("input", { value: name, required: true, maxlength: "90", "aria-label": "Name of the file" });
  return new Promise((resolve) => {
    const answer = () => resolve(dialog.returnValue ? wanted.value.trim() : null);
    const dialog = make("dialog", { "aria-label": "Save", onclose: answer },
      make("form", { method: "dialog" },
        make("h2", {}, "Save this puzzle"),
        make("label", {}, "Name ", wanted, " .yaml"),
        make("div", { class: "bar" },
          make("button", { type: "submit", value: "save", class: "main" }, "Save as this"),
          makeButton("Cancel", () => dialog.close()),
        ),
      ),
    );
    showDialog(dialog);
    wanted.select();
  });
}

// Write a file; returns whether it was written. `known` is the text that it had when it was read or written last.
export async function writeFile(file, text, known) {
  let answer = await useFiles({ name: file, text, known });
  if (answer.error?.includes("exists already") && confirm(`${answer.error}. Replace it?`))
    answer = await useFiles({ name: file, text, replace: true });
  say(answer.error ?? `saved as ${file}`);
  return !answer.error;
}

// Ask for a file of the folder or an example; null if none is chosen, else what to open, with the name and the text of
// the file.
export async function chooseFile(examples) {
  const kept = await useFiles({});
  const chosen = await new Promise((resolve) => {
    const list = (names, key) => {
      const open = (file) => (resolve({ [key]: file }), dialog.close());
      return make("ul", { class: "chips" }, ...names.map((file) => makeChip(file, () => open(file))));
    };
    const dialog = make("dialog", { "aria-label": "Open", onclose: () => resolve(null) },
      make("h2", {}, `Puzzles in ${kept.folder ?? ""}`),
      kept.names?.length ? list(kept.names, "file") : make("p", { class: "soft" }, kept.error ?? "There is none yet."),
      make("h2", {}, "Examples"),
      list(examples, "example"),
      make("div", { class: "bar" }, makeButton("Cancel", () => dialog.close())),
    );
    showDialog(dialog);
  });
  if (chosen === null) return null;
  if (chosen.example) return { what: chosen, file: { name: chosen.example, known: null } };
  const answer = await useFiles({ name: chosen.file });
  if (!answer.error) return { what: { yaml: answer.text }, file: { name: chosen.file, known: answer.text } };
  say(answer.error);
  return null;
}

// Make a file of the puzzle and save it; a line says that it is being made, and can end it. Each format has a channel
// of its own, so that one export does not end another.
export async function exportPuzzle(puzzle, format) {
  const line = make("p", { class: "progress", role: "status" });
  const list = document.getElementById("exports");
  line.append(
    make("progress", { "aria-label": EXPORTS[format] }),
    make("span", {}, `${EXPORTS[format]} ...`),
    makeButton("Stop", () => (stopAsking(`export ${format}`), line.remove()), { class: "bare" }),
  );
  list.append(line);
  const question = { question: "export", ...puzzle, format, page: recallPage() };
  const answer = await ask(`export ${format}`, question, (part) => {
    if (part.progress) line.querySelector("span").textContent = `${EXPORTS[format]}: ${part.progress}`;
  });
  line.remove();
  if (answer === null) return;
  if (!answer.content) return say(mistakeOf(answer));
  const bytes = Uint8Array.from(atob(answer.content), (letter) => letter.charCodeAt(0));
  const link = make("a", { href: URL.createObjectURL(new Blob([bytes])), download: answer.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say(`${answer.name}: ${bytes.length.toLocaleString("en")} bytes`);
}
