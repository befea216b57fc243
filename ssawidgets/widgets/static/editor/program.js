// The whole program as text beside the graph. Either one edits the other: a pause in typing sends the text, and what
// was done to the graph is fetched. A text that does not read stays, its line underlined, and the graph waits for it.

const PAUSE_MS = 600;

const program = {
  layProgram() {
    const area = html("textarea", { class: "ssaw-ed-whole", "aria-label": "Program text", "aria-describedby": `${this.id}textsays`, spellcheck: "false", autocapitalize: "off", autocomplete: "off", ...OWN_KEYS });
    const gutter = html("pre", { class: "ssaw-ed-gutter", "aria-hidden": "true" });
    const says = html("div", { class: "ssaw-ed-textsays", id: `${this.id}textsays` });
    const small = (label, title, act) => html("button", { type: "button", class: "ssaw-ed-button", title, onclick: act, ...OWN_KEYS }, label);
    // `known` is the text that Python has, `area.value` what the person has made of it.
    this.text = { area, gutter, says, known: "", names: [], timer: null, drawing: null, busy: false };
    area.addEventListener("input", () => this.programTyped());
    area.addEventListener("scroll", () => (gutter.scrollTop = area.scrollTop));
    area.addEventListener("blur", () => document.activeElement !== area && this.sendProgram());
    this.complete(area, () => ({ names: this.text.names, blocks: this.state.rows.map((row) => row.block) }));
    area.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") (this.blocks.get(this.selected?.key) ?? this.blocks.values().next().value)?.group.focus({ preventScroll: true });
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.sendProgram();
      else if (event.key === "Enter" && !event.shiftKey && !event.altKey) this.newLine(area);
      else return;
      event.preventDefault();
    });
    return html(
      "section",
      { class: "ssaw-ed-side", "aria-label": "The program as text", hidden: true },
      html("div", { class: "ssaw-ed-sidehead" }, html("strong", {}, "Program"), html("span", { class: "ssaw-ed-end" }, small("Copy", "Copy the text", () => this.copyText()), small("Close", "Close the text (p)", () => this.toggleText()))),
      html("div", { class: "ssaw-ed-lines" }, gutter, area),
      says,
    );
  },

  // A new line is indented as the one before, or as the first line of a block.
  newLine(area) {
    const line = area.value.slice(area.value.lastIndexOf("\n", area.selectionStart - 1) + 1, area.selectionStart);
    const label = /^\S.*:\s*$/.test(line) && !/^func\b/.test(line);
    const indent = label ? "  " : /^\s*/.exec(line)[0];
    if (!document.execCommand("insertText", false, `\n${indent}`)) area.setRangeText(`\n${indent}`, area.selectionStart, area.selectionEnd, "end");
  },

  toggleText(line = null) {
    const open = this.side.hidden || line !== null;
    if (!open) this.sendProgram();
    this.side.hidden = !open;
    this.root.classList.toggle("with-text", open);
    this.textButton.setAttribute("aria-pressed", String(open));
    if (!open) return this.textButton.focus({ preventScroll: true });
    this.fetchProgram(() => {
      const { area } = this.text;
      const at = line === null ? 0 : area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      area.focus({ preventScroll: true });
      area.setSelectionRange(at, at);
    });
  },

  // Bring the text that Python has, unless the person is in the middle of another.
  fetchProgram(then = null) {
    if (this.side.hidden) return;
    const { area } = this.text;
    const take = (text, names = []) => {
      const untouched = area.value === this.text.known;
      this.text.known = text;
      this.text.names = names;
      if (untouched && text !== area.value) {
        const [at, scroll] = [area.selectionStart, area.scrollTop];
        area.value = text;
        area.setSelectionRange(at, at);
        area.scrollTop = scroll;
      }
      this.showProgram();
      then?.();
    };
    area.readOnly = this.offline;
    if (this.offline) take(JSON.parse(this.model.get("_state")).text);
    else this.command("program", {}, ({ accepted, text, names }) => accepted && take(text, names));
  },

  programTyped() {
    // Of a text that is put in at once Chromium tells line by line, and to draw the numbers lays out all lines so far.
    this.text.drawing ??= setTimeout(() => this.showProgram());
    clearTimeout(this.text.timer);
    this.text.timer = setTimeout(() => this.sendProgram(), PAUSE_MS);
  },

  sendProgram() {
    const { text } = this;
    clearTimeout(text.timer);
    if (text.busy || text.area.value === text.known || this.side.hidden || this.offline) return;
    const sent = text.area.value;
    text.busy = true;
    this.command("set_program", { text: sent, was: text.known }, (answer) => {
      text.busy = false;
      if (answer.accepted) text.known = sent;
      this.showProgram(answer.accepted ? null : answer);
      if (answer.accepted && text.area.value !== sent) this.programTyped();
    });
  },

  // Line numbers, and under the text what is wrong with it.
  showProgram(refusal = null) {
    const { area, gutter, says } = this.text;
    clearTimeout(this.text.drawing);
    this.text.drawing = null;
    const problem = this.problems?.get("") ?? null;
    const lines = area.value.split("\n").length;
    // Of a text being typed one knows the problem only once it has been read.
    const known = problem && area.value === this.text.known ? problem : null;
    const numbers = Array.from({ length: lines }, (_, i) => (known?.line === i + 1 ? `! ${i + 1}` : `${i + 1}`)).join("\n");
    if (gutter.textContent !== numbers) gutter.textContent = numbers;
    gutter.scrollTop = area.scrollTop;
    area.classList.toggle("has-problem", Boolean(known));
    if (known) area.style.setProperty("--line", known.line - 1);
    const wrong = refusal ?? known;
    says.classList.toggle("is-trouble", Boolean(wrong));
    if (!wrong) {
      const waiting = area.value !== this.text.known ? "Reading when you pause …" : "The graph follows as you type. Tab completes, Esc goes to the graph.";
      return says.replaceChildren(this.offline ? OFFLINE : waiting);
    }
    says.replaceChildren(html("strong", {}, wrong.line ? `Line ${wrong.line}: ${wrong.message}` : wrong.message), ...(wrong.hint ? [html("span", {}, wrong.hint)] : []));
    if (refusal) {
      const again = () => this.fetchProgram(() => this.sendProgram());
      const drop = () => {
        area.value = this.text.known;
        this.fetchProgram();
      };
      const small = (label, act) => html("button", { type: "button", class: "ssaw-ed-button", onclick: act, ...OWN_KEYS }, label);
      says.append(html("span", { class: "ssaw-ed-group" }, small("Use my text", again), small("Drop my text", drop)));
    }
  },
};
