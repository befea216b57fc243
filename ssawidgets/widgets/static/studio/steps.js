// Which slide and which frame of it are seen: pure functions, which node can test.

// A demo as a row of steps: one for each frame of each slide.
export function stepsOf(demo) {
  return demo.slides.flatMap((slide, s) => slide.frames.map((_, f) => ({ slide: s, frame: f })));
}

// The step after a key: one on or back, the first step of the next or the last slide, the first and the last step.
export function stepAfter(move, step, steps) {
  const firstOf = (slide) => steps.findIndex((s) => s.slide === slide);
  const here = steps[step].slide;
  const found = {
    next: step + 1,
    back: step - 1,
    slide: firstOf(here + 1) < 0 ? steps.length - 1 : firstOf(here + 1),
    slideback: firstOf(Math.max(0, step > firstOf(here) ? here : here - 1)),
    reset: 0,
    end: steps.length - 1,
  }[move];
  return Math.max(0, Math.min(found ?? step, steps.length - 1));
}

// What is seen at a step: the sentences and runs revealed on this slide, and the last picture, text and table there was.
// A picture is kept from the slide before where a slide begins without one; all else belongs to its slide.
export function seenAt(demo, steps, step) {
  const { slide, frame } = steps[step];
  const shown = demo.slides[slide].frames.slice(0, frame + 1);
  const last = (frames, has) => frames.filter(has).at(-1) ?? null;
  const before = demo.slides.slice(0, slide).flatMap((s) => s.frames);
  const pictured = last([...before, ...shown], (f) => f.svg >= 0);
  return {
    title: demo.slides[slide].title,
    notes: demo.slides[slide].notes,
    said: shown.flatMap((f) => [...(f.say ? [{ say: f.say }] : []), ...(f.gives ? [{ gives: f.gives, wrong: f.wrong }] : [])]),
    svg: pictured?.svg ?? -1,
    text: pictured?.text ?? -1,
    table: last(shown, (f) => f.table)?.table ?? null,
    frame,
    frames: demo.slides[slide].frames.length,
    slide,
    slides: demo.slides.length,
  };
}

// The demo that a key asks for: its place among the keys, -1 for none.
export function demoFor(key, keys) {
  return key.length === 1 ? keys.indexOf(key) : -1;
}
