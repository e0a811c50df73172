// Heat maps: which share of the solutions has a kind of thing at each place, and where borders run.

import { addTo, pushTo } from "./data.js";

// The shares of options among some solutions, by option.
export function countShares(solutions) {
  const counts = new Map();
  for (const solution of solutions) for (const option of solution) addTo(counts, option);
  for (const [option, number] of counts) counts.set(option, number / solutions.length);
  return counts;
}

export class HeatMaps {
  constructor(painter) {
    this.painter = painter;
    this.kinds = new Map(); // name of a kind -> its options
    if (!painter.draws) return;
    painter.options.forEach((_, option) => pushTo(this.kinds, painter.textOf(option) ?? "", option));
    const order = new Intl.Collator("en", { numeric: true }).compare;
    this.kinds = new Map([...this.kinds].sort(([one], [other]) => order(one, other)));
  }

  // The color of a kind on its chip.
  tintOf(kind) {
    return this.painter.tintOfOption(this.kinds.get(kind)[0]);
  }

  // The picture of a kind, given the shares of options; `whole` says of which solutions.
  draw(kind, shares, whole) {
    const places = new Map();
    for (const option of this.kinds.get(kind))
      for (const key of this.painter.covered(option))
        if (shares.has(option)) addTo(places, key, shares.get(option));
    for (const [key, share] of places) places.set(key, Math.min(1, Math.round(share * 1e9) / 1e9));
    if (kind === "" && this.kinds.size === 1 && [...places.values()].every((share) => share === 1)) {
      const title = `how often a border runs between two places, in ${whole}`;
      return { title, picture: this.painter.drawBorders(this.countJoined(shares), title) };
    }
    const title = `percentage of ${whole} in which ${kind || "something"} covers this place`;
    return { title, picture: this.painter.drawShares(places, this.tintOf(kind) ?? 6, title) };
  }

  // The share of solutions that join two places by one thing, by the side between them.
  countJoined(shares) {
    const joined = new Map();
    for (const [option, share] of shares)
      for (const side of this.painter.sidesInside(option)) addTo(joined, side, share);
    return joined;
  }
}
