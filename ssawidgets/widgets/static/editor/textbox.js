// Text edited in place: the lines of a block, its name.

const textbox = {
  // Open a block's lines for editing, the cursor on `line` (counted from 0), or where its problem is. The text
  // comes from Python when it is asked for.
  editText(key, line) {
    if (this.offline) return this.say(OFFLINE, true);
    this.command("text", { block: key }, ({ accepted, text, names }) => {
      if (accepted) this.openText(key, line, text, names);
    });
  },

  openText(key, line, was, names) {
    const area = html("textarea", { class: "ssaw-ed-text", "aria-label": `Lines of block ${key}`, spellcheck: "false", autocapitalize: "off", autocomplete: "off", ...OWN_KEYS });
    area.value = was;
    const forget = this.complete(area, () => ({ names, blocks: this.state.rows.map((row) => row.block) }));
    this.openBox({ key, input: area, was, forget, save: (text) => ["set_text", { block: key, text, was: this.box.was }] });
    const problem = this.problems.get(key);
    const lines = was.split("\n");
    const at = Math.min(problem ? problem.line - 1 : (line ?? lines.length - 1), lines.length - 1);
    const start = lines.slice(0, at).reduce((sum, l) => sum + l.length + 1, 0);
    const cursor = start + (problem ? Math.min(problem.column - 1, lines[at].length) : lines[at].length);
    area.setSelectionRange(cursor, cursor);
    if (problem) this.showBoxProblem(problem);
  },

  editName(key) {
    if (this.offline) return this.say(OFFLINE, true);
    const field = html("input", { class: "ssaw-ed-text", type: "text", "aria-label": `New name of block ${key}`, spellcheck: "false", autocomplete: "off", ...OWN_KEYS });
    field.value = key;
    this.openBox({ key, input: field, was: key, save: (text) => ["rename_block", { block: key, name: text }] });
    field.select();
  },

  // The int for which a switch takes an edge.
  editCase(edge) {
    if (this.offline) return this.say(OFFLINE, true);
    const now = labelOf(edge.node);
    const field = html("input", { class: "ssaw-ed-text", type: "text", inputmode: "numeric", "aria-label": `Case of edge ${edge.src} to ${edge.dst}`, spellcheck: "false", autocomplete: "off", ...OWN_KEYS });
    field.value = /^-?\d+$/.test(now) ? now : "";
    this.openBox({ key: edge.src, edge, input: field, was: field.value, save: (text) => ["set_case", { src: edge.src, index: edge.index, value: text }] });
    field.select();
  },

  openBox({ key, edge = null, input, was, save, forget = null }) {
    this.closeBox(false);
    const trouble = html("div", { class: "ssaw-ed-boxtrouble", id: `${this.id}trouble`, role: "alert", hidden: true });
    const lines = input.tagName === "TEXTAREA";
    const hint = html("div", { class: "ssaw-ed-boxhint" }, lines ? `${CTRL}+Enter applies, Esc cancels, Tab completes` : edge ? "The int for this edge. Enter applies, Esc cancels" : "Enter applies, Esc cancels");
    input.setAttribute("aria-describedby", trouble.id);
    const element = html("div", { class: "ssaw-ed-box" }, input, trouble, hint);
    this.box = { key, edge, input, was, save, forget, element, trouble, lines, busy: false };
    const grow = () => {
      if (lines) input.rows = Math.max(2, input.value.split("\n").length);
      const longest = Math.max(...input.value.split("\n").map((l) => l.length));
      input.style.width = `${Math.min(90, Math.max(longest + 3, lines ? 22 : 12))}ch`;
      input.classList.remove("has-problem");
    };
    input.addEventListener("input", grow);
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      const apply = event.key === "Enter" && (!lines || event.ctrlKey || event.metaKey);
      if (apply) this.applyBox(true);
      else if (event.key === "Escape") this.closeBox(true);
      else return;
      event.preventDefault();
    });
    input.addEventListener("blur", () => {
      if (document.activeElement !== input && this.box?.input === input) this.applyBox(false);
    });
    grow();
    this.canvas.append(element);
    this.placeBox();
    input.focus({ preventScroll: true });
    this.reveal(element);
  },

  placeBox() {
    if (!this.box) return;
    const { edge } = this.box;
    const block = edge ? { x: edge.x - 20, y: edge.y + 12, width: 40 } : this.blocks.get(this.box.key)?.box;
    const { style } = this.box.element;
    this.box.input.style.fontSize = `${Math.max(12, 12.5 * this.scale)}px`;
    if (!block) return; // the block is gone; the text stays where it was, to be copied
    style.minWidth = `${block.width * this.scale}px`;
    const width = this.box.element.offsetWidth;
    const most = Math.max(4, this.canvas.clientWidth - width - 4);
    style.left = `${Math.min(most, this.left + block.x * this.scale)}px`;
    style.top = `${this.top + block.y * this.scale}px`;
  },

  // Send the text. By key the box stays open until the text reads; by leaving it, the problem is shown below.
  applyBox(byKey) {
    const { box } = this;
    if (!box || box.busy) return;
    if (box.input.value === box.was) return this.closeBox(byKey);
    box.busy = true;
    box.input.readOnly = true;
    box.done = (answer) => {
      box.busy = false;
      box.input.readOnly = false;
      if (this.box !== box) return;
      const problem = answer.accepted ? this.problems.get(box.key) : null;
      if (answer.accepted && !(problem && byKey && box.lines)) return this.closeBox(byKey);
      if (answer.accepted) box.was = box.input.value;
      this.showBoxProblem(problem ?? answer);
      if (!byKey) box.input.focus({ preventScroll: true });
    };
    const [op, fields] = box.save(box.input.value);
    this.command(op, fields, box.done);
  },

  showBoxProblem({ line, message, hint }) {
    const { input, trouble } = this.box;
    trouble.replaceChildren(html("strong", {}, line ? `Line ${line}: ${message}` : message), ...(hint ? [html("span", {}, hint)] : []));
    trouble.hidden = false;
    if (line && this.box.lines) {
      input.style.setProperty("--line", line - 1);
      input.classList.add("has-problem");
    }
  },

  closeBox(focusBlock) {
    const { box } = this;
    if (!box) return;
    this.box = null;
    box.element.remove();
    box.forget?.();
    if (focusBlock && box.edge && this.edges.has(box.edge.key)) this.focusEdge(box.edge.key);
    else if (focusBlock) this.focusBlock(this.blocks.has(box.key) ? box.key : this.state.touched);
  },
};
