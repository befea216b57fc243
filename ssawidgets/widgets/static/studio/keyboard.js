// Keys: what a key means on the bench and before a class. Fields and the graph keep their own keys.

const MOVES = {
  ArrowRight: "next", PageDown: "next", " ": "next", Enter: "next",
  ArrowLeft: "back", PageUp: "back", Backspace: "back",
  r: "reset", Home: "reset", End: "end",
};

const keyboard = {
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("textarea, input, select") || this.graph.contains(event.target)) return;
    const handled = this.presenting ? this.keyPresenting(event) : this.keyOnBench(event);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  },

  keyOnBench({ key }) {
    if (key === "p") this.startPresenting();
    else if (key === "s") this.area.focus();
    else if (key === "?") this.setStatus("p presents the demos; s goes to the source, Escape leaves it; Tab and the arrows go through the panes.");
    else return false;
    return true;
  },

  keyPresenting(event) {
    const { key, shiftKey } = event;
    const onButton = event.target.closest("button") && (key === "Enter" || key === " ");
    const demo = demoFor(key, this.demoKeys.join(""));
    const act = {
      p: () => this.stopPresenting(),
      o: () => this.showOverview(),
      n: () => this.toggleNotes(),
      m: () => this.ring(),
      t: () => (this.stageText.hidden = !this.stageText.hidden),
      e: () => this.toBench(),
      f: () => this.fullScreen(document.fullscreenElement !== this.root),
      "?": () => this.toggleHelp(),
      "+": () => this.zoom(0.1), "=": () => this.zoom(0.1), "-": () => this.zoom(-0.1),
      ".": () => this.openDemo(this.at ? this.at.demo + 1 : 0),
      ",": () => this.openDemo(this.at ? this.at.demo - 1 : 0),
      ArrowDown: () => this.point(1), ArrowUp: () => this.point(-1),
      Escape: () => this.escape(),
    }[key];
    if (onButton) return false;
    if (shiftKey && key === "ArrowRight") this.move("slide");
    else if (shiftKey && key === "ArrowLeft") this.move("slideback");
    else if (MOVES[key]) this.move(MOVES[key]);
    else if (demo >= 0) this.openDemo(demo);
    else if (act) act();
    else return false;
    return true;
  },

  // Escape takes away what lies on top, at last the presentation.
  escape() {
    if (!this.help.hidden) this.toggleHelp(false);
    else if (!this.unpoint()) this.stopPresenting();
  },
};
