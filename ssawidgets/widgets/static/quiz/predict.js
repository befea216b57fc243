// A question answered on the picture. The picture comes from Python as a scene; here its parts become things to pick.

const RADIUS = 8;

// The item after `from` in a direction, round the end.
export function neighbour(count, from, step) {
  return (from + step + count) % count;
}

function render({ model, el }) {
  const { stem, kind, items, scene } = JSON.parse(model.get("_question"));
  const talk = kernel(model, show, say);
  const name = fresh();
  const picked = new Set();
  let state = null;

  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", `${scene.title}; pick ${kind}`);
  svg.setAttribute("class", `ssaw-qz-graph is-${kind}`);
  svg.style.width = `${scene.width}px`;
  const layer = (hidden) => svg.appendChild(drawing(["g", hidden ? { "aria-hidden": "true" } : {}, []]));
  const put = (into, { x, y, node }) => into.appendChild(drawing(["g", { transform: `translate(${x} ${y})` }, [node]]));
  const extras = (where) => {
    const into = layer(true);
    for (const extra of scene.extras) if (extra.layer === where) put(into, extra);
  };
  extras("under");
  const edgeLayer = layer(kind !== "edges");
  const edges = new Map(scene.edges.map((edge) => [edge.key, put(edgeLayer, edge)]));
  const blockLayer = layer(kind === "edges");
  const blocks = new Map(scene.blocks.map((block) => [block.key, put(blockLayer, block)]));
  extras("over");
  // What a part says of itself is said by the thing that can be picked.
  for (const part of svg.querySelectorAll("[aria-label]:not(svg)")) part.removeAttribute("aria-label");

  const targets = items.map((item, i) => {
    const group = { blocks: () => blocks.get(item.key), edges: () => edges.get(item.key), versions: () => row(item) }[kind]();
    group.classList.add("ssaw-qz-item");
    for (const [name, value] of Object.entries({ tabindex: "0", role: "checkbox", "aria-checked": "false", "aria-label": item.label, ...OWN_KEYS })) group.setAttribute(name, value);
    group.addEventListener("click", () => toggle(i));
    group.addEventListener("keydown", (event) => onItemKey(event, i));
    return group;
  });

  function row(item) {
    return [...blocks.get(item.block).querySelectorAll(".ssaw-row")].find((r) => Number(r.dataset.line) === item.line);
  }

  const check = button("Reveal", () => talk.send("answer", { picked: [...picked] }), true);
  const again = button("Try again", () => talk.send("again"));
  const result = html("p", { class: "ssaw-qz-result", role: "status" });
  const notice = html("p", { class: "ssaw-qz-notice", role: "status" });
  const count = html("p", { class: "ssaw-qz-count" });
  const remarks = html("div", { class: "ssaw-qz-remarks" });
  const root = html(
    "div",
    { class: "ssaw ssaw-quiz is-predict", role: "group", "aria-label": `Predict: ${asDrawn(stem)}`, onkeydown: keepKeys },
    html(
      "div",
      { class: "ssaw-qz-panes" },
      html("div", { class: "ssaw-qz-figure" }, svg),
      html(
        "div",
        { class: "ssaw-qz-ask" },
        html("p", { class: "ssaw-qz-stem" }, html("span", { class: "ssaw-qz-kind" }, "Predict"), html("span", {}, ...prose(stem))),
        html("p", { class: "ssaw-qz-how" }, `Pick ${kind} on the picture: click, or Tab and Space.`),
        count,
        html("div", { class: "ssaw-qz-go" }, check, again, result),
        notice,
        remarks,
      ),
    ),
  );

  function onItemKey(event, i) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === " " || event.key === "Enter") toggle(i);
    else if (step) targets[neighbour(items.length, i, step)].focus();
    else return;
    event.preventDefault();
  }

  function toggle(i) {
    if (state?.judged) return say("This is revealed. “Try again” clears it.");
    const { key } = items[i];
    if (!picked.delete(key)) picked.add(key);
    say("");
    mark();
  }

  function mark() {
    const kinds = new Map((state?.remarks ?? []).map((remark) => [remark.key, remark.kind]));
    items.forEach((item, i) => {
      const target = targets[i];
      const is = kinds.get(item.key) ?? (picked.has(item.key) ? "picked" : null);
      target.setAttribute("aria-checked", String(picked.has(item.key)));
      target.setAttribute("aria-label", kinds.has(item.key) ? `${item.label}: ${IN_WORDS[is]}` : item.label);
      if (state?.judged) target.setAttribute("aria-disabled", "true");
      else target.removeAttribute("aria-disabled");
      target.classList.remove("is-picked", "is-right", "is-wrong", "is-missed");
      target.querySelector(".ssaw-qz-mark")?.remove();
      if (!is) return;
      target.classList.add(`is-${is}`);
      const [x, y] = place(target);
      const glyph = is === "picked" ? "◆" : SIGNS[is];
      target.append(drawing(["g", { class: `ssaw-qz-mark is-${is}`, transform: `translate(${x} ${y})` }, [["circle", { r: RADIUS }, []], ["text", { y: 4, "text-anchor": "middle" }, [glyph]]]]));
    });
    const names = items.filter((item) => picked.has(item.key)).map((item) => item.label.replace(/^(block|edge) /, ""));
    count.textContent = names.length ? `Picked: ${asDrawn(names.join(", "))}` : "Nothing picked.";
  }

  // Where a sign stands: on a block's corner, on the middle of an edge, before a line.
  function place(target) {
    if (kind === "blocks") return [0, 0];
    if (kind === "versions") {
      const hit = target.querySelector("rect");
      return [Number(hit.getAttribute("x")) - 2, Number(hit.getAttribute("y")) + Number(hit.getAttribute("height")) / 2];
    }
    const line = target.querySelector("path.ssaw-hit");
    const middle = line.getPointAtLength(line.getTotalLength() / 2);
    return [middle.x, middle.y];
  }

  function say(text) {
    notice.textContent = text;
  }

  function show(next) {
    const cleared = state?.judged && !next.judged;
    const focused = root.contains(document.activeElement) && [check, again].includes(document.activeElement);
    state = next;
    if (next.judged || cleared) {
      picked.clear();
      for (const key of next.picked) picked.add(key);
    }
    check.hidden = next.judged;
    again.hidden = !next.judged;
    result.className = `ssaw-qz-result ${next.judged ? (next.right ? "is-right" : "is-wrong") : ""}`;
    result.textContent = outcome(next);
    remarks.replaceChildren(...["wrong", "missed", "right"].flatMap((which) => next.remarks.filter((remark) => remark.kind === which)).map(told));
    mark();
    // The button just used is gone: the focus goes to the one in its place.
    if (focused) (next.judged ? again : check).focus();
  }

  // Each has its own reason, in words at once; of the pictures one is open at a time, the first to begin with.
  function told(remark, place) {
    const [says, ...rest] = remarkBody({ ...remark, svg: "", sentence: "" });
    const parts = [html("p", { class: "ssaw-qz-what" }, sign(remark.kind), html("strong", {}, `${asDrawn(remark.label)}: ${IN_WORDS[remark.kind]}`)), says, ...rest];
    if (remark.svg) parts.push(html("details", { name, open: place === 0 }, html("summary", OWN_KEYS, "Show it"), evidence(remark)));
    return html("div", { class: `ssaw-qz-remark is-${remark.kind}` }, ...parts);
  }

  function outcome({ judged, right, remarks: all }) {
    if (!judged) return "";
    if (right) return all.length ? "✓ Right, all of them." : "✓ Right: none of them.";
    const n = (which) => all.filter((remark) => remark.kind === which).length;
    const parts = [n("right") && `${n("right")} right`, n("wrong") && `${n("wrong")} wrong`, n("missed") && `${n("missed")} missed`];
    return `✗ ${parts.filter(Boolean).join(", ")}.`;
  }

  again.hidden = true;
  el.append(root);
  mark();
  talk.send("hello");
  return () => {
    talk.stop();
    root.remove();
  };
}

export default { render };
