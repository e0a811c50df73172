// The pieces of a puzzle and the ways in which each one can lie: which options are one pose, shifted over the board.
//
// A pose is a set of cells relative to their middle, with what they look like if they differ. Turning and flipping lead
// from pose to pose of the same piece; where that is no other pose of it, as for solids, all poses follow one another.

import { leastBy } from "./data.js";
import { meanOf, middle, reach, UNIT } from "./shapes.js";

const REACH = 0.9; // how far from a cell it snaps, in cells

export class Tray {
  constructor(painter, { names, most, piece }, isSolid) {
    this.painter = painter;
    this.isSolid = isSolid;
    this.pieces = names.map((name, k) => ({ name, most: most[k], number: k, poses: [] }));
    this.pieceOf = piece;
    const known = this.pieces.map(() => new Map());
    this.cells = piece.map((_, option) => this.locateCells(option));
    this.poseOf = piece.map((number, option) => {
      const key = nameShape(this.cells[option]);
      const pose = known[number].get(key) ?? this.addPose(known[number], number, key, option);
      pose.options.push(option);
      return pose;
    });
  }

  // The middles of the places of an option in reading order, each with what it looks like, and its key.
  locateCells(option) {
    const looks = this.painter.looks(option).map(([key, look]) => [key, look.join()]);
    const isPlain = looks.every(([, look]) => look === looks[0][1]);
    return looks
      .map(([key, look]) => [...middle(this.painter.places().get(key)), isPlain ? "" : look, key])
      .sort(order);
  }

  // Whether turning or flipping leads anywhere.
  get canTurn() {
    return this.pieces.some((piece) => piece.poses.length > 1);
  }

  get canFlip() {
    return this.pieces.some((piece) => piece.poses.some((pose) => !this.turnsOf(pose).includes(this.flip(pose))));
  }

  // The poses to which turns lead.
  turnsOf(pose) {
    const found = [pose];
    for (let next = this.turn(pose); !found.includes(next); next = this.turn(next)) found.push(next);
    return found;
  }

  addPose(known, number, key, option) {
    const [x, y] = this.cells[option][0];
    const cells = this.cells[option].map((cell) => [cell[0] - x, cell[1] - y, cell[2]]);
    const pose = { key, number, cells, options: [], place: this.pieces[number].poses.length };
    known.set(key, pose);
    this.pieces[number].poses.push(pose);
    return pose;
  }

  // The pose after a turn to the right, or after a flip.
  turn(pose) {
    if (!this.isSolid)
      for (const angle of [60, 90, 120, 180]) {
        const found = this.find(pose, rotate(angle));
        if (found && found !== pose) return found;
      }
    const { poses } = this.pieces[pose.number];
    return poses[(pose.place + 1) % poses.length];
  }

  flip(pose) {
    return (this.isSolid ? null : this.find(pose, ([x, y, look]) => [-x, y, look])) ?? pose;
  }

  find(pose, move) {
    const key = nameShape(pose.cells.map(move).sort(order));
    return this.pieces[pose.number].poses.find((one) => one.key === key);
  }

  // The option of a pose whose cell `cell` is nearest to a point, or -1 if none is near.
  snap(pose, cell, [x, y]) {
    const far = (option) => Math.hypot(this.cells[option][cell][0] - x, this.cells[option][cell][1] - y);
    const best = leastBy(pose.options, far);
    return far(best) < REACH * UNIT ? best : -1;
  }

  // The nearest option of the pose in a direction.
  neighbor(option, direction) {
    const [[x, y]] = this.cells[option];
    const far = (other) => reach([this.cells[other][0][0] - x, this.cells[other][0][1] - y], direction);
    return leastBy([option, ...this.poseOf[option].options], far);
  }

  // The option of another pose that lies nearest to this one.
  nearest(pose, option) {
    const [x, y] = meanOf(this.cells[option]);
    return leastBy(pose.options, (other) => {
      const [cx, cy] = meanOf(this.cells[other]);
      return Math.hypot(cx - x, cy - y);
    });
  }
}

function order(one, two) {
  return Math.round(one[1] - two[1]) || Math.round(one[0] - two[0]);
}

// Equal for sets of cells that differ by a shift and look alike.
function nameShape(cells) {
  const [x, y] = meanOf(cells);
  const names = cells.map((cell) => `${Math.round((cell[0] - x) / 2)},${Math.round((cell[1] - y) / 2)},${cell[2]}`);
  return names.sort().join(" ");
}

function rotate(degrees) {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return ([x, y, look]) => [cos * x - sin * y, sin * x + cos * y, look];
}
