// Replaying a film: what there is after each step. Pure functions, tested with node.

const CHECKPOINT = 64; // steps between two states that are kept

// A value after a change: a text, or {kind, entries: Map of key -> text}. undefined: the variable is gone.
export function changed(before, change) {
  if (change.length === 1) return undefined;
  if (change.length === 2) return change[1];
  const [, kind, put, gone = []] = change;
  const entries = kind === null ? new Map(before.entries) : new Map();
  for (const key of gone) entries.delete(key);
  for (const pair of put) {
    if (Array.isArray(pair)) entries.set(pair[0], pair[1]);
    else entries.set(pair, "");
  }
  const is = kind ?? before.kind;
  return { kind: is, entries: is === "set" && kind === null ? new Map([...entries].sort((a, b) => natural(a[0], b[0]))) : entries };
}

// The order in which members of a set are shown: numbers by size, then words.
export function natural(a, b) {
  const numbers = [a, b].map((text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null));
  if (numbers[0] !== null && numbers[1] !== null) return numbers[0] - numbers[1];
  if (numbers[0] !== null) return -1;
  if (numbers[1] !== null) return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

// Plays a film: `at(i)` gives what there is after step i, {values: Map of slot -> value, printed}.
//
// Every so often a state is kept, a checkpoint; of the stretch between two checkpoints that one is in, all states
// are. So a step forward or back costs one step, a jump at most a stretch.
export class Replay {
  constructor(film) {
    this.film = film;
    this.checkpoints = [{ values: new Map(), printed: "" }];
    this.stretch = 0;
    this.states = [this.checkpoints[0]]; // from the stretch's checkpoint on
  }

  at(index) {
    const stretch = Math.floor((index + 1) / CHECKPOINT);
    if (stretch !== this.stretch) {
      while (this.checkpoints.length <= stretch) {
        const first = (this.checkpoints.length - 1) * CHECKPOINT;
        this.checkpoints.push(this.played(this.checkpoints.at(-1), first, first + CHECKPOINT));
      }
      this.stretch = stretch;
      this.states = [this.checkpoints[stretch]];
    }
    const wanted = index + 1 - stretch * CHECKPOINT;
    while (this.states.length <= wanted) {
      const next = stretch * CHECKPOINT + this.states.length - 1;
      this.states.push(this.played(this.states.at(-1), next, next + 1));
    }
    return this.states[wanted];
  }

  // The state after steps `from` up to `to`, which is left out; the state given is not changed.
  played(state, from, to) {
    const values = new Map(state.values);
    let printed = state.printed;
    for (let i = from; i < to; i++) {
      const step = this.film.steps[i];
      for (const change of step[7]) {
        const value = changed(values.get(change[0]), change);
        if (value === undefined) values.delete(change[0]);
        else values.set(change[0], value);
      }
      if (step[8]) printed += step[8];
    }
    return { values, printed };
  }
}

// The next step, after `from` in a direction, that changes a variable of this name; null without one.
export function nextChange(film, name, from, direction = 1) {
  for (let i = from + direction; i >= 0 && i < film.steps.length; i += direction) {
    if (film.steps[i][7].some((change) => film.slots[change[0]][2] === name)) return i;
  }
  return null;
}

// The next step, after `from`, on a line with a breakpoint ("source:line"); the last step without one.
export function nextStop(film, stops, from) {
  for (let i = from + 1; i < film.steps.length; i++) {
    if (stops.has(`${film.steps[i][1]}:${film.steps[i][2]}`)) return i;
  }
  return film.steps.length - 1;
}

// Whether two answers say the same: brackets, quotes and spaces do not count, nor does the order in a set.
export function sameAnswer(given, wanted) {
  const words = (text) => text.replace(/[{}[\]'",]/g, " ").trim().split(/\s+/).filter(Boolean);
  const a = words(given);
  const b = words(wanted);
  if (wanted.startsWith("{") && !wanted.includes(":")) {
    a.sort();
    b.sort();
  }
  return a.length === b.length && a.every((word, i) => word === b[i]);
}
