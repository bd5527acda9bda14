/** Filters the lines of folded tables, or cards, and unfolds what a link leads to. The page is complete without it. */
export const script = `
(() => {
  const folds = [...document.querySelectorAll('details')];
  const counts = new Map(folds.map((fold) => [fold, fold.querySelector('summary .tag')]).filter(([, count]) => count));
  const totals = new Map([...counts].map(([fold, count]) => [fold, count.textContent]));
  const field = document.getElementById('find');
  const rows = [...document.querySelectorAll('details tbody tr, section.card')].map((row) => ({ fold: row.closest('details'), row, text: row.textContent.toLowerCase() }));
  field.closest('form').hidden = false;
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const open = new Map();
    let shown = 0;
    for (const { fold, row, text } of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      if (row.hidden) continue;
      shown += 1;
      open.set(fold, (open.get(fold) ?? 0) + 1);
    }
    for (const [fold, count] of counts)
      count.textContent = words.length === 0 ? totals.get(fold) : (open.get(fold) ?? 0) + ' of ' + totals.get(fold);
    for (const fold of folds) {
      fold.open = words.length > 0 && open.has(fold);
      fold.hidden = words.length > 0 && !open.has(fold);
    }
    document.getElementById('found').textContent = words.length === 0 ? '' : shown + ' of ' + rows.length;
  });
  field.closest('form').addEventListener('submit', (event) => event.preventDefault());
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const fold = target && target.closest('details');
    if (fold && !fold.open) { fold.open = true; target.scrollIntoView(); }
  };
  addEventListener('hashchange', unfold);
  unfold();
})();
`;
