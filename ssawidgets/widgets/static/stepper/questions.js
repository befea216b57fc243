// Predict first: the question before a step, answered on the graph, by a choice or by typing, and the score.

// `given(text)` is called with an answer. Returns {element, score, ask(question, graph), close(), asked, judge(text), tally(), aloud()}.
function questionPane(given) {
  const element = html("div", { class: "ssaw-sp-question", hidden: "" });
  const score = html("span", { class: "ssaw-sp-score" });
  let right = 0;
  let total = 0;
  const pane = {
    element,
    score,
    asked: null,
    ask(question, onGraph) {
      pane.asked = question;
      const [, text, , , choices] = question;
      const field = html("input", { type: "text", class: "ssaw-sp-field", "aria-label": "Your answer", size: "14", ...OWN_KEYS });
      const send = (event) => {
        event.preventDefault();
        if (field.value.trim()) given(field.value);
      };
      element.replaceChildren(
        html("strong", {}, text),
        html("span", { class: "ssaw-sp-choices" }, ...choices.map((c, i) =>
          html("button", { type: "button", class: "ssaw-sp-button", ...OWN_KEYS, onclick: () => given(c) }, html("span", { class: "ssaw-sp-digit" }, String(i + 1)), c))),
        html("form", { class: "ssaw-sp-form", onsubmit: send }, html("label", {}, "or type it: ", field), html("button", { class: "ssaw-sp-button", type: "submit", ...OWN_KEYS }, "Answer")),
        ...(onGraph ? [html("small", {}, "or click the block")] : []),
      );
      element.hidden = false;
    },
    close() {
      pane.asked = null;
      element.hidden = true;
    },
    // Takes an answer: {good, given, wanted}.
    judge(answer) {
      const wanted = pane.asked[3];
      const good = sameAnswer(answer, wanted);
      total++;
      if (good) right++;
      return { good, given: answer, wanted };
    },
    tally() { score.textContent = total ? `${right} of ${total} right` : ""; },
    // What a screen reader says of the question that waits.
    aloud: () => `Question: ${pane.asked[1]} Choices: ${pane.asked[4].map((c, i) => `${i + 1}, ${c}`).join("; ")}.`,
  };
  return pane;
}
