// Layers: which facts are drawn, their legend, and what the last edit changed. Python draws them; here they are chosen.

// In the order of the keys 1 to 9: key, name, short name, what it shows.
const LAYERS = [
  ["tree", "Dominator tree", "Tree", "an arrow from each block's immediate dominator"],
  ["frontiers", "Frontiers", "Frontiers", "where each block's dominance ends"],
  ["iterated", "Iterated frontier", "DF⁺", "the iterated frontier of one variable's definitions"],
  ["live", "Liveness", "Live", "names that may still be read"],
  ["phis", "Phis", "Phis", "where each flavour places a φ, and which drops it"],
  ["versions", "Versions", "Versions", "the program in SSA form"],
  ["def-use", "Def-use edges", "Def-use", "from definitions of one variable to the reads they reach"],
  ["critical", "Critical edges", "Critical", "from a block with several ways out to one with several ways in"],
  ["loops", "Loops", "Loops", "each block's innermost loop"],
];
const FLAVOURS = [["minimal", "minimal"], ["semi-pruned", "semi-pruned"], ["pruned", "pruned"]];
const NOTATIONS = [["phi", "φ"], ["args", "arguments"]];
const ASK_HINT = "Click one in the picture to see why (w: all of a block).";
const LEGEND_HEIGHT = 22; // as in legend.py

KEYS.splice(
  KEYS.findIndex(([keys]) => keys === "t"), 1,
  ["1 … 9", "show or hide a layer"],
  ["v", "the next variable, for DF⁺ and def-use"],
  ["w", "ask why: what is known of a block, an edge"],
  ["t", "show or hide the tree"],
);

const layers = {
  layLayers() {
    this.layerButtons = new Map(
      LAYERS.map(([key, name, short, says], i) => [
        key,
        html(
          "button",
          { type: "button", class: "ssaw-ed-layer", "aria-label": name, "aria-pressed": "false", "aria-keyshortcuts": String(i + 1), title: `${name}: ${says} (${i + 1})`, onclick: () => this.toggleLayer(key), ...OWN_KEYS },
          html("span", { class: "ssaw-ed-digit", "aria-hidden": "true" }, String(i + 1)),
          short,
        ),
      ]),
    );
    const choose = (name, options, pick) => {
      const select = html("select", { class: "ssaw-ed-select", "aria-label": name, onchange: () => pick(select.value), ...OWN_KEYS });
      this.fillSelect(select, options);
      return select;
    };
    this.variableSelect = choose("Variable", [], (variable) => this.look({ variable }));
    this.flavourSelect = choose("Flavour of phis", FLAVOURS, (flavour) => this.look({ flavour }));
    this.notationSelect = choose("Notation of joins", NOTATIONS, (notation) => this.look({ notation }));
    this.choices = {
      variable: html("label", { class: "ssaw-ed-choice" }, "variable", this.variableSelect),
      flavour: html("label", { class: "ssaw-ed-choice" }, "flavour", this.flavourSelect),
      notation: html("label", { class: "ssaw-ed-choice" }, "joins as", this.notationSelect),
    };
    this.layerRow = html(
      "div",
      { class: "ssaw-ed-layers", role: "group", "aria-label": "Layers" },
      html("span", { class: "ssaw-ed-group" }, ...this.layerButtons.values()),
      ...Object.values(this.choices),
    );
    this.legend = html("ul", { class: "ssaw-ed-legend", "aria-label": "Legend" });
    this.told = html("ul", { class: "ssaw-ed-told", "aria-label": "What the last edit changed", hidden: true });
    this.bar.after(this.layerRow);
    this.trouble.before(this.legend);
    this.sentence.after(this.told);
    this.layWhy();
    // Before `keyed`: what is asked here is not for it.
    this.root.addEventListener("keydown", (event) => this.layerKeyed(event), { signal: this.signal, capture: true });
  },

  // What stands around the picture: buttons, choices, legend, list of changes.
  showLayers(before) {
    const { view, legend, told } = this.state;
    for (const [key, button] of this.layerButtons) button.setAttribute("aria-pressed", String(view.shown.includes(key)));
    const on = (...keys) => keys.some((key) => view.shown.includes(key));
    this.choices.variable.hidden = !on("iterated", "def-use") || view.names.length === 0;
    this.choices.flavour.hidden = !on("phis", "versions");
    this.choices.notation.hidden = !on("versions");
    this.fillSelect(this.variableSelect, view.names.map((name) => [name, name]));
    this.variableSelect.value = view.variable;
    this.flavourSelect.value = view.flavour;
    this.notationSelect.value = view.notation;
    if (!same(before?.legend, legend) || before?.view.note !== view.note) {
      this.legend.replaceChildren(...legend.map((item) => this.legendItem(item)), ...[view.note, legend.length && ASK_HINT].filter(Boolean).map((said) => html("li", { class: "is-note" }, said)));
      this.legend.hidden = legend.length === 0 && !view.note;
      this.seen.tallest = 0; // to be measured again: the legend may be taller
    }
    if (!same(before?.told, told)) {
      this.told.replaceChildren(...told.map((one) => this.toldItem(one)));
      this.told.hidden = told.length === 0;
      if (before && told.length) this.live.textContent += ` ${told.map((one) => one.text).join(" ")}`;
    }
  },

  legendItem({ node, width, text }) {
    const sample = svg("svg", { class: "ssaw-ed-sample", width: width + 1, height: LEGEND_HEIGHT, viewBox: `0 0 ${width + 1} ${LEGEND_HEIGHT}`, "aria-hidden": "true" });
    sample.append(build(node, this.id));
    return html("li", {}, sample, html("span", {}, text));
  },

  toldItem({ text, ask, sign }) {
    const words = { "+": "new", "−": "gone", "+−": "new and gone" };
    const mark = html("span", { class: "ssaw-ed-told-sign", role: "img", "aria-label": words[sign] ?? "changed" }, sign || "·");
    if (!ask) return html("li", {}, html("span", { class: "ssaw-ed-told-line" }, mark, html("span", {}, text)));
    const button = html("button", { type: "button", class: "ssaw-ed-told-line", title: "Show why in the picture", onclick: () => this.ask(ask), ...OWN_KEYS }, mark, html("span", {}, text), html("span", { class: "ssaw-ed-told-why", "aria-hidden": "true" }, "why?"));
    return html("li", {}, button);
  },

  fillSelect(select, options) {
    const there = [...select.options].map((option) => option.value);
    if (same(there, options.map(([value]) => value))) return;
    select.replaceChildren(...options.map(([value, text]) => html("option", { value }, text)));
  },

  toggleLayer(key) {
    const shown = this.wanted ?? this.state.view.shown;
    const on = !shown.includes(key);
    // Keys may be quicker than the kernel: the next one goes on from what is wanted, not from what is seen.
    this.wanted = on ? [...shown, key] : shown.filter((k) => k !== key);
    const [, name, , says] = LAYERS.find(([k]) => k === key);
    this.look({ shown: this.wanted }, on ? `${name} shown: ${says}.` : `${name} hidden.`);
  },

  toggleTree() {
    this.toggleLayer("tree");
  },

  nextVariable() {
    const { names, variable } = this.state.view;
    if (this.choices.variable.hidden || names.length === 0) return this.say("Show the iterated frontier (3) or def-use edges (7) first: they are about one variable.");
    const next = names[(names.indexOf(variable) + 1) % names.length];
    this.look({ variable: next }, `Variable ${next}.`);
  },

  // Look at the program in another way; `said` is read out when it is drawn.
  look(fields, said = "") {
    const block = this.selected?.kind === "block" ? this.selected.key : undefined;
    this.command("show", { ...fields, block }, (answer) => {
      if (this.queue.length === 0) this.wanted = null;
      if (answer.accepted && said) this.announce(said);
    });
    if (this.offline) this.wanted = null;
  },

  layerKeyed(event) {
    const { key, target } = event;
    if (this.whyKeyed(event)) return;
    if (this.choice || this.drag || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches("input, textarea")) return;
    if (target.matches("select")) return event.stopPropagation();
    const digit = /^[1-9]$/.test(key) ? LAYERS[Number(key) - 1][0] : null;
    if (digit) this.toggleLayer(digit);
    else if (key === "v") this.nextVariable();
    else return;
    event.preventDefault();
    event.stopPropagation();
  },
};
