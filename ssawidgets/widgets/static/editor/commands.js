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

  // Let a block stand one place earlier (-1) or later (1) in the program's text.
  moveBlock(block, by) {
    const names = this.state.rows.map((row) => row.block);
    const at = names.indexOf(block);
    if (at + by < 0 || at + by >= names.length) return this.say(`Block ${block} stands ${by < 0 ? "first" : "last"} already.`);
    this.command("move_block", { block, before: names[by < 0 ? at - 1 : at + 2] ?? null });
  },

  removeBlock(block) {
    this.command("remove_block", { block });
  },

  removeEdge({ src, index }) {
    this.command("remove_edge", { src, index });
  },

  toggleKeys() {
    this.help.hidden = !this.help.hidden;
    this.keysButton.setAttribute("aria-expanded", String(!this.help.hidden));
  },
};
