// Saving what is on the bench to a file, and opening one. Without a kernel the last state that came here is saved.

const files = {
  layFiles() {
    this.chooser = html("input", { type: "file", accept: ".json,.txt,.py,.bril,.ll", hidden: true, "aria-label": "File to open", onchange: () => this.openFile() });
    return html("span", { class: "ssaw-st-files" }, button("Save", () => this.saveFile(), { title: "Save the program and all choices to a file" }), button("Open", () => this.chooser.click(), { title: "Open a saved file, or a program in any notation" }), this.chooser);
  },

  saveFile() {
    const save = (text) => {
      download(`${this.bench.source.function}.studio.json`, text);
      this.setStatus(`Saved as ${this.bench.source.function}.studio.json.`);
    };
    if (this.gone) save(this.bench.file);
    else this.command("file", {}, (answer) => save(answer.file));
  },

  async openFile() {
    const file = this.chooser.files[0];
    if (!file) return;
    const text = await file.text();
    this.chooser.value = "";
    this.command("open", { text }, (answer) => {
      if (answer.trouble) return;
      this.pane = answer.pane;
      this.showTabs();
      this.showPane();
      this.setStatus(`Opened ${file.name}.`);
    });
  },
};
