import { escape } from '../src/server/pages/html.js';

const colours = {
  light: { paper: '#ffffff', line: '#d5dae3', ink: '#1d2330', bad: '#b3261e', good: '#1b6b45', soft: '#5b6475' },
  dark: { paper: '#12151c', line: '#38404f', ink: '#e8ebf2', bad: '#ff9d94', good: '#7fe0ad', soft: '#9aa4b6' },
};

const lineHeight = 19;
const charWidth = 7.83;
const most = { lines: 40, columns: 118 };

/** What a command printed, as a window of a terminal: SVG that needs no font but the reader's own. */
export function terminalPicture(text: string, scheme: keyof typeof colours): string {
  const { paper, line, ink, bad, good, soft } = colours[scheme];
  const lines = text
    .split('\n')
    .slice(0, most.lines)
    .map((each) => each.slice(0, most.columns));
  const width = Math.ceil(Math.max(...lines.map(({ length }) => length)) * charWidth) + 48;
  const height = lines.length * lineHeight + 44;
  const fillOf = (each: string): string =>
    /^\s*(FAIL|Not conformant|not conformant)/.test(each)
      ? bad
      : /ended well|^Conformant/.test(each)
        ? good
        : /^\s+(see|replay|evidence|source)\b/.test(each)
          ? soft
          : ink;
  const rows = lines.map(
    (each, index) =>
      `<text x="24" y="${(index + 1) * lineHeight + 18}" fill="${fillOf(each)}" xml:space="preserve">${escape(each)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="${paper}" stroke="${line}"/>
${rows.join('\n')}
</svg>
`;
}
