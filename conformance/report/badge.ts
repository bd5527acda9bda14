import type { RunReport } from '../result.js';
import { tally } from '../standing.js';

const label = 'game data contract';

/** Shields' colour names with what they look like there. */
const colours = {
  brightgreen: '#2e7d32',
  green: '#4c7a1e',
  red: '#c62828',
  orange: '#b45309',
  lightgrey: '#5f6670',
} as const;

/** The text of the badge: `conformant` with the number of passed requirements, or the number of failed ones. */
function verdict(report: RunReport): { message: string; colour: keyof typeof colours } {
  const { fail, waived, pass, warn } = tally(report.rows);
  const known = waived > 0 ? `, ${waived} known` : '';
  switch (report.outcome) {
    case 'conformant':
      return { message: `conformant ${pass + warn}${known}`, colour: waived > 0 ? 'green' : 'brightgreen' };
    case 'not conformant':
      return { message: fail > 0 ? `${fail} failed` : 'not conformant', colour: 'red' };
    case 'incomplete':
      return { message: 'incomplete', colour: 'orange' };
    default:
      return { message: report.outcome, colour: 'lightgrey' };
  }
}

/** The JSON that shields.io draws a badge from (https://shields.io/badges/endpoint-badge). */
export function badgeEndpoint(report: RunReport): string {
  const { message, colour } = verdict(report);
  return `${JSON.stringify({ schemaVersion: 1, label, message, color: colour, isError: report.outcome.endsWith('error') })}\n`;
}

/** The badge as SVG. `textLength` fixes widths, so no font metrics are needed. */
export function badge(report: RunReport): string {
  const { message, colour } = verdict(report);
  const left = width(label);
  const right = width(message);
  const text = (x: number, length: number, words: string): string =>
    `<text x="${x}" y="14" textLength="${length - 12}" lengthAdjust="spacingAndGlyphs">${words}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${message}">`,
    `<title>${label}: ${message}</title>`,
    `<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3a4150"/><rect x="${left}" width="${right}" height="20" fill="${colours[colour]}"/></g>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(6, left, label)}${text(left + 6, right, message)}</g>`,
    '</svg>',
    '',
  ].join('\n');
}

/** A character of 11 px is 6.6 px wide on average. */
const width = (text: string): number => Math.round(text.length * 6.6) + 12;
