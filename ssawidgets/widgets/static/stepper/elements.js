// Making elements. All text becomes text nodes; a drawing is a node that Python made, [tag, attributes, children].

const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };

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
