// In the kernel's place: what a reader picks is compared with what Python worked out when the book was made. No graph
// algorithm is here. The rules are those of ssawidgets/teach/questions.py and ssawidgets/widgets/asking.py; a test holds the two against
// each other on the chapters' questions.

book.kinds = { true: { true: "right", false: "missed" }, false: { true: "wrong", false: "left" } };

// The state after an answer. `all`: of a question with options, what is said of those not picked too.
book.judge = (truth, picked, { predict, all }) => {
  const chosen = new Set(picked);
  const remarks = [];
  for (const { right, slip, ...rest } of truth) {
    const taken = chosen.has(rest.key);
    if (!(taken || all || (predict && right))) continue;
    const kind = book.kinds[right][taken];
    remarks.push({ ...rest, kind, slip: kind === "right" ? "" : slip });
  }
  return {
    picked: [...picked],
    judged: true,
    right: truth.every((one) => one.right === chosen.has(one.key)),
    missing: truth.filter((one) => one.right && !chosen.has(one.key)).length,
    revealed: Boolean(all || predict),
    remarks,
  };
};

book.open = () => ({ picked: [], judged: false, right: false, missing: 0, revealed: false, remarks: [] });

// What a widget's view takes for its model: fields to read, messages out and in. `reply(message)` gives a state; null where
// only a kernel could answer: the model then says, as a notebook without a kernel does, that there is none.
book.model = (fields, reply) => {
  const views = new Set();
  return {
    widget_manager: reply ? undefined : { kernel: null },
    get: (name) => fields[name],
    on: (event, view) => event === "msg:custom" && views.add(view),
    off: (event, view) => views.delete(view),
    // As from a kernel, the answer comes later, and to every view.
    send: (message) => queueMicrotask(() => {
      const state = reply(message);
      for (const view of [...views]) view({ re: message.id, state });
    }),
  };
};

// A question's answers. `note(right)` is called with the first answers, until the right one was shown.
book.question = (truth, predict, note) => {
  let state = book.open();
  let seen = false;
  return ({ op, picked = [] }) => {
    if (op === "answer") {
      const keys = picked.map(String);
      state = book.judge(truth, keys, { predict, all: state.revealed && !predict });
      if (!seen) note(state.right);
      seen ||= predict;
    } else if (op === "reveal") {
      seen = true;
      state = book.judge(truth, state.picked, { predict, all: true });
    } else if (op === "again") state = book.open();
    return state;
  };
};

// What was answered, kept in this browser: {question: whether right at last}.
book.answered = {
  key: "ssawidgets.questions",
  done() {
    try {
      const stored = JSON.parse(localStorage.getItem(this.key) ?? "{}");
      return stored && typeof stored === "object" && !Array.isArray(stored) ? stored : {};
    } catch {
      return {};
    }
  },
  note(id, right) {
    if (!id) return;
    const done = this.done();
    done[id] = Boolean(done[id]) || right;
    try {
      localStorage.setItem(this.key, JSON.stringify(done));
    } catch {
      // Then it is not kept.
    }
  },
  forget() {
    try {
      localStorage.removeItem(this.key);
      return true;
    } catch {
      return false;
    }
  },
  reply({ op }) {
    const forgotten = op === "reset" ? book.answered.forget() : true;
    return { questions: book.answered.done(), exercises: {}, where: "Kept in this browser, sent nowhere.", file: "", forgotten };
  },
};
