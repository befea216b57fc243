// A question with options. The browser shows and reports; Python judges.

function render({ model, el }) {
  const { stem, options, several, svg } = JSON.parse(model.get("_question"));
  const id = fresh();
  const talk = kernel(model, show, say);
  let state = null;

  const inputs = options.map((_, i) =>
    html("input", { type: several ? "checkbox" : "radio", name: id, id: `${id}-${i}`, value: String(i), onchange: chosen, ...OWN_KEYS }),
  );
  const signs = options.map(() => html("span", { class: "ssaw-qz-place" }));
  const bodies = options.map((_, i) => html("div", { class: "ssaw-qz-body", id: `${id}-b${i}`, hidden: true }));
  const rows = options.map((text, i) =>
    html(
      "div",
      { class: "ssaw-qz-option" },
      html("label", { for: `${id}-${i}`, class: "ssaw-qz-label" }, inputs[i], html("span", { class: "ssaw-qz-text" }, ...prose(text)), signs[i]),
      bodies[i],
    ),
  );
  const check = button("Check", answer, true);
  const reveal = button("Show the answer", () => talk.send("reveal"));
  const again = button("Try again", () => talk.send("again"));
  const result = html("p", { class: "ssaw-qz-result", role: "status" });
  const notice = html("p", { class: "ssaw-qz-notice", role: "status" });
  const pane = svg ? [html("div", { class: "ssaw-qz-figure" }, picture(svg))] : [];
  const root = html(
    "div",
    { class: "ssaw ssaw-quiz", onkeydown: onKey },
    html(
      "div",
      { class: "ssaw-qz-panes" },
      ...pane,
      html(
        "div",
        { class: "ssaw-qz-ask" },
        html(
          "fieldset",
          { class: "ssaw-qz-options" },
          html("legend", { class: "ssaw-qz-stem" }, html("span", { class: "ssaw-qz-kind" }, "Question"), html("span", {}, ...prose(stem)), ...(several ? [html("small", {}, "Choose all that are right.")] : [])),
          ...rows,
        ),
        html("div", { class: "ssaw-qz-go" }, check, reveal, again, result),
        notice,
      ),
    ),
  );

  function picked() {
    return inputs.filter((input) => input.checked).map((input) => input.value);
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    keepKeys(event);
    const digit = Number.parseInt(event.key, 10);
    if (digit >= 1 && digit <= options.length && !inputs[digit - 1].disabled) {
      const input = inputs[digit - 1];
      input.focus();
      input.click();
    } else if (event.key === "Enter" && event.target.matches("input")) answer();
    else return;
    event.preventDefault();
  }

  function answer() {
    if (picked().length || several) talk.send("answer", { picked: picked() });
    else say("Choose one first.");
  }

  function chosen() {
    say("");
    enable();
  }

  function enable() {
    check.setAttribute("aria-disabled", String(!several && picked().length === 0));
  }

  function say(text) {
    notice.textContent = text;
  }

  function show(next) {
    const cleared = state?.judged && !next.judged;
    const focused = [reveal, again].includes(document.activeElement);
    state = next;
    // What is chosen here and not yet checked stays when a view that opens asks for the state.
    if (next.judged || cleared) for (const input of inputs) input.checked = next.picked.includes(input.value);
    const remarks = new Map(next.remarks.map((remark) => [Number(remark.key), remark]));
    rows.forEach((row, i) => {
      const remark = remarks.get(i);
      row.className = `ssaw-qz-option${remark ? ` is-${remark.kind}` : ""}`;
      signs[i].replaceChildren(...(remark ? [sign(remark.kind), unseen(IN_WORDS[remark.kind])] : []));
      bodies[i].hidden = !remark;
      bodies[i].replaceChildren(...(remark ? remarkBody(remark, ["left", "missed"].includes(remark.kind)) : []));
      if (remark) inputs[i].setAttribute("aria-describedby", `${id}-b${i}`);
      else inputs[i].removeAttribute("aria-describedby");
    });
    result.className = `ssaw-qz-result ${next.judged ? (next.right ? "is-right" : "is-wrong") : ""}`;
    result.textContent = outcome(next);
    reveal.hidden = !next.judged || next.revealed;
    reveal.textContent = next.right ? "Why are the others wrong?" : "Show the answer";
    again.hidden = !next.judged;
    enable();
    // The button just used may be gone: the focus goes where one reads or chooses on.
    if (focused && next.judged) again.focus();
    else if (focused) inputs[0].focus();
  }

  function outcome({ judged, right, missing, remarks, revealed }) {
    if (!judged || revealed) return right && judged ? "✓ Right." : "";
    if (right) return "✓ Right.";
    if (!several) return "✗ Not right. Read why, and choose again.";
    const wrong = remarks.filter((remark) => remark.kind === "wrong").length;
    const parts = [wrong && (wrong === 1 ? "one chosen is wrong" : `${wrong} chosen are wrong`), missing && (missing === 1 ? "one more is right" : `${missing} more are right`)];
    return `✗ Not yet: ${parts.filter(Boolean).join(", ")}.`;
  }

  reveal.hidden = again.hidden = true;
  enable();
  el.append(root);
  talk.send("hello");
  return () => {
    talk.stop();
    root.remove();
  };
}

export default { render };
