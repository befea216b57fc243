// One film: the bar, the sentence, and the panes, and all that moves it.

const KINDS = ["line", "call", "return", "yield", "raise"];
const MADE = 3; // the number of a sentence that nobody wrote
const GOES_ON = 1;
const SPEEDS = [["0.5", "½×"], ["1", "1×"], ["2", "2×"], ["5", "5×"], ["20", "20×"]];

function player(film, start, title) {
  const replay = new Replay(film);
  const last = film.steps.length - 1;
  const questionAt = new Map(film.questions.map((q) => [q[0], q]));
  let now = Math.max(0, Math.min(start, last));
  let answered = null; // {good, given, wanted} for the step shown
  let timer = null;

  const question = questionPane((text) => answer(text));
  const graph = film.graph ? graphView(film.graph, (block) => question.asked?.[2] === "block" && answer(block)) : null;
  const code = codePane(film);
  const variables = variablesPane(film);

  const button = (label, text, act, main = "") =>
    html("button", { type: "button", class: `ssaw-sp-button${main}`, title: label, "aria-label": label, ...OWN_KEYS, onclick: act }, text);
  const select = (label, options, onchange) =>
    html("select", { class: "ssaw-sp-select", "aria-label": label, ...OWN_KEYS, onchange }, ...options.map(([value, text]) => html("option", { value }, text)));
  const group = (...parts) => html("span", { class: "ssaw-sp-group" }, ...parts);
  const playButton = button("Play (Space)", "▶ Play", () => play(timer === null));
  const predictBox = html("input", { type: "checkbox", ...OWN_KEYS, onchange: () => leaveQuestion() });
  const speed = select("Speed", SPEEDS, () => timer !== null && play(true));
  speed.value = "1";
  const names = [...new Set([...film.slots].sort((a, b) => a[3] - b[3]).map((s) => s[2]))];
  const watch = select("Variable to follow", names.map((n) => [n, n]), () => {});
  const place = html("span", { class: "ssaw-sp-place" });
  const scrub = html("input", {
    type: "range", class: "ssaw-sp-scrub", min: "1", max: String(last + 1), value: "1", "aria-label": "Step", ...OWN_KEYS,
    oninput: () => jump(Number(scrub.value) - 1),
  });
  const bar = html(
    "div",
    { class: "ssaw-sp-bar", role: "group", "aria-label": "Steps" },
    group(
      button("To the start (Home)", "|◂", () => jump(0)),
      button("Back (left arrow)", "◂ Back", () => back()),
      playButton,
      button("Step (right arrow)", "Step ▸", () => forward(), " is-main"),
      button("To the end (End)", "▸|", () => jump(last))),
    group(speed),
    ...(names.length ? [group(button("To the next change of the variable chosen (n)", "Next change of", () => change()), watch)] : []),
    button("To the next breakpoint (r)", "Run to ●", () => run()),
    ...(film.questions.length ? [html("label", { class: "ssaw-sp-check" }, predictBox, "Predict first")] : []),
    question.score,
    place,
  );
  const caption = html("p", { class: "ssaw-sp-caption" });
  const result = html("p", { class: "ssaw-sp-result" });
  const said = html("div", { class: "ssaw-sp-said", "aria-live": "polite" }, result, caption);
  const printed = html("pre", { class: "ssaw-sp-printed", "aria-label": "Printed" });
  const printedPart = html("div", { hidden: "" }, html("p", { class: "ssaw-sp-name" }, "Printed"), printed);
  const words = html("pre", { class: "ssaw-sp-words", tabindex: "0", ...OWN_KEYS });
  const twin = html("details", { class: "ssaw-sp-twin", ontoggle: () => twin.open && !words.firstChild && words.append(inWords()) }, html("summary", OWN_KEYS, "All steps in words"), words);
  const root = html(
    "section",
    { class: "ssaw-sp-film", tabindex: "0", role: "region", "aria-label": title ?? `Steps of ${film.name}`, ...OWN_KEYS, onkeydown: onKey },
    ...(title ? [html("h3", { class: "ssaw-sp-title" }, title)] : []),
    bar,
    scrub,
    said,
    question.element,
    html(
      "div",
      { class: "ssaw-sp-panes" },
      ...(graph ? [html("div", { class: "ssaw-sp-figure" }, graph.svg)] : []),
      html("div", { class: "ssaw-sp-side" }, code.element, variables.element, printedPart),
    ),
    ...film.notes.map((n) => html("p", { class: "ssaw-sp-note" }, html("strong", {}, "Note: "), `${n}.`)),
    twin,
    html("p", { class: "ssaw-sp-keys" }, "Keys, with the focus in here: ← → step, Space play, Home and End, n next change, r run to a breakpoint, p predict first"),
  );

  // Keys that JupyterLab must not see are stopped here, also those that a control takes itself.
  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onField = event.target.matches?.("input:not([type=checkbox]), select");
    const block = event.target.closest?.("g[role=button]");
    const press = event.key === "Enter" || event.key === " ";
    if (code.key(event)) event.preventDefault();
    else if (block && press) {
      block.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      event.preventDefault();
    } else if (!onField && !(press && event.target !== root)) {
      if (!act(event.key)) return;
      event.preventDefault();
    } else if (event.key === "Tab") return;
    event.stopPropagation();
  }

  // Does what a key says; tells whether it says anything.
  function act(key) {
    const choice = question.asked?.[4][Number.parseInt(key, 10) - 1];
    if (key === "ArrowRight") forward();
    else if (key === "ArrowLeft") back();
    else if (key === " ") play(timer === null);
    else if (key === "Home") jump(0);
    else if (key === "End") jump(last);
    else if (key === "n") change();
    else if (key === "r") run();
    else if (key === "p" && film.questions.length) {
      predictBox.checked = !predictBox.checked;
      leaveQuestion();
    } else if (choice !== undefined) answer(choice);
    else return false;
    return true;
  }

  function forward() {
    if (question.asked || now >= last) return;
    const next = questionAt.get(now + 1);
    if (predictBox.checked && next) ask(next);
    else show(now + 1);
  }

  function back() {
    play(false);
    if (question.asked) leaveQuestion();
    else show(now - 1);
  }

  function jump(index) {
    play(false);
    leaveQuestion();
    show(index);
  }

  function change() {
    const next = nextChange(film, watch.value, now);
    if (next === null) result.textContent = `${watch.value} does not change any more.`;
    else jump(next);
  }

  function run() { jump(nextStop(film, code.stops, now)); }

  function play(on) {
    clearInterval(timer);
    timer = null;
    if (on) {
      if (now >= last) show(0);
      timer = setInterval(() => {
        forward();
        if (question.asked || now >= last || code.isStop(film.steps[now])) play(false);
      }, 900 / Number(speed.value));
    }
    playButton.textContent = timer === null ? "▶ Play" : "❚❚ Pause";
    said.setAttribute("aria-live", timer === null ? "polite" : "off");
  }

  function ask(next) {
    play(false);
    const onGraph = next[2] === "block" && graph !== null;
    question.ask(next, onGraph);
    graph?.ask(onGraph);
    code.next(film.steps[next[0]]);
    root.focus({ preventScroll: true });
    result.textContent = question.aloud();
    result.className = "ssaw-sp-result ssaw-sp-unseen";
  }

  function answer(text) {
    const [index] = question.asked;
    answered = question.judge(text);
    leaveQuestion();
    show(index, true);
    root.focus({ preventScroll: true });
  }

  function leaveQuestion() {
    question.close();
    graph?.ask(false);
    code.calm();
    result.className = "ssaw-sp-result";
    result.textContent = "";
  }

  function show(index, keepAnswer = false) {
    now = Math.max(0, Math.min(index, last));
    if (!keepAnswer) answered = null;
    const step = film.steps[now];
    if (!step) {
      caption.textContent = "There is no step to show.";
      return;
    }
    const state = replay.at(now);
    code.show(step);
    caption.textContent = film.captions[step[4]];
    caption.className = `ssaw-sp-caption is-${KINDS[step[0]]}${step[5] === MADE || step[5] === GOES_ON ? " is-made" : ""}`;
    result.className = `ssaw-sp-result${answered ? (answered.good ? " is-right" : " is-wrong") : ""}`;
    result.textContent = !answered ? "" : answered.good ? `✓ Right: ${answered.wanted}.` : `✗ Not ${answered.given}: it is ${answered.wanted}.`;
    graph?.show(step[6]);
    variables.show(step, state.values);
    printedPart.hidden = !state.printed;
    if (printed.textContent !== state.printed) {
      printed.textContent = state.printed;
      printed.scrollTop = printed.scrollHeight;
    }
    scrub.value = String(now + 1);
    scrub.setAttribute("aria-valuetext", `step ${now + 1} of ${last + 1}: ${film.captions[step[4]]}`);
    place.textContent = `${now + 1} / ${last + 1}`;
    question.tally();
    code.scroll();
  }

  function inWords() {
    return film.steps.map((step, i) => `${i + 1}. ${film.sources[step[1]].name}, line ${step[2]}: ${film.captions[step[4]]}`).join("\n");
  }

  show(now);
  return { root, stop: () => play(false) };
}
