// Drawing a scene: groups for blocks and edges in the order of Tab, and in them only what differs is changed.

const drawing = {
  draw(before) {
    const { scene } = this.state;
    // All that must be measured is measured here, while the page is laid out; asking again after the changes
    // below would lay it out once more.
    this.measure();
    const screenBefore = before ? this.screenPlaces() : null;

    // What is gone goes first: then what stays need not move in the document, and keeps its focus.
    const focus = document.activeElement;
    const hadFocus = this.layer.contains(focus);
    const lostFrom = focus?.dataset && this.edges.get(focus.dataset.key)?.edge.src;
    for (const [drawn, items] of [[this.blocks, scene.blocks], [this.edges, scene.edges]]) {
      const keep = new Set(items.map((item) => item.key));
      for (const [key, { group }] of drawn) if (!keep.has(key)) group.remove();
    }
    const edgesOf = new Map();
    for (const edge of scene.edges) {
      if (!edgesOf.has(edge.src)) edgesOf.set(edge.src, []);
      edgesOf.get(edge.src).push(edge);
    }
    const blocks = new Map();
    const edges = new Map();
    const fresh = [];
    let at = this.layer.firstChild;
    // Blocks and edges stand in the order in which Tab should visit them: a block, then its edges.
    const place = (group) => {
      if (group === at) at = at.nextSibling;
      else this.layer.insertBefore(group, at);
    };
    for (const box of scene.blocks) {
      const drawn = this.drawBlock(box, this.blocks.get(box.key));
      blocks.set(box.key, drawn);
      place(drawn.group);
      for (const edge of edgesOf.get(box.key) ?? []) {
        const old = this.edges.get(edge.key);
        const line = this.drawEdge(edge, old);
        if (line.fresh) fresh.push(line);
        edges.set(edge.key, line);
        place(line.group);
      }
    }
    this.blocks = blocks;
    this.edges = edges;
    this.drawExtras(scene.extras);
    this.keepSelection();
    if (hadFocus && document.activeElement !== focus) {
      const next = focus.isConnected ? focus : (blocks.get(lostFrom) ?? blocks.get(this.state.touched) ?? blocks.values().next().value).group;
      next.focus({ preventScroll: true });
    }

    this.layOut(before, screenBefore);
    if (before) this.animate(screenBefore, fresh);
    this.settleLater();
  },

  drawBlock(box, old) {
    const drawn = old ?? { group: svg("g", { class: "ssaw-ed-block", tabindex: "0", role: "button", "aria-roledescription": "block", ...OWN_KEYS }) };
    const { group } = drawn;
    if (!old || !same(old.node, box.node)) {
      drawn.content = old ? revise(old.content, old.node, box.node, this.id) : build(box.node, this.id);
      if (!old) group.append(drawn.content);
      drawn.node = box.node;
      drawn.lines = [...drawn.content.querySelectorAll(".ssaw-row text")].map((t) => t.textContent);
      group.dataset.key = box.key;
    }
    if (!old || old.box.width !== box.width || old.box.height !== box.height) {
      drawn.ring?.remove();
      drawn.ring = svg("rect", { class: "ssaw-ed-ring", x: -4, y: -4, width: box.width + 8, height: box.height + 8, rx: 8 });
      group.prepend(drawn.ring);
    }
    if (!old || old.box.x !== box.x || old.box.y !== box.y) group.setAttribute("transform", `translate(${box.x},${box.y})`);
    group.classList.toggle("is-folded", this.rows.get(box.key).inside.length > 0);
    const label = blockLabel(this.rows.get(box.key), drawn.lines, this.problems.get(box.key));
    if (drawn.label !== label) group.setAttribute("aria-label", (drawn.label = label));
    drawn.box = box;
    return drawn;
  },

  // Where the edge is new or runs another way, the result says `fresh`.
  drawEdge(edge, old) {
    const label = edgeLabel(edge);
    const { node } = edge;
    const drawn = { group: old?.group, edge, node, content: old?.content, label: old?.label, fresh: !old };
    if (!old) {
      drawn.group = svg("g", { class: "ssaw-ed-edge", tabindex: "0", role: "button", "aria-roledescription": "edge", ...OWN_KEYS });
      drawn.group.dataset.key = edge.key;
      drawn.content = build(node, this.id);
      drawn.group.append(drawn.content);
    } else if (!same(old.node, node)) {
      drawn.fresh = shapeOf(old.node) !== shapeOf(node);
      drawn.content = revise(old.content, old.node, node, this.id);
    }
    if (drawn.fresh) {
      // An invisible disc about the arrowhead says where it can be taken hold of.
      drawn.content.nextSibling?.remove();
      drawn.group.append(svg("circle", { class: "ssaw-ed-grip", cx: edge.head[0], cy: edge.head[1] - 4, r: HEAD_REACH }));
    }
    if (!old || old.edge.x !== edge.x || old.edge.y !== edge.y) drawn.group.setAttribute("transform", `translate(${edge.x},${edge.y})`);
    if (drawn.label !== label) drawn.group.setAttribute("aria-label", (drawn.label = label));
    return drawn;
  },

  drawExtras(extras) {
    const kept = new Map();
    for (const { key, node, layer, x, y } of extras) {
      const old = this.extras.get(key);
      const content = old ? revise(old.content, old.node, node, this.id) : build(node, this.id);
      if (!old) this.extraLayers[layer].append(content);
      if (content !== old?.content || old.x !== x || old.y !== y) content.setAttribute("transform", `translate(${x},${y})`);
      kept.set(key, { node, content, x, y });
    }
    for (const [key, { content }] of this.extras) if (!kept.has(key)) content.remove();
    this.extras = kept;
  },
};
