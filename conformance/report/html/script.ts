/** Copy buttons, the filter of requirements, and unfolding of linked sections. The page is complete without it. */
export const script = `
(() => {
  const one = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];

  const copy = async (button, text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
      button.focus();
    }
    const label = button.textContent;
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = label; }, 1500);
  };
  for (const button of all('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const source = document.getElementById(button.dataset.copy);
      if (source && button.textContent !== 'Copied') copy(button, source.textContent);
    });
  }

  const form = one('.filter');
  const rows = all('#ledger tbody tr').map((row) => ({
    row,
    group: row.dataset.group,
    level: row.cells[1].textContent,
    verdict: row.cells[2].textContent,
    text: row.textContent.toLowerCase(),
  }));
  const { text, verdict, level, group } = form.elements;
  const filter = () => {
    const words = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const each of rows) {
      const fits =
        (!verdict.value || each.verdict === verdict.value) &&
        (!level.value || each.level === level.value) &&
        (!group.value || each.group === group.value) &&
        words.every((word) => each.text.includes(word));
      each.row.hidden = !fits;
      if (fits) shown += 1;
    }
    one('.shown').textContent = shown === rows.length ? '' : shown + ' of ' + rows.length + ' requirements';
  };
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', filter);
  form.addEventListener('reset', () => setTimeout(filter));
  for (const link of all('a[data-verdict]')) {
    link.addEventListener('click', () => {
      form.reset();
      verdict.value = link.dataset.verdict;
      filter();
    });
  }

  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest('#ledger tbody')) {
      if (target.hidden) { form.reset(); filter(); }
    }
    let around = target.closest('details');
    while (around) { around.open = true; around = around.parentElement.closest('details'); }
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  if (location.hash) reveal();
})();
`;
