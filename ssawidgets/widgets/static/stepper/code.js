// The source of the function that runs: the line that ran is marked, a breakpoint is set on a line by a click or Enter.

// Returns {element, show(step), next(step), calm(), isStop(step), stops, key(event)}.
function codePane(film) {
  const stops = new Set(); // "source:line"
  const name = html("p", { class: "ssaw-sp-name" });
  const list = html("ol", { class: "ssaw-sp-code", "aria-label": "Source; Enter on a line sets a breakpoint" });
  const element = html("div", {}, name, list);
  let shown = null; // the number of the source that is shown
  let lines = new Map(); // line number -> its element
  let here = null; // the line that is marked

  function source(number) {
    if (shown === number) return;
    shown = number;
    lines = new Map();
    const one = film.sources[number];
    name.textContent = one.name;
    const rows = one.lines.map(([n, text]) => {
      const row = html("li", { "data-line": String(n), onclick: () => toggle(row), ...OWN_KEYS },
        html("span", { class: "ssaw-sp-gutter", "aria-hidden": "true" }), html("code", {}, text || " "));
      lines.set(n, row);
      mark(row);
      return row;
    });
    list.replaceChildren(...rows);
    rows[0]?.setAttribute("tabindex", "0");
  }

  function mark(row) {
    const on = stops.has(`${shown}:${row.dataset.line}`);
    row.classList.toggle("is-stop", on);
    row.firstChild.textContent = on ? "●" : "";
    row.setAttribute("aria-label", `${row.lastChild.textContent.trim()}${on ? ", breakpoint" : ""}`);
  }

  function toggle(row) {
    const key = `${shown}:${row.dataset.line}`;
    if (!stops.delete(key)) stops.add(key);
    mark(row);
    if (document.activeElement !== row) reach(row);
  }

  // Only one line at a time is reached by Tab; arrows go on from there.
  function reach(row) {
    for (const one of list.children) one.removeAttribute("tabindex");
    row.setAttribute("tabindex", "0");
  }

  function move(row, by) {
    const all = [...list.children];
    const to = all[Math.max(0, Math.min(all.indexOf(row) + by, all.length - 1))];
    reach(to);
    to.focus();
  }

  return {
    element,
    stops,
    isStop: (step) => stops.has(`${step[1]}:${step[2]}`),
    show(step) {
      source(step[1]);
      const row = lines.get(step[2]);
      if (row === here) return;
      here?.classList.remove("is-here");
      here?.removeAttribute("aria-current");
      here = row;
      here?.classList.add("is-here");
      here?.setAttribute("aria-current", "step");
    },
    // Brings the marked line into sight. It measures, so it comes last in a step: the page is then laid out once.
    scroll() {
      if (here && (here.offsetTop < list.scrollTop || here.offsetTop + here.offsetHeight > list.scrollTop + list.clientHeight)) {
        list.scrollTop = here.offsetTop - list.clientHeight / 2;
      }
    },
    next(step) {
      source(step[1]);
      lines.get(step[2])?.classList.add("is-next");
    },
    calm() {
      for (const line of lines.values()) line.classList.remove("is-next");
    },
    // Keys on a line; says whether this was one.
    key(event) {
      const row = event.target.closest?.("li[tabindex]");
      if (!row) return false;
      if (event.key === "Enter" || event.key === " ") toggle(row);
      else if (event.key === "ArrowUp" || event.key === "ArrowDown") move(row, event.key === "ArrowDown" ? 1 : -1);
      else return false;
      return true;
    },
  };
}
