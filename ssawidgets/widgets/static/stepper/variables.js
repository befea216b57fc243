// The variables after a step, a table for each function that is open, the innermost first.

// Returns {element, show(step, values)}. What reads as it did before keeps its elements.
function variablesPane(film) {
  const element = html("div", { class: "ssaw-sp-variables" });
  const rowsMade = new Map(); // slot -> {value, row, change}
  const tables = new Map(); // "depth/source/caller" -> {table, body}
  function show(step, values) {
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
    put(element, parts);
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

  // Values are replayed and not changed in place, so one that is the same object reads the same.
  function rowOf(slot, value, change) {
    const made = rowsMade.get(slot);
    if (made && !change && !made.change) {
      if (made.value === value) return made.row;
      if (reads(made.value) === reads(value)) {
        made.value = value;
        return made.row;
      }
    }
    const row = html("tr", { class: change ? "is-changed" : "" },
      html("th", { scope: "row" }, html("span", { class: "ssaw-sp-dot", "aria-hidden": "true" }, change ? "●" : ""), film.slots[slot][2], ...(change ? [html("span", { class: "ssaw-sp-unseen" }, ", changed")] : [])),
      html("td", {}, ...shown(value, change)));
    rowsMade.set(slot, { value, row, change });
    return row;
  }

  function reads(value) {
    return typeof value === "string" ? value : `${value.kind}\n${[...value.entries].join("\n")}`;
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

  return { element, show };
}
