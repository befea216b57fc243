// Geometry and other pure functions: no DOM in here, so that node can test them (tests/widgets).

// Scale at which a drawing of `drawn` {width, height} fits into `room`. It is never enlarged; width decides;
// height is heeded while that costs little. Below `least` one scrolls instead.
export function fitScale(room, drawn, least = 0.5, leastForHeight = 0.66) {
  if (!(room.width > 0) || !(drawn.width > 0)) return 1;
  const byWidth = Math.min(1, room.width / drawn.width);
  const byHeight = room.height / drawn.height;
  const scale = byHeight >= leastForHeight ? Math.min(byWidth, byHeight) : byWidth;
  return Math.max(least, scale);
}

// The block under a point, or null; `slack` widens every box.
export function blockAt(blocks, x, y, slack = 0) {
  for (const b of blocks) {
    const inside =
      x >= b.x - slack && x <= b.x + b.width + slack && y >= b.y - slack && y <= b.y + b.height + slack;
    if (inside) return b;
  }
  return null;
}

// The edge whose arrowhead is nearest to a point, within `reach`, or null.
export function headAt(edges, x, y, reach) {
  let best = null;
  let least = reach;
  for (const e of edges) {
    const distance = Math.hypot(e.x + e.head[0] - x, e.y + e.head[1] - y);
    if (distance <= least) [best, least] = [e, distance];
  }
  return best;
}

// The block one reaches from `from` by an arrow key along edges: down to a successor, up to a predecessor, left and right
// to the others that one could have come to by the same step. `rows` are the graph, `step` {from, key} is how one came.
// Returns {to, step, at, of}, the block and which of how many it is, or null where no edge leads.
export function walk(rows, from, key, step) {
  const row = new Map(rows.map((r) => [r.block, r]));
  const next = (block, way) => {
    if (way === "ArrowDown") return [...new Set(row.get(block).succs)];
    return rows.filter((r) => r.succs.includes(block)).map((r) => r.block);
  };
  if (key === "ArrowUp" || key === "ArrowDown") {
    const all = next(from, key);
    if (all.length === 0) return null;
    // Back the way one came.
    const turned = step && step.key !== key && all.includes(step.from) ? all.indexOf(step.from) : 0;
    return { to: all[turned], step: { from, key }, at: turned + 1, of: all.length };
  }
  const all = step && row.has(step.from) ? next(step.from, step.key) : [];
  const here = all.indexOf(from);
  if (here < 0 || all.length < 2) return null;
  const at = (here + (key === "ArrowRight" ? 1 : all.length - 1)) % all.length;
  return { to: all[at], step, at: at + 1, of: all.length };
}

// The block one reaches from `from` with an arrow key: the nearest in that direction; null at the border. Up and
// down sideways distance counts half, so that the next row is not skipped; left and right it counts double.
export function nextBlock(blocks, from, key) {
  const middle = (b) => [b.x + b.width / 2, b.y + b.height / 2];
  const [x, y] = middle(from);
  const turn = {
    ArrowDown: (dx, dy) => [dy, dx],
    ArrowUp: (dx, dy) => [-dy, dx],
    ArrowRight: (dx, dy) => [dx, dy],
    ArrowLeft: (dx, dy) => [-dx, dy],
  }[key];
  const weight = key === "ArrowUp" || key === "ArrowDown" ? 0.5 : 2;
  let best = null;
  let least = Infinity;
  for (const b of blocks) {
    const [bx, by] = middle(b);
    const [along, across] = turn(bx - x, by - y);
    const cost = along + weight * Math.abs(across);
    if (b !== from && along > 1 && cost < least) [best, least] = [b, cost];
  }
  return best;
}

// The block meant by typing its name: an exact match, else the first that starts with what was typed.
export function blockTyped(names, typed) {
  if (names.includes(typed)) return typed;
  return names.find((n) => n.startsWith(typed)) ?? null;
}

// Path of the rubber band from a point to a point: leaves downwards, arrives from above, and swings out to the side
// where it would else run straight over what lies between.
export function bandPath([x0, y0], [x1, y1]) {
  const far = Math.abs(y1 - y0);
  const bend = Math.max(24, Math.min(90, far / 2 + Math.abs(x1 - x0) / 8));
  const side = far > 100 ? Math.max(0, 90 - Math.abs(x1 - x0)) : 0;
  return `M${x0},${y0}C${x0 + side},${y0 + bend} ${x1 + side},${y1 - bend} ${x1},${y1}`;
}

// Along one axis: where to put a drawing and how far to scroll so that what is at `at` in it (scaled) shows at
// `screen` in the window. The drawing is moved where that keeps all of it in reach, else it is scrolled.
//   `size` of the drawing, `view` of the window, `margin` to leave; all in pixels
// Returns `start` of the drawing, `scroll`, and the `total` there must be to scroll in.
export function anchor({ at, screen, size, view, margin = 0 }) {
  const shown = screen - at;
  if (shown >= margin) return { start: shown, scroll: 0, total: Math.max(view, shown + size + margin) };
  const scroll = margin - shown;
  return { start: margin, scroll, total: Math.max(margin + size + margin, scroll + view) };
}

// A whole picture from one told in terms of `before`, where a key alone stands for what is the same, and [key, x, y]
// for what only moved; null if it was told in terms of another picture.
export function completed(before, picture) {
  if (!before || picture.base !== before.rev) return null;
  const scene = { ...picture.scene };
  for (const kind of ["blocks", "edges", "extras"]) {
    const old = new Map(before.scene[kind].map((item) => [item.key, item]));
    scene[kind] = scene[kind].map((item) => {
      if (typeof item === "string") return old.get(item);
      if (!Array.isArray(item)) return item;
      const [key, x, y] = item;
      return { ...old.get(key), x, y };
    });
  }
  const rows = new Map(before.rows.map((row) => [row.block, row]));
  return { ...picture, scene, rows: picture.rows.map((row) => (typeof row === "string" ? rows.get(row) : row)) };
}

// Whether two node descriptions (or any JSON values) are the same.
export function same(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!same(a[i], b[i])) return false;
    return true;
  }
  const keys = Object.keys(a);
  if (Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  for (const k of keys) if (!same(a[k], b[k])) return false;
  return true;
}

// The lines of an edge's description: where these differ, the edge runs another way.
export function shapeOf([, , parts]) {
  return parts.map((part) => part[1].d ?? "").join();
}

// An attribute value with the ids it defines or refers to made unique by `prefix`.
export function ownIds(name, value, prefix) {
  if (name === "id") return prefix + value;
  if (name === "href" || name === "xlink:href") return value.startsWith("#") ? `#${prefix}${value.slice(1)}` : value;
  if (name.startsWith("aria-") && /(labelledby|describedby|controls)$/.test(name)) {
    return value.split(" ").map((id) => prefix + id).join(" ");
  }
  return value.replace(/url\(#([^)]+)\)/g, `url(#${prefix}$1)`);
}

// What a screen reader says of a block: its lines as drawn, where it leads, what dominates it, what is wrong.
export function blockLabel(row, lines, problem) {
  const goes = row.succs.length ? `goes to ${row.succs.join(" and ")}` : "no successors";
  const dominator = row.entry ? "entry" : row.reachable ? `immediate dominator ${row.idom}` : "unreachable";
  const trouble = problem ? ` Problem in line ${problem.line}: ${problem.message}.` : "";
  if (row.inside?.length) return `Loop at ${row.block} as one box: blocks ${row.inside.join(", ")}; ${goes}; ${dominator}.${trouble}`;
  return `Block ${row.block}: ${[...lines, goes, dominator].join("; ")}.${trouble}`;
}

// What a screen reader says of an edge: its ends, and when it is taken.
export function edgeLabel({ src, dst, node }) {
  const when = { T: ", when true", F: ", when false", else: ", else" };
  const label = labelOf(node);
  return `Edge ${src} to ${dst}${label ? (when[label] ?? `, case ${label}`) : ""}`;
}

// The label in an edge's description: T, F, a case, else; empty where it has none.
export function labelOf([, , parts]) {
  const label = parts.find((part) => part[1]?.class?.split(" ").includes("ssaw-label"));
  return label ? label[2].join("") : "";
}
