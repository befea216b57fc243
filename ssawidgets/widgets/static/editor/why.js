// Why: asking about a fact, and drawing the witness over the picture that is there. Nothing moves, and Escape takes it away.

// The questions that hold or not: kind, what it says before what it is about, and before the block.
const QUESTIONS = [
  ["pruned phi", "a pruned φ for", "name", "at block"],
  ["semi-pruned phi", "a semi-pruned φ for", "name", "at block"],
  ["minimal phi", "a minimal φ for", "name", "at block"],
  ["live", "live", "name", "at the top of block"],
  ["live out", "live", "name", "at the end of block"],
  ["frontier", "in the frontier of", "block", "is block"],
  ["dominator", "immediate dominator", "block", "of block"],
  ["loop", "in the loop of", "block", "is block"],
  ["critical", "critical: the edge to", "block", "from block"],
  ["reachable", "reachable", null, "is block"],
];

const why = {
  layWhy() {
    this.whyText = html("p", { class: "ssaw-ed-why-text" });
    this.whyKey = html("p", { class: "ssaw-ed-why-key" });
    const close = html("button", { type: "button", class: "ssaw-ed-button", title: "Take the marks away (Esc)", onclick: () => this.clearWhy(true), ...OWN_KEYS }, "Clear");
    this.whyPanel = html("div", { class: "ssaw-ed-why", role: "group", "aria-label": "Why", hidden: true }, html("div", {}, this.whyText, this.whyKey), close);
    this.askPanel = html("div", { class: "ssaw-ed-ask", role: "group", "aria-label": "Ask why", hidden: true });
    // The answer lies over the picture's edge, where one looks and where it moves nothing; the questions stand above it.
    this.view.append(this.whyPanel);
    this.actions.after(this.askPanel);
    this.witness = null; // what takes the marks away again
    this.askedFrom = null; // where the focus goes back to
  },

  // Ask why a fact (by its key) holds or does not.
  ask(fact) {
    if (this.offline) return this.say(OFFLINE, true);
    this.command("why", { fact }, (answer) => {
      if (answer.accepted) this.showWhy(JSON.parse(answer.text));
    });
  },

  showWhy(answer) {
    this.clearWhy();
    this.witness = [];
    for (const [key, mark] of Object.entries(answer.marks)) this.markBlock(key, mark, answer.signs[mark]);
    for (const { mark, edges } of answer.paths) for (const key of edges) this.markEdge(key, mark);
    for (const child of answer.tree) this.addClass(this.extras.get(`tree/${child}`)?.content, "is-witness");
    for (const [key, note] of Object.entries(answer.notes)) this.noteBlock(key, note);
    for (const line of answer.lines) this.markLine(line);
    this.root.classList.add("is-asking");
    this.whyText.replaceChildren(html("strong", {}, answer.holds ? "Yes. " : "No. "), answer.text);
    this.whyKey.replaceChildren(...answer.key.map(([glyph, said]) => html("span", {}, html("b", {}, glyph), ` ${said}`)));
    this.whyPanel.hidden = false;
    this.announce(`${answer.holds ? "Yes" : "No"}: ${answer.text}`);
    const block = Object.keys(answer.marks).find((key) => answer.marks[key] === "current");
    const drawn = this.blocks.get(block);
    if (!drawn) return;
    this.reveal(drawn.group);
    this.placeWhy(drawn.group);
  },

  // Beside the drawing where there is room, else over that half of it in which the block asked about is not.
  placeWhy(group) {
    this.measure();
    const [free] = this.origin();
    const stage = this.stage.getBoundingClientRect();
    const box = group.getBoundingClientRect();
    const beside = free > 280;
    this.whyPanel.classList.toggle("is-beside", beside);
    this.whyPanel.style.maxWidth = beside ? `${Math.min(380, free - 24)}px` : "";
    this.whyPanel.classList.toggle("is-above", beside || (box.top + box.bottom) / 2 > (stage.top + stage.bottom) / 2);
  },

  addClass(element, name) {
    if (!element || element.classList.contains(name)) return;
    element.classList.add(name);
    this.witness.push(() => element.classList.remove(name));
  },

  addNode(parent, node, x, y) {
    const element = build(node, this.id);
    const group = svg("g", { class: "ssaw-ed-witness", transform: `translate(${x},${y})`, "aria-hidden": "true" });
    group.append(element);
    parent.append(group);
    this.witness.push(() => group.remove());
  },

  markBlock(key, mark, sign) {
    const drawn = this.blocks.get(key);
    if (!drawn) return; // inside a loop drawn as one box
    this.addClass(drawn.content.querySelector(".ssaw-box"), `ssaw-box-${mark}`);
    this.addClass(drawn.content.querySelector(".ssaw-box"), "is-witness");
    for (const node of sign) this.addNode(drawn.group, node, 0, 0);
  },

  markEdge(key, mark) {
    const content = this.edges.get(key)?.content;
    if (!content) return;
    for (const part of ["line", "double", "head"]) {
      this.addClass(content.querySelector(`.ssaw-${part}`), `ssaw-${part}-${mark}`);
      this.addClass(content.querySelector(`.ssaw-${part}`), "is-witness");
    }
  },

  // Notes stand on the upper edge of a block's box, outside of its text.
  noteBlock(key, { node, width, said }) {
    const drawn = this.blocks.get(key);
    const badges = drawn ? [...drawn.content.querySelectorAll(".ssaw-pill-text")].map((text) => text.textContent) : [];
    if (drawn && !badges.includes(said)) this.addNode(drawn.group, node, Math.max(10, drawn.box.width - width - 4), -9.5);
  },

  markLine({ block, line, node }) {
    const drawn = this.blocks.get(block);
    const hit = drawn?.content.querySelector(`.ssaw-row[data-line="${line}"] .ssaw-hit`);
    if (hit) this.addNode(drawn.group, node, 0, Number(hit.getAttribute("y")) + Number(hit.getAttribute("height")) / 2);
  },

  clearWhy(focusBack = false) {
    if (!this.witness) return;
    for (const undo of this.witness.reverse()) undo();
    this.witness = null;
    this.root.classList.remove("is-asking");
    const hadFocus = this.whyPanel.contains(document.activeElement);
    this.whyPanel.hidden = true;
    if (focusBack && hadFocus) this.focusBlock(this.selected?.key ?? this.state.scene.blocks[0].key);
  },

  // Open the list of what is known of a block, and what else can be asked; with `src`, of the edge from there to the block, too.
  openAsk(block, src = null) {
    if (this.offline) return this.say(OFFLINE, true);
    this.command("about", { block, src }, (answer) => {
      if (!answer.accepted) return;
      this.fillAsk(JSON.parse(answer.text), src);
      this.askedFrom = src === null ? null : this.selected;
      (this.askPanel.querySelector(".ssaw-ed-fact") ?? this.askPanel.querySelector("select")).focus();
    });
  },

  askAboutSelected() {
    const { kind, key } = this.selected;
    if (kind === "block") return this.openAsk(key);
    const { src, dst } = this.edges.get(key).edge;
    this.openAsk(dst, src);
  },

  fillAsk({ block, facts, names }, src = null) {
    const items = facts.map(({ key, text }, i) =>
      html("li", {}, html("button", { type: "button", class: "ssaw-ed-fact", tabindex: i ? "-1" : "0", onclick: () => this.ask(key), ...OWN_KEYS }, text)),
    );
    const select = (label, options, onchange) => {
      const field = html("select", { class: "ssaw-ed-select", "aria-label": label, onchange, ...OWN_KEYS });
      this.fillSelect(field, options);
      return field;
    };
    const blocks = this.state.rows.map((row) => [row.block, row.block]);
    const kinds = QUESTIONS.filter(([, , about]) => about !== "name" || names.length > 0);
    const between = html("span");
    const about = select("About", []);
    const kind = select("Question", kinds.map(([k, text]) => [k, text]), () => settle());
    const at = select("Block", blocks);
    const settle = () => {
      const [, , what, then] = kinds.find(([k]) => k === kind.value);
      between.textContent = then;
      about.hidden = !what;
      this.fillSelect(about, what === "name" ? names.map((name) => [name, name]) : what ? blocks : [["", ""]]);
    };
    settle();
    at.value = block;
    if (this.state.view.variable && names.includes(this.state.view.variable)) about.value = this.state.view.variable;
    const send = html("button", { type: "button", class: "ssaw-ed-button", onclick: () => this.ask(JSON.stringify([kind.value, at.value, about.value])), ...OWN_KEYS }, "Ask");
    const close = html("button", { type: "button", class: "ssaw-ed-button", "aria-label": "Close", title: "Close (Esc)", onclick: () => this.closeAsk(), ...OWN_KEYS }, "×");
    this.askPanel.replaceChildren(
      html("div", { class: "ssaw-ed-ask-head" }, html("span", {}, ...(src === null ? ["Block "] : ["Edge ", html("strong", {}, `${src} → ${block}`), " and block "]), html("strong", {}, block), items.length ? ": choose a fact to see why" : ": no shown layer says anything of it"), close),
      html("ul", { "aria-label": `Facts about block ${block}`, hidden: items.length === 0 }, ...items),
      html("div", { class: "ssaw-ed-ask-form" }, html("span", {}, "Why, or why not:"), kind, about, between, at, send),
    );
    this.askPanel.dataset.block = block;
    this.askPanel.hidden = false;
  },

  closeAsk() {
    const hadFocus = this.askPanel.contains(document.activeElement);
    const { block } = this.askPanel.dataset;
    this.askPanel.hidden = true;
    this.askPanel.replaceChildren();
    if (hadFocus && this.edges.has(this.askedFrom?.key)) this.focusEdge(this.askedFrom.key);
    else if (hadFocus) this.focusBlock(this.blocks.has(block) ? block : this.state.scene.blocks[0].key);
  },

  // After a redraw a block may be gone, and facts are others.
  renewAsk() {
    this.clearWhy();
    if (this.askPanel.hidden) return;
    const { block } = this.askPanel.dataset;
    if (!this.rows.has(block)) return this.closeAsk();
    const hadFocus = this.askPanel.contains(document.activeElement);
    this.command("about", { block }, (answer) => {
      if (!answer.accepted || this.askPanel.hidden) return;
      this.fillAsk(JSON.parse(answer.text));
      if (hadFocus) (this.askPanel.querySelector(".ssaw-ed-fact") ?? this.askPanel.querySelector("select")).focus();
    });
  },

  // Keys of asking; says whether the key was for it.
  whyKeyed(event) {
    const { key, target } = event;
    const done = () => {
      event.preventDefault();
      event.stopPropagation();
      return true;
    };
    if (event.ctrlKey || event.metaKey || event.altKey || this.choice || this.drag || target.matches("input, textarea")) return false;
    if (key === "Escape" && this.witness) {
      this.clearWhy(true);
      this.announce("Marks taken away.");
      return done();
    }
    if (key === "Escape" && this.askPanel.contains(target)) {
      this.closeAsk();
      return done();
    }
    if (target.classList.contains("ssaw-ed-fact")) {
      const all = [...this.askPanel.querySelectorAll(".ssaw-ed-fact")];
      const to = { ArrowDown: all.indexOf(target) + 1, ArrowUp: all.indexOf(target) - 1, Home: 0, End: all.length - 1 }[key];
      if (to === undefined) return false;
      const next = all[Math.min(Math.max(to, 0), all.length - 1)];
      for (const one of all) one.tabIndex = one === next ? 0 : -1;
      next.focus();
      return done();
    }
    if (key === "w" && this.svg.contains(target) && this.selected) {
      this.askAboutSelected();
      return done();
    }
    return false;
  },
};
