// Asking Python: one message at a time; what came of it comes back to every view of the question.

const PATIENCE = 1500;
const GIVE_UP = 8000;
const BUSY = "Waiting for the kernel: it is busy with another cell, or it has stopped.";
const GONE = "The kernel does not answer, and only it can judge. Restart it, then run this cell again.";

// `show(state)` is called with what came, `say(text)` with what there is to say about the kernel ("" for nothing).
function kernel(model, show, say, gone = GONE) {
  const me = `${fresh()}-`;
  let serial = 0;
  let waiting = null;
  let timer = null;

  function receive(message) {
    if (!message.state) return;
    if (message.re === waiting) {
      clearTimeout(timer);
      waiting = null;
      say("");
    }
    show(message.state);
  }

  function send(op, fields = {}, patience = PATIENCE) {
    clearTimeout(timer);
    const id = (waiting = `${me}${++serial}`);
    const asked = op !== "hello";
    timer = setTimeout(() => {
      if (asked) say(BUSY);
      timer = setTimeout(() => say(gone), GIVE_UP - patience);
    }, patience);
    try {
      if (!there()) throw new Error("no kernel");
      model.send({ op, id, ...fields });
    } catch {
      clearTimeout(timer);
      say(gone);
    }
  }

  // A saved notebook shown without a kernel has a manager without one.
  function there() {
    const manager = model.widget_manager;
    return !(manager && "kernel" in manager && manager.kernel === null);
  }

  model.on("msg:custom", receive);
  return {
    send,
    stop() {
      clearTimeout(timer);
      model.off("msg:custom", receive);
    },
  };
}
