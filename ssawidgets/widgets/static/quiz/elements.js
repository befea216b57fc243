// Making elements: HTML for the frame, SVG from what Python sends. All text becomes text nodes.

const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };
const SVG = "http://www.w3.org/2000/svg";
// Every widget has a copy of this script, so a counter alone does not tell two of them apart.
const COPY = Math.random().toString(36).slice(2);
let names = 0;

function fresh() {
  return `qz${COPY}-${++names}`;
}

function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

// An SVG element from a description [tag, {attribute: value}, [children]].
function drawing([tag, attributes, children]) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  for (const child of children) element.append(typeof child === "string" ? child : drawing(child));
  return element;
}

// A still picture from an SVG document. Two on a page may be alike, and so have the same ids: each gets a prefix.
function picture(text) {
  const prefix = `${fresh()}-`;
  const root = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  for (const element of [root, ...root.querySelectorAll("[id]")]) element.id = prefix + element.id;
  for (const name of ["aria-labelledby", "aria-describedby"]) {
    const ids = root.getAttribute(name);
    if (ids) root.setAttribute(name, ids.split(" ").map((id) => prefix + id).join(" "));
  }
  return root;
}

// Versions as the pictures show them, x.2 with its number below; and no line begins with the arrow of a path.
export function asDrawn(text) {
  const below = (digits) => [...digits].map((digit) => String.fromCharCode(0x2080 + Number(digit))).join("");
  return text.replace(/\b([A-Za-z_]\w*)\.(\d+)\b/g, (_, name, digits) => name + below(digits)).replace(/ > /g, "\u00a0> ");
}

// Sentences hold names as code between backquotes: "after `x = 1`".
function prose(text) {
  return asDrawn(text).split("`").map((part, i) => (i % 2 ? html("code", {}, part) : part));
}

// JupyterLab must not see the keys that are pressed in here.
function keepKeys(event) {
  if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
}
