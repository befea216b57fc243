// Checks of the pure functions of stepper.js, run by test_stepper.py with node.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { changed, natural, nextChange, nextStop, Replay, sameAnswer } from "./stepper.mjs";

// Values after a change.
assert.equal(changed("4", [0]), undefined);
assert.equal(changed("4", [0, "5"]), "5");
const row = changed(undefined, [0, "list", [["0", "a"], ["1", "b"]]]);
assert.deepEqual([...row.entries], [["0", "a"], ["1", "b"]]);
const longer = changed(row, [0, null, [["2", "c"]], ["0"]]);
assert.deepEqual([...longer.entries], [["1", "b"], ["2", "c"]]);
assert.deepEqual([...row.entries], [["0", "a"], ["1", "b"]], "the value before is left as it was");
const set = changed({ kind: "set", entries: new Map([["10", ""], ["a", ""]]) }, [0, null, ["2", "B"]]);
assert.deepEqual([...set.entries.keys()], ["2", "10", "B", "a"]);
assert.deepEqual(["b10", "10", "2", "-1", "a"].sort(natural), ["-1", "2", "10", "a", "b10"]);

// Replaying: from any step to any other, forward or back, the same as from the start.
const { film, expected } = JSON.parse(readFileSync(new URL("film.json", import.meta.url), "utf8"));
const text = (value) => {
  if (typeof value === "string") return value;
  const entries = [...value.entries];
  if (value.kind === "set") return `{${entries.map(([k]) => k).join(", ")}}`;
  if (value.kind === "list") return `[${entries.map(([, v]) => v).join(", ")}]`;
  return `{${entries.map(([k, v]) => `${k}: ${v}`).join(", ")}}`;
};
const replay = new Replay(film);
const order = [...film.steps.keys()];
const hops = [...order, ...[...order].reverse(), ...order.map((i) => (i * 37) % order.length)];
for (const i of hops) {
  const found = Object.fromEntries([...replay.at(i).values].map(([slot, v]) => [film.slots[slot].slice(0, 3).join("/"), text(v)]));
  assert.deepEqual(found, expected[i], `after step ${i}`);
}
assert.deepEqual([...replay.at(-1).values], []);

// Going to a change, and to a breakpoint.
const first = nextChange(film, "idom", -1);
assert.ok(first !== null && nextChange(film, "idom", first) > first);
assert.equal(nextChange(film, "nobody", -1), null);
assert.equal(nextChange(film, "idom", first, -1), null);
const [, source, line] = film.steps[20];
const at = nextStop(film, new Set([`${source}:${line}`]), 0);
assert.deepEqual(film.steps[at].slice(1, 3), [source, line]);
assert.equal(nextStop(film, new Set(), 0), film.steps.length - 1);

// Answers.
for (const [given, wanted, right] of [
  ["4", "4", true], [" 4 ", "4", true], ["4", "14", false], ["1 4", "{1, 4}", true], ["{4,1}", "{1, 4}", true],
  ["1", "{1, 4}", false], ["2 1", "[1, 2]", false], ["[1, 2]", "[1, 2]", true], ["", "{}", true], ["(a, b)", "(a, b)", true],
]) assert.equal(sameAnswer(given, wanted), right, `${given} for ${wanted}`);

console.log("checks passed");
