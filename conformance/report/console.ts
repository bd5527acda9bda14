import type { RowResult, RunReport } from '../result.js';
import type { Paint, Terminal } from './terminal.js';
import { paintFor } from './terminal.js';
import { bareTitle, evidence } from './rows.js';
import { count, duration, line, unticked, wrap } from '../text.js';
import type { Standing } from '../standing.js';

/** Facts known before the first request. */
export interface Start extends Pick<RunReport, 'suite' | 'target' | 'seed' | 'runs'> {
  /** Checks that will run. */
  readonly requirements: number;
  /** The most requests that will be sent. */
  readonly announced: number;
}

/** Progress of a run. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly requests: number;
  /** Undefined until it can be estimated. */
  readonly secondsLeft?: number;
  readonly failed?: number;
  /** How many of those done were not judged, by what became of them. */
  readonly unjudged?: Readonly<Partial<Record<Unjudged, number>>>;
}

/** Where a row stands that was not judged, in the order in which they are counted out; the last line has the same words. */
export const unjudgedStandings = [
  'could not run',
  'not exercised',
  'not applicable',
  'excluded',
] as const satisfies readonly Standing[];
export type Unjudged = (typeof unjudgedStandings)[number];

/** The head of a run, before its first request: target, settings, seed, requests. */
export function header({ suite, target, seed, runs, requirements, announced }: Start, terminal: Terminal): string {
  const { strong, faint } = paintFor(terminal);
  const servers =
    target.auth_url === target.base_url
      ? target.base_url
      : `${target.base_url}, authorization server ${target.auth_url}`;
  const lines = [
    ['Target', `${line(target.name, 80)}, ${line(servers, 300)}`],
    ['Settings', settings(target.settings)],
    ['Seed', `${seed}, ${count(runs, 'case')} per property`],
    ['Requests', `at most ${announced.toLocaleString('en-US')} for ${count(requirements, 'requirement')}`],
  ];
  return [
    `${strong('Game Data conformance')} ${line(suite.version, 40)} ${faint(`ledger ${line(suite.ledger, 12)} contract ${line(suite.contract, 12)}`)}`,
    '',
    ...lines.flatMap(([name = '', value = '']) => labelled(faint(name.padEnd(8)), 8, value, terminal)),
    '',
  ].join('\n');
}

/** `consent form, budget.requests 50000`. */
function settings(values: Readonly<Record<string, unknown>>): string {
  const pairs = (value: unknown, path: string): string[] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} ${bare(value)}`];
    return Object.entries(value).flatMap(([name, each]) => pairs(each, path ? `${path}.${name}` : name));
  };
  return Object.keys(values).length === 0 ? 'none' : pairs(values, '').join(', ');
}

const bare = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(bare).join(' ') || 'none'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

const mostText = 1500;

/** A label and its text, which is folded below itself. `width` is the label's without colour. */
export function labelled(label: string, width: number, text: string, { columns }: Terminal): string[] {
  const folded = wrap(line(text, mostText), Math.max(20, columns - width - 5));
  return folded.map((part, index) => `  ${index === 0 ? label : ' '.repeat(width)}  ${part}`);
}

/** `[####------] 305 of 812 judged, 8,412 requests, 21 s left, 7 could not run, 2 failed`. */
export function progressLine(
  { done, total, requests, secondsLeft, failed = 0, unjudged = {} }: Progress,
  terminal: Terminal,
): string {
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const filled = Math.floor(share * 20);
  const { good, faint, bad } = paintFor(terminal);
  const others = unjudgedStandings.flatMap((at) => {
    const number = unjudged[at] ?? 0;
    return number > 0 ? [{ at, number }] : [];
  });
  const judged = others.reduce((left, { number }) => left - number, done);
  const parts = [
    `${judged.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} judged`,
    count(requests, 'request'),
    ...(secondsLeft === undefined ? [] : [`${duration(Math.ceil(secondsLeft))} left`]),
    ...others.map(({ at, number }) => `${number.toLocaleString('en-US')} ${at}`),
  ];
  const failures = failed > 0 ? `, ${failed.toLocaleString('en-US')} failed` : '';
  const text = parts.join(', ');
  if (!terminal.tty) return `${Math.floor(share * 100)}% ${text}${failures}`;
  const width = terminal.columns - failures.length - 1;
  const bar = width >= text.length + 23;
  return `${bar ? `${good('━'.repeat(filled))}${faint('╌'.repeat(20 - filled))}  ` : ''}${text.slice(0, Math.max(0, width))}${bad(failures)}`;
}

/** A failure while the run goes on: the requirement on one line, the evidence on the next. */
export function verdictLine(row: RowResult, terminal: Terminal): string {
  const paint = paintFor(terminal);
  const { expected, got } = evidence(row);
  const why = row.verdict === 'suite error' ? (row.reason ?? '') : `expected ${expected}; got ${got}`;
  return `${tag(row, paint)} ${name(row, paint)} ${line(unticked(bareTitle(row)), Math.max(30, terminal.columns - row.id.length - row.level.length - 9))}\n     ${line(why, Math.max(60, terminal.columns * 2))}`;
}

export const name = ({ id, level }: RowResult, { strong, faint }: Paint): string =>
  `${strong(line(id))} ${faint(level)}`;

function tag({ verdict, waived }: RowResult, { bad, fair, faint }: Paint): string {
  if (waived) return faint('known');
  if (verdict === 'suite error') return bad('ERROR');
  return verdict === 'warn' ? fair('WARN') : bad('FAIL');
}

/** Live output of a run. `write` is the terminal's or the log's. */
export interface LiveConsole {
  start(start: Start): void;
  progress(progress: Progress): void;
  /** Prints failures and suite errors; other verdicts print nothing. */
  verdict(row: RowResult): void;
  /** Clears the progress line. */
  stop(): void;
}

/** Further failures are printed at the end only, where those with one cause are grouped. */
const mostLive = 20;

/** A terminal has one progress line, which is rewritten; a log gets a line per tenth of the requirements. */
export function liveConsole(terminal: Terminal, write: (text: string) => void): LiveConsole {
  let shown = '';
  let tenths = 0;
  let printed = 0;
  const clear = (): void => {
    if (shown) write('\r\x1b[K');
  };
  const above = (text: string): void => {
    clear();
    write(`${text}\n${shown}`);
  };
  return {
    start: (start) => write(`${header(start, terminal)}\n`),
    progress: (progress) => {
      const text = progressLine(progress, terminal);
      if (terminal.tty) {
        if (text === shown) return;
        clear();
        write((shown = text));
        return;
      }
      const now = progress.total > 0 ? Math.floor((progress.done / progress.total) * 10) : 10;
      if (now > tenths) write(`${text}\n`);
      tenths = Math.max(tenths, now);
    },
    verdict: (row) => {
      if ((row.verdict !== 'fail' && row.verdict !== 'suite error') || row.how === 'excluded') return;
      printed += 1;
      if (printed <= mostLive) above(verdictLine(row, terminal));
      else if (printed === mostLive + 1) above('     Further failures are listed at the end.');
    },
    stop: () => {
      clear();
      shown = '';
    },
  };
}
