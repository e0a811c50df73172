// A sheet of small pictures, as many as there are; only those in sight exist.

import { group, make, makeButton } from "./data.js";

const GAP = 16; // between two pictures, in pixels
const NUMBER = 18; // the height of a number below a picture

export class Sheet {
  // `draw` gives the picture of a number; `choose` is called with the number that is clicked; `shape` is the height of
  // a picture in widths.
  constructor({ draw, choose, shape }) {
    this.draw = draw;
    this.choose = choose;
    this.shape = shape;
    this.size = this.current = this.height = 0;
    this.across = 1;
    this.first = this.last = -1;
    this.inner = make("div");
    const what = { class: "sheet", role: "group", "aria-label": "All solutions", onscroll: () => this.show() };
    this.element = make("div", what, this.inner);
    new ResizeObserver(() => this.renew()).observe(this.element);
  }

  fillWith(size) {
    this.size = size;
    this.element.scrollTop = 0;
    this.renew();
  }

  renew() {
    this.first = this.last = -1;
    this.show();
  }

  mark(current) {
    this.current = current;
    for (const button of this.inner.querySelectorAll("button")) {
      const isCurrent = Number(button.dataset.number) === current;
      button.setAttribute("aria-current", String(isCurrent));
      button.tabIndex = isCurrent ? 0 : -1;
    }
  }

  // The size of a picture and its gap: the pictures of a row fill the width.
  measure() {
    const room = (this.element.clientWidth || 400) - GAP;
    const wanted = this.shape > 1.6 ? 64 : this.shape < 0.45 ? 200 : 96;
    this.across = Math.max(room < 300 ? 1 : 2, Math.min(8, Math.round(room / (wanted + GAP))));
    const width = Math.floor(room / this.across);
    return [width, Math.ceil((width - GAP) * this.shape) + NUMBER + GAP];
  }

  show() {
    const [width, height] = this.measure();
    this.height = height;
    this.inner.style.height = `${Math.ceil(this.size / this.across) * height + GAP}px`;
    const first = Math.max(0, Math.floor(this.element.scrollTop / height) - 1) * this.across;
    const inSight = Math.ceil((this.element.clientHeight || 500) / height) + 2;
    const last = Math.min(this.size, first + inSight * this.across);
    if (first === this.first && last === this.last) return;
    [this.first, this.last] = [first, last];
    const cells = [];
    for (let k = first; k < last; ++k) cells.push(this.makeCell(k, width, height));
    this.inner.replaceChildren(...cells);
  }

  makeCell(k, width, height) {
    const isCurrent = k === this.current;
    const button = makeButton("", () => this.choose(k), {
      "data-number": k, "aria-current": String(isCurrent), "aria-label": `solution ${k + 1}`,
      tabindex: isCurrent ? "0" : "-1",
    });
    const [left, top] = [(k % this.across) * width + GAP, Math.floor(k / this.across) * height + GAP];
    const style = `left: ${left}px; top: ${top}px; width: ${width - GAP}px; height: ${height - GAP}px`;
    const cell = make("div", { class: "small", style });
    cell.innerHTML = this.draw(k);
    cell.append(make("span", { class: "number", "aria-hidden": "true" }, group(k + 1)), button);
    return cell;
  }

  // The number that a key leads to, or null.
  numberAfter(key) {
    const steps = {
      ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.across, ArrowUp: -this.across,
      PageDown: 4 * this.across, PageUp: -4 * this.across,
    };
    const step = steps[key];
    return step === undefined ? null : Math.min(this.size - 1, Math.max(0, this.current + step));
  }

  // Scroll to a picture and give it the focus.
  focus(number) {
    const top = Math.floor(number / this.across) * this.height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop || top > scrollTop + clientHeight - this.height) this.element.scrollTop = top;
    this.show();
    this.inner.querySelector('[aria-current="true"]')?.focus({ preventScroll: true });
  }
}
