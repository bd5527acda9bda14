import { needInWords } from '../conformance/target/capabilities.js';
import { clip, count, line } from '../conformance/text.js';
import type { DoctorReport, Diagnosis } from '../conformance/target/doctor.js';
import type { Emphasis } from '../conformance/report/terminal.js';

const marks: Readonly<Record<Diagnosis['state'], string>> = { ok: 'ok', problem: 'PROBLEM', note: 'note' };

/** Characters of a value or a sentence. */
const most = 1000;

/** What a target declares of the edition: `3 flags on, 12 off`. A flag that is any is not declared. */
export function editionText(edition: Readonly<Record<string, unknown>>): string {
  const states = Object.values(edition);
  const [on, off] = ['on', 'off'].map((wanted) => states.filter((state) => state === wanted).length);
  return on === 0 && off === 0 ? 'not declared' : `${count(on!, 'flag')} on, ${off} off`;
}

/** The effective settings of a run, in a few lines. */
export function settingsText(settings: Readonly<Record<string, unknown>>, { strong, faint }: Emphasis): string {
  const { name, consent, accounts, clients, edition } = settings as {
    name: string;
    consent: string;
    accounts: object;
    clients: object;
    edition: Readonly<Record<string, string>>;
  };
  const rows: [string, string][] = [
    ...(['base_url', 'auth_url', 'proxy', 'control_url', 'control_token', 'adapter', 'tree_codec'] as const).flatMap(
      (key): [string, string][] => (typeof settings[key] === 'string' ? [[key, settings[key]]] : []),
    ),
    ['consent', consent],
    ['accounts', Object.keys(accounts).join(', ')],
    ['clients', Object.keys(clients).join(', ') || 'none'],
    ['edition', editionText(edition)],
  ];
  const width = Math.max(...rows.map(([key]) => key.length));
  return `${strong(line(name, most))}\n${rows.map(([key, value]) => `  ${faint(key.padEnd(width))}  ${line(value, most)}`).join('\n')}\n\n`;
}

/** A sentence on a line, the queries of long URLs left out. */
const shortened = (text: string): string =>
  line(text, most).replaceAll(/\bhttps?:\/\/\S{80,}/g, (url) => {
    const place = url.replace(/[?#].*$/s, '');
    return place.length > 80 ? clip(place, 80) : `${place}?…`;
  });

export function findingText({ about, state, met, remedy }: Diagnosis, { strong, faint }: Emphasis): string {
  const mark = marks[state].padEnd(8);
  const found = `${state === 'problem' ? strong(mark) : faint(mark)} ${shortened(`${about}: ${met}`)}\n`;
  if (remedy === undefined) return found;
  const words = shortened(remedy);
  return `${found}${' '.repeat(9)}${state === 'problem' ? words : faint(words)}\n`;
}

/** Where a finding is about one of these, nothing is known of what the server offers. */
const places = new Set(['base_url', 'auth_url', 'control_url', 'adapter']);

/** Coverage, what would enable more checks, and the result. */
export function closingText({ ready, findings, coverage }: DoctorReport, { strong, faint }: Emphasis): string {
  const { runnable, checks, monitors, unlocks } = coverage;
  const share = checks === 0 ? 100 : Math.floor((runnable / checks) * 100);
  const problems = findings.filter(({ state }) => state === 'problem');
  const out = problems.find(({ about }) => places.has(about));
  const shown = out ? [] : unlocks.slice(0, 12);
  const until = problems.length === 0 ? '' : ', once the problems above are fixed';
  return [
    '',
    out
      ? `What can run is not known until ${out.about} is right.`
      : `${runnable} of ${checks} checks can run with these settings (${share} %)${until}; ${monitors} rules are evaluated on every response.`,
    ...shown.map(
      (unlock) =>
        `  ${String(unlock.rows).padStart(4)} need ${needInWords(unlock.need)}: ${faint(line(unlock.remedy, most))}`,
    ),
    ...(!out && unlocks.length > shown.length ? [faint(`  and ${unlocks.length - shown.length} more reasons`)] : []),
    '',
    ready
      ? strong('Ready.')
      : strong(`Configuration error: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.`),
    '',
  ].join('\n');
}
