// A page of the book: what plays is put in the place of its still picture; theme, search, printing.

// Data packed by tools/book/pages.py: JSON, deflated, in base 64.
book.unsealed = async (text) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
};

book.replies = {
  quiz: (data) => book.question(data.truth, false, (right) => book.answered.note(data.id, right)),
  predict: (data) => book.question(data.truth, true, (right) => book.answered.note(data.id, right)),
  progress: () => book.answered.reply,
};

// The Studio's bench needs Python; what it presents does not, so that is what stands open.
book.opened = {
  studio: (el) => [...el.querySelectorAll("button")].find((button) => button.textContent.startsWith("Present"))?.click(),
};

// All are put in at once, and the page then returns to the heading that was asked for: what plays is taller than a picture.
book.play = async () => {
  const places = [...document.querySelectorAll(".bk-live")];
  const data = await Promise.all(places.map((place) => book.unsealed(place.querySelector("script").textContent)));
  places.forEach((place, i) => {
    const { widget } = place.dataset;
    const el = document.createElement("div");
    el.className = "bk-stage";
    place.append(el);
    book[widget].render({ model: book.model(data[i], book.replies[widget]?.(data[i]) ?? null), el });
    book.opened[widget]?.(el);
    place.classList.add("is-live");
  });
  // Two steppers of one function are told apart by their number.
  const names = new Map();
  for (const part of document.querySelectorAll(".bk-stage [role=region][aria-label]")) {
    const name = part.getAttribute("aria-label");
    names.set(name, (names.get(name) ?? 0) + 1);
    if (names.get(name) > 1) part.setAttribute("aria-label", `${name}, number ${names.get(name)}`);
  }
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  document.documentElement.dataset.plays = String(places.length);
};

book.searching = () => {
  const field = document.getElementById("search");
  const found = document.getElementById("found");
  const results = document.getElementById("results");
  const contents = document.querySelector(".bk-contents");
  const element = (tag, ...children) => {
    const made = document.createElement(tag);
    made.append(...children);
    return made;
  };

  function show() {
    const query = field.value.trim();
    const hits = query ? book.find(book.index, query) : [];
    results.hidden = !hits.length;
    contents.hidden = Boolean(hits.length);
    found.textContent = !query ? "" : hits.length ? `${hits.length === 12 ? "The best 12" : hits.length} found` : "Nothing found. Try a shorter word.";
    results.replaceChildren(...hits.map(({ page, title, id, heading, text }) => {
      const link = element("a", element("strong", heading), ...(heading === title ? [] : [element("small", title)]));
      link.href = `${page}.html${id ? `#${id}` : ""}`;
      link.addEventListener("click", clear);
      return element("li", link, element("p", ...book.excerpt(text, query).map(([part, asked]) => (asked ? element("mark", part) : part))));
    }));
  }

  function clear() {
    field.value = "";
    show();
  }

  field.addEventListener("input", show);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") clear();
    else if (event.key === "Enter" || event.key === "ArrowDown") results.querySelector("a")?.focus();
    else return;
    event.preventDefault();
  });
  results.addEventListener("keydown", (event) => {
    if (event.key === "Escape") field.focus();
    const links = [...results.querySelectorAll("a")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    (links[links.indexOf(document.activeElement) + step] ?? field).focus();
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    field.focus();
    event.preventDefault();
  });
};

if (typeof document !== "undefined") {
  const choice = document.getElementById("theme");
  choice.value = theme.get();
  choice.addEventListener("change", () => theme.set(choice.value));
  // Contents stand open beside a wide page, and fold above a narrow one.
  const folded = document.querySelector(".bk-contents details");
  if (matchMedia("(max-width: 860px)").matches) folded.open = false;
  // On paper, what is folded is open.
  addEventListener("beforeprint", () => {
    for (const one of document.querySelectorAll(".bk-prose details:not([open])")) {
      one.open = true;
      one.dataset.opened = "";
    }
  });
  addEventListener("afterprint", () => {
    for (const one of document.querySelectorAll("[data-opened]")) {
      one.open = false;
      delete one.dataset.opened;
    }
  });
  book.searching();
  book.play();
}
