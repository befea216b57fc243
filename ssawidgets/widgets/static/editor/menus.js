// Menus that open from a button: of examples, of what can be saved.

const menus = {
  // A button and its list of `items` [label, act]. The list opens below the button; Escape or a click elsewhere closes it.
  menu(label, title, items) {
    const id = `${this.id}menu-${label.toLowerCase()}`;
    const list = html("div", { class: "ssaw-ed-menu", id, role: "menu", "aria-label": label, hidden: true });
    const show = (open) => {
      list.hidden = !open;
      opener.setAttribute("aria-expanded", String(open));
      if (open) list.firstChild.focus({ preventScroll: true });
    };
    const opener = html(
      "button",
      { type: "button", class: "ssaw-ed-button", title, "aria-haspopup": "menu", "aria-expanded": "false", "aria-controls": id, onclick: () => show(list.hidden), ...OWN_KEYS },
      label,
      html("span", { class: "ssaw-ed-down", "aria-hidden": "true" }),
    );
    for (const [name, act] of items) {
      const choose = () => {
        show(false);
        opener.focus({ preventScroll: true });
        act();
      };
      list.append(html("button", { type: "button", role: "menuitem", tabindex: "-1", onclick: choose, ...OWN_KEYS }, name));
    }
    const holder = html("span", { class: "ssaw-ed-menuholder" }, opener, list);
    holder.addEventListener("keydown", (event) => {
      const { key } = event;
      if (list.hidden && key !== "ArrowDown") return;
      const all = [...list.children];
      const at = all.indexOf(document.activeElement);
      const go = { ArrowDown: at + 1, ArrowUp: at - 1 + (at < 0), Home: 0, End: all.length - 1 }[key];
      if (list.hidden) show(true);
      else if (go !== undefined) all[(go + all.length) % all.length].focus({ preventScroll: true });
      else if (key === "Escape") {
        show(false);
        opener.focus({ preventScroll: true });
      } else if (key.length === 1 && key !== " ") {
        const rest = [...all.slice(at + 1), ...all.slice(0, at + 1)];
        rest.find((item) => item.textContent.toLowerCase().startsWith(key.toLowerCase()))?.focus({ preventScroll: true });
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
    holder.addEventListener("focusout", (event) => {
      if (!list.hidden && !holder.contains(event.relatedTarget) && document.hasFocus()) show(false);
    });
    return holder;
  },
};
