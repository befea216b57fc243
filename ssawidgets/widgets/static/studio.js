// The Studio's view: which program and which stage are shown is the browser's own affair; pictures and words come from
// Python once, as one JSON text. Pictures are SVG documents made by ssawidgets.drawing; they are parsed as XML and
// put in as elements, and all other text becomes text nodes.

const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };
let views = 0;

// The stage to show after a key: left and right within the stages, Home and End to the first and last.
export function stageAfter(key, stage, count) {
  if (key === "ArrowRight" || key === "PageDown") return Math.min(stage + 1, count - 1);
  if (key === "ArrowLeft" || key === "PageUp") return Math.max(stage - 1, 0);
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return stage;
}

// The program that a digit asks for, the one shown where there is no such program.
export function demoFor(key, demo, count) {
  const wanted = Number.parseInt(key, 10) - 1;
  return Number.isInteger(wanted) && wanted >= 0 && wanted < count ? wanted : demo;
}

function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Two pictures on a page may be alike, and so have the same ids: each view gives its own a prefix.
function picture(text, prefix) {
  const root = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  for (const element of [root, ...root.querySelectorAll("[id]")]) element.id = prefix + element.id;
  for (const name of ["aria-labelledby", "aria-describedby"]) {
    const ids = root.getAttribute(name);
    if (ids) root.setAttribute(name, ids.split(" ").map((id) => prefix + id).join(" "));
  }
  // Larger than in a page, for a projector, but no taller than leaves the words in sight.
  root.style.height = `min(${Math.round(1.5 * Number(root.getAttribute("height")))}px, 62vh)`;
  return root;
}

function render({ model, el }) {
  // Every widget has its own copy of this script, so a counter alone would repeat.
  const prefix = `st${Math.random().toString(36).slice(2, 8)}-${++views}-`;
  const demos = JSON.parse(model.get("_demos"));
  let demo = 0;
  let stage = 0;

  const programs = html("div", { class: "ssaw-st-programs", role: "group", "aria-label": "Program" });
  const steps = html("ol", { class: "ssaw-st-steps", "aria-label": "Stages" });
  const figure = html("div", { class: "ssaw-st-figure" });
  const title = html("h3", { class: "ssaw-st-title" });
  const sentence = html("p", { class: "ssaw-st-sentence" });
  const verdict = html("p", { class: "ssaw-st-verdict" });
  const text = html("pre", { class: "ssaw-st-text" });
  const back = html("button", { type: "button", class: "ssaw-st-button", ...OWN_KEYS, onclick: () => go(stage - 1) }, "◂ Back");
  const next = html("button", { type: "button", class: "ssaw-st-button is-main", ...OWN_KEYS, onclick: () => go(stage + 1) }, "Next ▸");
  const words = html(
    "div",
    { class: "ssaw-st-words" },
    html("div", { "aria-live": "polite" }, title, sentence, verdict),
    html("details", {}, html("summary", OWN_KEYS, "The program as text"), text),
    html("div", { class: "ssaw-st-go" }, back, next),
    html("p", { class: "ssaw-st-keys" }, "Keys, with the focus in here: ← → stage, 1 – 9 program"),
  );
  const root = html(
    "div",
    { class: "ssaw ssaw-studio", tabindex: "0", role: "region", "aria-label": "Studio", ...OWN_KEYS, onkeydown: onKey },
    html("div", { class: "ssaw-st-bar" }, programs, steps),
    html("div", { class: "ssaw-st-panes" }, figure, words),
  );

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const wantedDemo = demoFor(event.key, demo, demos.length);
    const wantedStage = stageAfter(event.key, stage, demos[demo].stages.length);
    if (wantedDemo !== demo) choose(wantedDemo);
    else if (wantedStage !== stage) go(wantedStage);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function choose(index) {
    demo = index;
    stage = 0;
    show();
  }

  function go(index) {
    stage = Math.max(0, Math.min(index, demos[demo].stages.length - 1));
    show();
  }

  function show() {
    const all = demos[demo].stages;
    const now = all[stage];
    programs.replaceChildren(
      ...demos.map((d, i) =>
        html("button", { type: "button", class: "ssaw-st-button", "aria-pressed": String(i === demo), ...OWN_KEYS, onclick: () => choose(i) }, d.name),
      ),
    );
    steps.replaceChildren(
      ...all.map((s, i) => {
        const seen = i <= stage;
        const mark = seen && i > 0 ? (s.right ? " ✓" : " ✗") : "";
        const button = html("button", { type: "button", class: "ssaw-st-step", ...OWN_KEYS, onclick: () => go(i) }, `${i + 1} ${s.title}${mark}`);
        if (i === stage) button.setAttribute("aria-current", "step");
        return html("li", {}, button);
      }),
    );
    figure.replaceChildren(picture(now.svg, prefix));
    title.textContent = now.title;
    sentence.textContent = now.sentence;
    verdict.replaceChildren(html("strong", {}, stage === 0 ? "It " : "Now it "), now.gives + ".");
    verdict.classList.toggle("is-wrong", !now.right);
    if (!now.right) verdict.append(html("br"), html("strong", {}, "✗ Wrong: "), `the source ${all[0].gives}.`);
    else if (stage > 0) verdict.append(html("br"), "✓ As the source does.");
    text.textContent = now.text;
    back.setAttribute("aria-disabled", String(stage === 0));
    next.setAttribute("aria-disabled", String(stage === all.length - 1));
  }

  el.append(root);
  show();
  return () => root.remove();
}

export default { render };
