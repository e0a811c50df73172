// Pictures of solutions as SVG, put together from the shapes of the board and of the options.
//
// A shape is an array: ["c", row, column, tint, strength, region] for a cell, ["t", outline, tint, strength, row, column,
// text, region] for a tile, ["x", row, column, text, strong] for a text, ["d", row, column] for a disc, and ["e", row,
// column, down, strength] for a piece of border. A tint of null means that neighbors get different colors. A tile whose
// region is null has no borders.

import { escapeText } from "./data.js";

export const UNIT = 40;
const KEPT_SIDES = new WeakMap();

export class Painter {
  constructor(drawing, labels) {
    Object.assign(this, drawing); // board, options, columns, rows, pieces, plain, ink
    this.labels = labels;
    this.owners = new Map();
  }

  // Whether solutions can be drawn.
  get draws() {
    return this.options !== undefined;
  }

  // The picture of some options. `strength` gives the share of the color of an option, `focus` the options to show in
  // full; `clickable` makes a group of each option.
  draw(chosen, { title = "", strength = null, focus = null, clickable = false } = {}) {
    if (!this.draws) return this.write(chosen);
    const places = new Map(this.board.filter(isPlace).map((shape) => [keyOf(shape), [shape, -1]]));
    const marks = this.board.filter((shape) => !isPlace(shape)).map((shape) => [shape, -1]);
    for (const option of chosen)
      for (const shape of this.options[option]) {
        if (isPlace(shape)) places.set(keyOf(shape), [shape, option]);
        else marks.push([shape, option]);
      }
    const tints = this.chooseTints(places);
    const fills = new Map(); // option -> color -> path: few elements are laid out faster
    const parts = new Map();
    const add = (option, text) => parts.set(option, (parts.get(option) ?? "") + text);
    for (const [shape, option] of places.values()) {
      const faint = focus !== null && option >= 0 && !focus.has(option);
      const share = (strength === null ? 1 : strength(option)) * (faint ? 0.15 : 1);
      const color = this.color(shape, option, tints, share);
      const paths = fills.get(option) ?? fills.set(option, new Map()).get(option);
      paths.set(color, (paths.get(color) ?? "") + outlineOf(shape));
    }
    for (const [option, paths] of fills) for (const [color, path] of paths) add(option, fill(path, color));
    for (const [shape, option] of marks) add(option, this.mark(shape, this.backgroundOf(shape, places, tints)));
    for (const [shape, option] of places.values())
      if (shape[0] === "t" && shape[6]) add(option, text(middle(shape), shape[6], this.ink, UNIT * 0.4));
    const groups = [...parts].map(([option, inside]) => {
      if (option < 0 || !clickable) return `<g>${inside}</g>`;
      const label = escapeText(this.labels[option]);
      return `<g data-option="${option}" tabindex="0" role="button" aria-label="${label}"><title>${label}</title>${inside}</g>`;
    });
    const borders = this.borders(places);
    const thin = this.grid ? `<path fill="none" stroke="${this.ink}" stroke-opacity="0.35" d="${this.gridLines(places)}"/>` : "";
    const role = title ? `role="${clickable ? "group" : "img"}" aria-label="${escapeText(title)}"` : 'aria-hidden="true"';
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 ${this.columns * UNIT + 8} ${this.rows * UNIT + 8}" ` +
      `${role} font-family="Arial, sans-serif">${groups.join("")}${thin}` +
      `<path fill="none" stroke="${this.ink}" stroke-width="2.5" stroke-linecap="round" pointer-events="none" d="${borders}"/></svg>`
    );
  }

  // A picture of a whole solution that cannot be put together, or a list of labels.
  write(chosen) {
    const picture = this.pictures.get(Array.from(chosen).join());
    if (picture) return picture;
    return `<pre>${escapeText(Array.from(chosen, (option) => this.labels[option]).join("\n"))}</pre>`;
  }

  // A map of shares: how strongly each place is covered.
  drawShares(shares) {
    const strongest = Math.max(...shares.values(), 1e-9);
    let inside = "";
    for (const shape of this.board.filter(isPlace)) inside += fill(outlineOf(shape), this.colorOf(shape, null));
    for (const [key, share] of shares) {
      const shape = this.places().get(key);
      inside += fill(outlineOf(shape), mix(this.plain["-1"], this.pieces[9], share / strongest));
      inside += text(middle(shape), String(Math.round(100 * share)), this.ink, UNIT * 0.32);
    }
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 ${this.columns * UNIT + 8} ${this.rows * UNIT + 8}" role="img" ` +
      `aria-label="percentage of the solutions that cover each place">${inside}</svg>`
    );
  }

  // All places of the board and of options, by key.
  places() {
    this.known ??= new Map([this.board, ...this.options].flat().filter(isPlace).map((shape) => [keyOf(shape), shape]));
    return this.known;
  }

  // The keys of the places that an option covers.
  covered(option) {
    const shapes = this.options[option];
    const cells = shapes.filter(isColored);
    return (cells.length ? cells : shapes.filter((shape) => !isPlace(shape))).map(keyOf).filter((key) => this.places().has(key));
  }

  color(shape, option, tints, share) {
    const tint = tintOf(shape);
    const full = tint === null ? (tints.get(option) ?? 0) : tint;
    return mix(this.plain["-1"], this.hue(full), strengthOf(shape) * share);
  }

  // The tint that an option has in every picture, or undefined.
  tintOfOption(option) {
    return this.options?.[option].filter(isColored).map(tintOf).find((tint) => tint !== null);
  }

  colorOf(shape, option) {
    return this.color(shape, option, new Map(), 1);
  }

  hue(tint) {
    return tint < 0 ? this.plain[tint] : this.pieces[tint % this.pieces.length];
  }

  backgroundOf(shape, places, tints) {
    const place = places.get(`${shape[1]} ${shape[2]}`);
    return place ? this.color(place[0], place[1], tints, 1) : this.plain["-1"];
  }

  mark(shape, background) {
    const tile = this.tileAt(shape[1], shape[2]);
    const [x, y] = tile ? middle(tile) : [(shape[2] + 0.5) * UNIT, (shape[1] + 0.5) * UNIT];
    const ink = isDark(background) ? "#ffffff" : this.ink;
    if (shape[0] === "e") {
      const line = `M${shape[2] * UNIT} ${shape[1] * UNIT}${shape[3] ? "v" : "h"}${UNIT}`;
      return `<path fill="none" stroke="${this.ink}" stroke-width="3" stroke-linecap="round" stroke-opacity="${shape[4]}" d="${line}"/>`;
    }
    if (shape[0] === "d") return `<circle cx="${x}" cy="${y}" r="${UNIT * 0.33}" fill="${ink}"/>`;
    const size = Math.min(UNIT * 0.52, (UNIT * 1.5) / Math.max(1, shape[3].length));
    return text([x, y], shape[3], ink, size, shape[4]);
  }

  tileAt(row, column) {
    this.tiles ??= new Map(
      [...this.board, ...this.options.flat()].filter((shape) => shape[0] === "t").map((shape) => [keyOf(shape), shape]),
    );
    return this.tiles.get(`${row} ${column}`);
  }

  // Different numbers for options that touch and have no tint of their own.
  chooseTints(places) {
    const neighbors = new Map();
    const open = [...places.values()].filter(([shape, option]) => option >= 0 && tintOf(shape) === null);
    if (!open.length) return neighbors;
    const owners = new Map(open.map(([shape, option]) => [keyOf(shape), option]));
    for (const [shape, option] of open) {
      const own = neighbors.get(option) ?? new Set();
      neighbors.set(option, own);
      const [row, column] = placeOf(shape);
      const reach = shape[0] === "t" ? 2 : 1;
      for (let down = -reach; down <= reach; ++down)
        for (let right = -reach; right <= reach; ++right) {
          const other = owners.get(`${row + down} ${column + right}`);
          if (other !== undefined && other !== option) own.add(other);
        }
    }
    const tints = new Map();
    for (const [option, others] of [...neighbors].sort((one, two) => two[1].size - one[1].size)) {
      const taken = new Set(Array.from(others, (other) => tints.get(other)));
      let tint = 0;
      while (taken.has(tint)) ++tint;
      tints.set(option, tint);
    }
    return tints;
  }

  gridLines(places) {
    const cells = [...places.values()].filter(([shape]) => shape[0] === "c");
    return cells.map(([shape]) => `M${shape[2] * UNIT} ${shape[1] * UNIT}h${UNIT}v${UNIT}h-${UNIT}z`).join("");
  }

  // Lines between different regions.
  borders(places) {
    const sides = new Map();
    for (const [shape] of places.values()) {
      const region = shape.at(-1);
      if (region === null) continue; // a tile without borders
      for (const side of sidesOf(shape)) {
        const known = sides.get(side);
        if (known === undefined) sides.set(side, { region, twice: false });
        else if (known.region === region) known.twice = true;
      }
    }
    return [...sides].filter(([, side]) => !side.twice).map(([line]) => `M${line}`).join("");
  }
}

function outlineOf(shape) {
  if (shape[0] === "c") return `M${shape[2] * UNIT} ${shape[1] * UNIT}h${UNIT}v${UNIT}h-${UNIT}z`;
  return `M${shape[1].map(([x, y]) => `${round(x * UNIT)} ${round(y * UNIT)}`).join(" ")}z`;
}

// The corners of a cell or tile, in cells.
export function cornersOf(shape) {
  return shape[0] === "t" ? shape[1] : [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => [shape[2] + x, shape[1] + y]);
}

// The sides of a cell or tile, each as a line with its ends in order; they are kept, because many pictures need them.
function sidesOf(shape) {
  const kept = KEPT_SIDES.get(shape);
  if (kept !== undefined) return kept;
  const texts = cornersOf(shape).map(([x, y]) => `${round(x * UNIT)} ${round(y * UNIT)}`);
  const sides = texts.map((text, k) => [text, texts[(k + 1) % texts.length]].sort().join("L"));
  KEPT_SIDES.set(shape, sides);
  return sides;
}

function fill(path, color) {
  return `<path fill="${color}" stroke="${color}" stroke-width="0.6" d="${path}"/>`;
}

function isPlace(shape) {
  return shape[0] === "c" || shape[0] === "t";
}

function isColored(shape) {
  return isPlace(shape) && (tintOf(shape) === null || tintOf(shape) >= 0);
}

function placeOf(shape) {
  return shape[0] === "t" ? [shape[4], shape[5]] : [shape[1], shape[2]];
}

function keyOf(shape) {
  return shape[0] === "t" && shape[4] === null ? JSON.stringify(shape[1]) : placeOf(shape).join(" ");
}

function tintOf(shape) {
  return shape[0] === "c" ? shape[3] : shape[2];
}

function strengthOf(shape) {
  return shape[0] === "c" ? shape[4] : shape[3];
}

function middle(shape) {
  if (shape[0] !== "t") return [(shape[2] + 0.5) * UNIT, (shape[1] + 0.5) * UNIT];
  const sums = shape[1].reduce(([x, y], corner) => [x + corner[0], y + corner[1]], [0, 0]);
  return sums.map((sum) => (sum / shape[1].length) * UNIT);
}

function text([x, y], content, ink, size, strong = false) {
  const weight = strong ? ' font-weight="700"' : "";
  return `<text x="${round(x)}" y="${round(y)}" dy="0.35em" text-anchor="middle" font-size="${round(size)}"${weight} fill="${ink}">${escapeText(content)}</text>`;
}

function round(number) {
  return Math.round(number * 10) / 10;
}

function parts(color) {
  return [1, 3, 5].map((place) => parseInt(color.slice(place, place + 2), 16));
}

function mix(paper, full, share) {
  const mixed = parts(paper).map((part, k) => Math.round(part + (parts(full)[k] - part) * Math.min(1, Math.max(0, share))));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function isDark(color) {
  const [red, green, blue] = parts(color).map((part) => (part / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18;
}
