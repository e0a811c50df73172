// Pictures of solutions as SVG, put together from the shapes of the board and of the options.
//
// A shape is an array: ["c", row, column, tint, strength, region] for a cell, ["t", outline, tint, strength, row,
// column, text, region] for a tile, ["x", row, column, text, strong] for a text, ["d", row, column, text, hollow] for
// a disc, ["e", row, column, down, strength] for a piece of border, and ["l", sides] for dashed lines, each as the
// numbers of its ends. A tint of null means that neighbors get different colors, a strength of null that neighbors of
// one tint get different strengths. A cell or a tile whose region is null has no borders.
//
// Attributes have the light colors. Classes and the variable --s let the style of the page choose those of the theme.

import { addTo, escapeText } from "./data.js";
import { countSides, isColored, isPlace, keyOf, middle, outlineOf, placeOf, round, sidesOf, sizeIn } from "./shapes.js";
import { READABLE, strengthOf, text, tintOf, UNIT } from "./shapes.js";

const STEEP = 1.6; // how fast a heat map gets stronger near the largest share
const COLORED = 0.25; // the least strength of a color that counts as one
const LINES = {
  blank: 'class="rule" stroke-width="1" stroke-opacity="0.3"',
  inner: 'class="outline" stroke-width="1" stroke-opacity="0.16"',
  rule: 'class="rule" stroke-width="2"',
  outline: 'class="outline" stroke-width="2"',
  wide: 'class="rule wide" stroke-width="3"',
  dashes: 'class="rule" stroke-width="1.5" stroke-dasharray="2 4"',
};

/**
 * The color of a place: a tint, and its share, from 0 to 1.
 * @typedef {{tint: number, share: number}} Look
 */

export class Painter {
  // What solutions are put together from; nothing if there are only whole pictures.
  /** @type {any[][]} */ board;
  /** @type {any[][][]} */ options;
  /** @type {number} */ rows;
  /** @type {number} */ columns;
  /** @type {boolean} */ grid;
  /** @type {any[][]} */ segments = []; // that options draw: the ends of each, and the options
  /** @type {Map<string, string>} */ pictures = new Map(); // of whole solutions
  // What is kept, because many pictures need it.
  /** @type {Map<string, any[]>} */ known;
  /** @type {number[]} */ lengths; // of the longest texts of options and of the board

  // The palette is that of exactcover/viewer/drawing.py.
  /** @param {object} drawing @param {string[]} labels @param {Record<string, any>} palette */
  constructor(drawing, labels, palette) {
    Object.assign(this, drawing);
    this.labels = labels;
    this.palette = palette;
  }

  // Whether solutions can be drawn.
  get draws() {
    return this.options !== undefined;
  }

  // How wide pictures are at least for their longest texts to be read, in pixels.
  get leastWidth() {
    return this.columns * READABLE * Math.max(2.5, this.longest(false) / 1.35, this.longest(true) / 1.35);
  }

  // The picture of some options. `strength` gives the share of the color of an option, `focus` the options to show in
  // full; `clickable` makes a group of each option; `small` leaves out what cannot be read in a small picture.
  draw(chosen, { title = "", strength = null, focus = null, clickable = false, small = false } = {}) {
    if (!this.draws) return this.write(chosen);
    const places = new Map(this.board.filter(isPlace).map((shape) => [keyOf(shape), [shape, -1]]));
    const marks = this.board.filter((shape) => !isPlace(shape)).map((shape) => [shape, -1]);
    for (const option of chosen)
      for (const shape of this.options[option]) {
        if (isPlace(shape)) places.set(keyOf(shape), [shape, option]);
        else marks.push([shape, option]);
      }
    const { strengths } = this.palette;
    const tints = this.chooseNumbers(places, (shape) => tintOf(shape) === null);
    const copies = this.chooseNumbers(places, (shape) => strengthOf(shape) === null);
    const look = (shape, option) => {
      const faint = focus !== null && option >= 0 && !focus.has(option);
      const own = strengthOf(shape) ?? strengths[(copies.get(option) ?? 0) % strengths.length];
      const share = own * (strength === null || option < 0 ? 1 : strength(option)) * (faint ? 0.15 : 1);
      return { tint: tintOf(shape) ?? tints.get(option) ?? 0, share: Math.round(share * 1000) / 1000 };
    };
    const fills = new Map(); // option, tint and share -> path: few elements are laid out faster
    const parts = new Map();
    for (const [shape, option] of places.values()) {
      const { tint, share } = look(shape, option);
      addTo(fills, `${option} ${tint} ${share}`, outlineOf(shape));
    }
    for (const [key, path] of fills) {
      const [option, tint, share] = key.split(" ").map(Number);
      addTo(parts, option, this.fill(path, tint, share));
    }
    const isGiven = (mark) => mark[1] === -1 && mark[0][0] === "x"; // its text stands above lines
    for (const mark of [...marks.filter((one) => !isGiven(one)), ...marks.filter(isGiven)]) {
      const [shape, option] = mark;
      const place = places.get(`${shape[1]} ${shape[2]}`);
      const behind = place ? look(...place) : { tint: -1, share: 1 };
      const layer = isGiven(mark) ? -2 : option;
      if (small && shape[0] === "x" && behind.tint >= 0) continue;
      addTo(parts, layer, this.mark(shape, behind, option === -1));
    }
    for (const [shape, option] of places.values())
      if (shape[0] === "t" && shape[6] && !small)
        addTo(parts, option, text(middle(shape), shape[6], this.ink(look(shape, option)), sizeIn(shape)));
    const groups = [...parts].map(([option, inside]) => {
      if (option < 0 || !clickable) return `<g>${inside}</g>`;
      const label = escapeText(this.labels[option]);
      const role = `tabindex="0" role="button" aria-label="${label}"`;
      return `<g data-option="${option}" ${role}><title>${label}</title>${inside}</g>`;
    });
    const kind = clickable ? "group" : "img";
    const role = title ? `role="${kind}" aria-label="${escapeText(title)}"` : 'aria-hidden="true"';
    return this.frame(role, groups.join("") + this.lines(places, look, small));
  }

  frame(role, inside) {
    const half = this.segments.length ? UNIT * 0.1 : 1; // of a line
    const box = `${-half} ${-half} ${this.columns * UNIT + 2 * half} ${this.rows * UNIT + 2 * half}`;
    const name = "http://www.w3.org/2000/svg";
    return `<svg xmlns="${name}" viewBox="${box}" ${role} font-family="${this.palette.font}">${inside}</svg>`;
  }

  // A picture of a whole solution that cannot be put together, or a list of labels.
  write(chosen) {
    const picture = this.pictures.get(Array.from(chosen).join());
    if (picture) return picture;
    return `<pre>${escapeText(Array.from(chosen, (option) => this.labels[option]).join("\n"))}</pre>`;
  }

  // A map of shares: how strongly each place is covered.
  drawShares(shares, tint, title) {
    const { deepTints, pieces } = this.palette;
    const strongest = Math.max(...[...shares.values()].map(rounded), 0.01);
    const places = new Map([...this.places()].map(([key, shape]) => [key, [asPaper(shape), -1]]));
    const look = (shape) => {
      const share = shares.get(keyOf(shape)) ?? 0;
      if (!share) return { tint: Math.min(tintOf(shape), -1), share: 1 };
      const strength = 0.05 + 0.95 * (rounded(share) / strongest) ** STEEP;
      return { tint: deepTints + (tint % pieces.length), share: strength };
    };
    let inside = "";
    for (const [shape] of places.values()) {
      const own = look(shape);
      inside += this.fill(outlineOf(shape), own.tint, own.share);
    }
    for (const [key, share] of shares)
      if (share && places.has(key)) {
        const shape = places.get(key)[0];
        inside += text(middle(shape), percent(share), this.ink(look(shape)), UNIT * 0.3);
      }
    return this.frame(`role="img" aria-label="${escapeText(title)}"`, inside + this.lines(places, look, false));
  }

  // A map of borders: how often one runs between two places, given the share of solutions that join them.
  drawBorders(joined, title) {
    const places = [...this.places().values()].map(asPaper);
    const fills = places.map((shape) => this.fill(outlineOf(shape), tintOf(shape), 1)).join("");
    const byShare = new Map();
    for (const [side, count] of countSides(places)) {
      const share = count === 1 ? 1 : Math.round(100 * (1 - Math.min(1, joined.get(side) ?? 0))) / 100;
      if (share) addTo(byShare, share, `M${side}`);
    }
    const lines = [...byShare].map(([share, path]) => this.line("rule", path, ` stroke-opacity="${share}"`));
    return this.frame(`role="img" aria-label="${escapeText(title)}"`, fills + lines.join(""));
  }

  // The sides that two places of an option share.
  sidesInside(option) {
    const sides = countSides(this.options[option].filter(isColored));
    return [...sides].filter(([, count]) => count === 2).map(([side]) => side);
  }

  // All places of the board and of options, by key.
  places() {
    this.known ??= new Map([this.board, ...this.options].flat().filter(isPlace).map((shape) => [keyOf(shape), shape]));
    return this.known;
  }

  // The keys of the places that an option covers.
  covered(option) {
    const shapes = this.options[option];
    const keysOf = (some) => some.map(keyOf).filter((key) => this.places().has(key));
    const colored = keysOf(shapes.filter(isColored));
    return colored.length ? colored : keysOf(shapes.filter((shape) => !isPlace(shape)));
  }

  // The tint and the strength of each place that an option covers, by key; null where the picture chooses.
  /** @returns {[string, any[]][]} */
  looks(option) {
    const shapes = new Map(this.options[option].filter(isColored).map((shape) => [keyOf(shape), shape]));
    return this.covered(option).map((key) => {
      const shape = shapes.get(key);
      return [key, shape ? [tintOf(shape), strengthOf(shape)] : [null, null]];
    });
  }

  // The texts of an option, if there is one for each of its places, large enough for a small picture.
  drawTexts(option) {
    const texts = this.options[option].filter((shape) => shape[0] === "x");
    const looks = new Map(this.looks(option));
    if (texts.length < looks.size) return "";
    const write = (shape) => {
      const [tint, share] = looks.get(keyOf(shape)) ?? [null, null];
      const size = (UNIT * 0.7) / Math.max(1, shape[3].length / 2);
      return text(middle(shape), shape[3], this.ink({ tint: tint ?? -1, share: share ?? 1 }), size);
    };
    return texts.map(write).join("");
  }

  // The tint that an option has in every picture, or undefined.
  tintOfOption(option) {
    return this.options?.[option].filter(isColored).map(tintOf).find((tint) => tint !== null);
  }

  // The light color of a tint, or the dark one.
  hue(tint, theme = "light") {
    const { deepTints } = this.palette;
    const names = theme === "light" ? ["pieces", "plain", "deepPieces"] : ["darkPieces", "darkPlain", "darkDeepPieces"];
    const [pieces, plain, deep] = names.map((name) => this.palette[name]);
    if (tint >= deepTints) return deep[(tint - deepTints) % deep.length];
    return tint < 0 ? plain[tint] : pieces[tint % pieces.length];
  }

  shade({ tint, share }, theme = "light") {
    return mix(this.hue(-1, theme), this.hue(tint, theme), share);
  }

  fill(path, tint, share) {
    const color = this.shade({ tint, share });
    const strength = share === 1 ? "" : ` style="--s:${share}"`;
    const { deepTints, pieces } = this.palette;
    const name = tint >= deepTints ? `deep${tint - deepTints}` : `t${tint < 0 ? tint : tint % pieces.length}`;
    return `<path class="tint ${name}"${strength} fill="${color}" stroke="${color}" stroke-width="0.6" d="${path}"/>`;
  }

  // The attributes of text on a color.
  ink(look) {
    const behind = isDark(this.shade(look, "dark")) ? "on-dark" : "on-light";
    return `class="${behind}" fill="${isDark(this.shade(look)) ? "#ffffff" : this.palette.inkColor}"`;
  }

  // The text that an option writes, such as a digit.
  textOf(option) {
    return this.options[option].find((shape) => shape[0] === "x")?.[3];
  }

  // The length of the longest text of the board, or of options: texts beside each other have one size.
  longest(isOfBoard) {
    this.lengths ??= [this.options.flat(), this.board].map((shapes) =>
      shapes.reduce((most, shape) => (shape[0] === "x" ? Math.max(most, shape[3].length) : most), 1),
    );
    return this.lengths[Number(isOfBoard)];
  }

  mark(shape, behind, isOfBoard) {
    if (shape[0] === "l") {
      const sides = shape[1].map((side) => side.map((part) => round(part * UNIT)));
      return this.line("dashes", sides.map(([x, y, ...end]) => `M${x} ${y}L${end.join(" ")}`).join(""));
    }
    const [x, y] = middle(this.places().get(`${shape[1]} ${shape[2]}`) ?? shape);
    if (shape[0] === "e") {
      const line = `M${shape[2] * UNIT} ${shape[1] * UNIT}${shape[3] ? "v" : "h"}${UNIT}`;
      return this.line("rule", line, ` stroke-opacity="${shape[4]}"`);
    }
    if (shape[0] === "d") {
      const ring = `${LINES.rule} fill="none" stroke="${this.palette.inkColor}"`;
      return `<circle cx="${x}" cy="${y}" r="${UNIT * 0.3}" ${shape[4] ? ring : this.ink(behind)}/>`;
    }
    const largest = UNIT * (behind.tint < 0 ? 0.52 : 0.4);
    const size = Math.min(largest, (UNIT * 1.35) / this.longest(isOfBoard));
    return text([x, y], shape[3], this.ink(behind), size, shape[4]);
  }

  line(kind, path, more = "") {
    if (!path) return "";
    const ink = `fill="none" stroke="${this.palette.inkColor}" stroke-linecap="round" pointer-events="none"`;
    return `<path ${LINES[kind]} ${ink}${more} d="${path}"/>`;
  }

  // Different numbers for options of the same tint that touch, among those whose shapes belong.
  chooseNumbers(places, belongs) {
    const open = [...places.values()].filter(([shape, option]) => option >= 0 && belongs(shape));
    if (!open.length) return new Map();
    const neighbors = new Map();
    const owners = new Map(open.map(([shape, option]) => [keyOf(shape), [option, tintOf(shape)]]));
    for (const [shape, option] of open) {
      const own = neighbors.get(option) ?? new Set();
      neighbors.set(option, own);
      const [row, column] = placeOf(shape);
      const reach = shape[0] === "t" ? 2 : 1;
      for (let down = -reach; down <= reach; ++down)
        for (let right = -reach; right <= reach; ++right) {
          const other = owners.get(`${row + down} ${column + right}`);
          if (other !== undefined && other[0] !== option && other[1] === tintOf(shape)) own.add(other[0]);
        }
    }
    const numbers = new Map();
    for (const [option, others] of [...neighbors].sort((one, two) => two[1].size - one[1].size)) {
      const taken = new Set(Array.from(others, (other) => numbers.get(other)));
      let number = 0;
      while (taken.has(number)) ++number;
      numbers.set(option, number);
    }
    return numbers;
  }

  // Lines between places: outlines between regions, thin lines inside them.
  lines(places, look, small) {
    const paths = { blank: "", inner: "", outline: "", wide: "", rule: "" };
    const looks = new Map();
    const lookOf = (place) => looks.get(place) ?? looks.set(place, look(...place)).get(place);
    const sides = new Map();
    const isWide = (shape) => this.grid && shape[0] === "c"; // of boxes
    for (const place of places.values()) {
      if (place[0].at(-1) === null) continue; // a tile without borders
      for (const side of sidesOf(place[0])) {
        const known = sides.get(side);
        if (known === undefined) sides.set(side, [place, null]);
        else known[1] = place;
      }
    }
    for (const [side, [one, other]] of sides) {
      const colored = isVivid(lookOf(one)) || (other !== null && isVivid(lookOf(other)));
      if (other === null || one[0].at(-1) !== other[0].at(-1))
        paths[isWide(one[0]) ? "wide" : colored && other !== null ? "outline" : "rule"] += `M${side}`;
      else if (!small && this.isDivided(one[0], other[0], lookOf(one), lookOf(other)))
        paths[colored ? "inner" : "blank"] += `M${side}`;
    }
    return Object.entries(paths).map(([kind, path]) => this.line(kind, path)).join("");
  }

  // Whether a thin line divides two places of one region; shades do it where they differ.
  isDivided(one, other, look, otherLook) {
    if ([one, other].some((shape) => shape[0] === "t" && shape[4] === null)) return false;
    return (this.grid || look.tint === otherLook.tint) && look.tint !== -3;
  }
}

function isVivid({ tint, share }) {
  return tint >= 0 && share >= COLORED;
}

// The paper under a place; lines separate tiles.
function asPaper(shape) {
  if (shape[0] === "c") return tintOf(shape) === -3 ? shape : [...shape.slice(0, 3), -1, 1, "paper"];
  return [...shape.slice(0, 2), -1, 1, ...shape.slice(4, 7), "paper"];
}

// A share as it is shown, in hundredths; only exact shares give 0 and 1.
function rounded(share) {
  const whole = Math.round(100 * share);
  return whole === 0 ? 0.005 : whole === 100 && share < 1 ? 0.99 : whole / 100;
}

function percent(share) {
  const shown = rounded(share);
  return shown < 0.01 ? "<1%" : `${Math.round(100 * shown)}%`;
}

// The red, green and blue of a color.
export function splitColor(color) {
  return [1, 3, 5].map((place) => parseInt(color.slice(place, place + 2), 16));
}

function mix(paper, full, share) {
  const whole = splitColor(full);
  const strength = Math.min(1, Math.max(0, share));
  const mixed = splitColor(paper).map((part, k) => Math.round(part + (whole[k] - part) * strength));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function isDark(color) {
  const [red, green, blue] = splitColor(color).map((part) => (part / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.205; // where white and ink have the same contrast
}
