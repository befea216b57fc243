// Completion while typing code: names in scope, blocks where a block is meant, words of the notation.

const WORDS = ["goto", "if", "else", "switch", "return", "print", "use", "phi", "undef", "true", "false", "nop", "alloc", "load", "store", "free", "ptradd"];
const MOST_SHOWN = 8;

// The word before the cursor, and whether a block is meant there: {word, block}.
export function wordBefore(text, cursor) {
  const line = text.slice(text.lastIndexOf("\n", cursor - 1) + 1, cursor);
  const word = /[\p{L}\p{N}_.]*$/u.exec(line)[0];
  const before = line.slice(0, line.length - word.length);
  const block = /\b(goto|else)\s+$/.test(before) || /\bgoto\s[^#]*,\s*$/.test(before) || /\bswitch\b[^#]*\[[^\]]*:\s*$/.test(before) || /\bphi\((.*,)?\s*$/.test(before);
  return { word, block };
}

// What could be meant by a word, the likeliest first; none when the word is all there is to say.
export function candidates({ word, block }, { names, blocks, text }) {
  const typed = [...text.matchAll(/^\s*([\p{L}_][\p{L}\p{N}_.]*)\s*=(?!=)/gmu)].map((m) => m[1]);
  const all = block ? blocks : [...typed, ...names, ...WORDS];
  const fit = [...new Set(all)].filter((n) => n.startsWith(word) && n !== word);
  return word || block ? fit.slice(0, MOST_SHOWN) : [];
}

const completion = {
  // Offer completions in a textarea; `words` () gives {names, blocks}.
  complete(area, words) {
    const id = `${this.id}words-${++this.serial}`;
    const list = html("ul", { class: "ssaw-ed-words", id, role: "listbox", "aria-label": "Completions", hidden: true });
    area.setAttribute("aria-autocomplete", "list");
    area.setAttribute("aria-controls", id);
    this.root.append(list);
    let found = [];
    let at = 0;
    const close = () => {
      list.hidden = true;
      area.removeAttribute("aria-activedescendant");
    };
    const mark = () => {
      [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === at)));
      area.setAttribute("aria-activedescendant", `${id}-${at}`);
    };
    const take = () => {
      const { word } = wordBefore(area.value, area.selectionStart);
      const rest = found[at].slice(word.length);
      close();
      area.focus({ preventScroll: true });
      // As if typed, so that the browser's own undo knows it.
      if (!document.execCommand("insertText", false, rest)) area.setRangeText(rest, area.selectionStart, area.selectionEnd, "end");
    };
    const offer = (asked = false) => {
      const here = wordBefore(area.value, area.selectionStart);
      if (area.selectionStart !== area.selectionEnd) return close();
      found = candidates(asked && !here.word ? { ...here, word: "", block: here.block } : here, { ...words(), text: area.value });
      if (asked && !here.word && !here.block) found = words().names.slice(0, MOST_SHOWN);
      if (!found.length) return close();
      at = 0;
      list.replaceChildren(
        ...found.map((name, i) => html("li", { role: "option", id: `${id}-${i}`, onpointerdown: (e) => { e.preventDefault(); at = i; take(); } }, name)),
      );
      list.hidden = false;
      mark();
      this.placeWords(area, list, here.word);
      this.announce(`${found.length} ${found.length === 1 ? "completion" : "completions"}: ${found.join(", ")}. Tab takes ${found[0]}.`);
    };
    // Of a text that is put in at once Chromium tells line by line: one looks when all of it is there, or at the next key.
    let due = null;
    const notDue = () => {
      clearTimeout(due);
      due = null;
    };
    const offerDue = () => {
      notDue();
      offer();
    };
    area.addEventListener("input", () => (due ??= setTimeout(offerDue)));
    area.addEventListener("blur", () => {
      notDue();
      close();
    });
    area.addEventListener("scroll", close);
    area.addEventListener("keydown", (event) => {
      const { key } = event;
      if (due !== null) offerDue();
      if (key === " " && event.ctrlKey) offer(true);
      else if (list.hidden) return;
      else if (key === "ArrowDown" || key === "ArrowUp") {
        at = (at + (key === "ArrowDown" ? 1 : found.length - 1)) % found.length;
        mark();
      } else if (key === "Tab" && !event.shiftKey) take();
      else if (key === "Escape") close();
      else if (key === "ArrowLeft" || key === "ArrowRight" || key === "Enter") return close();
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    });
    return () => {
      notDue();
      list.remove();
    };
  },

  // Put the list under the word that is being typed, or above it where there is no room below.
  placeWords(area, list, word) {
    const look = getComputedStyle(area);
    const pen = html("canvas").getContext("2d");
    pen.font = `${look.fontSize} ${look.fontFamily}`;
    const lines = area.value.slice(0, area.selectionStart).split("\n");
    const last = lines[lines.length - 1];
    const [box, own] = [area.getBoundingClientRect(), this.root.getBoundingClientRect()];
    const height = parseFloat(look.lineHeight);
    const x = box.left + parseFloat(look.paddingLeft) + pen.measureText(last.slice(0, last.length - word.length)).width - area.scrollLeft;
    const y = box.top + parseFloat(look.paddingTop) + lines.length * height - area.scrollTop;
    const { offsetWidth, offsetHeight } = list;
    const below = y + offsetHeight + 4 < own.bottom;
    list.style.left = `${Math.max(4, Math.min(x - own.left - 8, own.width - offsetWidth - 4))}px`;
    list.style.top = `${(below ? y + 2 : y - height - offsetHeight - 2) - own.top}px`;
  },
};
