// Making elements. Text from a program reaches the page as text nodes only. Pictures are SVG documents made by
// ssawidgets.drawing; they are parsed as XML and put in as elements.

// JupyterLab takes single letters and arrows for itself unless the focused element says otherwise.
const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };
let views = 0;

// Make an HTML element: attributes, `on…` handlers, children (strings become text nodes).
function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

function button(label, act, attributes = {}) {
  return html("button", { type: "button", class: "ssaw-st-button", onclick: act, ...OWN_KEYS, ...attributes }, label);
}

// Two pictures on a page may be alike, and so have the same ids: each view gives its own a prefix.
function picture(text, prefix) {
  const root = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  for (const element of [root, ...root.querySelectorAll("[id]")]) element.id = prefix + element.id;
  for (const name of ["aria-labelledby", "aria-describedby"]) {
    const ids = root.getAttribute(name);
    if (ids) root.setAttribute(name, ids.split(" ").map((id) => prefix + id).join(" "));
  }
  return root;
}

// A table as Python describes it; `pick(choice)` is called for a row that can be chosen.
function tableOf(table, pick = null) {
  const cells = (row) =>
    row.cells.map((cell, i) => {
      const content = i === 0 && row.pick && pick ? button(cell, () => pick(row.pick), { class: "ssaw-st-pick", "aria-pressed": row.now }) : cell;
      return i === 0 ? html("th", { scope: "row" }, content) : html("td", {}, content);
    });
  return html(
    "table",
    { class: "ssaw-st-table" },
    html("caption", {}, table.caption),
    html("thead", {}, html("tr", {}, ...table.head.map((h) => (h ? html("th", { scope: "col" }, h) : html("td", {}))))),
    html("tbody", {}, ...table.rows.map((row) => html("tr", { class: [row.now && "is-now", row.wrong && "is-wrong"].filter(Boolean).join(" ") || null }, ...cells(row)))),
  );
}

function download(name, text) {
  const link = html("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: "application/json" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
