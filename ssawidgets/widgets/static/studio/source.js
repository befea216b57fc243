// The source: a program's text in one of four notations, the function looked at, the arguments it is run on. A text that does not
// read stays as it is typed; what is wrong is said below it, with line and column, and the pictures stay those of before.

const source = {
  laySource() {
    const id = (name) => `${this.id}${name}`;
    this.program = html("select", { id: id("program"), onchange: () => this.loadProgram(), ...OWN_KEYS });
    this.notation = html("select", { id: id("notation"), onchange: () => this.command("set", { notation: this.notation.value }), ...OWN_KEYS });
    this.functions = html("select", { id: id("function"), onchange: () => this.command("set", { function: this.functions.value }), ...OWN_KEYS });
    this.area = html("textarea", {
      class: "ssaw-st-area", id: id("text"), rows: 18, wrap: "off", spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      "aria-describedby": id("problem"), oninput: () => this.typed(), onkeydown: (event) => this.keyInText(event), ...OWN_KEYS,
    });
    this.problem = html("div", { class: "ssaw-st-problem", id: id("problem"), role: "status" });
    this.args = html("input", { type: "text", id: id("args"), "aria-describedby": id("gives"), spellcheck: "false", autocomplete: "off", oninput: () => this.command("set", { args: this.args.value }), onkeydown: (event) => event.stopPropagation(), ...OWN_KEYS });
    this.params = html("label", { for: id("args") });
    this.gives = html("p", { class: "ssaw-st-gives", id: id("gives"), role: "status" });
    this.functionField = html("span", { class: "ssaw-st-field" }, html("label", { for: id("function") }, "Function"), this.functions);
    return html(
      "section",
      { class: "ssaw-st-source", "aria-label": "Source" },
      html("div", { class: "ssaw-st-fields" },
        html("span", { class: "ssaw-st-field" }, html("label", { for: id("program") }, "Program"), this.program),
        html("span", { class: "ssaw-st-field" }, html("label", { for: id("notation") }, "Notation"), this.notation),
        this.functionField,
      ),
      html("label", { class: "ssaw-st-above", for: id("text") }, "Source: paste or type a program"),
      this.area,
      this.problem,
      html("div", { class: "ssaw-st-run" }, this.params, this.args),
      this.gives,
    );
  },

  loadProgram() {
    if (this.program.value) this.command("load", { name: this.program.value });
  },

  typed() {
    this.edits += 1;
    this.command("set", { text: this.area.value });
  },

  keyInText(event) {
    event.stopPropagation();
    if (event.key === "Escape") {
      this.root.focus({ preventScroll: true });
      event.preventDefault();
    }
  },

  showSource(now) {
    const { area } = this;
    // What a person is typing is newer than what comes back of it.
    const typing = this.queue.some((c) => "text" in c.fields) || (this.sent && "text" in this.sent.fields);
    if (!typing && area.value !== now.text) area.value = now.text;
    this.options(this.program, [["", "choose …"], ...this.bench.programs.map((name) => [name, name])], "");
    const told = now.notation === "auto" ? `recognised: ${now.said}` : "recognise";
    this.options(this.notation, [["auto", told], ...Object.entries(this.bench.notations)], now.notation);
    this.options(this.functions, now.functions.map((name) => [name, name]), now.function);
    this.functionField.hidden = now.functions.length < 2;
    this.showProblem(now.problem);
    this.params.textContent = now.params ? `${now.function}(${now.params}) with` : `${now.function}() takes no arguments`;
    this.args.hidden = !now.params && !now.arguments;
    if (document.activeElement !== this.args) this.args.value = now.arguments;
    this.args.setAttribute("aria-invalid", String(Boolean(now.argumentsProblem)));
    this.gives.classList.toggle("is-wrong", Boolean(now.argumentsProblem));
    this.gives.textContent = now.argumentsProblem ? `✗ ${now.argumentsProblem}` : `It ${now.gives}.`;
  },

  showProblem(problem) {
    this.area.setAttribute("aria-invalid", String(Boolean(problem)));
    this.root.classList.toggle("has-problem", Boolean(problem));
    if (!problem) return this.problem.replaceChildren();
    const line = this.area.value.split("\n")[problem.line - 1] ?? "";
    const caret = " ".repeat(Math.max(0, problem.column - 1)) + "^";
    this.problem.replaceChildren(
      html("strong", {}, `Line ${problem.line}, column ${problem.column}: ${problem.message}`),
      problem.hint ? html("span", {}, `; ${problem.hint}`) : null,
      html("pre", { "aria-hidden": "true" }, `${line}\n${caret}`),
      html("p", {}, "The panes show the last program that read. ", button("Go there", () => this.goTo(problem))),
    );
  },

  goTo(problem) {
    const lines = this.area.value.split("\n").slice(0, problem.line - 1);
    const at = lines.reduce((sum, line) => sum + line.length + 1, 0) + problem.column - 1;
    this.area.focus();
    this.area.setSelectionRange(at, at);
  },

  // Renew the options of a select, unless they are the same: one that is open would close.
  options(select, options, value) {
    const key = JSON.stringify(options);
    if (select.dataset.options !== key) {
      select.dataset.options = key;
      select.replaceChildren(...options.map(([v, name]) => html("option", { value: v }, name)));
    }
    select.value = value;
  },
};
