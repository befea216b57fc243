// Presenting: one slide at a time, in large type. Everything a demo shows is here already, so no kernel is needed.

const KEYS_OF = [
  ["→ Space PageDown", "next: reveal, then the next slide"],
  ["← PageUp Backspace", "back"],
  ["Shift → and ←", "a whole slide on or back"],
  ["r or Home", "reset: to the start of the demo"],
  ["End", "to its end, all revealed"],
  ["1 … 9, a … d", "a demo; 0 is the program on the bench"],
  [". and ,", "the next demo, the one before"],
  ["o", "overview of all demos"],
  ["↓ and ↑", "point at a line of the picture; Escape takes the pointer away"],
  ["m", "a ring around the mouse"],
  ["n", "the teacher's notes"],
  ["t", "the program as text"],
  ["+ and −", "larger and smaller type"],
  ["e", "put this program on the bench"],
  ["f", "full screen"],
  ["p or Escape", "back to the bench"],
  ["?", "these keys"],
];

const presenter = {
  layPresenter() {
    this.where = html("p", { class: "ssaw-st-where" });
    this.slideTitle = html("h2", { class: "ssaw-st-title" });
    this.said = html("div", { class: "ssaw-st-said", "aria-live": "polite" });
    this.stageFigure = html("div", { class: "ssaw-st-stagefigure" });
    this.stageTable = html("div", { class: "ssaw-st-scroll" });
    this.stageText = html("pre", { class: "ssaw-st-text", hidden: true, tabindex: "0", "aria-label": "The program as text", ...OWN_KEYS });
    this.notes = html("aside", { class: "ssaw-st-notes", "aria-label": "Teacher's notes", hidden: true });
    this.dots = html("p", { class: "ssaw-st-dots" });
    this.presentStatus = html("p", { class: "ssaw-st-presentstatus", role: "status" });
    this.pointed = html("p", { class: "ssaw-st-hear", "aria-live": "polite" });
    this.overview = html("div", { class: "ssaw-st-overview" });
    this.help = html("div", { class: "ssaw-st-help", role: "note", "aria-label": "Keys", hidden: true }, html("h3", {}, "Keys"), html("dl", {}, ...KEYS_OF.flatMap(([keys, what]) => [html("dt", {}, keys), html("dd", {}, what)])));
    this.slideArea = html("div", { class: "ssaw-st-slide" },
      html("div", {}, this.where, this.slideTitle),
      html("div", { class: "ssaw-st-show" }, this.stageFigure, html("div", { class: "ssaw-st-beside" }, this.said, this.stageTable, this.stageText)),
    );
    this.present = html("section", { class: "ssaw-st-present", "aria-label": "Presentation", hidden: true },
      this.overview, this.slideArea, this.notes, this.help,
      html("div", { class: "ssaw-st-foot" },
        button("◂ Back", () => this.move("back"), { class: "ssaw-st-button is-back" }),
        button("Next ▸", () => this.move("next"), { class: "ssaw-st-button is-main" }),
        this.dots, this.presentStatus,
        html("span", { class: "ssaw-st-tools" },
          button("Overview", () => this.showOverview(), { title: "o" }), button("Notes", () => this.toggleNotes(), { title: "n" }), button("Keys", () => this.toggleHelp(), { title: "?" }), button("Bench", () => this.stopPresenting(), { title: "p" }),
        ),
      ),
      this.pointed,
    );
    return this.present;
  },

  // All demos with their keys; the program on the bench is key 0.
  readDemos() {
    const ready = JSON.parse(this.model.get("_demos"));
    const own = JSON.parse(this.model.get("_own"));
    const entry = (from) => (demo, i) => ({ demo, from, key: from === own ? "0" : ready.keys[i], steps: stepsOf(demo) });
    this.demos = [...ready.demos.map(entry(ready)), ...own.demos.map(entry(own))];
    this.demoKeys = this.demos.map((d) => d.key);
  },

  startPresenting() {
    this.presenting = true;
    this.root.classList.add("is-presenting");
    this.benchArea.hidden = true;
    this.present.hidden = false;
    if (this.at) this.showSlide();
    else this.showOverview();
    this.root.focus({ preventScroll: true });
    this.hello();
    if (this.root.getBoundingClientRect().width < 0.9 * window.innerWidth) this.fullScreen(true);
  },

  stopPresenting() {
    this.presenting = false;
    this.ring(false);
    this.root.classList.remove("is-presenting");
    this.benchArea.hidden = false;
    this.present.hidden = true;
    if (document.fullscreenElement === this.root) document.exitFullscreen();
    this.showPane();
    this.root.focus({ preventScroll: true });
  },

  fullScreen(on) {
    if (!on) return document.fullscreenElement && document.exitFullscreen();
    this.root.requestFullscreen?.().catch(() => {}); // a page may forbid it; then it is shown in its place
  },

  showOverview() {
    this.seen(this.overview);
    this.overview.replaceChildren(
      html("h2", { class: "ssaw-st-title" }, "Demos"),
      html("ul", {}, ...this.demos.map(({ demo, key }, i) =>
        html("li", {}, html("button", { type: "button", class: "ssaw-st-card", onclick: () => this.openDemo(i), ...OWN_KEYS }, html("kbd", {}, key), html("span", {}, html("strong", {}, key === "0" ? `Bench: ${demo.name}` : demo.name), html("span", {}, demo.idea)))),
      )),
    );
    this.dots.textContent = "A key opens a demo; ? says all keys.";
  },

  seen(what) {
    this.overview.hidden = what !== this.overview;
    this.slideArea.hidden = what !== this.slideArea;
    this.notes.hidden = what !== this.slideArea || !this.withNotes;
    this.present.classList.toggle("with-notes", !this.notes.hidden);
  },

  openDemo(index, step = 0) {
    if (index < 0 || index >= this.demos.length) return;
    this.at = { demo: index, step };
    this.hello();
    this.showSlide();
  },

  move(how) {
    if (!this.at || !this.overview.hidden) return this.openDemo(this.at?.demo ?? 0, this.at?.step ?? 0);
    const { steps } = this.demos[this.at.demo];
    const step = stepAfter(how, this.at.step, steps);
    if (step === this.at.step && how === "next") this.dots.textContent = `${this.progress()} The end of this demo: . for the next one, o for all, r to show it again.`;
    if (step === this.at.step) return;
    this.at.step = step;
    this.showSlide();
  },

  progress() {
    const { demo, steps } = this.demos[this.at.demo];
    const now = seenAt(demo, steps, this.at.step);
    return `Slide ${now.slide + 1} of ${now.slides} ${"●".repeat(now.frame + 1)}${"○".repeat(now.frames - now.frame - 1)}`;
  },

  showSlide() {
    const { demo, from, steps, key } = this.demos[this.at.demo];
    const now = seenAt(demo, steps, this.at.step);
    this.seen(this.slideArea);
    this.where.replaceChildren(html("kbd", {}, key), ` ${demo.name}`);
    this.slideTitle.textContent = now.title;
    this.showPicture(now.svg >= 0 ? from.pictures[now.svg] : null);
    const fresh = steps[this.at.step].frame === 0 ? 0 : seenAt(demo, steps, this.at.step - 1).said.length;
    this.said.replaceChildren(...now.said.map((line, i) => this.line(line, i >= fresh)));
    this.stageTable.replaceChildren(...(now.table ? [tableOf(now.table)] : []));
    this.stageText.textContent = now.text >= 0 ? from.texts[now.text] : "";
    this.notes.replaceChildren(html("strong", {}, "Notes "), now.notes);
    this.dots.textContent = this.progress();
    this.root.dataset.slide = `${key}.${now.slide + 1}.${now.frame + 1}`;
  },

  // A sentence, or what a run gave and where that is wrong; what has just been revealed stands out.
  line({ say, gives, wrong }, fresh) {
    const look = fresh ? "is-new" : "";
    if (say !== undefined) return html("p", { class: look }, say);
    return html("p", { class: `ssaw-st-verdict ${wrong ? "is-wrong" : ""} ${look}` }, html("strong", {}, wrong ? "✗ It " : "✓ It "), `${gives}.`, wrong ? html("span", {}, ` Wrong: ${wrong}.`) : null);
  },

  // Put a picture on the stage, as large as there is room for; the same one stays, with its pointer.
  showPicture(text) {
    if (this.pictured === text) return;
    this.pictured = text;
    this.unpoint();
    if (!text) return this.stageFigure.replaceChildren();
    const svg = picture(text, `${this.id}stage-`);
    svg.style.maxWidth = `${Math.round(2.6 * Number(svg.getAttribute("width")))}px`;
    svg.style.maxHeight = `${Math.round(2.6 * Number(svg.getAttribute("height")))}px`;
    this.stageFigure.replaceChildren(svg);
  },

  toggleNotes() {
    this.withNotes = !this.withNotes;
    this.seen(this.overview.hidden ? this.slideArea : this.overview);
  },

  toggleHelp(open = this.help.hidden) {
    this.help.hidden = !open;
  },

  toBench() {
    if (!this.at) return;
    const { demo, key } = this.demos[this.at.demo];
    this.stopPresenting();
    if (key !== "0") this.command("set", { text: demo.program, notation: "auto", args: demo.args });
  },

  zoom(by) {
    this.scale = Math.max(0.6, Math.min(2, this.scale + by));
    this.root.style.setProperty("--ssaw-st-scale", this.scale.toFixed(2));
  },
};
