// Talking with Python. Commands go there one at a time. A change of the source that waits is replaced by the next one: only the
// last is worth making pictures of.

const PATIENCE_MS = 1500;
const GIVE_UP_MS = 6000;
const BUSY = "Waiting for the kernel: it is busy with another cell, or it has stopped.";
const GONE = "The kernel does not answer. The demos go on, and what is seen here stays; a change needs a running kernel: run the cell again.";

const talk = {
  command(op, fields = {}, done = null) {
    const waiting = this.queue.find((c) => c.op === op && op === "set");
    if (waiting) Object.assign(waiting.fields, fields);
    else this.queue.push({ op, fields, done, id: `${this.id}${++this.serial}` });
    this.sendNext();
  },

  sendNext() {
    if (this.sent || this.queue.length === 0) return;
    this.sent = this.queue.shift();
    const { op, fields, id } = this.sent;
    clearTimeout(this.slow);
    this.slow = setTimeout(() => {
      if (op !== "hello") this.setStatus(BUSY);
      this.slow = setTimeout(() => this.setGone(true), GIVE_UP_MS - PATIENCE_MS);
    }, PATIENCE_MS);
    try {
      if (!this.kernelThere()) throw new Error("no kernel");
      this.model.send({ op, id, ...fields });
    } catch {
      this.setGone(true);
    }
  },

  received(message) {
    if (message.re && message.re === this.sent?.id) {
      const { done } = this.sent;
      this.sent = null;
      clearTimeout(this.slow);
      this.setGone(false);
      this.setStatus(message.trouble);
      done?.(message);
    }
    if (message.panes && message.rev >= this.bench.rev) this.update(message);
    this.sendNext();
  },

  // A saved notebook shown without a kernel has a manager without one.
  kernelThere() {
    const manager = this.model.widget_manager;
    return !(manager && "kernel" in manager && manager.kernel === null);
  },

  // Is anybody there? Asked when a demo is opened, so that the teacher knows before a change is wanted.
  hello() {
    if (!this.sent && this.queue.length === 0) this.command("hello");
  },

  connectionChanged() {
    if (!this.kernelThere()) return this.setGone(true);
    this.sent = null;
    this.hello();
  },

  setGone(gone) {
    if (gone) {
      clearTimeout(this.slow);
      this.sent = null;
      this.queue = [];
      this.setStatus(GONE);
    } else if (this.gone) {
      this.setStatus("");
    }
    this.gone = gone;
    this.root.classList.toggle("is-gone", gone);
  },

  setStatus(text) {
    if (this.status.textContent !== text) this.status.textContent = text;
    this.presentStatus.textContent = text;
  },
};
