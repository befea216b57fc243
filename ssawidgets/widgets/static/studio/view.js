// The browser's half of the Studio: a workbench, and demos for a class.
//
// On the bench Python owns the state: what is typed or chosen goes there as a command, panes come back (`talk`, `source`, `panes`).
// Before a class nothing is asked of Python: demos are in the trait `_demos`, and what is seen of them is decided here (`presenter`).
//
// The files of this folder are joined into one module (`SCRIPTS` in studio.py, this one last). Each holds the methods for one
// idea; together they are the methods of the class below.

class StudioView {
  constructor({ model, el, host, signal }) {
    Object.assign(this, { model, host, signal });
    this.id = `st${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}-${++views}-`;
    this.bench = { rev: -1, panes: new Map() };
    this.pane = JSON.parse(model.get("_bench")).pane;
    this.queue = [];
    this.sent = null;
    this.serial = 0;
    this.edits = 0;
    this.gone = false;
    this.graphShown = false;
    this.presenting = false;
    this.at = null; // {demo, step}
    this.pictured = null;
    this.spot = null; // the place pointed at
    this.frame = null;
    this.ringed = false;
    this.withNotes = false;
    this.scale = 1;

    this.status = html("p", { class: "ssaw-st-status", role: "status" });
    this.circle = html("div", { class: "ssaw-st-ring", hidden: true, "aria-hidden": "true" });
    const present = this.layPresenter();
    this.benchArea = html("div", { class: "ssaw-st-bench" },
      html("div", { class: "ssaw-st-bar" }, html("strong", {}, "Studio"), this.layFiles(), this.status, button("Present ▸", () => this.startPresenting(), { class: "ssaw-st-button is-main", title: "Show the demos to a class (p)" })),
      html("div", { class: "ssaw-st-columns" }, this.laySource(), this.layPanes()),
    );
    this.root = html("div", { class: "ssaw ssaw-studio", tabindex: "0", role: "region", "aria-label": "Studio", ...OWN_KEYS, onkeydown: (event) => this.key(event), onpointermove: (event) => this.moveRing(event) }, this.benchArea, present, this.circle);
    el.append(this.root);

    this.readDemos();
    this.receive();
    this.showPane();
    const on = (name, act) => model.on(name, act);
    on("change:_bench", () => this.receive());
    on("change:_own", () => this.readDemos());
    on("msg:custom", (message) => this.received(message));
    on("comm_live_update", () => this.connectionChanged());
    if (!this.kernelThere()) this.setGone(true);
    // On a page of its own nothing else has the keys; in a notebook the cell keeps them.
    if (document.activeElement === document.body) this.root.focus({ preventScroll: true });
  }

  // The whole bench, of a moment ago: for a view that is opened later. Our own changes were seen before it comes.
  receive() {
    const text = this.model.get("_bench");
    const all = JSON.parse(text);
    this.bench.file = all.file;
    if (all.rev > this.bench.rev) this.update({ ...all, last: true });
  }

  dispose() {
    clearTimeout(this.slow);
    this.root.remove();
  }
}

Object.assign(StudioView.prototype, talk, source, panes, graph, files, presenter, pointer, keyboard);

export default {
  render({ model, el, host, signal }) {
    const view = new StudioView({ model, el, host, signal: signal ?? new AbortController().signal });
    return () => view.dispose();
  },
};
