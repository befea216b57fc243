// What is said of an option or a thing picked: a sign, a sentence, the wrong idea by its name, the evidence drawn.

const SIGNS = { right: "✓", wrong: "✗", missed: "○", left: "–" };
const IN_WORDS = { right: "right", wrong: "not right", missed: "missed", left: "rightly left out" };

// `folded`: the picture waits until it is asked for.
function remarkBody(remark, folded = false) {
  const parts = [html("p", { class: "ssaw-qz-says" }, ...prose(remark.text))];
  if (remark.slip) parts.push(html("p", { class: "ssaw-qz-slip" }, html("strong", {}, "A common slip: "), ...prose(`“${remark.slip}”.`)));
  if (remark.svg && folded) parts.push(html("details", { class: "ssaw-qz-fold" }, html("summary", OWN_KEYS, "Show it"), evidence(remark)));
  else if (remark.svg) parts.push(evidence(remark));
  else if (remark.sentence) parts.push(html("p", { class: "ssaw-qz-says" }, ...prose(remark.sentence)));
  return parts;
}

function evidence(remark) {
  const caption = remark.sentence ? [html("figcaption", {}, ...prose(remark.sentence))] : [];
  return html("figure", { class: "ssaw-qz-evidence" }, html("div", { class: "ssaw-qz-picture" }, picture(remark.svg)), ...caption);
}

function sign(kind) {
  return html("span", { class: `ssaw-qz-sign is-${kind}`, "aria-hidden": "true" }, SIGNS[kind]);
}

function unseen(text) {
  return html("span", { class: "ssaw-qz-unseen" }, text);
}

function button(text, act, main = false) {
  return html("button", { type: "button", class: `ssaw-qz-button${main ? " is-main" : ""}`, onclick: act, ...OWN_KEYS }, text);
}
