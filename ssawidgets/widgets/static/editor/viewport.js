// Size, scroll, zoom, and what stays where it is when the picture changes.

const MOVE_MS = 200;
const SETTLE_MS = 1200;
const MARGIN = 10;
const LEAST = 0.3;
const MOST = 2.5;
const CULL_FROM = 100;

const viewport = {
  // Sizes and scroll of the stage as they are now.
  measure() {
    const { clientWidth, clientHeight, offsetHeight, scrollLeft, scrollTop } = this.stage;
    Object.assign(this.seen, { width: clientWidth, height: clientHeight, bar: offsetHeight - clientHeight, scrollLeft, scrollTop });
    if (!this.seen.tallest) this.seen.tallest = this.tallest();
  },

  // The stage may be as tall as lets the whole editor be seen at once, in whatever the page scrolls it.
  tallest() {
    let view = window.innerHeight;
    for (let up = this.root.parentElement; up; up = up.parentElement) {
      const scrolls = /auto|scroll/.test(getComputedStyle(up).overflowY);
      // What is as tall as its content because nothing says otherwise is no window to look through.
      const hugs = up.scrollHeight === up.clientHeight && up.clientHeight < this.root.offsetHeight + 80;
      if (scrolls && !hugs && up.clientHeight > 320) view = Math.min(view, up.clientHeight);
    }
    const frame = [this.bar, this.layerRow, this.actions, this.legend, this.sentence, this.twin];
    const around = frame.reduce((sum, element) => sum + element.offsetHeight, 0);
    const changes = 54; // two lines of what an edit changed, whether or not they are there now
    return Math.max(280, Math.round(view - around - changes - 12));
  },

  // Where blocks are now, as x, y in pixels from the stage's corner.
  screenPlaces() {
    const places = new Map();
    const [ox, oy] = this.origin();
    for (const [key, { box }] of this.blocks) places.set(key, [ox + box.x * this.scale, oy + box.y * this.scale]);
    return places;
  },

  // Where the drawing's corner is, in pixels from the stage's corner, as last measured.
  origin() {
    return [this.left - this.seen.scrollLeft, this.top - this.seen.scrollTop];
  },

  room() {
    return { width: this.seen.width - 2 * MARGIN, height: this.seen.tallest - 2 * MARGIN };
  },

  // Give the drawing its size, and hold the touched block (or what stands for it) where it is on the screen.
  layOut(before, screenBefore) {
    const { scene } = this.state;
    const room = this.room();
    if (room.width <= 0) return; // not shown now; `resized` will come
    const again = before && this.placed;
    if (this.fitting) {
      const fit = fitScale(room, scene);
      // To change the scale at every edit would be restless: it gives way when the drawing gets too wide, no more.
      if (!again) this.scale = fit;
      else if (scene.width * this.scale > room.width) this.scale = Math.min(this.scale, fitScale({ ...room, height: 0 }, scene));
    }
    this.setSize(again ? this.held(screenBefore) : null);
    this.placed = true;
  },

  // The block that keeps its place: the one the edit touched, else the focused one, else the first in sight.
  held(screenBefore) {
    const { touched } = this.state;
    const known = (key) => key !== null && key !== undefined && this.blocks.has(key) && screenBefore.has(key);
    const focused = this.selected?.kind === "block" ? this.selected.key : this.edges.get(this.selected?.key)?.edge.src;
    let key = known(touched) ? touched : known(focused) ? focused : null;
    if (key === null) {
      const inSight = ([, [x, y]]) => x >= 0 && y >= 0 && x < this.seen.width && y < this.seen.height;
      key = [...screenBefore].filter(([k]) => this.blocks.has(k)).find(inSight)?.[0] ?? null;
    }
    return key === null ? null : { box: this.blocks.get(key).box, screen: screenBefore.get(key) };
  },

  // Size and place the drawing. `held` {box, screen}: the box's corner should show at `screen`.
  setSize(held = null, keepFrame = held !== null) {
    const { scene } = this.state;
    const { seen } = this;
    const width = scene.width * this.scale;
    const height = scene.height * this.scale;
    // The frame does not shrink under one's hands: what stands below it would jump at every edit.
    this.frame = Math.min(seen.tallest, Math.max(height + 2 * MARGIN, keepFrame ? this.frame : 0));
    let across = { start: Math.max(MARGIN, (seen.width - width) / 2), scroll: seen.scrollLeft };
    let down = { start: MARGIN, scroll: seen.scrollTop };
    across.total = width + 2 * across.start;
    down.total = height + 2 * MARGIN;
    if (held) {
      const { box, screen } = held;
      across = anchor({ at: box.x * this.scale, screen: screen[0], size: width, view: seen.width, margin: MARGIN });
      down = anchor({ at: box.y * this.scale, screen: screen[1], size: height, view: this.frame, margin: MARGIN });
    }
    // One scrolls by whole pixels: what is left over goes into the drawing's own place.
    this.left = across.start + Math.round(across.scroll) - across.scroll;
    this.top = down.start + Math.round(down.scroll) - down.scroll;
    const px = (element, values) => {
      for (const [name, value] of Object.entries(values)) {
        const text = `${value}px`;
        if (element.style[name] !== text) element.style[name] = text;
      }
    };
    const scaled = `scale(${this.scale})`;
    for (const group of this.scaled) if (group.getAttribute("transform") !== scaled) group.setAttribute("transform", scaled);
    for (const sheet of [this.svg, this.sheet]) px(sheet, { left: this.left, top: this.top, width, height });
    px(this.canvas, { width: Math.floor(across.total + 0.01), height: Math.floor(down.total + 0.01) });
    px(this.stage, { height: Math.ceil(this.frame) + seen.bar });
    for (const [name, value] of [["scrollLeft", across.scroll], ["scrollTop", down.scroll]]) {
      if (Math.round(value) !== seen[name]) this.stage[name] = seen[name] = Math.round(value);
    }
    this.showNear();
    this.percent.textContent = `${Math.round(this.scale * 100)} %`;
    this.drawMapSoon();
  },

  // Of a large picture only the blocks in sight, and a screen around, show their text: to paint 500 blocks' text takes the
  // browser a second at every change of scale, to paint the boxes a fraction of that.
  showNear() {
    const { width, height } = this.seen;
    const [ox, oy] = this.origin();
    const few = this.blocks.size < CULL_FROM;
    for (const drawn of this.blocks.values()) {
      const { box, group } = drawn;
      const [x, y] = [ox + box.x * this.scale, oy + box.y * this.scale];
      const near = few || (x < 2 * width && x + box.width * this.scale > -width && y < 2 * height && y + box.height * this.scale > -height);
      if (drawn.far === !near) continue;
      drawn.far = !near;
      group.classList.toggle("is-far", !near);
    }
  },

  scrolled() {
    Object.assign(this.seen, { scrollLeft: this.stage.scrollLeft, scrollTop: this.stage.scrollTop });
    this.showNear();
    this.drawMapSoon();
  },

  fit() {
    this.measure();
    this.fitting = true;
    this.scale = fitScale(this.room(), this.state.scene);
    this.setSize();
    this.placeBox();
  },

  // Once nobody has touched anything for a moment: a picture that would fit into the frame and stands partly outside
  // it, since the touched block kept its place, comes back in (see `animate` for how).
  settleLater() {
    clearTimeout(this.settling);
    if (!this.fitting || !this.placed) return;
    this.settling = setTimeout(() => this.settle(), SETTLE_MS);
  },

  settle() {
    this.settling = null;
    if (this.drag || this.choice || this.box) return;
    this.measure();
    const { scene } = this.state;
    const { width, height } = this.room();
    const outside = (start, size, seen) => start < 0 || start + size > seen;
    const [left, top] = this.origin();
    const hidden =
      outside(left, scene.width * this.scale, this.seen.width) || outside(top, scene.height * this.scale, this.seen.height);
    if (!hidden || scene.width * this.scale > width || scene.height * this.scale > height) return;
    const before = this.screenPlaces();
    this.setSize(null, true);
    this.animate(before, []);
  },

  // Zoom about a point of the stage (its middle unless given).
  zoom(factor, x = this.seen.width / 2, y = this.seen.height / 2) {
    this.measure();
    const scale = Math.min(MOST, Math.max(LEAST, this.scale * factor));
    const [ox, oy] = this.origin();
    const box = { x: (x - ox) / this.scale, y: (y - oy) / this.scale };
    this.fitting = false;
    this.scale = scale;
    this.setSize({ box, screen: [x, y] });
    this.placeBox();
  },

  wheeled(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const corner = this.stage.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY / 300), event.clientX - corner.left, event.clientY - corner.top);
  },

  resized() {
    const before = this.seen.width;
    this.measure();
    const { width } = this.seen;
    if (!this.state || width <= 0 || (width === before && this.placed)) return;
    this.seen.tallest = this.tallest();
    // A few pixels (a scroll bar that comes or goes) are no reason to draw everything larger or smaller.
    const much = !this.placed || Math.abs(width - before) > 40 || this.state.scene.width * this.scale > width;
    if (this.fitting && much) this.scale = fitScale(this.room(), this.state.scene);
    this.setSize();
    this.placed = true;
    this.placeBox();
  },

  // Let blocks glide from where they were seen to where they are, and new edges appear.
  animate(screenBefore, fresh) {
    const { width, height } = this.seen;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || width === 0) return;
    const [ox, oy] = this.origin();
    const inSight = (x, y, box) => x < width && y < height && x + box.width * this.scale > 0 && y + box.height * this.scale > 0;
    const timing = { duration: MOVE_MS, easing: "cubic-bezier(0.2, 0, 0.2, 1)" };
    for (const [key, { box, group }] of this.blocks) {
      const old = screenBefore.get(key);
      const now = [ox + box.x * this.scale, oy + box.y * this.scale];
      if (!old) {
        group.animate([{ opacity: 0 }, { opacity: 1 }], timing);
        continue;
      }
      const [dx, dy] = [(old[0] - now[0]) / this.scale, (old[1] - now[1]) / this.scale];
      if (Math.abs(dx) + Math.abs(dy) < 0.5 || !(inSight(...old, box) || inSight(...now, box))) continue;
      const at = (x, y) => ({ transform: `translate(${x}px, ${y}px)` });
      group.animate([at(box.x + dx, box.y + dy), at(box.x, box.y)], timing);
    }
    for (const { group, edge } of fresh) {
      const y = oy + edge.y * this.scale;
      const end = y + edge.head[1] * this.scale;
      if (Math.max(y, end) > 0 && Math.min(y, end) < height) group.animate([{ opacity: 0 }, { opacity: 1 }], timing);
    }
  },

  // The point of the drawing under a pointer event.
  point(event) {
    const corner = this.svg.getBoundingClientRect();
    return [(event.clientX - corner.left) / this.scale, (event.clientY - corner.top) / this.scale];
  },

  boxes() {
    return this.state.scene.blocks;
  },
};
