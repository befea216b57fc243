// Talking with Python: commands go there one at a time, pictures come back.

const OFFLINE = "The kernel does not answer. The picture stays; editing needs a running kernel (run the cell again).";
const WAITING = "Waiting for the kernel: it is busy with another cell, or it has stopped.";
// Commands that change nothing.
const ASKING = new Set(["text", "program", "about", "why", "picture"]);

const messages = {
  receive() {
    const text = this.model.get("_state");
    // Our own edits come back this way a moment later; the revision stands first, so that need not be parsed.
    const rev = Number(/^\{"rev":(\d+),/.exec(text)?.[1] ?? -1);
    if (rev > (this.state?.rev ?? -1)) this.show(JSON.parse(text));
  },

  show(state) {
    const before = this.state;
    if (before && state.rev <= before.rev) return;
    this.state = state;
    this.rows = new Map(state.rows.map((row) => [row.block, row]));
    this.problems = new Map(state.problems.map((p) => [p.block, p]));
    this.setOffline(false);
    if (this.choice) this.endChoice();
    if (this.drag?.moving) this.cancelDrag();
    this.band.removeAttribute("d");
    this.renewAsk();
    this.draw(before);
    this.showTexts(before);
    this.showLayers(before);
    this.placeBox();
    this.fetchProgram();
    if (before?.scene.title !== state.scene.title) this.svg.setAttribute("aria-label", state.scene.title);
    this.root.dataset.rev = state.rev;
  },

  answered(message) {
    // The answer to another view's command brings a new picture all the same.
    const state = message.picture && completed(this.state, message.picture);
    if (state) this.show(state);
    if (!this.sent || message.re !== this.sent.id) return;
    const { op, done } = this.sent;
    this.sent = null;
    clearTimeout(this.slow);
    this.setOffline(false);
    // What was said of an edit stays while one only asks; that the kernel is busy does not.
    if (message.accepted) {
      if (!ASKING.has(op) || this.notice.textContent === WAITING) this.say(message.message);
    } else this.say([message.message, message.hint].filter(Boolean).join("; "), true);
    if (!message.accepted) this.band.removeAttribute("d");
    done?.(message);
    this.sendNext();
  },

  // Send a command when those before it are answered, so that each is made for the picture that the last one left.
  command(op, fields = {}, done = null) {
    if (this.offline) return this.say(OFFLINE, true);
    this.queue.push({ op, fields, done, id: `${this.id}${++this.serial}` });
    this.sendNext();
  },

  sendNext() {
    if (this.sent || this.queue.length === 0) return;
    this.sent = this.queue.shift();
    const { op, fields, id } = this.sent;
    clearTimeout(this.slow);
    this.slow = setTimeout(() => {
      this.say(WAITING);
      this.slow = setTimeout(() => this.setOffline(true), 8000);
    }, 1200);
    try {
      this.model.send({ op, rev: this.state.rev, id, ...fields });
    } catch {
      this.setOffline(true);
    }
  },

  kernelThere() {
    const manager = this.model.widget_manager;
    return !(manager && "kernel" in manager && manager.kernel === null);
  },

  // The connection changed: the kernel went, came, or was restarted and does not know this figure. Any answer will do.
  askWhetherThere() {
    if (!this.kernelThere()) return this.setOffline(true);
    this.setOffline(false);
    this.command("program");
  },

  setOffline(offline) {
    if (offline) {
      clearTimeout(this.slow);
      this.sent = null;
      this.queue = [];
      this.band.removeAttribute("d");
      this.say(OFFLINE, true);
      this.box?.done?.({ accepted: false, message: OFFLINE, hint: "" });
    } else if (this.offline) {
      this.say("");
    }
    this.offline = offline;
    this.text.area.readOnly = offline;
    this.text.busy &&= !offline;
    this.root.classList.toggle("is-offline", offline);
  },
};
