// The graph: `show(picture)` exchanges the drawings that differ from what is shown.
function graphView(graph, onBlock) {
  const { scene, looks, arrows, lit, trees: treesOf, pictures } = graph;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", scene.title);
  svg.style.width = `${scene.width}px`;
  const layer = () => svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "g"));
  const extras = (where) => {
    const into = layer();
    for (const extra of scene.extras) if (extra.layer === where) into.append(drawing(extra.node));
  };
  extras("under");
  const trees = layer();
  const edges = layer();
  const blocks = layer();
  extras("over");

  const names = scene.blocks.map((b) => b.key);
  const drawn = scene.blocks.map((b) => ({ look: 0, made: new Map(), group: blocks.appendChild(drawing(["g", { transform: `translate(${b.x} ${b.y})` }, [b.node]])) }));
  scene.blocks.forEach((b, i) => drawn[i].group.addEventListener("click", () => onBlock(b.key)));
  const edgeOf = new Map(scene.edges.map((e) => [e.key, { bright: false, plain: e.node, element: edges.appendChild(drawing(e.node)) }]));
  const made = new Map(); // "child/number" -> the arrow

  function look(i, number) {
    const one = drawn[i];
    if (one.look === number) return;
    if (!one.made.has(one.look)) one.made.set(one.look, one.group.firstChild);
    if (!one.made.has(number)) one.made.set(number, drawing(looks[names[i]][number]));
    one.group.replaceChildren(one.made.get(number));
    one.look = number;
  }

  return {
    svg,
    names,
    show(number) {
      const [chosen, tree, bright] = pictures[number];
      const wanted = new Map(chosen);
      drawn.forEach((_, i) => look(i, wanted.get(i) ?? 0));
      const wantedArrows = new Set();
      for (const [child, which] of treesOf[tree]) {
        const key = `${child}/${which}`;
        wantedArrows.add(key);
        if (!made.has(key)) made.set(key, drawing(arrows[names[child]][which]));
        if (!made.get(key).parentNode) trees.append(made.get(key));
      }
      for (const [key, arrow] of made) if (!wantedArrows.has(key)) arrow.remove();
      for (const [key, edge] of edgeOf) {
        const is = bright.includes(key);
        if (is === edge.bright) continue;
        const element = drawing(is ? lit[key] : edge.plain);
        edge.element.replaceWith(element);
        edge.element = element;
        edge.bright = is;
      }
    },
    ask(asking) {
      svg.classList.toggle("is-asking", asking);
      drawn.forEach(({ group }, i) => {
        if (asking) {
          group.setAttribute("tabindex", "0");
          group.setAttribute("role", "button");
          group.setAttribute("aria-label", `answer block ${names[i]}`);
          group.setAttribute("data-lm-suppress-shortcuts", "true");
        } else for (const name of ["tabindex", "role", "aria-label"]) group.removeAttribute(name);
      });
    },
  };
}
