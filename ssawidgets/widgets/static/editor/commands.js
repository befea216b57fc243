// What can be done to the program, whatever asks for it: a button, a key, the mouse.

const commands = {
  addBlock() {
    const after = this.selected?.kind === "block" ? this.selected.key : null;
    const known = new Set(this.blocks.keys());
    this.command("add_block", { after }, (answer) => {
      const made = answer.accepted && [...this.blocks.keys()].find((k) => !known.has(k));
      if (made) this.focusBlock(made);
    });
  },

  removeBlock(block) {
    this.command("remove_block", { block });
  },

  removeEdge({ src, index }) {
    this.command("remove_edge", { src, index });
  },

  toggleTree() {
    const shown = this.root.classList.toggle("without-tree");
    this.treeButton.setAttribute("aria-pressed", String(!shown));
    this.announce(shown ? "Dominator tree hidden." : "Dominator tree shown.");
  },

  toggleKeys() {
    this.help.hidden = !this.help.hidden;
    this.keysButton.setAttribute("aria-expanded", String(!this.help.hidden));
  },
};
