// The stepper's view. A recording comes from Python once, as one JSON text (what is in it: ssawidgets/step/reel.py), and is
// played here: stepping, breakpoints and questions need no kernel. The same script plays in an exported page.
//
// Nothing is computed about graphs or programs here. State is replayed from changes; every drawing was made in
// Python and is put in as elements; all text becomes text nodes.
//
// The files of this folder are joined into one module (`SCRIPTS` in stepper.py, this one last).

// Builds a stepper, or two side by side, in `el` from {films, starts, titles, sentence}; returns the clean-up.
export function mount(el, data) {
  const players = data.films.map((film, i) => player(film, data.starts[i], data.titles?.[i]));
  const root = html(
    "div",
    { class: `ssaw ssaw-stepper${players.length > 1 ? " is-pair" : ""}` },
    ...(data.sentence ? [html("p", { class: "ssaw-sp-difference" }, data.sentence)] : []),
    html("div", { class: "ssaw-sp-films" }, ...players.map((p) => p.root)),
  );
  el.append(root);
  return () => {
    for (const p of players) p.stop();
    root.remove();
  };
}

function render({ model, el }) {
  return mount(el, JSON.parse(model.get("_film")));
}

export default { render };
