// The mouse (and pen, and finger): edges by dragging, lines by a click, the picture by its ground.

const HEAD_REACH = 11;
const DRAG_FROM = 4;

const pointer = {
  pressed(event) {
    if (event.button !== 0) return;
    const [x, y] = this.point(event);
    if (this.choice) {
      event.preventDefault();
      this.endChoiceAt(blockAt(this.boxes(), x, y, 5)?.key ?? null);
      return;
    }
    const head = headAt(this.state.scene.edges, x, y, HEAD_REACH);
    const block = blockAt(this.boxes(), x, y) ?? blockAt(this.boxes(), x, y, 5);
    const start = { x: event.clientX, y: event.clientY, moving: false };
    const edge = event.target.closest?.(".ssaw-ed-edge");
    // A fact is asked about where the button is let go: to drag from it is to drag from its block.
    const fact = this.factAt(event, edge);
    if (head && !(block && blockAt([block], x, y) && event.target.closest("[data-port]"))) {
      this.drag = { ...start, kind: "retarget", edge: head, from: [head.x, head.y] };
      this.focusEdge(head.key);
    } else if (block) {
      const line = this.lineAt(block, event);
      this.drag = { ...start, kind: "add", src: block.key, line, from: [block.x + block.width / 2, block.y + block.height], left: false };
      this.focusBlock(block.key);
    } else if (edge) {
      this.focusEdge(edge.dataset.key);
    } else {
      this.select(null, null);
      if (document.activeElement && this.svg.contains(document.activeElement)) document.activeElement.blur();
      if (event.pointerType === "mouse") {
        this.drag = { ...start, kind: "pan", scroll: [this.stage.scrollLeft, this.stage.scrollTop] };
      }
    }
    if (fact) this.drag = { ...(this.drag ?? { ...start, kind: "pan", scroll: [this.stage.scrollLeft, this.stage.scrollTop] }), fact };
    event.preventDefault();
    if (this.drag) this.svg.setPointerCapture(event.pointerId);
  },

  // The key of the fact under the pointer, or undefined. A tree arrow may lie under the wide area in which an edge takes a
  // click: the arrow it is, unless the edge's own line runs there.
  factAt(event, edge) {
    const { target, clientX, clientY } = event;
    const own = target.closest?.("[data-fact]");
    if (own || !edge) return own?.dataset.fact;
    if (target.closest(".ssaw-sign-critical")) {
      const { src, dst } = this.edges.get(edge.dataset.key).edge;
      return JSON.stringify(["critical", src, dst]);
    }
    const below = document.elementsFromPoint(clientX, clientY).find((e) => this.svg.contains(e) && e.closest("[data-fact]") && !e.classList.contains("ssaw-hit"));
    if (!below) return undefined;
    const line = edge.querySelector(".ssaw-line, .ssaw-double");
    const seen = line?.getScreenCTM();
    const near = (dx, dy) => line.isPointInStroke(new DOMPoint(clientX + dx, clientY + dy).matrixTransform(seen.inverse()));
    const onLine = seen && [[0, 0], [1.5, 0], [-1.5, 0], [0, 1.5], [0, -1.5]].some(([dx, dy]) => near(dx, dy));
    return onLine && below.tagName !== "circle" ? undefined : below.closest("[data-fact]").dataset.fact;
  },

  // The line of a block under the pointer: its number in the block's text, or null beside the lines.
  lineAt(block, event) {
    for (const element of this.blocks.get(block.key).content.querySelectorAll("[data-line]")) {
      const { top, bottom } = element.getBoundingClientRect();
      if (event.clientY >= top && event.clientY <= bottom) return Number(element.dataset.line);
    }
    return null;
  },

  moved(event) {
    const { drag } = this;
    if (!drag) return this.hover(event);
    if (!drag.moving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_FROM) return;
    if (drag.kind === "pan") {
      drag.moving = true;
      this.svg.classList.add("is-panning");
      this.stage.scrollTo(drag.scroll[0] - (event.clientX - drag.x), drag.scroll[1] - (event.clientY - drag.y));
      return;
    }
    if (!drag.moving) {
      drag.moving = true;
      this.root.classList.add("is-dragging");
      if (drag.kind === "retarget") this.edges.get(drag.edge.key)?.group.classList.add("is-leaving");
      this.showActions();
    }
    drag.client = [event.clientX, event.clientY];
    this.follow(event);
    this.scrollWhileDragging();
  },

  follow(event) {
    const { drag } = this;
    const [x, y] = this.point(event);
    const under = blockAt(this.boxes(), x, y, 4);
    if (drag.kind === "add" && under?.key !== drag.src) drag.left = true;
    const target = drag.kind === "add" && under?.key === drag.src && !drag.left ? null : under;
    if (target?.key !== drag.target) {
      this.mark("is-target", target?.key);
      drag.target = target?.key;
      this.showActions();
    }
    const end = target ? [Math.min(Math.max(x, target.x + 10), target.x + target.width - 10), target.y] : [x, y];
    this.band.setAttribute("d", bandPath(drag.from, end));
    this.band.classList.toggle("has-target", Boolean(target));
  },

  scrollWhileDragging() {
    if (this.scrolling) return;
    const step = () => {
      const { drag } = this;
      if (!drag?.moving || !drag.client) return (this.scrolling = false);
      const { left, right, top, bottom } = this.stage.getBoundingClientRect();
      const [x, y] = drag.client;
      const push = (at, low, high) => (at < low + 28 ? Math.max(-14, (at - low - 28) / 2) : at > high - 28 ? Math.min(14, (at - high + 28) / 2) : 0);
      const [dx, dy] = [push(x, left, right), push(y, top, bottom)];
      if (dx || dy) {
        this.stage.scrollBy(dx, dy);
        this.follow({ clientX: x, clientY: y });
      }
      requestAnimationFrame(step);
    };
    this.scrolling = true;
    requestAnimationFrame(step);
  },

  hover(event) {
    const [x, y] = this.point(event);
    const head = headAt(this.state.scene.edges, x, y, HEAD_REACH);
    if (this.hovered === head?.key) return;
    this.edges.get(this.hovered)?.group.classList.remove("is-grabbable");
    this.hovered = head?.key;
    this.edges.get(this.hovered)?.group.classList.add("is-grabbable");
  },

  released(event) {
    const { drag } = this;
    this.drag = null;
    if (!drag) return;
    this.svg.classList.remove("is-panning");
    if (drag.moving && drag.kind !== "pan") {
      this.endDrag(drag);
      if (drag.target === undefined) {
        this.band.removeAttribute("d");
        this.say("Nothing done: let go over a block.");
      } else if (drag.kind === "add") {
        this.command("add_edge", { src: drag.src, dst: drag.target });
      } else if (drag.target === drag.edge.dst) {
        this.band.removeAttribute("d");
      } else {
        this.command("retarget_edge", { src: drag.edge.src, index: drag.edge.index, dst: drag.target });
      }
    } else if (!drag.moving && drag.fact) {
      this.ask(drag.fact);
    } else if (!drag.moving && drag.kind === "add" && drag.line !== null && event.detail < 2) {
      this.editText(drag.src, drag.line);
    }
  },

  endDrag(drag) {
    this.root.classList.remove("is-dragging");
    this.mark("is-target", undefined);
    if (drag.kind === "retarget") this.edges.get(drag.edge.key)?.group.classList.remove("is-leaving");
    this.showActions();
  },

  cancelDrag() {
    const { drag } = this;
    this.drag = null;
    this.svg.classList.remove("is-panning");
    if (drag && drag.kind !== "pan") this.endDrag(drag);
    this.band.removeAttribute("d");
  },

  doubleClicked(event) {
    const [x, y] = this.point(event);
    const block = blockAt(this.boxes(), x, y);
    if (block && !this.box && !event.target.closest?.("[data-fact]")) this.editText(block.key, null);
  },

  // Put a class on one block and take it from every other.
  mark(name, key) {
    for (const [k, { group }] of this.blocks) if (k === key || group.classList.contains(name)) group.classList.toggle(name, k === key);
  },
};
