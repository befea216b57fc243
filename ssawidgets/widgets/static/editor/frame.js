// The frame: toolbar, stage, words, table; and what is listened to.

// Tooltips and help name the key of the machine at hand.
const APPLE = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.platform ?? "");
const CTRL = APPLE ? "⌘" : "Ctrl";

const frame = {
  lay(el) {
    const button = (label, title, act, ...content) =>
      html("button", { type: "button", class: "ssaw-ed-button", "aria-label": label, title, onclick: act, ...OWN_KEYS }, ...content);
    // In a narrow frame icons stand alone and words are shorter.
    const wide = (word) => html("span", { class: "ssaw-ed-wide" }, word);
    this.undoButton = button("Undo", "Nothing to undo", () => this.command("undo"), icon(ARROW.undo), wide("Undo"));
    this.redoButton = button("Redo", "Nothing to redo", () => this.command("redo"), icon(ARROW.redo), wide("Redo"));
    this.resetButton = button("Reset", "Back to the start", () => this.command("reset"), "Reset");
    this.blockButton = button("Add a block", "Add a block (n)", () => this.addBlock(), "+ Block");
    this.textButton = button("Text", "The program as text, beside the graph (p)", () => this.toggleText(), "Text");
    this.textButton.setAttribute("aria-pressed", "false");
    const examples = JSON.parse(this.model.get("_examples")).map((name) => [name, () => this.command("load", { name }, ({ accepted }) => accepted && this.fit())]);
    this.percent = html("span", { class: "ssaw-ed-percent" });
    this.keysButton = button("Keyboard help", "Keys (?)", () => this.toggleKeys(), "Keys");
    this.keysButton.setAttribute("aria-expanded", "false");
    this.keysButton.setAttribute("aria-controls", `${this.id}keys`);
    this.bar = html(
      "div",
      { class: "ssaw-ed-bar", role: "group", "aria-label": "Editor" },
      html("span", { class: "ssaw-ed-group" }, this.undoButton, this.redoButton, this.resetButton),
      html("span", { class: "ssaw-ed-group" }, this.blockButton, this.textButton),
      html(
        "span",
        { class: "ssaw-ed-group" },
        this.menu("Examples", "Put another program in place of this one", examples),
        this.menu("Save", "Copy or save the program and the picture", [
          ["Copy as text", () => this.copyText()],
          ["Save text", () => this.saveText()],
          ["Save picture as SVG", () => this.saveSvg()],
          ["Save picture as PNG", () => this.savePng()],
        ]),
      ),
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
    this.view = html("div", { class: "ssaw-ed-view" }, this.stage, this.layMap());
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
    this.root = html("div", { class: "ssaw ssaw-editor" });
    this.side = this.layProgram();
    this.root.append(
      this.bar, this.help, this.actions, html("div", { class: "ssaw-ed-main" }, this.view, this.side),
      this.notice, this.sentence, this.trouble, this.twin, this.live,
    );
    this.layLayers();
    el.append(this.root);
    this.showActions();
  },

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
    on(this.stage, "scroll", () => this.state && this.scrolled(), { passive: true });
    on(this.root, "keydown", (e) => this.keyed(e));
    for (const touch of ["pointerdown", "keydown", "wheel"]) on(this.root, touch, () => this.settling && this.settleLater(), { passive: true });
    this.model.on("change:_state", () => this.receive());
    this.model.on("msg:custom", (message) => this.answered(message));
    this.model.on("comm_live_update", () => this.askWhetherThere());
    this.setOffline(!this.kernelThere());
  },
};
