// Search in the index that lies beside the pages. Pure functions, tested with node.

book.words = (text) => text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "").match(/[\p{L}\p{N}_.]+/gu) ?? [];

// The sections that hold every word of a query, as a word's beginning; the best first, at most `most`.
// A word in a heading counts eight times one in the text, a whole word twice its beginning.
book.find = (index, query, most = 12) => {
  const asked = book.words(query);
  if (!asked.length) return [];
  const found = [];
  for (const [page, title, sections] of index) {
    for (const [id, heading, text] of sections) {
      const inHeading = book.words(heading === title ? heading : `${heading} ${title}`);
      const inText = book.words(text);
      let score = 0;
      for (const word of asked) {
        const points = (words, worth) => words.reduce((sum, w) => sum + (w === word ? 2 * worth : w.startsWith(word) ? worth : 0), 0);
        const mine = Math.min(points(inHeading, 8), 32) + Math.min(points(inText, 1), 12);
        if (!mine) {
          score = 0;
          break;
        }
        score += mine;
      }
      if (score) found.push({ page, title, id, heading, text, score });
    }
  }
  return found.sort((a, b) => b.score - a.score).slice(0, most);
};

// A piece of a text round the first word asked for: [[text, whether it was asked for], …].
book.excerpt = (text, query, width = 110) => {
  const asked = book.words(query);
  const spots = [...text.matchAll(/[\p{L}\p{N}_.]+/gu)].filter((m) => asked.some((word) => book.words(m[0]).some((w) => w.startsWith(word))));
  const middle = spots[0]?.index ?? 0;
  let from = Math.max(0, middle - 40);
  if (from > 0) from = text.indexOf(" ", from) + 1 || from;
  const until = Math.min(text.length, from + width);
  const parts = from > 0 ? [["… ", false]] : [];
  let at = from;
  for (const { index, 0: word } of spots) {
    if (index < at || index + word.length > until) continue;
    parts.push([text.slice(at, index), false], [word, true]);
    at = index + word.length;
  }
  parts.push([text.slice(at, until), false]);
  if (until < text.length) parts.push([" …", false]);
  return parts.filter(([part]) => part);
};
