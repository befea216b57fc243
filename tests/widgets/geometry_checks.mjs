// Checks of the pure functions in the editor's script: a table for each. test_geometry.py runs them, with that script
// beside this file as editor.mjs, which node takes for a module.

import { deepStrictEqual as equal, ok } from "node:assert";
import {
  anchor, bandPath, blockAt, blockLabel, blockTyped, candidates, completed, edgeLabel, fitScale, headAt, labelOf, mapScale,
  nextBlock, ownIds, same, shapeOf, walk, wordBefore,
} from "./editor.mjs";

let checks = 0;
const check = (actual, expected, why) => {
  equal(actual, expected, why);
  checks += 1;
};

// A diamond above a block: a; b and c beside each other; d.
const box = (key, x, y) => ({ key, x, y, width: 40, height: 20 });
const [a, b, c, d] = [box("a", 50, 0), box("b", 0, 50), box("c", 100, 50), box("d", 50, 100)];
const diamond = [a, b, c, d];

for (const [room, drawn, expected, why] of [
  [[500, 400], [300, 200], 1, "a small drawing is not enlarged"],
  [[300, 4000], [400, 200], 0.75, "width decides"],
  [[600, 400], [300, 500], 0.8, "height is heeded where that costs little"],
  [[600, 400], [300, 4000], 1, "a tall drawing is scrolled, not shrunk"],
  [[300, 400], [4000, 200], 0.5, "a very wide one is scrolled too"],
  [[0, 400], [300, 200], 1, "no room known yet"],
]) {
  check(fitScale({ width: room[0], height: room[1] }, { width: drawn[0], height: drawn[1] }), expected, why);
}

for (const [x, y, slack, expected] of [
  [60, 10, 0, "a"],
  [50, 0, 0, "a"],
  [49, 0, 0, null],
  [49, 0, 2, "a"],
  [70, 60, 0, null],
]) {
  check(blockAt(diamond, x, y, slack)?.key ?? null, expected, `block at ${x}, ${y}`);
}

const edges = [
  { key: "a/0", x: 20, y: 10, head: [0, 40] },
  { key: "a/1", x: 30, y: 10, head: [0, 40] },
  { key: "b/0", x: 20, y: 60, head: [40, 40] },
];
for (const [x, y, expected] of [
  [20, 45, "a/0"],
  [27, 50, "a/1"],
  [60, 110, "b/0"],
  [60, 111.5, null],
]) {
  check(headAt(edges, x, y, 11)?.key ?? null, expected, `arrowhead at ${x}, ${y}`);
}

for (const [from, key, expected] of [
  [a, "ArrowDown", "b"],
  [b, "ArrowDown", "d"],
  [c, "ArrowDown", "d"],
  [d, "ArrowDown", null],
  [d, "ArrowUp", "b"],
  [b, "ArrowUp", "a"],
  [a, "ArrowUp", null],
  [b, "ArrowRight", "c"],
  [c, "ArrowLeft", "b"],
  [b, "ArrowLeft", null],
]) {
  check(nextBlock(diamond, from, key)?.key ?? null, expected, `${key} from ${from.key}`);
}

for (const [typed, expected] of [["1", "1"], ["12", "12"], ["2", "2b"], ["x", null], ["", "10"]]) {
  check(blockTyped(["10", "1", "12", "2b"], typed), expected, `typing ${typed}`);
}

// What is `at` in the drawing is to show at `screen`.
for (const [held, expected, why] of [
  [{ at: 300, screen: 100, size: 1000, view: 400 }, { start: 0, scroll: 200, total: 1000 }, "scrolling does it"],
  [{ at: 50, screen: 100, size: 1000, view: 400 }, { start: 50, scroll: 0, total: 1050 }, "room before"],
  [{ at: 900, screen: 100, size: 1000, view: 400 }, { start: 0, scroll: 800, total: 1200 }, "room after"],
  [{ at: 20, screen: 100, size: 300, view: 400, margin: 10 }, { start: 80, scroll: 0, total: 400 }, "all of it fits"],
  [{ at: 120, screen: 100, size: 300, view: 400 }, { start: 0, scroll: 20, total: 420 }, "it fits, but not where it would be"],
  [{ at: 95, screen: 100, size: 1000, view: 400, margin: 10 }, { start: 10, scroll: 5, total: 1020 }, "the margin is kept"],
  [{ at: 90, screen: 100, size: 300, view: 400, margin: 10 }, { start: 10, scroll: 0, total: 400 }, "nothing moved"],
]) {
  const it = anchor(held);
  check(it, expected, why);
  check(it.start + held.at - it.scroll, held.screen, `${why}: it shows where it was`);
  ok(it.scroll >= 0 && it.scroll <= it.total - held.view, `${why}: one can scroll there`);
  ok(it.start >= (held.margin ?? 0) && it.start + held.size <= it.total, `${why}: all of the drawing is in reach`);
}

for (const [left, right, expected] of [
  [["g", { x: 1 }, ["t"]], ["g", { x: 1 }, ["t"]], true],
  [["g", { x: 1 }, ["t"]], ["g", { x: 2 }, ["t"]], false],
  [["g", { x: 1 }, ["t"]], ["g", { x: 1 }, ["t", "u"]], false],
  [["g", { x: 1 }, []], ["g", { x: 1, y: 2 }, []], false],
  [["g", { x: 1, z: 2 }, []], ["g", { x: 1, y: 2 }, []], false],
  [["g"], { 0: "g" }, false],
  [null, {}, false],
  [1, "1", false],
]) {
  check(same(left, right), expected, `${JSON.stringify(left)} and ${JSON.stringify(right)}`);
}

for (const [name, value, expected] of [
  ["id", "hatch", "v1-hatch"],
  ["fill", "url(#hatch)", "url(#v1-hatch)"],
  ["href", "#hatch", "#v1-hatch"],
  ["href", "other", "other"],
  ["aria-labelledby", "t d", "v1-t v1-d"],
  ["class", "ssaw-box", "ssaw-box"],
]) {
  check(ownIds(name, value, "v1-"), expected, `${name}=${value}`);
}

const first = {
  rev: 3,
  rows: [{ block: "a" }, { block: "z" }],
  scene: { width: 9, blocks: [{ key: "a", x: 1, y: 2, node: ["g"] }], edges: [{ key: "a/0", node: ["l"] }], extras: [{ key: "t", node: ["t"] }] },
};
const changed = {
  rev: 4,
  base: 3,
  rows: ["a", { block: "b" }],
  scene: { width: 8, blocks: [["a", 5, 7], { key: "b", node: ["n"] }], edges: [], extras: ["t"] },
};
check(
  completed(first, changed),
  {
    ...changed,
    rows: [{ block: "a" }, { block: "b" }],
    scene: { width: 8, blocks: [{ key: "a", x: 5, y: 7, node: ["g"] }, { key: "b", node: ["n"] }], edges: [], extras: [{ key: "t", node: ["t"] }] },
  },
  "a key stands for what is the same, what moved has the node it had",
);
check(completed({ ...first, rev: 2 }, changed), null, "made for another picture");
check(completed(null, changed), null, "no picture yet");

const drawnEdge = (d, cls) => ["g", { class: "e" }, [["title", {}, ["0 → 1"]], ["path", { class: cls, d }, []]]];
check(shapeOf(drawnEdge("M0 0", "a")) === shapeOf(drawnEdge("M0 0", "b")), true, "marked otherwise, the same line");
check(shapeOf(drawnEdge("M0 0", "a")) === shapeOf(drawnEdge("M0 1", "a")), false, "another line");

const path = bandPath([10, 20], [30, 90]);
ok(path.startsWith("M10,20C") && path.endsWith(" 30,90"), path);

const row = { block: "2", succs: ["3", "4"], idom: "1", entry: false, reachable: true };
for (const [changes, lines, problem, expected] of [
  [{}, ["x = 1", "if c"], null, "Block 2: x = 1; if c; goes to 3 and 4; immediate dominator 1."],
  [{ succs: [] }, [], null, "Block 2: no successors; immediate dominator 1."],
  [{ entry: true, idom: null }, [], null, "Block 2: goes to 3 and 4; entry."],
  [{ reachable: false, idom: null }, [], null, "Block 2: goes to 3 and 4; unreachable."],
  [{}, [], { line: 2, message: "no value" }, "Block 2: goes to 3 and 4; immediate dominator 1. Problem in line 2: no value."],
]) {
  check(blockLabel({ ...row, ...changes }, lines, problem), expected, "label");
}

const folded = { ...row, inside: ["2", "3"], succs: ["4"] };
check(blockLabel(folded, [], null), "Loop at 2 as one box: blocks 2, 3; goes to 4; immediate dominator 1.", "a loop's box");

// Along edges: 0 leads to 1 and 2 (twice), both to 3, 3 back to 0; 4 leads nowhere and nothing leads to it.
const graph = [
  { block: "0", succs: ["1", "2", "2"] }, { block: "1", succs: ["3"] }, { block: "2", succs: ["3"] },
  { block: "3", succs: ["0"] }, { block: "4", succs: [] },
];
for (const [from, key, step, expected] of [
  ["0", "ArrowDown", null, ["1", 1, 2]],
  ["1", "ArrowRight", { from: "0", key: "ArrowDown" }, ["2", 2, 2]],
  ["2", "ArrowRight", { from: "0", key: "ArrowDown" }, ["1", 1, 2]],
  ["1", "ArrowLeft", { from: "0", key: "ArrowDown" }, ["2", 2, 2]],
  ["3", "ArrowUp", null, ["1", 1, 2]],
  ["3", "ArrowUp", { from: "2", key: "ArrowDown" }, ["2", 2, 2]],
  ["3", "ArrowDown", null, ["0", 1, 1]],
  ["2", "ArrowLeft", { from: "3", key: "ArrowUp" }, ["1", 1, 2]],
  ["0", "ArrowDown", { from: "2", key: "ArrowUp" }, ["2", 2, 2]],
  ["4", "ArrowDown", null, null],
  ["4", "ArrowUp", null, null],
  ["1", "ArrowRight", null, null],
  ["3", "ArrowRight", { from: "1", key: "ArrowDown" }, null],
  ["1", "ArrowRight", { from: "gone", key: "ArrowDown" }, null],
]) {
  const found = walk(graph, from, key, step);
  check(found && [found.to, found.at, found.of], expected, `${key} from ${from}`);
}

const edgeWith = (label) => ({ src: "a", dst: "b", node: ["g", {}, [["path", {}, []], ...(label ? [["text", { class: "ssaw-label" }, [label]]] : [])]] });
for (const [label, expected] of [
  ["", "Edge a to b"],
  ["T", "Edge a to b, when true"],
  ["F", "Edge a to b, when false"],
  ["-3", "Edge a to b, case -3"],
  ["else", "Edge a to b, else"],
]) {
  check(edgeLabel(edgeWith(label)), expected, "label of an edge");
  check(labelOf(edgeWith(label).node), label, "label in the drawing");
}

for (const [text, expected] of [
  ["x = to", ["to", false]],
  ["x = ", ["", false]],
  ["goto he", ["he", true]],
  ["goto 1, ", ["", true]],
  ["if c goto a else b", ["b", true]],
  ["switch x [1: o", ["o", true]],
  ["switch x [1: one, 2", ["2", false]],
  ["i.1 = phi(a: 0, ", ["", true]],
  ["goto a\nx.1", ["x.1", false]],
  ["é", ["é", false]],
]) {
  const { word, block } = wordBefore(text, text.length);
  check([word, block], expected, `before the cursor: ${text}`);
}
const known = { names: ["total", "t", "n"], blocks: ["top", "1"], text: "tall = 1\nx == 2" };
check(candidates({ word: "t", block: false }, known), ["tall", "total", "true"], "names of the text first, the word itself not");
check(candidates({ word: "t", block: true }, known), ["top"], "blocks");
check(candidates({ word: "", block: true }, known), ["top", "1"], "every block");
check(candidates({ word: "", block: false }, known), [], "nothing typed");
check(candidates({ word: "x", block: false }, known), [], "a comparison defines nothing");

for (const [drawn, expected] of [
  [{ width: 72, height: 104 }, { across: 1, down: 2 }],
  [{ width: 720, height: 20800 }, { across: 0.06, down: 0.01 }],
  [{ width: 72000, height: 208 }, { across: 0.001, down: 0.006 }],
]) {
  check(mapScale(drawn, { width: 84, height: 220, pad: 6 }), expected, "scale of the map");
}

console.log(`${checks} checks passed`);
