// The browser's half of CfgEditor: it draws what Python sends and reports what the person wants.
//
// Python owns the state. What a person does becomes a command `{op, rev, id, …}`; Python answers `{re: id, accepted,
// message, hint, text, picture}`, the picture without the nodes that are as they were. The whole of it is also in the
// trait `_state`, as JSON, for a second view or one opened later. DOM nodes are kept, and only what differs in their
// description is changed in them. No graph algorithm lives here, only geometry, in pure functions that node can test.
//
// Text from a person's program reaches the page through text nodes and attributes only, never as markup.
//
// The files of this folder are joined into one module (`SCRIPTS` in editor.py, this one last). Each holds the methods
// for one idea; together they are the methods of the class below.

// One view of one editor: its state.
class EditorView {
  constructor({ model, el, signal }) {
    this.model = model;
    this.signal = signal;
    this.id = `ssaw${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}-${++views}-`;
    this.state = null;
    this.blocks = new Map(); // block -> {box, group, node, content, ring}
    this.edges = new Map(); // "src/index" -> {edge, group, node, hit}
    this.extras = new Map();
    this.rows = new Map(); // block -> its row of the text twin
    this.scale = 1;
    this.frame = 0; // height of the stage
    this.seen = { width: 0, height: 0, bar: 0, scrollLeft: 0, scrollTop: 0, tallest: 0 }; // see `measure`
    this.fitting = true;
    this.left = this.top = 0; // of the drawing in the canvas
    this.selected = null; // {kind: "block" | "edge", key}
    this.drag = null;
    this.choice = null; // choosing a target by keyboard
    this.box = null; // text being edited
    this.queue = [];
    this.sent = null;
    this.serial = 0;
    this.offline = false;
    this.settling = null; // the timer of `settle`
    this.walked = null; // the step by which an arrow key came here, see `walk`

    this.lay(el);
    this.listen();
    this.receive();
    this.resizing = new ResizeObserver(() => this.resized());
    this.resizing.observe(this.stage);
  }

  dispose() {
    this.resizing.disconnect();
    clearTimeout(this.slow);
    clearTimeout(this.settling);
    clearTimeout(this.text.timer);
    clearTimeout(this.text.drawing);
    cancelAnimationFrame(this.mapFrame);
    this.root.remove();
  }
}

Object.assign(
  EditorView.prototype,
  frame, menus, messages, drawing, viewport, minimap, selection, pointer, keyboard, choosing, commands, textbox, completion,
  program, saving, words, layers, why,
);

export default {
  render({ model, el, signal }) {
    const view = new EditorView({ model, el, signal: signal ?? new AbortController().signal });
    return () => view.dispose();
  },
};
