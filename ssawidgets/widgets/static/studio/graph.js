// The graph: the editor, a widget of its own, shown inside. It is made when it is first looked at.

const graph = {
  async showGraph() {
    if (this.graphShown) return;
    this.graphShown = true;
    try {
      const editor = await this.host.getWidget(this.model.get("_editor"));
      await editor.render({ el: this.graph, signal: this.signal });
    } catch {
      this.graphShown = false;
      this.graph.replaceChildren(html("p", { class: "ssaw-st-says" }, "The graph can be edited where a kernel runs: run the cell again."));
    }
  },
};
