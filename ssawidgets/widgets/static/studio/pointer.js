// Pointing: by keyboard at a block or a line of the picture, with a frame around it; with the mouse, a ring that follows it.

const SVG_NS = "http://www.w3.org/2000/svg";

const pointer = {
  point(by) {
    const spots = [...this.stageFigure.querySelectorAll(".ssaw-block, .ssaw-row")];
    if (spots.length === 0) return;
    const at = this.spot === null ? (by > 0 ? 0 : spots.length - 1) : this.spot + by;
    if (at < 0 || at >= spots.length) return;
    this.unpoint();
    this.spot = at;
    const target = spots[at];
    const box = target.getBBox();
    const pad = target.matches(".ssaw-row") ? 4 : 6;
    const frame = document.createElementNS(SVG_NS, "rect");
    const sizes = { x: box.x - pad, y: box.y - pad / 2, width: box.width + 2 * pad, height: box.height + pad, rx: 5, class: "ssaw-st-frame" };
    for (const [name, value] of Object.entries(sizes)) frame.setAttribute(name, value);
    target.append(frame);
    this.frame = frame;
    this.pointed.textContent = target.matches(".ssaw-row") ? target.textContent : target.getAttribute("aria-label");
  },

  unpoint() {
    this.frame?.remove();
    this.frame = null;
    const was = this.spot !== null;
    this.spot = null;
    this.pointed.textContent = "";
    return was;
  },

  ring(on = !this.ringed) {
    this.ringed = on;
    this.circle.hidden = !on;
  },

  moveRing(event) {
    if (!this.ringed) return;
    const place = this.root.getBoundingClientRect();
    this.circle.style.transform = `translate(${event.clientX - place.left}px, ${event.clientY - place.top + this.root.scrollTop}px)`;
  },
};
