// The keyboard: what each key does on a block, on an edge, anywhere in the picture.

const KEYS = [
  ["Tab", "next block or edge; ↓ leaves the buttons"],
  ["↓ ↑", "along an edge: successor, predecessor"],
  ["← →", "the other ways from there"],
  ["Enter", "edit a block's lines"],
  ["e", "new edge: arrows or a name, then Enter"],
  ["r", "let an edge lead elsewhere"],
  ["s", "split an edge with an empty block"],
  ["n", "new block after this one"],
  ["F2", "rename a block"],
  ["Alt+↑ ↓", "block earlier, later in the text"],
  ["x", "exchange the sides of a branch"],
  ["c", "case of an edge; loop as one box"],
  ["Delete", "remove a block or an edge"],
  [`${CTRL}+Z`, "undo (Shift: redo)"],
  ["+ − 0", "zoom in, out, fit"],
  ["p", "the program as text"],
  ["m", "show or hide the map"],
  ["t", "show or hide the tree"],
  ["?", "show or hide these keys"],
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
    if (ctrl) return;
    const inPicture = this.svg.contains(event.target);
    if (event.altKey) {
      const moved = inPicture && { ArrowUp: -1, ArrowDown: 1 }[key];
      if (!moved || this.selected?.kind !== "block") return;
      this.moveBlock(this.selected.key, moved);
      return done();
    }
    if (key === "ArrowDown" && event.target.tagName === "BUTTON") {
      this.focusBlock(this.selected?.kind === "block" ? this.selected.key : this.boxes()[0].key);
      return done();
    }
    if (key === "Escape" && inPicture) {
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
      p: () => this.toggleText(),
      m: () => this.toggleMap(),
      "?": () => this.toggleKeys(),
      n: () => this.addBlock(),
    };
    const group = event.target.closest("[data-key]");
    const edge = group && this.edges.get(group.dataset.key)?.group === group ? this.edges.get(group.dataset.key).edge : null;
    const block = group && !edge ? this.blocks.get(group.dataset.key)?.box : null;
    const special = edge ? this.edgeKeys(edge) : block ? this.blockKeys(block, key) : {};
    const act = special[key] ?? general[key];
    if (!act || this.dialog?.contains(event.target)) return;
    done();
    act();
  },

  blockKeys(block, key) {
    const go = () => {
      const found = walk(this.state.rows, block.key, key, this.walked?.to === block.key ? this.walked.step : null);
      const across = key === "ArrowLeft" || key === "ArrowRight";
      if (found) {
        this.focusBlock(found.to);
        this.walked = found;
        if (found.of > 1) this.announce(`${found.at} of ${found.of} ${found.step.key === "ArrowDown" ? "successors" : "predecessors"} of ${found.step.from}.`);
      } else if (across) {
        const beside = nextBlock(this.boxes(), block, key);
        if (beside) this.focusBlock(beside.key);
      } else {
        this.announce(key === "ArrowDown" ? `Block ${block.key} leads nowhere.` : `No block leads to ${block.key}.`);
      }
    };
    const names = this.boxes();
    if (this.rows.get(block.key).inside.length) {
      const expand = () => this.command("unfold", { block: block.key });
      return { ArrowUp: go, ArrowDown: go, ArrowLeft: go, ArrowRight: go, Enter: expand, c: expand };
    }
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
      x: () => this.command("swap_sides", { src: block.key }),
      c: () => this.command("fold", { block: block.key }),
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
      x: () => this.command("swap_sides", { src: edge.src }),
      c: () => this.editCase(edge),
      Delete: () => this.removeEdge(edge),
      Backspace: () => this.removeEdge(edge),
    };
  },
};
