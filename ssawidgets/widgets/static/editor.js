// The browser's half of CfgEditor: it draws what Python sends and reports what the person wants.
//
// Python owns the state. What a person does becomes a command `{op, rev, id, …}`; Python answers `{re: id, accepted,
// message, hint, text, picture}`, the picture without the nodes that are as they were. The whole of it is also in the
// trait `_state`, as JSON, for a second view or one opened later. DOM nodes are kept, and only what differs in
// their description is changed in them. No graph algorithm lives here, only geometry, in the pure functions that come first and that
// node can test.
//
// Text from a person's program reaches the page through text nodes and attributes only, never as markup.

/* ---------------------------------------------------------------- geometry: pure, tested with node */

// Scale at which a drawing of `drawn` {width, height} fits into `room`. It is never enlarged; width decides;
// height is heeded while that costs little. Below `least` one scrolls instead.
export function fitScale(room, drawn, least = 0.5, leastForHeight = 0.66) {
  if (!(room.width > 0) || !(drawn.width > 0)) return 1;
  const byWidth = Math.min(1, room.width / drawn.width);
  const byHeight = room.height / drawn.height;
  const scale = byHeight >= leastForHeight ? Math.min(byWidth, byHeight) : byWidth;
  return Math.max(least, scale);
}

// The block under a point, or null; `slack` widens every box.
export function blockAt(blocks, x, y, slack = 0) {
  for (const b of blocks) {
    const inside =
      x >= b.x - slack && x <= b.x + b.width + slack && y >= b.y - slack && y <= b.y + b.height + slack;
    if (inside) return b;
  }
  return null;
}

// The edge whose arrowhead is nearest to a point, within `reach`, or null.
export function headAt(edges, x, y, reach) {
  let best = null;
  let least = reach;
  for (const e of edges) {
    const distance = Math.hypot(e.x + e.head[0] - x, e.y + e.head[1] - y);
    if (distance <= least) [best, least] = [e, distance];
  }
  return best;
}

// The block one reaches from `from` with an arrow key: the nearest in that direction; null at the border. Up and
// down sideways distance counts half, so that the next row is not skipped; left and right it counts double.
export function nextBlock(blocks, from, key) {
  const middle = (b) => [b.x + b.width / 2, b.y + b.height / 2];
  const [x, y] = middle(from);
  const turn = {
    ArrowDown: (dx, dy) => [dy, dx],
    ArrowUp: (dx, dy) => [-dy, dx],
    ArrowRight: (dx, dy) => [dx, dy],
    ArrowLeft: (dx, dy) => [-dx, dy],
  }[key];
  const weight = key === "ArrowUp" || key === "ArrowDown" ? 0.5 : 2;
  let best = null;
  let least = Infinity;
  for (const b of blocks) {
    const [bx, by] = middle(b);
    const [along, across] = turn(bx - x, by - y);
    const cost = along + weight * Math.abs(across);
    if (b !== from && along > 1 && cost < least) [best, least] = [b, cost];
  }
  return best;
}

// The block meant by typing its name: an exact match, else the first that starts with what was typed.
export function blockTyped(names, typed) {
  if (names.includes(typed)) return typed;
  return names.find((n) => n.startsWith(typed)) ?? null;
}

// Path of the rubber band from a point to a point: leaves downwards, arrives from above, and swings out to the side
// where it would else run straight over what lies between.
export function bandPath([x0, y0], [x1, y1]) {
  const far = Math.abs(y1 - y0);
  const bend = Math.max(24, Math.min(90, far / 2 + Math.abs(x1 - x0) / 8));
  const side = far > 100 ? Math.max(0, 90 - Math.abs(x1 - x0)) : 0;
  return `M${x0},${y0}C${x0 + side},${y0 + bend} ${x1 + side},${y1 - bend} ${x1},${y1}`;
}

// Along one axis: where to put a drawing and how far to scroll so that what is at `at` in it (scaled) shows at
// `screen` in the window. The drawing is moved where that keeps all of it in reach, else it is scrolled.
//   `size` of the drawing, `view` of the window, `margin` to leave; all in pixels
// Returns `start` of the drawing, `scroll`, and the `total` there must be to scroll in.
export function anchor({ at, screen, size, view, margin = 0 }) {
  const shown = screen - at;
  if (shown >= margin) return { start: shown, scroll: 0, total: Math.max(view, shown + size + margin) };
  const scroll = margin - shown;
  return { start: margin, scroll, total: Math.max(margin + size + margin, scroll + view) };
}

// A whole picture from one told in terms of `before`, where a key alone stands for what is the same, and [key, x, y]
// for what only moved; null if it was told in terms of another picture.
export function completed(before, picture) {
  if (!before || picture.base !== before.rev) return null;
  const scene = { ...picture.scene };
  for (const kind of ["blocks", "edges", "extras"]) {
    const old = new Map(before.scene[kind].map((item) => [item.key, item]));
    scene[kind] = scene[kind].map((item) => {
      if (typeof item === "string") return old.get(item);
      if (!Array.isArray(item)) return item;
      const [key, x, y] = item;
      return { ...old.get(key), x, y };
    });
  }
  const rows = new Map(before.rows.map((row) => [row.block, row]));
  return { ...picture, scene, rows: picture.rows.map((row) => (typeof row === "string" ? rows.get(row) : row)) };
}

// Whether two node descriptions (or any JSON values) are the same.
export function same(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!same(a[i], b[i])) return false;
    return true;
  }
  const keys = Object.keys(a);
  if (Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  for (const k of keys) if (!same(a[k], b[k])) return false;
  return true;
}

// The lines of an edge's description: where these differ, the edge runs another way.
export function shapeOf([, , parts]) {
  return parts.map((part) => part[1].d ?? "").join();
}

// An attribute value with the ids it defines or refers to made unique by `prefix`.
export function ownIds(name, value, prefix) {
  if (name === "id") return prefix + value;
  if (name === "href" || name === "xlink:href") return value.startsWith("#") ? `#${prefix}${value.slice(1)}` : value;
  if (name.startsWith("aria-") && /(labelledby|describedby|controls)$/.test(name)) {
    return value.split(" ").map((id) => prefix + id).join(" ");
  }
  return value.replace(/url\(#([^)]+)\)/g, `url(#${prefix}$1)`);
}

// What a screen reader says of a block: its lines as drawn, where it leads, what dominates it, what is wrong.
export function blockLabel(row, lines, problem) {
  const goes = row.succs.length ? `goes to ${row.succs.join(" and ")}` : "no successors";
  const dominator = row.entry ? "entry" : row.reachable ? `immediate dominator ${row.idom}` : "unreachable";
  const trouble = problem ? ` Problem in line ${problem.line}: ${problem.message}.` : "";
  return `Block ${row.block}: ${[...lines, goes, dominator].join("; ")}.${trouble}`;
}

/* ---------------------------------------------------------------- making elements */

const SVG = "http://www.w3.org/2000/svg";
let views = 0;

// Build an SVG element from a description [tag, {attribute: value}, [children]]; strings become text nodes.
function build(description, prefix) {
  const [tag, attributes, children] = description;
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, ownIds(name, String(value), prefix));
  }
  for (const child of children) {
    element.append(typeof child === "string" ? document.createTextNode(child) : build(child, prefix));
  }
  return element;
}

// Let an element built from the description `old` look as `node` says, changing only what differs. Returns the element,
// another one where tag or children are not the same kind.
function revise(element, old, node, prefix) {
  if (same(old, node)) return element;
  const [tag, attributes, children] = node;
  const alike = old[0] === tag && old[2].length === children.length && children.every((child, i) => typeof child === typeof old[2][i]);
  if (!alike) {
    const fresh = build(node, prefix);
    element.replaceWith(fresh);
    return fresh;
  }
  for (const name of Object.keys(old[1])) if (!(name in attributes)) element.removeAttribute(name);
  for (const [name, value] of Object.entries(attributes)) {
    if (old[1][name] !== value) element.setAttribute(name, ownIds(name, String(value), prefix));
  }
  children.forEach((child, i) => {
    const there = element.childNodes[i];
    if (typeof child !== "string") revise(there, old[2][i], child, prefix);
    else if (child !== old[2][i]) there.data = child;
  });
  return element;
}

// Make an HTML element: attributes, `on…` handlers, children (strings become text nodes).
function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

function svg(tag, attributes = {}) {
  return build([tag, attributes, []], "");
}

// JupyterLab takes single letters and arrows for itself unless the focused element says otherwise.
const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };

// Tooltips and help name the key of the machine at hand.
const APPLE = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.platform ?? "");
const CTRL = APPLE ? "⌘" : "Ctrl";

const KEYS = [
  ["Tab", "next block or edge (Shift: back)"],
  ["↑ ↓ ← →", "go to a block; from an edge to its ends"],
  ["Enter", "edit a block's lines"],
  ["e", "new edge to a block: arrows or its name, Enter"],
  ["r", "let an edge lead elsewhere"],
  ["s", "split an edge with an empty block"],
  ["n", "new block after this one"],
  ["F2", "rename a block"],
  ["Delete", "remove a block or an edge"],
  [`${CTRL}+Z`, "undo (Shift: redo)"],
  ["+ − 0", "zoom in, out, fit"],
  ["t", "show or hide the tree"],
  ["Esc", "cancel"],
];

const HINT = "Drag from block to block: new edge. Drag an arrowhead: move it. Click a line: edit.";
const OFFLINE = "The kernel does not answer. The picture stays; editing needs a running kernel (run the cell again).";

const ARROW = {
  undo: "M6 3 2.5 6.5 6 10M3 6.5h6.5a4 4 0 0 1 0 8H7",
  redo: "M10 3l3.5 3.5L10 10M13 6.5H6.5a4 4 0 0 0 0 8H9",
};

function icon(path) {
  const picture = svg("svg", { viewBox: "0 0 16 17", class: "ssaw-ed-icon", "aria-hidden": "true" });
  picture.append(svg("path", { d: path }));
  return picture;
}

const MOVE_MS = 200;
const SETTLE_MS = 1200;
const MARGIN = 10;
const LEAST = 0.3;
const MOST = 2.5;
const HEAD_REACH = 11;
const DRAG_FROM = 4;

/* ---------------------------------------------------------------- one view of one editor */

class EditorView {
  constructor({ model, el, signal }) {
    this.model = model;
    this.signal = signal;
    this.id = `ssaw${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}-${++views}-`;
    this.state = null;
    this.blocks = new Map(); // block -> {box, group, node, content, ring}
    this.edges = new Map(); // "src/index" -> {edge, group, node, hit}
    this.extras = new Map();
    this.rows = new Map(); // block -> its row of the text twin
    this.scale = 1;
    this.frame = 0; // height of the stage
    this.seen = { width: 0, height: 0, bar: 0, scrollLeft: 0, scrollTop: 0, tallest: 0 }; // see `measure`
    this.fitting = true;
    this.left = this.top = 0; // of the drawing in the canvas
    this.selected = null; // {kind: "block" | "edge", key}
    this.drag = null;
    this.choice = null; // choosing a target by keyboard
    this.box = null; // text being edited
    this.queue = [];
    this.sent = null;
    this.serial = 0;
    this.offline = false;
    this.settling = null; // the timer of `settle`

    this.lay(el);
    this.listen();
    this.receive();
    this.resizing = new ResizeObserver(() => this.resized());
    this.resizing.observe(this.stage);
  }

  dispose() {
    this.resizing.disconnect();
    clearTimeout(this.slow);
    clearTimeout(this.settling);
    this.root.remove();
  }

  /* ---- the frame */

  lay(el) {
    const button = (label, title, act, ...content) =>
      html("button", { type: "button", class: "ssaw-ed-button", "aria-label": label, title, onclick: act, ...OWN_KEYS }, ...content);
    // In a narrow frame icons stand alone and words are shorter.
    const wide = (word) => html("span", { class: "ssaw-ed-wide" }, word);
    this.undoButton = button("Undo", "Nothing to undo", () => this.command("undo"), icon(ARROW.undo), wide("Undo"));
    this.redoButton = button("Redo", "Nothing to redo", () => this.command("redo"), icon(ARROW.redo), wide("Redo"));
    this.resetButton = button("Reset", "Back to the start", () => this.command("reset"), "Reset");
    this.blockButton = button("Add a block", "Add a block (n)", () => this.addBlock(), "+ Block");
    this.treeButton = button("Dominator tree", "Show or hide the dominator tree (t)", () => this.toggleTree(), wide("Dominator tree"), html("span", { class: "ssaw-ed-narrow" }, "Tree"));
    this.treeButton.setAttribute("aria-pressed", "true");
    this.treeButton.prepend(html("span", { class: "ssaw-ed-swatch", "aria-hidden": "true" }));
    this.percent = html("span", { class: "ssaw-ed-percent" });
    this.keysButton = button("Keyboard help", "Keys (?)", () => this.toggleKeys(), "Keys");
    this.keysButton.setAttribute("aria-expanded", "false");
    this.keysButton.setAttribute("aria-controls", `${this.id}keys`);
    this.bar = html(
      "div",
      { class: "ssaw-ed-bar", role: "group", "aria-label": "Editor" },
      html("span", { class: "ssaw-ed-group" }, this.undoButton, this.redoButton, this.resetButton),
      html("span", { class: "ssaw-ed-group" }, this.blockButton, this.treeButton),
      html(
        "span",
        { class: "ssaw-ed-group ssaw-ed-end" },
        button("Zoom out", "Zoom out (−)", () => this.zoom(1 / 1.2), "−"),
        this.percent,
        button("Zoom in", "Zoom in (+)", () => this.zoom(1.2), "+"),
        button("Fit", "Fit the picture into the frame (0)", () => this.fit(), "Fit"),
        this.keysButton,
      ),
    );
    this.help = html(
      "dl",
      { class: "ssaw-ed-keys", id: `${this.id}keys`, hidden: true },
      ...KEYS.map(([keys, what]) => html("div", {}, html("dt", {}, keys), html("dd", {}, what))),
    );
    this.actions = html("div", { class: "ssaw-ed-actions" });
    this.svg = svg("svg", { class: "ssaw-ed-picture", role: "group" });
    this.svg.setAttribute("aria-label", "Control-flow graph");
    this.layer = svg("g", { class: "ssaw-ed-layer" });
    const aside = (layer) => svg("g", { class: `ssaw-ed-extras is-${layer}`, "aria-hidden": "true" });
    this.extraLayers = { under: aside("under"), over: aside("over") };
    // The rubber band has a sheet of its own, so that following the mouse does not lay out the whole drawing again.
    this.band = svg("path", { class: "ssaw-ed-band" });
    this.sheet = svg("svg", { class: "ssaw-ed-picture ssaw-ed-sheet", "aria-hidden": "true" });
    // Scaled by a transform, not by a viewBox: rounding makes that one a hair different whenever the drawing gets taller
    // or wider, and then the browser sets every text anew.
    this.scaled = [svg("g"), svg("g")];
    this.scaled[0].append(this.extraLayers.under, this.layer, this.extraLayers.over);
    this.scaled[1].append(this.band);
    this.svg.append(this.scaled[0]);
    this.sheet.append(this.scaled[1]);
    this.canvas = html("div", { class: "ssaw-ed-canvas" }, this.svg, this.sheet);
    this.stage = html("div", { class: "ssaw-ed-stage" }, this.canvas);
    this.sentence = html("p", { class: "ssaw-ed-sentence" });
    this.notice = html("p", { class: "ssaw-ed-notice", hidden: true });
    this.trouble = html("ul", { class: "ssaw-ed-problems", "aria-label": "Problems", hidden: true });
    this.live = html("div", { class: "ssaw-ed-unseen", "aria-live": "polite" });
    this.table = html("tbody");
    const head = ["Block", "Lines", "Successors", "Immediate dominator"];
    this.twin = html(
      "details",
      { class: "ssaw-ed-twin", ontoggle: () => this.fillTwin() },
      html("summary", OWN_KEYS, "The graph as a table"),
      html(
        "div",
        { class: "ssaw-ed-table" },
        html("table", {}, html("thead", {}, html("tr", {}, ...head.map((h) => html("th", { scope: "col" }, h)))), this.table),
      ),
    );
    this.root = html(
      "div",
      { class: "ssaw ssaw-editor" },
      this.bar, this.help, this.actions, this.stage, this.notice, this.sentence, this.trouble, this.twin, this.live,
    );
    el.append(this.root);
    this.showActions();
  }

  listen() {
    const { signal } = this;
    const on = (target, name, handler, options) => target.addEventListener(name, handler, { signal, ...options });
    on(this.svg, "pointerdown", (e) => this.pressed(e));
    on(this.svg, "mousedown", (e) => e.preventDefault()); // `pressed` says where the focus goes
    on(this.svg, "pointermove", (e) => this.moved(e));
    on(this.svg, "pointerup", (e) => this.released(e));
    on(this.svg, "pointercancel", () => this.cancelDrag());
    on(this.svg, "dblclick", (e) => this.doubleClicked(e));
    // Not on the SVG itself: with a listener for focus Chromium makes that a stop for Tab.
    on(this.canvas, "focusin", (e) => this.focused(e));
    on(this.canvas, "focusout", (e) => this.choice && !this.svg.contains(e.relatedTarget) && document.hasFocus() && this.endChoiceAt(null));
    on(this.stage, "wheel", (e) => this.wheeled(e), { passive: false });
    on(this.root, "keydown", (e) => this.keyed(e));
    for (const touch of ["pointerdown", "keydown", "wheel"]) on(this.root, touch, () => this.settling && this.settleLater(), { passive: true });
    this.model.on("change:_state", () => this.receive());
    this.model.on("msg:custom", (message) => this.answered(message));
    this.model.on("comm_live_update", () => this.setOffline(!this.kernelThere()));
    this.setOffline(!this.kernelThere());
  }

  /* ---- what Python sends */

  receive() {
    const text = this.model.get("_state");
    // Our own edits come back this way a moment later; the revision stands first, so that need not be parsed.
    const rev = Number(/^\{"rev":(\d+),/.exec(text)?.[1] ?? -1);
    if (rev > (this.state?.rev ?? -1)) this.show(JSON.parse(text));
  }

  show(state) {
    const before = this.state;
    if (before && state.rev <= before.rev) return;
    this.state = state;
    this.rows = new Map(state.rows.map((row) => [row.block, row]));
    this.problems = new Map(state.problems.map((p) => [p.block, p]));
    this.setOffline(false);
    if (this.choice) this.endChoice();
    if (this.drag?.moving) this.cancelDrag();
    this.band.removeAttribute("d");
    this.draw(before);
    this.showTexts(before);
    this.placeBox();
    if (before?.scene.title !== state.scene.title) this.svg.setAttribute("aria-label", state.scene.title);
    this.root.dataset.rev = state.rev;
  }

  answered(message) {
    // The answer to another view's command brings a new picture all the same.
    const state = message.picture && completed(this.state, message.picture);
    if (state) this.show(state);
    if (!this.sent || message.re !== this.sent.id) return;
    const { done } = this.sent;
    this.sent = null;
    clearTimeout(this.slow);
    this.setOffline(false);
    if (message.accepted) this.say("");
    else this.say([message.message, message.hint].filter(Boolean).join("; "), true);
    if (!message.accepted) this.band.removeAttribute("d");
    done?.(message);
    this.sendNext();
  }

  // Send a command when those before it are answered, so that each is made for the picture that the last one left.
  command(op, fields = {}, done = null) {
    if (this.offline) return this.say(OFFLINE, true);
    this.queue.push({ op, fields, done, id: `${this.id}${++this.serial}` });
    this.sendNext();
  }

  sendNext() {
    if (this.sent || this.queue.length === 0) return;
    this.sent = this.queue.shift();
    const { op, fields, id } = this.sent;
    clearTimeout(this.slow);
    this.slow = setTimeout(() => {
      this.say("Waiting for the kernel: it is busy with another cell, or it has stopped.");
      this.slow = setTimeout(() => this.setOffline(true), 8000);
    }, 1200);
    try {
      this.model.send({ op, rev: this.state.rev, id, ...fields });
    } catch {
      this.setOffline(true);
    }
  }

  kernelThere() {
    const manager = this.model.widget_manager;
    return !(manager && "kernel" in manager && manager.kernel === null);
  }

  setOffline(offline) {
    if (offline) {
      clearTimeout(this.slow);
      this.sent = null;
      this.queue = [];
      this.band.removeAttribute("d");
      this.say(OFFLINE, true);
      this.box?.done?.({ accepted: false, message: OFFLINE, hint: "" });
    } else if (this.offline) {
      this.say("");
    }
    this.offline = offline;
    this.root.classList.toggle("is-offline", offline);
  }

  /* ---- drawing */

  draw(before) {
    const { scene } = this.state;
    // All that must be measured is measured here, while the page is laid out; asking again after the changes
    // below would lay it out once more.
    this.measure();
    const screenBefore = before ? this.screenPlaces() : null;

    // What is gone goes first: then what stays need not move in the document, and keeps its focus.
    const focus = document.activeElement;
    const hadFocus = this.layer.contains(focus);
    const lostFrom = focus?.dataset && this.edges.get(focus.dataset.key)?.edge.src;
    for (const [drawn, items] of [[this.blocks, scene.blocks], [this.edges, scene.edges]]) {
      const keep = new Set(items.map((item) => item.key));
      for (const [key, { group }] of drawn) if (!keep.has(key)) group.remove();
    }
    const edgesOf = new Map();
    for (const edge of scene.edges) {
      if (!edgesOf.has(edge.src)) edgesOf.set(edge.src, []);
      edgesOf.get(edge.src).push(edge);
    }
    const blocks = new Map();
    const edges = new Map();
    const fresh = [];
    let at = this.layer.firstChild;
    // Blocks and edges stand in the order in which Tab should visit them: a block, then its edges.
    const place = (group) => {
      if (group === at) at = at.nextSibling;
      else this.layer.insertBefore(group, at);
    };
    for (const box of scene.blocks) {
      const drawn = this.drawBlock(box, this.blocks.get(box.key));
      blocks.set(box.key, drawn);
      place(drawn.group);
      for (const edge of edgesOf.get(box.key) ?? []) {
        const old = this.edges.get(edge.key);
        const line = this.drawEdge(edge, old);
        if (line.fresh) fresh.push(line);
        edges.set(edge.key, line);
        place(line.group);
      }
    }
    this.blocks = blocks;
    this.edges = edges;
    this.drawExtras(scene.extras);
    this.keepSelection();
    if (hadFocus && document.activeElement !== focus) {
      const next = focus.isConnected ? focus : (blocks.get(lostFrom) ?? blocks.get(this.state.touched) ?? blocks.values().next().value).group;
      next.focus({ preventScroll: true });
    }

    this.layOut(before, screenBefore);
    if (before) this.animate(screenBefore, fresh);
    this.settleLater();
  }

  drawBlock(box, old) {
    const drawn = old ?? { group: svg("g", { class: "ssaw-ed-block", tabindex: "0", role: "button", "aria-roledescription": "block", ...OWN_KEYS }) };
    const { group } = drawn;
    if (!old || !same(old.node, box.node)) {
      drawn.content = old ? revise(old.content, old.node, box.node, this.id) : build(box.node, this.id);
      if (!old) group.append(drawn.content);
      drawn.node = box.node;
      drawn.lines = [...drawn.content.querySelectorAll(".ssaw-row text")].map((t) => t.textContent);
      group.dataset.key = box.key;
    }
    if (!old || old.box.width !== box.width || old.box.height !== box.height) {
      drawn.ring?.remove();
      drawn.ring = svg("rect", { class: "ssaw-ed-ring", x: -4, y: -4, width: box.width + 8, height: box.height + 8, rx: 8 });
      group.prepend(drawn.ring);
    }
    if (!old || old.box.x !== box.x || old.box.y !== box.y) group.setAttribute("transform", `translate(${box.x},${box.y})`);
    const label = blockLabel(this.rows.get(box.key), drawn.lines, this.problems.get(box.key));
    if (drawn.label !== label) group.setAttribute("aria-label", (drawn.label = label));
    drawn.box = box;
    return drawn;
  }

  // Where the edge is new or runs another way, the result says `fresh`.
  drawEdge(edge, old) {
    const label = `Edge ${edge.src} to ${edge.dst}`;
    const { node } = edge;
    const drawn = { group: old?.group, edge, node, content: old?.content, label: old?.label, fresh: !old };
    if (!old) {
      drawn.group = svg("g", { class: "ssaw-ed-edge", tabindex: "0", role: "button", "aria-roledescription": "edge", ...OWN_KEYS });
      drawn.group.dataset.key = edge.key;
      drawn.content = build(node, this.id);
      drawn.group.append(drawn.content);
    } else if (!same(old.node, node)) {
      drawn.fresh = shapeOf(old.node) !== shapeOf(node);
      drawn.content = revise(old.content, old.node, node, this.id);
    }
    if (drawn.fresh) {
      // An invisible disc about the arrowhead says where it can be taken hold of.
      drawn.content.nextSibling?.remove();
      drawn.group.append(svg("circle", { class: "ssaw-ed-grip", cx: edge.head[0], cy: edge.head[1] - 4, r: HEAD_REACH }));
    }
    if (!old || old.edge.x !== edge.x || old.edge.y !== edge.y) drawn.group.setAttribute("transform", `translate(${edge.x},${edge.y})`);
    if (drawn.label !== label) drawn.group.setAttribute("aria-label", (drawn.label = label));
    return drawn;
  }

  drawExtras(extras) {
    const kept = new Map();
    for (const { key, node, layer, x, y } of extras) {
      const old = this.extras.get(key);
      const content = old ? revise(old.content, old.node, node, this.id) : build(node, this.id);
      if (!old) this.extraLayers[layer].append(content);
      if (content !== old?.content || old.x !== x || old.y !== y) content.setAttribute("transform", `translate(${x},${y})`);
      kept.set(key, { node, content, x, y });
    }
    for (const [key, { content }] of this.extras) if (!kept.has(key)) content.remove();
    this.extras = kept;
  }

  /* ---- size, scroll, and what stays where it is */

  // Sizes and scroll of the stage as they are now.
  measure() {
    const { clientWidth, clientHeight, offsetHeight, scrollLeft, scrollTop } = this.stage;
    Object.assign(this.seen, { width: clientWidth, height: clientHeight, bar: offsetHeight - clientHeight, scrollLeft, scrollTop });
    if (!this.seen.tallest) this.seen.tallest = this.tallest();
  }

  // The stage may be as tall as lets the whole editor be seen at once, in whatever the page scrolls it.
  tallest() {
    let view = window.innerHeight;
    for (let up = this.root.parentElement; up; up = up.parentElement) {
      const scrolls = /auto|scroll/.test(getComputedStyle(up).overflowY);
      if (scrolls && up.clientHeight > 320) view = Math.min(view, up.clientHeight);
    }
    const frame = [this.bar, this.actions, this.sentence, this.twin];
    const around = frame.reduce((sum, element) => sum + element.offsetHeight, 0);
    return Math.max(280, Math.round(view - around - 12));
  }

  // Where blocks are now, as x, y in pixels from the stage's corner.
  screenPlaces() {
    const places = new Map();
    const [ox, oy] = this.origin();
    for (const [key, { box }] of this.blocks) places.set(key, [ox + box.x * this.scale, oy + box.y * this.scale]);
    return places;
  }

  // Where the drawing's corner is, in pixels from the stage's corner, as last measured.
  origin() {
    return [this.left - this.seen.scrollLeft, this.top - this.seen.scrollTop];
  }

  room() {
    return { width: this.seen.width - 2 * MARGIN, height: this.seen.tallest - 2 * MARGIN };
  }

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
  }

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
  }

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
    this.percent.textContent = `${Math.round(this.scale * 100)} %`;
  }

  fit() {
    this.measure();
    this.fitting = true;
    this.scale = fitScale(this.room(), this.state.scene);
    this.setSize();
    this.placeBox();
  }

  // Once nobody has touched anything for a moment: a picture that would fit into the frame and stands partly outside
  // it, since the touched block kept its place, comes back in (see `animate` for how).
  settleLater() {
    clearTimeout(this.settling);
    if (!this.fitting || !this.placed) return;
    this.settling = setTimeout(() => this.settle(), SETTLE_MS);
  }

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
  }

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
  }

  wheeled(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const corner = this.stage.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY / 300), event.clientX - corner.left, event.clientY - corner.top);
  }

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
  }

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
  }

  // The point of the drawing under a pointer event.
  point(event) {
    const corner = this.svg.getBoundingClientRect();
    return [(event.clientX - corner.left) / this.scale, (event.clientY - corner.top) / this.scale];
  }

  boxes() {
    return this.state.scene.blocks;
  }

  /* ---- selection and focus */

  focused(event) {
    const group = event.target.closest?.("[data-key]");
    if (!group || !this.layer.contains(group)) return;
    const kind = group.classList.contains("ssaw-ed-edge") ? "edge" : "block";
    if (!this.choice) this.select(kind, group.dataset.key);
    this.reveal(group);
  }

  select(kind, key) {
    if (this.selected?.kind === kind && this.selected.key === key) return;
    this.selected = kind ? { kind, key } : null;
    this.showSelection();
    this.showActions();
  }

  // After a redraw: an edge's number may belong to another edge now, a block may be gone.
  keepSelection() {
    const there = this.selected && (this.selected.kind === "block" ? this.blocks : this.edges).has(this.selected.key);
    if (!there) this.selected = null;
    this.showSelection();
    this.showActions();
  }

  showSelection() {
    for (const [kind, drawn] of [["block", this.blocks], ["edge", this.edges]]) {
      for (const [key, { group }] of drawn) {
        const on = this.selected?.kind === kind && this.selected.key === key;
        if (group.classList.contains("is-selected") !== on) group.classList.toggle("is-selected", on);
      }
    }
  }

  reveal(group) {
    const stage = this.stage.getBoundingClientRect();
    const it = group.getBoundingClientRect();
    const shift = (from, to, low, high) => (to - from > high - low || from < low ? from - low - MARGIN : to > high ? to - high + MARGIN : 0);
    const [x, y] = [shift(it.left, it.right, stage.left, stage.right), shift(it.top, it.bottom, stage.top, stage.bottom)];
    if (x || y) this.stage.scrollBy(x, y);
  }

  focusBlock(key) {
    this.blocks.get(key)?.group.focus({ preventScroll: true });
  }

  focusEdge(key) {
    this.edges.get(key)?.group.focus({ preventScroll: true });
  }

  /* ---- the mouse (and pen, and finger) */

  pressed(event) {
    if (event.button !== 0) return;
    const [x, y] = this.point(event);
    if (this.choice) {
      event.preventDefault();
      this.endChoiceAt(blockAt(this.boxes(), x, y, 5)?.key ?? null);
      return;
    }
    const head = headAt(this.state.scene.edges, x, y, HEAD_REACH);
    const block = blockAt(this.boxes(), x, y) ?? blockAt(this.boxes(), x, y, 5);
    const start = { x: event.clientX, y: event.clientY, moving: false };
    const edge = event.target.closest?.(".ssaw-ed-edge");
    if (head && !(block && blockAt([block], x, y) && event.target.closest("[data-port]"))) {
      this.drag = { ...start, kind: "retarget", edge: head, from: [head.x, head.y] };
      this.focusEdge(head.key);
    } else if (block) {
      const line = this.lineAt(block, event);
      this.drag = { ...start, kind: "add", src: block.key, line, from: [block.x + block.width / 2, block.y + block.height], left: false };
      this.focusBlock(block.key);
    } else if (edge) {
      this.focusEdge(edge.dataset.key);
    } else {
      this.select(null, null);
      if (document.activeElement && this.svg.contains(document.activeElement)) document.activeElement.blur();
      if (event.pointerType === "mouse") {
        this.drag = { ...start, kind: "pan", scroll: [this.stage.scrollLeft, this.stage.scrollTop] };
      }
    }
    event.preventDefault();
    if (this.drag) this.svg.setPointerCapture(event.pointerId);
  }

  // The line of a block under the pointer: its number in the block's text, or null beside the lines.
  lineAt(block, event) {
    for (const element of this.blocks.get(block.key).content.querySelectorAll("[data-line]")) {
      const { top, bottom } = element.getBoundingClientRect();
      if (event.clientY >= top && event.clientY <= bottom) return Number(element.dataset.line);
    }
    return null;
  }

  moved(event) {
    const { drag } = this;
    if (!drag) return this.hover(event);
    if (!drag.moving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_FROM) return;
    if (drag.kind === "pan") {
      drag.moving = true;
      this.svg.classList.add("is-panning");
      this.stage.scrollTo(drag.scroll[0] - (event.clientX - drag.x), drag.scroll[1] - (event.clientY - drag.y));
      return;
    }
    if (!drag.moving) {
      drag.moving = true;
      this.root.classList.add("is-dragging");
      if (drag.kind === "retarget") this.edges.get(drag.edge.key)?.group.classList.add("is-leaving");
      this.showActions();
    }
    drag.client = [event.clientX, event.clientY];
    this.follow(event);
    this.scrollWhileDragging();
  }

  follow(event) {
    const { drag } = this;
    const [x, y] = this.point(event);
    const under = blockAt(this.boxes(), x, y, 4);
    if (drag.kind === "add" && under?.key !== drag.src) drag.left = true;
    const target = drag.kind === "add" && under?.key === drag.src && !drag.left ? null : under;
    if (target?.key !== drag.target) {
      this.mark("is-target", target?.key);
      drag.target = target?.key;
      this.showActions();
    }
    const end = target ? [Math.min(Math.max(x, target.x + 10), target.x + target.width - 10), target.y] : [x, y];
    this.band.setAttribute("d", bandPath(drag.from, end));
    this.band.classList.toggle("has-target", Boolean(target));
  }

  scrollWhileDragging() {
    if (this.scrolling) return;
    const step = () => {
      const { drag } = this;
      if (!drag?.moving || !drag.client) return (this.scrolling = false);
      const { left, right, top, bottom } = this.stage.getBoundingClientRect();
      const [x, y] = drag.client;
      const push = (at, low, high) => (at < low + 28 ? Math.max(-14, (at - low - 28) / 2) : at > high - 28 ? Math.min(14, (at - high + 28) / 2) : 0);
      const [dx, dy] = [push(x, left, right), push(y, top, bottom)];
      if (dx || dy) {
        this.stage.scrollBy(dx, dy);
        this.follow({ clientX: x, clientY: y });
      }
      requestAnimationFrame(step);
    };
    this.scrolling = true;
    requestAnimationFrame(step);
  }

  hover(event) {
    const [x, y] = this.point(event);
    const head = headAt(this.state.scene.edges, x, y, HEAD_REACH);
    if (this.hovered === head?.key) return;
    this.edges.get(this.hovered)?.group.classList.remove("is-grabbable");
    this.hovered = head?.key;
    this.edges.get(this.hovered)?.group.classList.add("is-grabbable");
  }

  released(event) {
    const { drag } = this;
    this.drag = null;
    if (!drag) return;
    this.svg.classList.remove("is-panning");
    if (drag.moving && drag.kind !== "pan") {
      this.endDrag(drag);
      if (drag.target === undefined) {
        this.band.removeAttribute("d");
        this.say("Nothing done: let go over a block.");
      } else if (drag.kind === "add") {
        this.command("add_edge", { src: drag.src, dst: drag.target });
      } else if (drag.target === drag.edge.dst) {
        this.band.removeAttribute("d");
      } else {
        this.command("retarget_edge", { src: drag.edge.src, index: drag.edge.index, dst: drag.target });
      }
    } else if (!drag.moving && drag.kind === "add" && drag.line !== null && event.detail < 2) {
      this.editText(drag.src, drag.line);
    }
  }

  endDrag(drag) {
    this.root.classList.remove("is-dragging");
    this.mark("is-target", undefined);
    if (drag.kind === "retarget") this.edges.get(drag.edge.key)?.group.classList.remove("is-leaving");
    this.showActions();
  }

  cancelDrag() {
    const { drag } = this;
    this.drag = null;
    this.svg.classList.remove("is-panning");
    if (drag && drag.kind !== "pan") this.endDrag(drag);
    this.band.removeAttribute("d");
  }

  doubleClicked(event) {
    const [x, y] = this.point(event);
    const block = blockAt(this.boxes(), x, y);
    if (block && !this.box) this.editText(block.key, null);
  }

  // Put a class on one block and take it from every other.
  mark(name, key) {
    for (const [k, { group }] of this.blocks) if (k === key || group.classList.contains(name)) group.classList.toggle(name, k === key);
  }

  /* ---- the keyboard */

  keyed(event) {
    if (event.defaultPrevented || this.box?.element.contains(event.target)) return;
    const { key } = event;
    const ctrl = event.ctrlKey || event.metaKey;
    const done = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (this.choice) {
      if (this.chooseKey(event)) done();
      return;
    }
    if (ctrl && key.toLowerCase() === "z") {
      this.command(event.shiftKey ? "redo" : "undo");
      return done();
    }
    if (ctrl && key.toLowerCase() === "y") {
      this.command("redo");
      return done();
    }
    if (ctrl || event.altKey || !this.svg.contains(event.target)) return;
    if (key === "Escape") {
      if (this.drag) this.cancelDrag();
      else this.select(null, null);
      return done();
    }
    const general = {
      "+": () => this.zoom(1.2),
      "=": () => this.zoom(1.2),
      "-": () => this.zoom(1 / 1.2),
      0: () => this.fit(),
      t: () => this.toggleTree(),
      "?": () => this.toggleKeys(),
      n: () => this.addBlock(),
    };
    const group = event.target.closest("[data-key]");
    const edge = group && this.edges.get(group.dataset.key)?.group === group ? this.edges.get(group.dataset.key).edge : null;
    const block = group && !edge ? this.blocks.get(group.dataset.key)?.box : null;
    const special = edge ? this.edgeKeys(edge) : block ? this.blockKeys(block, key) : {};
    const act = special[key] ?? general[key];
    if (!act) return;
    done();
    act();
  }

  blockKeys(block, key) {
    const go = () => {
      const next = nextBlock(this.boxes(), block, key);
      if (next) this.focusBlock(next.key);
    };
    const names = this.boxes();
    return {
      ArrowUp: go,
      ArrowDown: go,
      ArrowLeft: go,
      ArrowRight: go,
      Home: () => this.focusBlock(names[0].key),
      End: () => this.focusBlock(names[names.length - 1].key),
      Enter: () => this.editText(block.key, null),
      F2: () => this.editName(block.key),
      e: () => this.choose({ src: block.key }),
      Delete: () => this.removeBlock(block.key),
      Backspace: () => this.removeBlock(block.key),
    };
  }

  edgeKeys(edge) {
    const siblings = this.state.scene.edges.filter((e) => e.src === edge.src);
    const beside = (step) => {
      const at = siblings.findIndex((e) => e.key === edge.key);
      this.focusEdge(siblings[(at + step + siblings.length) % siblings.length].key);
    };
    return {
      ArrowUp: () => this.focusBlock(edge.src),
      ArrowDown: () => this.focusBlock(edge.dst),
      ArrowLeft: () => beside(-1),
      ArrowRight: () => beside(1),
      Enter: () => this.choose({ src: edge.src, edge }),
      r: () => this.choose({ src: edge.src, edge }),
      s: () => this.command("split_edge", { src: edge.src, index: edge.index }),
      Delete: () => this.removeEdge(edge),
      Backspace: () => this.removeEdge(edge),
    };
  }

  // Choose a block by keyboard: the target of a new edge from `src`, or of `edge`.
  choose({ src, edge = null }) {
    const names = this.boxes().map((b) => b.key);
    const others = edge ? names.filter((n) => n !== edge.dst) : names;
    const below = nextBlock(this.boxes(), this.blocks.get(src).box, "ArrowDown")?.key;
    const candidate = below && others.includes(below) ? below : others.find((n) => n !== src) ?? src;
    (edge ? this.edges.get(edge.key) : this.blocks.get(src)).group.focus({ preventScroll: true });
    this.choice = { src, edge, candidate, typed: "", scroll: [this.stage.scrollLeft, this.stage.scrollTop] };
    this.root.classList.add("is-choosing");
    this.showChoice();
  }

  chooseKey(event) {
    const { choice } = this;
    const { key } = event;
    if (key === "Escape" || key === "Tab") {
      this.endChoiceAt(null);
      return key === "Escape";
    }
    if (key === "Enter") {
      if (choice.candidate !== null) this.endChoiceAt(choice.candidate);
      return true;
    }
    if (key.startsWith("Arrow")) {
      const from = this.blocks.get(choice.candidate ?? choice.src).box;
      choice.candidate = nextBlock(this.boxes(), from, key)?.key ?? choice.candidate;
      choice.typed = "";
    } else if (key === "Backspace") {
      choice.typed = choice.typed.slice(0, -1);
    } else if (key.length === 1 && /[\p{L}\p{N}_.]/u.test(key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      choice.typed += key;
    } else {
      return key.length === 1;
    }
    if (choice.typed) choice.candidate = blockTyped(this.boxes().map((b) => b.key), choice.typed);
    this.showChoice();
    return true;
  }

  showChoice() {
    const { src, edge, candidate } = this.choice;
    this.mark("is-target", candidate ?? undefined);
    this.showActions();
    if (candidate === null) {
      this.band.removeAttribute("d");
      this.announce(`No block starts with ${this.choice.typed}.`);
      return;
    }
    const from = this.blocks.get(src).box;
    const to = this.blocks.get(candidate).box;
    const start = edge ? [edge.x, edge.y] : [from.x + from.width / 2, from.y + from.height];
    this.band.setAttribute("d", bandPath(start, [to.x + to.width / 2, to.y]));
    this.band.classList.add("has-target");
    this.reveal(this.blocks.get(candidate).group);
    this.announce(`${edge ? "Retarget" : "New edge"} from ${src} to ${candidate}. Enter accepts, Escape cancels.`);
  }

  // Accept a block as the target, or null: none.
  endChoiceAt(target) {
    const { src, edge } = this.choice;
    this.endChoice();
    if (target === null) {
      this.band.removeAttribute("d");
      this.announce("Cancelled.");
    } else if (edge) {
      this.command("retarget_edge", { src, index: edge.index, dst: target });
    } else {
      this.command("add_edge", { src, dst: target });
    }
  }

  endChoice() {
    // Looking for a target may have led far away.
    this.stage.scrollTo(...this.choice.scroll);
    this.choice = null;
    this.root.classList.remove("is-choosing");
    this.mark("is-target", undefined);
    this.showActions();
  }

  /* ---- what can be done */

  addBlock() {
    const after = this.selected?.kind === "block" ? this.selected.key : null;
    const known = new Set(this.blocks.keys());
    this.command("add_block", { after }, (answer) => {
      const made = answer.accepted && [...this.blocks.keys()].find((k) => !known.has(k));
      if (made) this.focusBlock(made);
    });
  }

  removeBlock(block) {
    this.command("remove_block", { block });
  }

  removeEdge({ src, index }) {
    this.command("remove_edge", { src, index });
  }

  toggleTree() {
    const shown = this.root.classList.toggle("without-tree");
    this.treeButton.setAttribute("aria-pressed", String(!shown));
    this.announce(shown ? "Dominator tree hidden." : "Dominator tree shown.");
  }

  toggleKeys() {
    this.help.hidden = !this.help.hidden;
    this.keysButton.setAttribute("aria-expanded", String(!this.help.hidden));
  }

  /* ---- editing text in place */

  // Open a block's lines for editing, the cursor on `line` (counted from 0), or where its problem is. The text
  // comes from Python when it is asked for.
  editText(key, line) {
    if (this.offline) return this.say(OFFLINE, true);
    this.command("text", { block: key }, ({ accepted, text }) => {
      if (accepted) this.openText(key, line, text);
    });
  }

  openText(key, line, was) {
    const area = html("textarea", { class: "ssaw-ed-text", "aria-label": `Lines of block ${key}`, spellcheck: "false", autocapitalize: "off", autocomplete: "off", ...OWN_KEYS });
    area.value = was;
    this.openBox({ key, input: area, was, save: (text) => ["set_text", { block: key, text, was: this.box.was }] });
    const problem = this.problems.get(key);
    const lines = was.split("\n");
    const at = Math.min(problem ? problem.line - 1 : (line ?? lines.length - 1), lines.length - 1);
    const start = lines.slice(0, at).reduce((sum, l) => sum + l.length + 1, 0);
    const cursor = start + (problem ? Math.min(problem.column - 1, lines[at].length) : lines[at].length);
    area.setSelectionRange(cursor, cursor);
    if (problem) this.showBoxProblem(problem);
  }

  editName(key) {
    if (this.offline) return this.say(OFFLINE, true);
    const field = html("input", { class: "ssaw-ed-text", type: "text", "aria-label": `New name of block ${key}`, spellcheck: "false", autocomplete: "off", ...OWN_KEYS });
    field.value = key;
    this.openBox({ key, input: field, was: key, save: (text) => ["rename_block", { block: key, name: text }] });
    field.select();
  }

  openBox({ key, input, was, save }) {
    this.closeBox(false);
    const trouble = html("div", { class: "ssaw-ed-boxtrouble", id: `${this.id}trouble`, role: "alert", hidden: true });
    const lines = input.tagName === "TEXTAREA";
    const hint = html("div", { class: "ssaw-ed-boxhint" }, lines ? `${CTRL}+Enter applies, Esc cancels` : "Enter applies, Esc cancels");
    input.setAttribute("aria-describedby", trouble.id);
    const element = html("div", { class: "ssaw-ed-box" }, input, trouble, hint);
    this.box = { key, input, was, save, element, trouble, lines, busy: false };
    const grow = () => {
      if (lines) input.rows = Math.max(2, input.value.split("\n").length);
      const longest = Math.max(...input.value.split("\n").map((l) => l.length));
      input.style.width = `${Math.min(90, Math.max(longest + 3, lines ? 22 : 12))}ch`;
      input.classList.remove("has-problem");
    };
    input.addEventListener("input", grow);
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      const apply = event.key === "Enter" && (!lines || event.ctrlKey || event.metaKey);
      if (apply) this.applyBox(true);
      else if (event.key === "Escape") this.closeBox(true);
      else return;
      event.preventDefault();
    });
    input.addEventListener("blur", () => {
      if (document.activeElement !== input && this.box?.input === input) this.applyBox(false);
    });
    grow();
    this.canvas.append(element);
    this.placeBox();
    input.focus({ preventScroll: true });
    this.reveal(element);
  }

  placeBox() {
    if (!this.box) return;
    const block = this.blocks.get(this.box.key)?.box;
    const { style } = this.box.element;
    this.box.input.style.fontSize = `${Math.max(12, 12.5 * this.scale)}px`;
    if (!block) return; // the block is gone; the text stays where it was, to be copied
    style.minWidth = `${block.width * this.scale}px`;
    const width = this.box.element.offsetWidth;
    const most = Math.max(4, this.canvas.clientWidth - width - 4);
    style.left = `${Math.min(most, this.left + block.x * this.scale)}px`;
    style.top = `${this.top + block.y * this.scale}px`;
  }

  // Send the text. By key the box stays open until the text reads; by leaving it, the problem is shown below.
  applyBox(byKey) {
    const { box } = this;
    if (!box || box.busy) return;
    if (box.input.value === box.was) return this.closeBox(byKey);
    box.busy = true;
    box.input.readOnly = true;
    box.done = (answer) => {
      box.busy = false;
      box.input.readOnly = false;
      if (this.box !== box) return;
      const problem = answer.accepted ? this.problems.get(box.key) : null;
      if (answer.accepted && !(problem && byKey && box.lines)) return this.closeBox(byKey);
      if (answer.accepted) box.was = box.input.value;
      this.showBoxProblem(problem ?? answer);
      if (!byKey) box.input.focus({ preventScroll: true });
    };
    const [op, fields] = box.save(box.input.value);
    this.command(op, fields, box.done);
  }

  showBoxProblem({ line, message, hint }) {
    const { input, trouble } = this.box;
    trouble.replaceChildren(html("strong", {}, line ? `Line ${line}: ${message}` : message), ...(hint ? [html("span", {}, hint)] : []));
    trouble.hidden = false;
    if (line && this.box.lines) {
      input.style.setProperty("--line", line - 1);
      input.classList.add("has-problem");
    }
  }

  closeBox(focusBlock) {
    const { box } = this;
    if (!box) return;
    this.box = null;
    box.element.remove();
    if (focusBlock) this.focusBlock(this.blocks.has(box.key) ? box.key : this.state.touched);
  }

  /* ---- words around the picture */

  showTexts(before) {
    const { state } = this;
    const able = (element, name, what) => {
      element.setAttribute("aria-disabled", String(!name));
      element.title = name ? `${what}: ${name}` : `Nothing to ${what.toLowerCase()}`;
    };
    able(this.undoButton, state.undo, "Undo");
    able(this.redoButton, state.redo, "Redo");
    this.undoButton.title += ` (${CTRL}+Z)`;
    this.redoButton.title += ` (${CTRL}+Shift+Z)`;
    this.resetButton.setAttribute("aria-disabled", String(!state.changed));
    this.resetButton.title = state.changed ? "Back to the start (can be undone)" : "Everything is as it was at the start";
    this.sentence.textContent = state.sentence;
    this.trouble.hidden = state.problems.length === 0;
    this.trouble.replaceChildren(...state.problems.map((p) => this.problemItem(p)));
    this.fillTwin();
    if (before) {
      const problems = state.problems.map((p) => `Problem in block ${p.block}, line ${p.line}: ${p.message}. ${p.hint}`);
      this.announce([state.step, state.sentence, ...problems].filter(Boolean).map((said) => said.replace(/\.?$/, ".")).join(" "));
    }
  }

  problemItem(problem) {
    const { block, line, message, hint } = problem;
    const small = (label, act) => html("button", { type: "button", class: "ssaw-ed-button", "aria-label": `${label} the text of block ${block}`, onclick: act, ...OWN_KEYS }, label);
    return html(
      "li",
      {},
      html("span", { class: "ssaw-ed-where" }, `Block ${block}, line ${line}`),
      html("span", { class: "ssaw-ed-what" }, html("strong", {}, message), hint ? html("span", {}, hint) : ""),
      small("Correct", () => this.editText(block, null)),
      small("Discard", () => this.command("discard", { block })),
    );
  }

  fillTwin() {
    if (!this.twin.open || !this.state) return;
    const cell = (text) => html("td", {}, text);
    const dominator = (row) => (row.entry ? "none (entry)" : row.reachable ? row.idom : "unreachable");
    this.table.replaceChildren(
      ...this.state.rows.map((row) =>
        html("tr", {}, html("th", { scope: "row" }, row.block), html("td", { class: "ssaw-ed-code" }, this.blocks.get(row.block).lines.join("\n")), cell(row.succs.join(", ") || "none"), cell(dominator(row))),
      ),
    );
  }

  // The row above the picture: what is being done, or what can be done with the selection.
  showActions() {
    const text = (...parts) => this.actions.replaceChildren(html("span", {}, ...parts));
    const { choice, drag } = this;
    if (choice) {
      const what = choice.edge ? `Retarget ${choice.src} → ${choice.edge.dst} to ` : `New edge from ${choice.src} to `;
      const typed = choice.candidate === null ? `no block starts with “${choice.typed}”` : "";
      return text(what, html("strong", {}, choice.candidate ?? "…"), html("small", {}, typed || "click it, or arrows or typing, then Enter; Esc cancels"));
    }
    if (drag?.moving && drag.kind !== "pan") {
      const what = drag.kind === "add" ? `New edge from ${drag.src} to ` : `Retarget ${drag.edge.src} → ${drag.edge.dst} to `;
      return text(what, html("strong", {}, drag.target ?? "…"), html("small", {}, drag.target ? "let go to accept" : "let go over a block, Esc cancels"));
    }
    const { selected } = this;
    const drawn = selected && (selected.kind === "block" ? this.blocks : this.edges).get(selected.key);
    if (!drawn) return text(html("small", {}, HINT));
    const act = (label, key, run) => html("button", { type: "button", class: "ssaw-ed-button", title: `${label} (${key})`, onclick: run, ...OWN_KEYS }, label);
    if (selected.kind === "block") {
      const { key } = selected;
      this.actions.replaceChildren(
        html("span", {}, "Block ", html("strong", {}, key)),
        act("Edit lines", "Enter", () => this.editText(key, null)),
        act("Edge to…", "e", () => this.choose({ src: key })),
        act("Rename", "F2", () => this.editName(key)),
        act("Remove", "Delete", () => this.removeBlock(key)),
      );
    } else {
      const { edge } = drawn;
      this.actions.replaceChildren(
        html("span", {}, "Edge ", html("strong", {}, `${edge.src} → ${edge.dst}`)),
        act("Retarget…", "r", () => this.choose({ src: edge.src, edge })),
        act("Split", "s", () => this.command("split_edge", { src: edge.src, index: edge.index })),
        act("Remove", "Delete", () => this.removeEdge(edge)),
      );
    }
  }

  // Show a line under the picture (and read it out); an empty one takes it away.
  say(message, isTrouble = false) {
    this.notice.textContent = message;
    this.notice.hidden = !message;
    this.notice.classList.toggle("is-trouble", isTrouble);
    if (message) this.announce(message);
  }

  announce(message) {
    this.live.textContent = message;
  }
}

export default {
  render({ model, el, signal }) {
    const view = new EditorView({ model, el, signal: signal ?? new AbortController().signal });
    return () => view.dispose();
  },
};
