import { replyOf } from './call.js';
import { controlledBy } from './judge.js';
import { lastWords } from './last-words.js';
import { unreadable } from './recording.js';
import { redactor } from './redact.js';
import { endingOf } from './rows/survival.js';
import type { WorldRun } from './run.js';

/** Why the system does not start a command, and the remedy. */
const startProblem = (code: string): string =>
  ({
    EACCES: 'it is not executable; chmod +x it, or name the program that runs it',
    ENOTDIR: 'the folder that it is to be started in is a file; correct cwd in the plan',
    ENAMETOOLONG: 'its name is too long; write it after --',
    E2BIG: 'its arguments and variables are too long for this system; shorten what --env gives it',
    ERR_INVALID_ARG_VALUE: 'it is empty, or has a null character; write it after --',
  })[code] ?? `the system says ${code}`;

const useOurs = 'have it use GAMEDATA_BASE_URL and GAMEDATA_AUTH_URL (--env NAME=base_url gives them its names)';

/** Why a client cannot be judged at all, and what to do about it. */
export function obstacleOf(run: WorldRun): string | undefined {
  const { endings, calls } = run;
  const [ending] = endings;
  const controlled = controlledBy(run);
  if (controlled !== undefined) return controlled;
  // Hidden before it is cut: half of a secret would not be known again.
  const shown = (text: string, most: number): string => redactor([run]).text(text).slice(0, most);
  if (ending?.how === 'missing')
    return `there is no command ${shown(ending.command ?? '', 100)}; check the name of the program, or write its path`;
  if (ending?.how === 'failed') return `the command cannot be run: ${startProblem(ending.signal ?? '')}`;
  const own = calls.filter(({ browser }) => !browser);
  if (calls.some(({ operation, reason }) => operation !== undefined || reason === unreadable)) return undefined;
  if (own.some(({ status }) => status === 405)) return undefined;
  if (own[0])
    return `the client asks for nothing that the interface has, such as ${own[0].method} ${shown(own[0].path, 100)}; the paths begin right behind the address`;
  const said = shown(lastWords(ending?.output ?? ''), 200);
  const words = said === '' ? '' : `; its last words: ${said}`;
  if (/not a (tty|terminal)|inappropriate ioctl|no tty|stdin is not/i.test(ending?.output ?? ''))
    return `the client wants a terminal, and has none here; start it with the option that makes it ask nothing${words}`;
  if (ending?.how === 'time') return `the client asked nothing until its time was over; ${useOurs}${words}`;
  if (ending?.code === 0) return `the client ended without a request to the mock; ${useOurs}${words}`;
  const how = `with code ${ending?.code ?? ending?.signal}`;
  return said === ''
    ? `the client ended ${how} without a request to the mock; ${useOurs}`
    : `the client ended ${how} before its first request, and printed: ${said}; fix that first, and ${useOurs}`;
}

/** What keeps an audit from a verdict, each with its remedy. */
export const incompleteBy = (runs: readonly WorldRun[]): readonly string[] => [
  ...withoutCalm(runs),
  ...controlledRuns(runs),
  ...silentRuns(runs),
];

/**
 * A refusal among so many last requests may have to do with the end of a client; workers send some behind it. A client
 * that ended with an error has most likely met one, however many more its workers sent.
 */
const related = { usual: 4, error: 30 };

/** Why there is no verdict on a client that does not get through the calm world, and what to do about it. */
function withoutCalm([calm]: readonly WorldRun[]): string[] {
  if (calm?.endedInCalm !== false) return [];
  const { endings: all, calls } = calm;
  const code = all.find(({ how, code: one }) => how === 'exit' && one !== 0)?.code;
  const latest = calls.at(-1);
  const turnedAway = latest?.browser === true && (latest.status ?? 0) >= 400 ? latest : undefined;
  const remedy = turnedAway
    ? 'Fix the request that the user is sent with: the client waits for a redirect that does not come'
    : all.some(({ how }) => how === 'time')
      ? 'Give it more time (--time-limit), or say when to stop it (--stop-after)'
      : code === undefined || code === null
        ? 'Fix what stopped the client'
        : `Fix what stopped the client, or name its exit code if that is success (--success ${code})`;
  const ownLast = calls
    .filter(({ browser }) => !browser)
    .slice(code === undefined || code === null ? -related.usual : -related.error);
  const refused = ownLast.findLast(
    ({ status, decision, method, target, number }) =>
      status !== null &&
      status >= 400 &&
      decision !== 'faulted' &&
      // What was answered after all stopped nobody.
      !ownLast.some(
        (one) =>
          one.number > number &&
          one.method === method &&
          one.target === target &&
          one.status !== null &&
          one.status < 400,
      ),
  );
  const stopped = turnedAway ?? refused;
  const why = stopped?.reason ?? (stopped && String(replyOf(stopped, 'error') ?? ''));
  const last = stopped ?? ownLast.at(-1);
  const before = last
    ? `; before that, ${last.method} ${last.path.slice(0, 100)} was answered with ${last.status ?? 'nothing'}${why ? ` (${why})` : ''}`
    : '';
  return [`${remedy}: in the calm world, ${endingOf(calm)}${before}`];
}

/** So many worlds may go by without a request: a machine fails a process now and then. */
const mostSilent = 2;

/** A client that gets through the calm world and asks nothing in others, not even with a browser, shows nothing there. */
function silentRuns(runs: readonly WorldRun[]): string[] {
  const [calm, ...others] = runs;
  const silent = others.filter(
    ({ calls, endings: all }) => calls.length === 0 && all.some(({ how, code }) => how === 'exit' && code !== 0),
  );
  const [first] = silent;
  if (!first || calm?.ended !== true || silent.length <= mostSilent) return [];
  const words = lastWords(first.endings[0]?.output ?? '');
  return [
    `In ${silent.length} of ${others.length} worlds the client sent no request to the mock, such as in ${first.world.id} (${endingOf(first)})${words === '' ? '' : '; have it start anew each time, at the address that it is given then'}`,
  ];
}

/** Worlds in which the client tried to change the mock: what it met there is not what the world is for. */
const controlledRuns = (runs: readonly WorldRun[]): string[] =>
  runs.flatMap((run) => {
    const reason = controlledBy(run);
    return reason === undefined ? [] : [`World ${run.world.id}: ${reason}`];
  });
