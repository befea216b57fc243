// Making elements: SVG from the descriptions that Python sends, HTML for the frame.

const SVG = "http://www.w3.org/2000/svg";
let views = 0;

// Build an SVG element from a description [tag, {attribute: value}, [children]]; strings become text nodes.
function build(description, prefix) {
  const [tag, attributes, children] = description;
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, ownIds(name, String(value), prefix));
  }
  for (const child of children) {
    element.append(typeof child === "string" ? document.createTextNode(child) : build(child, prefix));
  }
  return element;
}

// Let an element built from the description `old` look as `node` says, changing only what differs. Returns the element,
// another one where tag or children are not the same kind.
function revise(element, old, node, prefix) {
  if (same(old, node)) return element;
  const [tag, attributes, children] = node;
  const alike = old[0] === tag && old[2].length === children.length && children.every((child, i) => typeof child === typeof old[2][i]);
  if (!alike) {
    const fresh = build(node, prefix);
    element.replaceWith(fresh);
    return fresh;
  }
  for (const name of Object.keys(old[1])) if (!(name in attributes)) element.removeAttribute(name);
  for (const [name, value] of Object.entries(attributes)) {
    if (old[1][name] !== value) element.setAttribute(name, ownIds(name, String(value), prefix));
  }
  children.forEach((child, i) => {
    const there = element.childNodes[i];
    if (typeof child !== "string") revise(there, old[2][i], child, prefix);
    else if (child !== old[2][i]) there.data = child;
  });
  return element;
}

// Make an HTML element: attributes, `on…` handlers, children (strings become text nodes).
function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

function svg(tag, attributes = {}) {
  return build([tag, attributes, []], "");
}

// JupyterLab takes single letters and arrows for itself unless the focused element says otherwise.
const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };

const ARROW = {
  undo: "M6 3 2.5 6.5 6 10M3 6.5h6.5a4 4 0 0 1 0 8H7",
  redo: "M10 3l3.5 3.5L10 10M13 6.5H6.5a4 4 0 0 0 0 8H9",
};

function icon(path) {
  const picture = svg("svg", { viewBox: "0 0 16 17", class: "ssaw-ed-icon", "aria-hidden": "true" });
  picture.append(svg("path", { d: path }));
  return picture;
}
