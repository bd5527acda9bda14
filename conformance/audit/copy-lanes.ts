import { grantOf } from './call.js';
import type { Call } from './call.js';
import { copyStarts } from './copies.js';
import type { CopyEnd, WorldRun } from './run.js';

/** Requests of a lane that are told. */
const most = 8;

/** What each copy of a world did, a line for each: its requests in order, with the second in which they came, and its end. */
export function lanesOf({ world, copies = [], calls }: WorldRun): string[] {
  return copies
    .filter(({ start }) => start !== copyStarts.login)
    .map((end) => {
      const own = calls.filter(({ start, copy }) => start === end.start && (copy ?? end.copy) === end.copy);
      const told = own.slice(0, most).map(step);
      const more = own.length > most ? `, ${own.length - most} more` : '';
      const who = end.start === copyStarts.last ? 'the last start' : `copy ${end.copy}`;
      return `${world.id}, ${who}: ${told.length === 0 ? 'no request that it could be told by' : told.join(', ')}${more}; ${endOf(end)}`;
    });
}

const names: Readonly<Record<string, string>> = { refresh_token: 'refresh', authorization_code: 'code exchange' };

const step = (call: Call): string => {
  const grant = grantOf(call);
  const what = grant === null ? `${call.method} ${call.path.slice(0, 60)}` : (names[grant] ?? grant);
  return `${(call.at / 1000).toFixed(2)} s ${what} ${call.status ?? 'unanswered'}`;
};

const endOf = ({ ending: { how, code, signal }, killed }: CopyEnd): string =>
  killed ? 'killed' : how === 'exit' ? `code ${code}` : how === 'time' ? 'stopped' : (signal ?? how);
