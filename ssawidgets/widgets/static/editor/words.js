// The words around the picture: what happened, what is wrong, what can be done, the table.

const HINT = "Drag from block to block: new edge. Drag an arrowhead: move it. Click a line: edit.";

const words = {
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
  },

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
  },

  fillTwin() {
    if (!this.twin.open || !this.state) return;
    const cell = (text) => html("td", {}, text);
    const dominator = (row) => (row.entry ? "none (entry)" : row.reachable ? row.idom : "unreachable");
    this.table.replaceChildren(
      ...this.state.rows.map((row) =>
        html("tr", {}, html("th", { scope: "row" }, row.block), html("td", { class: "ssaw-ed-code" }, this.blocks.get(row.block).lines.join("\n")), cell(row.succs.join(", ") || "none"), cell(dominator(row))),
      ),
    );
  },

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
  },

  // Show a line under the picture (and read it out); an empty one takes it away.
  say(message, isTrouble = false) {
    this.notice.textContent = message;
    this.notice.hidden = !message;
    this.notice.classList.toggle("is-trouble", isTrouble);
    if (message) this.announce(message);
  },

  announce(message) {
    this.live.textContent = message;
  },
};
