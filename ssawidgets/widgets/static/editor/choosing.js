// Choosing a block by keyboard: the target of a new edge, or of one that is to lead elsewhere.

const choosing = {
  // Choose a block by keyboard: the target of a new edge from `src`, or of `edge`.
  choose({ src, edge = null }) {
    const names = this.boxes().map((b) => b.key);
    const others = edge ? names.filter((n) => n !== edge.dst) : names;
    const below = nextBlock(this.boxes(), this.blocks.get(src).box, "ArrowDown")?.key;
    const candidate = below && others.includes(below) ? below : others.find((n) => n !== src) ?? src;
    (edge ? this.edges.get(edge.key) : this.blocks.get(src)).group.focus({ preventScroll: true });
    this.choice = { src, edge, candidate, typed: "", scroll: [this.stage.scrollLeft, this.stage.scrollTop] };
    this.root.classList.add("is-choosing");
    this.showChoice();
  },

  chooseKey(event) {
    const { choice } = this;
    const { key } = event;
    if (key === "Escape" || key === "Tab") {
      this.endChoiceAt(null);
      return key === "Escape";
    }
    if (key === "Enter") {
      if (choice.candidate !== null) this.endChoiceAt(choice.candidate);
      return true;
    }
    if (key.startsWith("Arrow")) {
      const from = this.blocks.get(choice.candidate ?? choice.src).box;
      choice.candidate = nextBlock(this.boxes(), from, key)?.key ?? choice.candidate;
      choice.typed = "";
    } else if (key === "Backspace") {
      choice.typed = choice.typed.slice(0, -1);
    } else if (key.length === 1 && /[\p{L}\p{N}_.]/u.test(key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      choice.typed += key;
    } else {
      return key.length === 1;
    }
    if (choice.typed) choice.candidate = blockTyped(this.boxes().map((b) => b.key), choice.typed);
    this.showChoice();
    return true;
  },

  showChoice() {
    const { src, edge, candidate } = this.choice;
    this.mark("is-target", candidate ?? undefined);
    this.showActions();
    if (candidate === null) {
      this.band.removeAttribute("d");
      this.announce(`No block starts with ${this.choice.typed}.`);
      return;
    }
    const from = this.blocks.get(src).box;
    const to = this.blocks.get(candidate).box;
    const start = edge ? [edge.x, edge.y] : [from.x + from.width / 2, from.y + from.height];
    this.band.setAttribute("d", bandPath(start, [to.x + to.width / 2, to.y]));
    this.band.classList.add("has-target");
    this.reveal(this.blocks.get(candidate).group);
    this.announce(`${edge ? "Retarget" : "New edge"} from ${src} to ${candidate}. Enter accepts, Escape cancels.`);
  },

  // Accept a block as the target, or null: none.
  endChoiceAt(target) {
    const { src, edge } = this.choice;
    this.endChoice();
    if (target === null) {
      this.band.removeAttribute("d");
      this.announce("Cancelled.");
    } else if (edge) {
      this.command("retarget_edge", { src, index: edge.index, dst: target });
    } else {
      this.command("add_edge", { src, dst: target });
    }
  },

  endChoice() {
    // Looking for a target may have led far away.
    this.stage.scrollTo(...this.choice.scroll);
    this.choice = null;
    this.root.classList.remove("is-choosing");
    this.mark("is-target", undefined);
    this.showActions();
  },
};
