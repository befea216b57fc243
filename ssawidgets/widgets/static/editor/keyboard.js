// The keyboard: what each key does on a block, on an edge, anywhere in the picture.

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

const keyboard = {
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
  },

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
  },

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
  },
};
