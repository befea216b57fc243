// The map of what was done. Python reads the file and sends what stands in it; here it is drawn.

const NOBODY = "The kernel does not answer, so nothing is known about your progress. Run this cell again.";

// Counts in words: "3 of 5 questions".
export function counted(done, all, what) {
  return `${done} of ${all} ${what}${all === 1 ? "" : "s"}`;
}

function render({ model, el }) {
  const chapters = JSON.parse(model.get("_chapters"));
  const talk = kernel(model, show, say, NOBODY);
  // Where exercises cannot be done (the book), a chapter comes with none, and none are spoken of.
  const count = (name) => chapters.reduce((n, chapter) => n + chapter[name].length, 0);
  const dots = () => html("span", { class: "ssaw-pg-dots", "aria-hidden": "true" });
  const rows = chapters.map((chapter) => ({ chapter, asked: dots(), set: dots(), words: html("span", { class: "ssaw-pg-words" }) }));
  const list = html(
    "ol",
    { class: "ssaw-pg-list" },
    ...rows.map(({ chapter, asked, set, words }) =>
      html("li", { class: "ssaw-pg-chapter" }, html("span", { class: "ssaw-pg-title" }, html("span", { class: "ssaw-pg-number" }, chapter.chapter), chapter.title), asked, set, words),
    ),
  );
  const total = html("p", { class: "ssaw-pg-total", role: "status" });
  const where = html("p", { class: "ssaw-pg-where" });
  const notice = html("p", { class: "ssaw-pg-notice", role: "status" });
  const button = (text, act) => html("button", { type: "button", class: "ssaw-pg-button", onclick: act, ...OWN_KEYS }, text);
  const forget = button("Forget everything", () => sure(true));
  const yes = button("Yes, forget it", () => {
    talk.send("reset");
    sure(false);
  });
  const no = button("No, keep it", () => sure(false));
  const asking = html("span", { class: "ssaw-pg-asking", role: "group", "aria-label": "Forget everything?", hidden: true }, html("span", {}, "Forget all progress? This cannot be undone."), yes, no);
  const root = html(
    "section",
    { class: "ssaw ssaw-progress", "aria-label": "Progress", onkeydown: onKey },
    total,
    list,
    html("p", { class: "ssaw-pg-legend" }, `Questions: ● right  ◐ tried  ○ open.${count("exercises") ? " Exercises: ■ passed  ◧ tried  □ open." : ""}`),
    notice,
    html("div", { class: "ssaw-pg-foot" }, where, forget, asking),
  );

  function onKey(event) {
    keepKeys(event);
    if (event.key === "Escape" && !asking.hidden) sure(false);
  }

  function sure(ask) {
    asking.hidden = !ask;
    forget.hidden = ask;
    (ask ? no : forget).focus();
  }

  function say(text) {
    notice.textContent = text;
  }

  function show({ questions, exercises, where: kept, file, forgotten = true }) {
    let right = 0;
    let passed = 0;
    for (const { chapter, asked, set, words } of rows) {
      const q = chapter.questions.map((id) => questions[id]);
      const e = chapter.exercises.map((id) => exercises[id]);
      const mark = (value, glyphs) => glyphs[value === undefined ? 2 : value ? 0 : 1];
      const drawn = (values, glyphs) => values.map((v) => html("span", { class: `ssaw-pg-dot${v ? " is-done" : ""}` }, mark(v, glyphs)));
      asked.replaceChildren(...drawn(q, "●◐○"));
      set.replaceChildren(...drawn(e, "■◧□"));
      const rightHere = q.filter(Boolean).length;
      const passedHere = e.filter(Boolean).length;
      right += rightHere;
      passed += passedHere;
      const parts = [counted(rightHere, q.length, "question")];
      if (e.length) parts.push(counted(passedHere, e.length, "exercise"));
      words.textContent = parts.join(", ");
    }
    const parts = [`${counted(right, count("questions"), "question")} answered right`];
    if (count("exercises")) parts.push(`${counted(passed, count("exercises"), "exercise")} passed`);
    total.textContent = `${parts.join(", ")}.`;
    where.replaceChildren(kept, ...(file ? [html("br"), html("code", {}, file)] : []));
    if (!forgotten) say("The file could not be deleted.");
    else say("");
  }

  // Another notebook may have written to the file while this one was out of sight.
  const watch = new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && talk.send("hello"));
  el.append(root);
  watch.observe(root);
  return () => {
    watch.disconnect();
    talk.stop();
    root.remove();
  };
}

export default { render };
