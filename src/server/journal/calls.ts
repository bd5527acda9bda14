import type { Request, Response } from '../http.js';
import type { Calls } from '../calls.js';
import { answer, empty, read } from '../control-calls.js';
import { packageVersion } from '../../input/version.gen.js';
import { Refusal } from '../refusal.js';
import type { Service } from '../service.js';
import { splitTarget } from '../target.js';
import { entryOf } from './entry.js';
import { readFilter } from './filter.js';
import { harOf } from './har.js';
import type { Bounds } from './journal.js';
import type { Line } from './line.js';
import { waitFor } from './wait.js';

/** A stream whose reader is so far behind is ended, bytes. */
const mostBehind = 4 << 20;

/** The control calls of the journal, below `/journal`. */
export function journalCalls(service: Service): Calls {
  const { journal } = service;
  const entriesOf = (lines: readonly Line[]) => lines.map(entryOf);
  const state = (): object => ({
    recording: journal.recording,
    count: journal.lines().length,
    ...journal.bounds,
  });

  return {
    'GET /': (req, res) => answer(req, res, 200, state()),
    'POST /': async (req, res) => {
      const { recording, ...bounds } = await read<Partial<Bounds> & { recording: boolean }>('JournalChange', req, res);
      if (recording) await journal.start(bounds);
      else journal.stop();
      answer(req, res, 200, state());
    },
    'GET /entries': (req, res) =>
      answer(req, res, 200, { entries: entriesOf(journal.read(readFilter(queryOf(req)).filter)) }),
    'GET /count': (req, res) => answer(req, res, 200, { count: journal.read(readFilter(queryOf(req)).filter).length }),
    'GET /wait': async (req, res) => {
      const { filter, rest } = readFilter(queryOf(req), ['count', 'timeout']);
      const count = numberIn(rest, 'count', 1, 1_000_000);
      const seconds = numberIn(rest, 'timeout', 10, 3600);
      const left = new AbortController();
      res.once('close', () => left.abort());
      answer(req, res, 200, {
        entries: entriesOf(await waitFor(journal, filter, { count, seconds, left: left.signal })),
      });
    },
    'GET /stream': (req, res) => stream(service, req, res),
    'GET /har': (req, res) => {
      const entries = entriesOf(journal.read(readFilter(queryOf(req)).filter));
      answer(req, res, 200, harOf(entries, service.issuer, packageVersion()));
    },
    'POST /clear': (_req, res) => {
      journal.clear();
      empty(res);
    },
  };
}

const queryOf = (req: Request): string => splitTarget(req.originalUrl).query;

function numberIn(rest: Readonly<Record<string, string>>, name: string, standard: number, most: number): number {
  const text = rest[name];
  if (text === undefined) return standard;
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= most && (name !== 'count' || Number.isInteger(value)))
    return value;
  throw new Refusal(400, `${name} ${text}: write a ${name === 'count' ? 'whole ' : ''}number above 0, up to ${most}`);
}

/** Entries as server-sent events, from now on. */
function stream({ journal }: Service, req: Request, res: Response): void {
  const { filter } = readFilter(queryOf(req));
  const leave = journal.follow(
    filter,
    (line) => {
      const entry = entryOf(line);
      res.write(`id: ${entry.number}\ndata: ${JSON.stringify(entry)}\n\n`);
      if (res.writableLength > mostBehind) res.destroy();
    },
    () => res.end(),
  );
  res.once('close', leave);
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  res.flushHeaders();
  res.write(': entries follow as they come\n\n');
}
