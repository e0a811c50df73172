// Cells of drawings: where they are, and drawings as lists of rows. A drawing has layers; in the plane it has one.

const UNIT = 32;
const HEIGHT = Math.sqrt(3) / 2;

export const isSolid = (kind) => kind === "cubes" || kind === "spheres";

// Whether a place can hold a cell. Hexagons are two columns apart. `shift` is 1 if the first place of the first row
// holds none, or a triangle that points down.
export const isPlace = (kind, row, column, shift = 0) => kind !== "hexagons" || (row + column + shift) % 2 === 0;

// The corners of a cell.
export function outline(kind, row, column, shift = 0) {
  if (kind === "hexagons") {
    const [x, y, radius] = [((column + 1) * UNIT) / 2, (row * HEIGHT + 0.62) * UNIT, UNIT / Math.sqrt(3)];
    const turns = [0, 1, 2, 3, 4, 5].map((k) => (k * Math.PI) / 3);
    return turns.map((turn) => [x + radius * Math.sin(turn), y - radius * Math.cos(turn)]);
  }
  if (kind === "triangles") {
    const [x, top, bottom] = [(column * UNIT) / 2, row * HEIGHT * UNIT, (row + 1) * HEIGHT * UNIT];
    const [base, tip] = (row + column + shift) % 2 === 0 ? [bottom, top] : [top, bottom];
    return [[x, base], [x + UNIT, base], [x + UNIT / 2, tip]];
  }
  const [x, y] = [column * UNIT, row * UNIT];
  return [[x, y], [x + UNIT, y], [x + UNIT, y + UNIT], [x, y + UNIT]];
}

export function path(corners) {
  return `M${corners.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}z`;
}

export function extent(kind, rows, columns) {
  if (kind === "hexagons") return [((columns + 1) * UNIT) / 2, (rows * HEIGHT + 0.4) * UNIT];
  if (kind === "triangles") return [((columns + 1) * UNIT) / 2, rows * HEIGHT * UNIT];
  return [columns * UNIT, rows * UNIT];
}

// A layer of equal characters.
export function fill(kind, rows, columns, character, blank = "_", shift = 0) {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => (isPlace(kind, row, column, shift) ? character : blank)),
  );
}

// Layers of rows of characters, all of one size.
export function readLayers(kind, texts, blank, rows = 0, columns = 0) {
  const layers = texts.map((text) => text.split("\n").map((row) => [...row]));
  const height = Math.max(rows, ...layers.map((layer) => layer.length));
  const width = Math.max(columns, ...layers.flat().map((row) => row.length));
  return layers.map((layer) =>
    Array.from({ length: height }, (_, row) =>
      Array.from({ length: width }, (_, column) => layer[row]?.[column] ?? blank),
    ),
  );
}

// The shift with which the first cell of a drawing is one, or points up.
export function shiftOf(kind, layers, blank) {
  const first = kind === "hexagons" || kind === "triangles" ? findFirst(layers[0], blank) : null;
  return first ? (first[0] + first[1]) % 2 : 0;
}

export function findFirst(layer, blank) {
  for (let row = 0; row < layer.length; ++row) {
    const column = layer[row].findIndex((one) => one !== blank && one !== " ");
    if (column >= 0) return [row, column];
  }
  return null;
}

// A board as rows, or as layers. The first triangle of a drawing points up, so a blocked one may have to come first.
export function writeBoard(kind, layers, shift = 0) {
  if (isSolid(kind)) return layers.map((layer) => layer.map((row) => row.join("")).join("\n"));
  const copy = layers[0].map((row) => [...row]);
  const first = kind === "triangles" ? findFirst(copy, "_") : null;
  if (first && (first[0] + first[1] + shift) % 2) {
    const [row, column] = first;
    if (column > 0) copy[row][column - 1] = "#";
    else if (row > 0) copy[row - 1][column] = "#";
    else copy.forEach((line, k) => line.unshift(k === 0 ? "#" : "_"));
  }
  return copy.map((row) => row.join(""));
}

// A piece as text; triangles are turned until the first one points up.
export function writePiece(kind, layers, shift = 0) {
  if (isSolid(kind)) return trim(layers).map((layer) => layer.map((row) => row.join("")).join("/")).join("//");
  let layer = shift ? layers[0].map((row) => [".", ...row]) : layers[0];
  for (let turn = 0; kind === "triangles" && turn < 6; ++turn) {
    const first = findFirst(layer, ".");
    if (!first || (first[0] + first[1]) % 2 === 0) break;
    layer = turnTriangles(layer);
  }
  return trim([layer])[0].map((row) => row.join("").replace(/\.+$/, "")).join("/");
}

// Layers without what is empty around them.
function trim(layers) {
  const hasCell = (row) => row.includes("#");
  const full = layers.slice(
    layers.findIndex((layer) => layer.some(hasCell)),
    layers.findLastIndex((layer) => layer.some(hasCell)) + 1,
  );
  if (!full.length) return layers;
  const rows = full[0].map((_, k) => full.some((layer) => hasCell(layer[k])));
  const columns = full[0][0].map((_, k) => full.some((layer) => layer.some((row) => row[k] === "#")));
  const cut = (list, flags) => list.slice(flags.indexOf(true), flags.lastIndexOf(true) + 1);
  return full.map((layer) => cut(layer, rows).map((row) => cut(row, columns)));
}

// A sixth of a turn, on the lattice of `problems/lattices.py`.
function turnTriangles(layer) {
  const places = [];
  layer.forEach((row, r) =>
    row.forEach((one, column) => {
      if (one !== "#") return;
      const below = 3 * r + ((r + column) % 2 === 0 ? 2 : 1);
      const q = (column - below) / 2;
      const [down, right] = [2 * below + 3 * q, -below - q];
      places.push([Math.floor(down / 3), 2 * right + down]);
    }),
  );
  const top = Math.min(...places.map(([row]) => row));
  let left = Math.min(...places.map(([, column]) => column));
  if ((top + left) % 2) --left; // keeps what points up
  const [rows, columns] = [0, 1].map((k) => Math.max(...places.map((place) => place[k] - [top, left][k])) + 1);
  const turned = fill("squares", rows, columns, ".");
  for (const [row, column] of places) turned[row - top][column - left] = "#";
  return turned;
}

// The layers of a drawing that has one line, each as lines.
export const splitDrawing = (drawing) => drawing.split("//").map((text) => text.replaceAll("/", "\n"));

// A small picture of a piece, in the color of a tint.
export function drawPiece(kind, drawing, tint) {
  const layers = readLayers(kind, splitDrawing(drawing), ".");
  const shift = shiftOf(kind, layers, ".");
  let [fill, border, right, height] = ["", "", 0, 0];
  for (const layer of layers) {
    const [width, tall] = extent(kind, layer.length, layer[0].length);
    const cells = layer.flatMap((row, r) =>
      row.flatMap((one, column) => (one === "#" ? [outline(kind, r, column, shift)] : [])),
    );
    const moved = cells.map((corners) => corners.map(([x, y]) => [x + right, y]));
    fill += moved.map(path).join("");
    border += outerSides(moved);
    right += width + UNIT / 2;
    height = Math.max(height, tall);
  }
  return (
    `<svg class="paint piece-picture" viewBox="-2 -2 ${right - UNIT / 2 + 4} ${height + 4}" aria-hidden="true">` +
    `<path class="inside" style="fill: var(--tint-${tint})" d="${fill}"/><path class="rim" d="${border}"/></svg>`
  );
}

// The sides that only one of some cells has, as a path.
export function outerSides(cells) {
  const sides = new Map();
  for (const corners of cells)
    corners.forEach((corner, k) => {
      const ends = [corner, corners[(k + 1) % corners.length]];
      const side = ends.map((one) => one.map((part) => part.toFixed(1)).join(" ")).sort().join("L");
      sides.set(side, (sides.get(side) ?? 0) + 1);
    });
  return [...sides].map(([side, count]) => (count === 1 ? `M${side}` : "")).join("");
}
