// What is selected and focused.

const selection = {
  focused(event) {
    const group = event.target.closest?.("[data-key]");
    if (!group || !this.layer.contains(group)) return;
    const kind = group.classList.contains("ssaw-ed-edge") ? "edge" : "block";
    if (!this.choice) this.select(kind, group.dataset.key);
    this.reveal(group);
  },

  select(kind, key) {
    if (this.selected?.kind === kind && this.selected.key === key) return;
    this.selected = kind ? { kind, key } : null;
    this.showSelection();
    this.showActions();
    this.drawMapSoon();
  },

  // After a redraw: an edge's number may belong to another edge now, a block may be gone.
  keepSelection() {
    const there = this.selected && (this.selected.kind === "block" ? this.blocks : this.edges).has(this.selected.key);
    if (!there) this.selected = null;
    this.showSelection();
    this.showActions();
  },

  showSelection() {
    for (const [kind, drawn] of [["block", this.blocks], ["edge", this.edges]]) {
      for (const [key, { group }] of drawn) {
        const on = this.selected?.kind === kind && this.selected.key === key;
        if (group.classList.contains("is-selected") !== on) group.classList.toggle("is-selected", on);
      }
    }
  },

  reveal(group) {
    const stage = this.stage.getBoundingClientRect();
    const it = group.getBoundingClientRect();
    const shift = (from, to, low, high) => (to - from > high - low || from < low ? from - low - MARGIN : to > high ? to - high + MARGIN : 0);
    const [x, y] = [shift(it.left, it.right, stage.left, stage.right), shift(it.top, it.bottom, stage.top, stage.bottom)];
    if (x || y) this.stage.scrollBy(x, y);
  },

  focusBlock(key) {
    this.blocks.get(key)?.group.focus({ preventScroll: true });
  },

  focusEdge(key) {
    this.edges.get(key)?.group.focus({ preventScroll: true });
  },
};
