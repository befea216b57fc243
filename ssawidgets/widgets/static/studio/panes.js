// The panes: tabs, and below them the one that is chosen. All panes have the same parts, so one function draws them.

const GRAPH = "graph";

const panes = {
  layPanes() {
    this.tabs = html("div", { class: "ssaw-st-tabs", role: "tablist", "aria-label": "Panes", onkeydown: (event) => this.keyInTabs(event) });
    this.graph = html("div", { class: "ssaw-st-graph", hidden: true });
    this.made = html("div", { class: "ssaw-st-made" });
    this.panel = html("div", { class: "ssaw-st-panel", role: "tabpanel", id: `${this.id}panel`, tabindex: "0", ...OWN_KEYS }, this.graph, this.made);
    return html("section", { class: "ssaw-st-right", "aria-label": "What follows from it" }, this.tabs, this.panel);
  },

  // Take what Python sent: all of it, or the panes that were made since.
  update(message) {
    const { bench } = this;
    if (message.rev > bench.rev) this.root.removeAttribute("data-done");
    bench.rev = message.rev;
    for (const key of ["chosen", "source", "notations", "tabs", "programs", "file"]) if (message[key]) bench[key] = message[key];
    for (const pane of message.panes) bench.panes.set(pane.key, pane);
    if (message.source) this.showSource(message.source);
    this.showTabs();
    if (message.panes.some((pane) => pane.key === this.pane)) this.showPane();
    if (message.last) this.root.dataset.done = String(message.rev);
  },

  showTabs() {
    const names = [[GRAPH, "Graph"], ...Object.entries(this.bench.tabs)];
    if (this.tabs.childElementCount !== names.length) {
      this.tabs.replaceChildren(
        ...names.map(([key, name]) =>
          html("button", { type: "button", role: "tab", class: "ssaw-st-tab", id: `${this.id}tab-${key}`, "data-pane": key, "aria-controls": `${this.id}panel`, onclick: () => this.choosePane(key), ...OWN_KEYS }, html("span", {}, name), html("span", { class: "ssaw-st-mark" })),
        ),
      );
    }
    for (const tab of this.tabs.children) {
      const key = tab.dataset.pane;
      const pane = this.bench.panes.get(key);
      const here = key === this.pane;
      tab.setAttribute("aria-selected", String(here));
      tab.tabIndex = here ? 0 : -1;
      const mark = key === GRAPH ? "live" : pane?.mark ?? "";
      if (tab.lastChild.textContent !== mark) tab.lastChild.textContent = mark;
      tab.classList.toggle("is-wrong", Boolean(pane?.wrong || pane?.trouble) || mark.includes("✗"));
    }
    this.panel.setAttribute("aria-labelledby", `${this.id}tab-${this.pane}`);
  },

  keyInTabs(event) {
    const keys = [GRAPH, ...Object.keys(this.bench.tabs)];
    const at = keys.indexOf(this.pane);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: keys.length - 1 }[event.key];
    if (to === undefined) return;
    this.choosePane(keys[(to + keys.length) % keys.length]);
    this.tabs.querySelector('[aria-selected="true"]').focus();
    event.preventDefault();
    event.stopPropagation();
  },

  choosePane(key) {
    this.pane = key;
    this.showTabs();
    this.showPane();
    if (!this.gone) this.command("look", { pane: key });
  },

  showPane() {
    const live = this.pane === GRAPH;
    this.graph.hidden = !live;
    this.made.hidden = live;
    if (live) return this.showGraph();
    const pane = this.bench.panes.get(this.pane);
    if (!pane) return this.made.replaceChildren(html("p", {}, "This pane has not been made yet."));
    const pick = (choice) => this.pick(...choice.split("="));
    const focused = this.made.contains(document.activeElement) ? document.activeElement.dataset.pick ?? null : null;
    const details = this.made.querySelector("details")?.open ?? false;
    this.made.replaceChildren(
      html("p", { class: "ssaw-st-says" }, pane.says || pane.trouble),
      html("div", { class: "ssaw-st-choices" }, ...pane.choices.map((choice) => this.choice(choice))),
      html("div", { class: pane.svg ? "ssaw-st-pair" : "ssaw-st-alone" },
        pane.svg ? html("div", { class: "ssaw-st-figure" }, picture(pane.svg, `${this.id}${pane.key}-`)) : null,
        html("div", { class: "ssaw-st-words" },
          pane.wrong ? html("p", { class: "ssaw-st-verdict is-wrong" }, html("strong", {}, "✗ "), pane.wrong) : null,
          pane.told.length && pane.told_title ? html("h4", {}, pane.told_title) : null,
          pane.told.length ? html("ul", { class: "ssaw-st-told" }, ...pane.told.map((line) => html("li", {}, line))) : null,
          ...pane.tables.map((table) => html("div", { class: "ssaw-st-scroll" }, tableOf(table, pick))),
          pane.text ? html("details", { open: details }, html("summary", OWN_KEYS, "The program as text"), html("pre", { class: "ssaw-st-text" }, pane.text)) : null,
        ),
      ),
    );
    if (focused) [...this.made.querySelectorAll("[data-pick]")].find((b) => b.dataset.pick === focused)?.focus({ preventScroll: true });
  },

  choice(choice) {
    return html(
      "div",
      { class: "ssaw-st-choice", role: "group", "aria-label": choice.name },
      html("span", { class: "ssaw-st-name", "aria-hidden": "true" }, choice.name),
      ...choice.options.map(([value, name]) =>
        button(name, () => this.pick(choice.key, value), { "aria-pressed": String(value === choice.value), "data-pick": `${choice.key}=${value}` }),
      ),
    );
  },

  // Choose in a pane, and look at that pane: a row of the runs leads to the stage it is about.
  pick(key, value) {
    const pane = key.split(".")[0];
    if (this.gone) return this.setStatus(GONE);
    if (this.pane !== pane && !(key in { "leave.base": 1 })) this.choosePane(pane);
    this.command("choose", { key, value });
  },
};

