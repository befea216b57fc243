// The stepper's view. A recording comes from Python once, as one JSON text (what is in it: ssawidgets/step/reel.py), and is
// played here: stepping, breakpoints and questions need no kernel. The same file plays in an exported page.
//
// Nothing is computed about graphs or programs here. State is replayed from changes; every drawing was made in
// Python and is put in as elements; all text becomes text nodes.

const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };
const KINDS = ["line", "call", "return", "yield", "raise"];
const MADE = 3; // the number of a sentence that nobody wrote
const GOES_ON = 1;
const CHECKPOINT = 64;

/* ---------------------------------------------------------------- replay: pure, tested with node */

// A value after a change: a text, or {kind, entries: Map of key -> text}. undefined: the variable is gone.
export function changed(before, change) {
  if (change.length === 1) return undefined;
  if (change.length === 2) return change[1];
  const [, kind, put, gone = []] = change;
  const entries = kind === null ? new Map(before.entries) : new Map();
  for (const key of gone) entries.delete(key);
  for (const pair of put) {
    if (Array.isArray(pair)) entries.set(pair[0], pair[1]);
    else entries.set(pair, "");
  }
  const is = kind ?? before.kind;
  return { kind: is, entries: is === "set" && kind === null ? new Map([...entries].sort((a, b) => natural(a[0], b[0]))) : entries };
}

// The order in which members of a set are shown: numbers by size, then words.
export function natural(a, b) {
  const numbers = [a, b].map((text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null));
  if (numbers[0] !== null && numbers[1] !== null) return numbers[0] - numbers[1];
  if (numbers[0] !== null) return -1;
  if (numbers[1] !== null) return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

// Plays a film: `at(i)` gives what there is after step i, {values: Map of slot -> value, printed}.
export class Replay {
  constructor(film) {
    this.film = film;
    this.checkpoints = [{ values: new Map(), printed: "" }];
    this.last = { index: -1, state: this.checkpoints[0] };
  }

  at(index) {
    if (index !== this.last.index) {
      const state = index === this.last.index + 1 ? this.forward(this.last.state, index, index + 1) : this.from(index);
      this.last = { index, state };
    }
    return this.last.state;
  }

  // The state after a step, replayed from the checkpoint before it.
  from(index) {
    const known = this.checkpoints;
    while (known.length <= Math.floor((index + 1) / CHECKPOINT)) {
      known.push(this.forward(known.at(-1), (known.length - 1) * CHECKPOINT, known.length * CHECKPOINT));
    }
    const nearest = Math.floor((index + 1) / CHECKPOINT);
    return this.forward(known[nearest], nearest * CHECKPOINT, index + 1);
  }

  forward(state, from, to) {
    const values = new Map(state.values);
    let printed = state.printed;
    for (let i = from; i < to; i++) {
      const step = this.film.steps[i];
      for (const change of step[7]) {
        const value = changed(values.get(change[0]), change);
        if (value === undefined) values.delete(change[0]);
        else values.set(change[0], value);
      }
      if (step[8]) printed += step[8];
    }
    return { values, printed };
  }
}

// The next step, after `from` in a direction, that changes a variable of this name; null without one.
export function nextChange(film, name, from, direction = 1) {
  for (let i = from + direction; i >= 0 && i < film.steps.length; i += direction) {
    if (film.steps[i][7].some((change) => film.slots[change[0]][2] === name)) return i;
  }
  return null;
}

// The next step, after `from`, on a line with a breakpoint ("source:line"); the last step without one.
export function nextStop(film, stops, from) {
  for (let i = from + 1; i < film.steps.length; i++) {
    if (stops.has(`${film.steps[i][1]}:${film.steps[i][2]}`)) return i;
  }
  return film.steps.length - 1;
}

// Whether two answers say the same: brackets, quotes and spaces do not count, nor does the order in a set.
export function sameAnswer(given, wanted) {
  const words = (text) => text.replace(/[{}[\]'",]/g, " ").trim().split(/\s+/).filter(Boolean);
  const a = words(given);
  const b = words(wanted);
  if (wanted.startsWith("{") && !wanted.includes(":")) {
    a.sort();
    b.sort();
  }
  return a.length === b.length && a.every((word, i) => word === b[i]);
}

/* ---------------------------------------------------------------- elements */

function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function drawing([tag, attributes, children]) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  for (const child of children) element.append(typeof child === "string" ? child : drawing(child));
  return element;
}

// The graph: `show(picture)` exchanges the drawings that differ from what is shown.
function graphView(graph, onBlock) {
  const { scene, looks, arrows, lit, trees: treesOf, pictures } = graph;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", scene.title);
  svg.style.width = `${scene.width}px`;
  const layer = () => svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "g"));
  const extras = (where) => {
    const into = layer();
    for (const extra of scene.extras) if (extra.layer === where) into.append(drawing(extra.node));
  };
  extras("under");
  const trees = layer();
  const edges = layer();
  const blocks = layer();
  extras("over");

  const names = scene.blocks.map((b) => b.key);
  const drawn = scene.blocks.map((b) => ({ look: 0, made: new Map(), group: blocks.appendChild(drawing(["g", { transform: `translate(${b.x} ${b.y})` }, [b.node]])) }));
  scene.blocks.forEach((b, i) => drawn[i].group.addEventListener("click", () => onBlock(b.key)));
  const edgeOf = new Map(scene.edges.map((e) => [e.key, { bright: false, plain: e.node, element: edges.appendChild(drawing(e.node)) }]));
  const made = new Map(); // "child/number" -> the arrow

  function look(i, number) {
    const one = drawn[i];
    if (one.look === number) return;
    if (!one.made.has(one.look)) one.made.set(one.look, one.group.firstChild);
    if (!one.made.has(number)) one.made.set(number, drawing(looks[names[i]][number]));
    one.group.replaceChildren(one.made.get(number));
    one.look = number;
  }

  return {
    svg,
    names,
    show(number) {
      const [chosen, tree, bright] = pictures[number];
      const wanted = new Map(chosen);
      drawn.forEach((_, i) => look(i, wanted.get(i) ?? 0));
      const wantedArrows = new Set();
      for (const [child, which] of treesOf[tree]) {
        const key = `${child}/${which}`;
        wantedArrows.add(key);
        if (!made.has(key)) made.set(key, drawing(arrows[names[child]][which]));
        if (!made.get(key).parentNode) trees.append(made.get(key));
      }
      for (const [key, arrow] of made) if (!wantedArrows.has(key)) arrow.remove();
      for (const [key, edge] of edgeOf) {
        const is = bright.includes(key);
        if (is === edge.bright) continue;
        const element = drawing(is ? lit[key] : edge.plain);
        edge.element.replaceWith(element);
        edge.element = element;
        edge.bright = is;
      }
    },
    ask(asking) {
      svg.classList.toggle("is-asking", asking);
      drawn.forEach(({ group }, i) => {
        if (asking) {
          group.setAttribute("tabindex", "0");
          group.setAttribute("role", "button");
          group.setAttribute("aria-label", `answer block ${names[i]}`);
          group.setAttribute("data-lm-suppress-shortcuts", "true");
        } else for (const name of ["tabindex", "role", "aria-label"]) group.removeAttribute(name);
      });
    },
  };
}

/* ---------------------------------------------------------------- one film */

function player(film, start, title) {
  const replay = new Replay(film);
  const last = film.steps.length - 1;
  const questionAt = new Map(film.questions.map((q) => [q[0], q]));
  const stops = new Set();
  let now = Math.max(0, Math.min(start, last));
  let asked = null; // the question that waits for an answer
  let answered = null; // {right, given} for the step shown
  let right = 0;
  let total = 0;
  let timer = null;
  let shownSource = null;
  let lines = new Map();
  let here = null; // the line that is marked

  const graph = film.graph ? graphView(film.graph, (block) => asked && asked[2] === "block" && answer(block)) : null;
  const button = (label, text, act, extra = {}) =>
    html("button", { type: "button", class: "ssaw-sp-button", title: label, "aria-label": label, ...OWN_KEYS, onclick: act, ...extra }, text);

  const playButton = button("Play (Space)", "▶ Play", () => play(timer === null));
  const predictBox = html("input", { type: "checkbox", ...OWN_KEYS, onchange: () => predict() });
  const speed = html(
    "select",
    { class: "ssaw-sp-select", "aria-label": "Speed", ...OWN_KEYS, onchange: () => timer !== null && (play(false), play(true)) },
    ...[["0.5", "½×"], ["1", "1×"], ["2", "2×"], ["5", "5×"], ["20", "20×"]].map(([v, t]) => html("option", v === "1" ? { value: v, selected: "" } : { value: v }, t)),
  );
  const names = [...new Set([...film.slots].sort((a, b) => a[3] - b[3]).map((s) => s[2]))];
  const watch = html("select", { class: "ssaw-sp-select", "aria-label": "Variable to follow", ...OWN_KEYS }, ...names.map((n) => html("option", { value: n }, n)));
  const place = html("span", { class: "ssaw-sp-place" });
  const score = html("span", { class: "ssaw-sp-score" });
  const scrub = html("input", {
    type: "range", class: "ssaw-sp-scrub", min: "1", max: String(last + 1), value: "1", "aria-label": "Step", ...OWN_KEYS,
    oninput: () => { play(false); leaveQuestion(); show(Number(scrub.value) - 1); },
  });
  const bar = html(
    "div",
    { class: "ssaw-sp-bar", role: "group", "aria-label": "Steps" },
    html("span", { class: "ssaw-sp-group" },
      button("To the start (Home)", "|◂", () => jump(0)),
      button("Back (left arrow)", "◂ Back", () => back()),
      playButton,
      button("Step (right arrow)", "Step ▸", () => forward(), { class: "ssaw-sp-button is-main" }),
      button("To the end (End)", "▸|", () => jump(last))),
    html("span", { class: "ssaw-sp-group" }, speed),
    ...(names.length ? [html("span", { class: "ssaw-sp-group" }, button("To the next change of the variable chosen (n)", "Next change of", () => change(1)), watch)] : []),
    button("To the next breakpoint (r)", "Run to ●", () => run()),
    ...(film.questions.length ? [html("label", { class: "ssaw-sp-check" }, predictBox, "Predict first")] : []),
    score,
    place,
  );
  const caption = html("p", { class: "ssaw-sp-caption" });
  const result = html("p", { class: "ssaw-sp-result" });
  const question = html("div", { class: "ssaw-sp-question", hidden: "" });
  const said = html("div", { class: "ssaw-sp-said", "aria-live": "polite" }, result, caption);
  const code = html("ol", { class: "ssaw-sp-code", "aria-label": "Source; Enter on a line sets a breakpoint" });
  const codeName = html("h4", { class: "ssaw-sp-name" });
  const variables = html("div", { class: "ssaw-sp-variables" });
  const printed = html("pre", { class: "ssaw-sp-printed", "aria-label": "Printed" });
  const printedPart = html("div", { hidden: "" }, html("h4", { class: "ssaw-sp-name" }, "Printed"), printed);
  const words = html("pre", { class: "ssaw-sp-words", tabindex: "0", ...OWN_KEYS });
  const twin = html("details", { class: "ssaw-sp-twin", ontoggle: () => twin.open && !words.firstChild && words.append(inWords()) }, html("summary", OWN_KEYS, "All steps in words"), words);
  const notes = film.notes.map((n) => html("p", { class: "ssaw-sp-note" }, html("strong", {}, "Note: "), `${n}.`));
  const root = html(
    "section",
    { class: "ssaw-sp-film", tabindex: "0", role: "region", "aria-label": title ?? `Steps of ${film.name}`, ...OWN_KEYS, onkeydown: onKey },
    ...(title ? [html("h3", { class: "ssaw-sp-title" }, title)] : []),
    bar,
    scrub,
    said,
    question,
    html(
      "div",
      { class: "ssaw-sp-panes" },
      ...(graph ? [html("div", { class: "ssaw-sp-figure" }, graph.svg)] : []),
      html("div", { class: "ssaw-sp-side" }, codeName, code, variables, printedPart),
    ),
    ...notes,
    twin,
    html("p", { class: "ssaw-sp-keys" }, "Keys, with the focus in here: ← → step, Space play, Home and End, n next change, r run to a breakpoint, p predict first"),
  );

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target.matches?.("input:not([type=checkbox]), select");
    const onButton = event.target.matches?.("button, summary, input, select, li[tabindex], g[role=button]");
    const digit = Number.parseInt(event.key, 10);
    if (event.key === "Enter" || event.key === " ") {
      const block = event.target.closest?.("g[role=button]");
      if (block) block.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      else if (event.target.matches?.("li[tabindex]")) toggleStop(event.target);
      else if (onButton || event.key === "Enter") return stopHere(event);
      else play(timer === null);
    } else if (inField) return stopHere(event);
    else if (event.target.matches?.("li[tabindex]") && (event.key === "ArrowUp" || event.key === "ArrowDown")) moveLine(event.target, event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "ArrowRight") forward();
    else if (event.key === "ArrowLeft") back();
    else if (event.key === "Home") jump(0);
    else if (event.key === "End") jump(last);
    else if (event.key === "n") change(1);
    else if (event.key === "r") run();
    else if (event.key === "p" && film.questions.length) { predictBox.checked = !predictBox.checked; predict(); }
    else if (asked && digit >= 1 && digit <= asked[4].length) answer(asked[4][digit - 1]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  function stopHere(event) { event.stopPropagation(); }

  /* moving */

  function forward() {
    if (asked || now >= last) return;
    const next = questionAt.get(now + 1);
    if (predictBox.checked && next) return ask(next);
    show(now + 1);
  }
  function back() { play(false); if (asked) leaveQuestion(); else show(now - 1); }
  function jump(index) { play(false); leaveQuestion(); show(index); }
  function change(direction) {
    const next = nextChange(film, watch.value, now, direction);
    if (next !== null) jump(next);
    else result.textContent = `${watch.value} does not change any more.`;
  }
  function run() { jump(nextStop(film, stops, now)); }
  function play(on) {
    if (timer !== null) clearInterval(timer);
    timer = null;
    if (on) {
      if (now >= last) show(0);
      timer = setInterval(() => {
        forward();
        const step = film.steps[now];
        if (asked || now >= last || stops.has(`${step[1]}:${step[2]}`)) play(false);
      }, 900 / Number(speed.value));
    }
    playButton.textContent = timer === null ? "▶ Play" : "❚❚ Pause";
    said.setAttribute("aria-live", timer === null ? "polite" : "off");
  }

  /* questions */

  function predict() { leaveQuestion(); tally(); }
  function tally() { score.textContent = predictBox.checked || total ? `${right} of ${total} right` : ""; }
  function ask(next) {
    play(false);
    asked = next;
    const field = html("input", { type: "text", class: "ssaw-sp-field", "aria-label": "Your answer", size: "14", ...OWN_KEYS });
    const send = html("form", { class: "ssaw-sp-form", onsubmit: (event) => { event.preventDefault(); if (field.value.trim()) answer(field.value); } },
      html("label", {}, "or type it: ", field), html("button", { class: "ssaw-sp-button", type: "submit", ...OWN_KEYS }, "Answer"));
    question.replaceChildren(
      html("strong", {}, asked[1]),
      html("span", { class: "ssaw-sp-choices" }, ...asked[4].map((c, i) => html("button", { type: "button", class: "ssaw-sp-button", ...OWN_KEYS, onclick: () => answer(c) }, html("span", { class: "ssaw-sp-digit" }, String(i + 1)), c))),
      send,
      ...(asked[2] === "block" && graph ? [html("small", {}, "or click the block")] : []),
    );
    question.hidden = false;
    root.classList.add("is-asking");
    graph?.ask(asked[2] === "block");
    markNext(film.steps[asked[0]]);
    root.focus({ preventScroll: true });
    said.setAttribute("aria-live", "polite");
    result.textContent = `Question: ${asked[1]} Choices: ${asked[4].map((c, i) => `${i + 1}, ${c}`).join("; ")}.`;
    result.className = "ssaw-sp-result ssaw-sp-unseen";
  }
  function answer(given) {
    const was = asked;
    total++;
    const good = sameAnswer(given, was[3]);
    if (good) right++;
    answered = { good, given, wanted: was[3] };
    leaveQuestion();
    show(was[0], true);
    root.focus({ preventScroll: true });
  }
  function leaveQuestion() {
    asked = null;
    question.hidden = true;
    root.classList.remove("is-asking");
    graph?.ask(false);
    result.className = "ssaw-sp-result";
    result.textContent = "";
    for (const line of lines.values()) line.classList.remove("is-next");
  }

  /* source */

  function source(number) {
    if (shownSource === number) return;
    shownSource = number;
    lines = new Map();
    const one = film.sources[number];
    codeName.textContent = one.name;
    const rows = one.lines.map(([n, text]) => {
      const row = html("li", { "data-line": String(n), onclick: () => toggleStop(row), ...OWN_KEYS },
        html("span", { class: "ssaw-sp-gutter", "aria-hidden": "true" }), html("code", {}, text || " "));
      lines.set(n, row);
      return row;
    });
    code.replaceChildren(...rows);
    rows[0]?.setAttribute("tabindex", "0");
    for (const [n, row] of lines) mark(row, stops.has(`${number}:${n}`));
  }
  function mark(row, on) {
    row.classList.toggle("is-stop", on);
    row.firstChild.textContent = on ? "●" : "";
    row.setAttribute("aria-label", `${row.lastChild.textContent.trim()}${on ? ", breakpoint" : ""}`);
  }
  function toggleStop(row) {
    const key = `${shownSource}:${row.dataset.line}`;
    if (!stops.delete(key)) stops.add(key);
    mark(row, stops.has(key));
    if (document.activeElement !== row) moveLine(row, 0, false);
  }
  function moveLine(row, by, focus = true) {
    const all = [...code.children];
    const to = all[Math.max(0, Math.min(all.indexOf(row) + by, all.length - 1))];
    for (const one of all) one.removeAttribute("tabindex");
    to.setAttribute("tabindex", "0");
    if (focus) to.focus();
  }
  function markNext(step) {
    source(step[1]);
    lines.get(step[2])?.classList.add("is-next");
  }

  /* showing */

  function show(index, keepAnswer = false) {
    now = Math.max(0, Math.min(index, last));
    if (!keepAnswer) answered = null;
    const step = film.steps[now];
    if (!step) {
      caption.textContent = "There is no step to show.";
      return;
    }
    const state = replay.at(now);
    source(step[1]);
    const row = lines.get(step[2]);
    if (row !== here) {
      here?.classList.remove("is-here");
      here?.removeAttribute("aria-current");
      here = row;
      here?.classList.add("is-here");
      here?.setAttribute("aria-current", "step");
    }
    caption.textContent = film.captions[step[4]];
    caption.className = `ssaw-sp-caption is-${KINDS[step[0]]}${step[5] === MADE || step[5] === GOES_ON ? " is-made" : ""}`;
    result.className = `ssaw-sp-result${answered ? (answered.good ? " is-right" : " is-wrong") : ""}`;
    result.textContent = answered ? (answered.good ? `✓ Right: ${answered.wanted}.` : `✗ Not ${answered.given}: it is ${answered.wanted}.`) : "";
    graph?.show(step[6]);
    frames(step, state.values);
    printedPart.hidden = !state.printed;
    if (printed.textContent !== state.printed) {
      printed.textContent = state.printed;
      printed.scrollTop = printed.scrollHeight;
    }
    scrub.value = String(now + 1);
    scrub.setAttribute("aria-valuetext", `step ${now + 1} of ${last + 1}: ${film.captions[step[4]]}`);
    place.textContent = `${now + 1} / ${last + 1}`;
    tally();
    // Measured last, so that the page is laid out once.
    if (here && (here.offsetTop < code.scrollTop || here.offsetTop + here.offsetHeight > code.scrollTop + code.clientHeight)) {
      code.scrollTop = here.offsetTop - code.clientHeight / 2;
    }
  }

  // The variables of the functions that are open, the innermost first. What reads as it did keeps its elements.
  const rowsMade = new Map(); // slot -> {reads, row}
  const tables = new Map(); // "depth/source/caller" -> {table, body}
  function frames(step, values) {
    const stack = film.stacks[step[3]];
    const touched = new Map(step[7].map((c) => [c[0], c]));
    const rowsOf = stack.map(() => []);
    for (const [slot, value] of values) {
      const [depth, sourceNumber, , rank] = film.slots[slot];
      if (stack[depth] === sourceNumber) rowsOf[depth].push([rank, rowOf(slot, value, touched.get(slot))]);
    }
    const parts = [];
    for (let depth = stack.length - 1; depth >= 0; depth--) {
      const caller = depth < stack.length - 1;
      if (!rowsOf[depth].length && caller) continue;
      parts.push(tableOf(depth, stack[depth], caller, rowsOf[depth].sort((a, b) => a[0] - b[0]).map(([, row]) => row)));
      if (parts.length === 4 && depth > 1) {
        parts.push(html("p", { class: "ssaw-sp-more" }, `… and ${depth} more calls`));
        break;
      }
    }
    put(variables, parts);
  }

  function put(parent, children) {
    const there = parent.children;
    if (there.length !== children.length || children.some((child, i) => child !== there[i])) parent.replaceChildren(...children);
  }

  function tableOf(depth, sourceNumber, caller, rows) {
    const key = `${depth}/${sourceNumber}/${caller}`;
    if (!tables.has(key)) {
      const name = film.sources[sourceNumber].name;
      const body = html("tbody");
      const title = caller ? `in ${name}, which waits` : `Variables of ${name}`;
      tables.set(key, { body, table: html("table", { class: `ssaw-sp-frame${caller ? " is-caller" : ""}` }, html("caption", {}, title), body) });
    }
    const { table, body } = tables.get(key);
    put(body, rows);
    return table;
  }

  function rowOf(slot, value, change) {
    const reads = typeof value === "string" ? value : `${value.kind}\n${[...value.entries].join("\n")}`;
    const made = rowsMade.get(slot);
    if (made && !change && !made.change && made.reads === reads) return made.row;
    const row = html("tr", { class: change ? "is-changed" : "" },
      html("th", { scope: "row" }, html("span", { class: "ssaw-sp-dot", "aria-hidden": "true" }, change ? "●" : ""), film.slots[slot][2], ...(change ? [html("span", { class: "ssaw-sp-unseen" }, ", changed")] : [])),
      html("td", {}, ...shown(value, change)));
    rowsMade.set(slot, { reads, row, change });
    return row;
  }

  function shown(value, change) {
    if (typeof value === "string") return [value];
    const fresh = new Set(change && change.length > 2 && change[1] === null ? change[2].map((p) => (Array.isArray(p) ? p[0] : p)) : []);
    const gone = change && change.length > 3 ? change[3] : [];
    const parts = [];
    const entry = (key, text, tag) => {
      const inside = value.kind === "map" ? [html("span", { class: "ssaw-sp-key" }, `${key}:`), text] : [value.kind === "set" ? key : text];
      parts.push(html(tag, { class: "ssaw-sp-entry" }, ...inside), " ");
    };
    let n = 0;
    for (const [key, text] of value.entries) {
      if (++n > 200) {
        parts.push(`… ${value.entries.size - 200} more`);
        break;
      }
      entry(key, text, fresh.has(key) ? "ins" : "span");
    }
    if (value.kind !== "list") for (const key of gone) entry(key, "", "del");
    if (!parts.length) parts.push(html("span", { class: "ssaw-sp-empty" }, "empty"));
    return parts;
  }

  function inWords() {
    return film.steps.map((step, i) => `${i + 1}. ${film.sources[step[1]].name}, line ${step[2]}: ${film.captions[step[4]]}`).join("\n");
  }

  show(now);
  return { root, stop: () => play(false) };
}

/* ---------------------------------------------------------------- the whole */

// Builds a stepper, or two side by side, in `el` from {films, starts, titles, sentence}; returns the clean-up.
export function mount(el, data) {
  const players = data.films.map((film, i) => player(film, data.starts[i], data.titles?.[i]));
  const root = html(
    "div",
    { class: `ssaw ssaw-stepper${players.length > 1 ? " is-pair" : ""}` },
    ...(data.sentence ? [html("p", { class: "ssaw-sp-difference" }, data.sentence)] : []),
    html("div", { class: "ssaw-sp-films" }, ...players.map((p) => p.root)),
  );
  el.append(root);
  return () => {
    for (const p of players) p.stop();
    root.remove();
  };
}

function render({ model, el }) {
  return mount(el, JSON.parse(model.get("_film")));
}

export default { render };
