import type { ExchangeRecord } from '../exchange-record.js';
import { Refusal } from '../refusal.js';
import type { Filter } from './filter.js';
import { silent } from './journal.js';
import type { Journal } from './journal.js';
import type { Line } from './line.js';

/**
 * The first `count` lines that fit, once they are there. `left` aborts when nobody waits for them any more.
 * @throws Refusal 409 after `seconds` real seconds, saying what came instead
 */
export function waitFor(
  journal: Journal,
  filter: Filter,
  { count, seconds, left }: { readonly count: number; readonly seconds: number; readonly left: AbortSignal },
): Promise<readonly Line[]> {
  return new Promise((done, fail) => {
    const there = (): readonly Line[] => journal.lines(filter).slice(0, count);
    /** How many there are, or were before the oldest left: only where that is enough are they looked for. */
    let most = journal.lines(filter).length;
    const look = (): void => {
      if (most < count) return;
      const found = there();
      if (found.length === count) over(() => done(found));
      else most = found.length;
    };
    const over = (step: () => void): void => {
      clearTimeout(timer);
      leave();
      step();
    };
    const leave = journal.follow(
      filter,
      () => {
        most += 1;
        look();
      },
      () => over(() => fail(new Refusal(409, 'the mock is being closed'))),
    );
    const timer = setTimeout(
      () => over(() => fail(new Refusal(409, missed(journal, filter, count, seconds)))),
      seconds * 1000,
    );
    left.addEventListener('abort', () => over(() => done([])), { once: true });
    look();
  });
}

/** How many entries a message tells of. */
const mostTold = 1000;

function missed(journal: Journal, filter: Filter, count: number, seconds: number): string {
  const wanted = Object.entries(filter).map(([name, value]) => `${name} ${value}`);
  const all = journal.lines();
  const rest = all.filter((line) => !line.fits(filter));
  const came = all.length - rest.length;
  const others = tally(rest.slice(-mostTold));
  const older = rest.length > mostTold ? `, of the last ${mostTold} of ${rest.length}` : '';
  const instead = others === '' ? 'nothing else came' : `what came instead: ${others}${older}`;
  const off = journal.recording ? '' : `; ${silent}`;
  return `waited ${seconds} s for ${count} of ${wanted.join(', ') || 'anything'}: ${came} came; ${instead}${off}`;
}

/** How many lines there are of what, the most frequent first. */
function tally(lines: readonly Line[]): string {
  const counts = new Map<string, number>();
  for (const { record } of lines) {
    const name = nameOf(record);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const more = sorted.length > 8 ? `, and ${sorted.length - 8} more kinds` : '';
  return (
    sorted
      .slice(0, 8)
      .map(([name, number]) => `${name} (${number})`)
      .join(', ') + more
  );
}

const nameOf = ({ logical, method, target, reply, clientId, account }: ExchangeRecord): string =>
  [
    logical ?? `${method} ${target.slice(0, 60)}`,
    reply?.status ?? 'without reply',
    ...(clientId === undefined ? [] : [`of ${clientId}`]),
    ...(account === undefined ? [] : [`for ${account}`]),
  ].join(' ');
