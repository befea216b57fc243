// The words around the picture: what happened, what is wrong, what can be done, the table.

const HINT = "Drag from block to block: new edge. Drag an arrowhead: move it. Click a line: edit; a φ, a badge, a tree arrow: why? Keys: ?";

const words = {
  showTexts(before) {
    const { state } = this;
    const able = (element, name, what) => {
      element.setAttribute("aria-disabled", String(!name));
      element.title = name ? `${what}: ${name}` : `Nothing to ${what.toLowerCase()}`;
      element.setAttribute("aria-label", name ? element.title : what);
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
      const problems = state.problems.map((p) => `Problem in ${p.block ? `block ${p.block}` : "the text"}, line ${p.line}: ${p.message}. ${p.hint}`);
      this.announce([state.step, state.sentence, ...problems].filter(Boolean).map((said) => said.replace(/\.?$/, ".")).join(" "));
    }
  },

  problemItem(problem) {
    const { block, line, message, hint } = problem;
    const whose = block ? `the text of block ${block}` : "the program's text";
    const small = (label, act) => html("button", { type: "button", class: "ssaw-ed-button", "aria-label": `${label} ${whose}`, onclick: act, ...OWN_KEYS }, label);
    return html(
      "li",
      {},
      html("span", { class: "ssaw-ed-where" }, block ? `Block ${block}, line ${line}` : `Text, line ${line}`),
      html("span", { class: "ssaw-ed-what" }, html("strong", {}, message), hint ? html("span", {}, hint) : ""),
      small("Correct", () => (block ? this.editText(block, null) : this.toggleText(line))),
      small("Discard", () => this.command(...(block ? ["discard", { block }] : ["discard_program"]))),
    );
  },

  fillTwin() {
    if (!this.twin.open || !this.state) return;
    const cell = (text) => html("td", {}, text);
    const dominator = (row) => (row.entry ? "none (entry)" : row.reachable ? row.idom : "unreachable");
    this.table.replaceChildren(
      ...this.state.rows.map((row) =>
        html("tr", {}, html("th", { scope: "row" }, row.block), html("td", { class: "ssaw-ed-code" }, row.inside.length ? `a loop as one box: ${row.inside.join(", ")}` : this.blocks.get(row.block).lines.join("\n")), cell(row.succs.join(", ") || "none"), cell(dominator(row))),
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
    const row = this.rows.get(selected.key);
    if (selected.kind === "block" && row.inside.length) {
      const { key } = selected;
      this.actions.replaceChildren(
        html("span", {}, "Loop at ", html("strong", {}, key), ` drawn as one box: blocks ${row.inside.join(", ")}`),
        act("Expand", "c", () => this.command("unfold", { block: key })),
      );
    } else if (selected.kind === "block") {
      const { key } = selected;
      this.actions.replaceChildren(
        html("span", {}, "Block ", html("strong", {}, key)),
        act("Edit lines", "Enter", () => this.editText(key, null)),
        act("Edge to…", "e", () => this.choose({ src: key })),
        act("Rename", "F2", () => this.editName(key)),
        act("Why…", "w", () => this.askAboutSelected()),
        act("Earlier", "Alt+↑", () => this.moveBlock(key, -1)),
        act("Later", "Alt+↓", () => this.moveBlock(key, 1)),
        ...(row.loop ? [act("Collapse loop", "c", () => this.command("fold", { block: key }))] : []),
        act("Remove", "Delete", () => this.removeBlock(key)),
      );
    } else {
      const { edge } = drawn;
      const when = labelOf(edge.node);
      const side = when === "T" || when === "F";
      this.actions.replaceChildren(
        html("span", {}, "Edge ", html("strong", {}, `${edge.src} → ${edge.dst}`), when ? `, ${edgeLabel(edge).split(", ").pop()}` : ""),
        act("Retarget…", "r", () => this.choose({ src: edge.src, edge })),
        ...(side ? [act("Exchange sides", "x", () => this.command("swap_sides", { src: edge.src }))] : []),
        ...(/^-?\d/.test(when) ? [act("Case…", "c", () => this.editCase(edge))] : []),
        act("Why…", "w", () => this.askAboutSelected()),
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
