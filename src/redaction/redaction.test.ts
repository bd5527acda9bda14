import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readCall } from '../../conformance/audit/call.js';
import { judge } from '../../conformance/audit/judge.js';
import type { WorldRun } from '../../conformance/audit/run.js';
import { worlds } from '../../conformance/audit/worlds.js';
import { client, targetAt } from '../../conformance/engine/evidence.fixture.js';
import { Issued } from '../../conformance/engine/issued.js';
import { stepsOf } from '../../conformance/engine/repro.js';
import { hidden, settingsOf } from '../../conformance/engine/secrets.js';
import type { HarEntry } from '../../conformance/traffic/entry.js';
import { Pseudonyms } from '../../conformance/traffic/pseudonyms.js';
import { entryCopier } from '../../conformance/traffic/redact.js';
import type { Answer } from '../../conformance/wire/answer.js';
import { operationList } from '../contract/index.js';
import type { ExchangeRecord } from '../server/exchange-record.js';
import type { Exchanges } from '../server/exchanges.js';
import { fingerprints } from '../server/fingerprint.js';
import { entryOf } from '../server/journal/entry.js';
import { harOf } from '../server/journal/har.js';
import { Journal, usualBounds } from '../server/journal/journal.js';
import { MockSecrets } from '../server/journal/secrets.js';
import { Routes } from '../server/routes.js';
import { defaultSwitches } from '../server/switches.js';
import { least } from './known.js';
import { anywhere, secrets, spellings, telling } from './places.fixture.js';
import type { Sample } from './places.fixture.js';

const url = 'http://127.0.0.1:1';
const routes = new Routes(operationList);
const fingerprint = fingerprints();

function recordOf(sample: Sample): ExchangeRecord {
  const body = (text: string) => ({ content: text, size: Buffer.byteLength(text) });
  return {
    number: 1,
    at: 0,
    realTime: 0,
    elapsed: 1,
    method: sample.method,
    target: sample.target,
    operationId: operationList.find(({ logical }) => logical === sample.operation)?.id,
    logical: sample.operation,
    address: '127.0.0.1',
    requestHeaders: sample.headers.flat(),
    requestBody: body(sample.body),
    account: undefined,
    clientId: undefined,
    credential: undefined,
    decision: sample.status < 400 ? 'answered' : 'refused',
    reason: sample.reason,
    reply: { status: sample.status, headers: Object.fromEntries(sample.replyHeaders), body: body(sample.reply) },
    delivery: 'sent',
  };
}

/** What the journal shows of an exchange, given what the mock knows. */
async function journalOf(sample: Sample, known: readonly string[]): Promise<{ text: string; again: string }> {
  const own = new MockSecrets(() => []);
  let tell = (_: ExchangeRecord): void => {};
  const exchanges = { subscribe: (listener: typeof tell) => ((tell = listener), () => {}) } as unknown as Exchanges;
  const journal = new Journal(
    exchanges,
    { routes, switches: defaultSwitches, secrets: own, fingerprint },
    usualBounds.mock,
  );
  await journal.start();
  for (const secret of known) own.add(secret);
  tell(recordOf(sample));
  const [line] = journal.lines();
  const entry = entryOf(line!);
  tell(line!.record);
  const { requestHeaders, requestBody, reply, target, reason } = journal.lines().at(-1)!.record;
  const shown = ({ record }: { record: ExchangeRecord }): string =>
    JSON.stringify([
      record.requestHeaders,
      record.requestBody.content.toString(),
      record.target,
      record.reason,
      record.reply?.body.content.toString(),
      record.reply?.headers,
    ]);
  const again = JSON.stringify([
    requestHeaders,
    requestBody.content.toString(),
    target,
    reason,
    reply?.body.content.toString(),
    reply?.headers,
  ]);
  return {
    text: JSON.stringify([entry, harOf([entry], url, '0')]),
    again: again === shown(line!) ? '' : `${shown(line!)} became ${again}`,
  };
}

function harEntryOf({ method, target, headers, body, status, replyHeaders, reply }: Sample): HarEntry {
  const pairs = (list: Sample['headers']) => list.map(([name, value]) => ({ name, value }));
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 1,
    request: {
      method,
      url: url + target,
      headers: pairs(headers),
      ...(body !== '' && { postData: { mimeType: '', text: body } }),
    },
    response: { status, headers: pairs(replyHeaders), content: { text: reply } },
  };
}

const copier = entryCopier(targetAt(url), true, new Pseudonyms());
/** The copy that `check --redact` makes of an exchange: it is told of no secret. */
const copyOf = (sample: Sample): string => JSON.stringify(copier(harEntryOf(sample)) ?? '');

/** What a report of the suite has of an exchange. */
function reportOf(
  { method, target, headers, body, status, replyHeaders, reply, reason }: Sample,
  secret: string,
): string {
  const given = targetAt(url, { clients: { confidential: client('web', { client_secret: secret }) } });
  const issued = new Issued(given);
  issued.add(secret);
  const hide = (text: string): string => issued.hide(hidden(text, settingsOf(given)));
  const answer: Answer = {
    number: 1,
    asked: { server: 'authorization', args: {} },
    request: { method, url: url + target, headers: Object.fromEntries(headers), ...(body !== '' && { body }) },
    status,
    headers: Object.fromEntries(replyHeaders),
    text: reply,
    json: undefined,
    ms: 1,
  };
  return JSON.stringify([
    stepsOf({ answers: [answer], target: given, issued }),
    hide(reply),
    hide(target),
    hide(reason ?? ''),
  ]);
}

/** What a report of the audit has of an exchange. */
function auditOf(sample: Sample, secret: string): string {
  const call = readCall(recordOf(sample), { epoch: 0, start: 1 });
  const run: WorldRun = {
    world: worlds[0]!,
    epoch: 0,
    stall: 0,
    calls: [call],
    visits: [],
    controlCalls: [],
    endings: [],
    facts: {
      clients: new Map([['web', { secret, public: false }]]),
      names: new Set(),
      tabs: () => new Map(),
      given: [],
      issued: () => false,
    },
    givenPorts: [],
    ended: true,
    obstacles: [],
    elsewhere: [],
    endedInCalm: true,
  };
  const finding = {
    exercised: 1,
    violations: [{ expected: sample.target, got: `${sample.body} ${sample.reply}`, calls: [call] }],
  };
  const row = { id: 'A-1', level: 'MUST', sentence: '', source: '', how: '', judge: () => finding } as const;
  return JSON.stringify(judge([row], [run], { replay: () => '' }));
}

/** Texts that must not be there: the secret as it may be written, and parts of it. */
function tracesOf(secret: string): { spelled: string[]; parts: string[] } {
  const middle = Math.floor((secret.length - least) / 2);
  const parts =
    secret.length > least ? [secret.slice(0, least), secret.slice(-least), secret.slice(middle, middle + least)] : [];
  return {
    spelled: spellings.map((spell) => spell(secret)),
    parts: [secret, ...parts].map((text) => text.toLowerCase()),
  };
}

function expectNone(output: string, secret: string, what: string): void {
  const text = output.toLowerCase();
  const { spelled, parts } = tracesOf(secret);
  const found = spelled.find((trace) => output.includes(trace)) ?? parts.find((part) => text.includes(part));
  if (found === undefined) return;
  const at = Math.max(output.indexOf(found), text.indexOf(found));
  expect.fail(`${what} shows ${JSON.stringify(found)} in …${output.slice(Math.max(0, at - 300), at + 200)}…`);
}

const numRuns = Number(process.env['REDACTION_CASES'] ?? 300);
/** Enough for a slow machine, ms. */
const patience = 120_000 + 20 * numRuns;

/** REDACTION_CASES=100000 takes minutes; a failure prints seed and path to replay it with. */
describe('what is shown', () => {
  it(
    'by the journal, reports, copies and the audit has no known secret in it, however and wherever it was sent',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          secrets,
          fc.constantFrom(...spellings),
          fc.constantFrom(...anywhere),
          async (secret, spell, place) => {
            const sample = place(spell(secret));
            const { text, again } = await journalOf(sample, [secret]);
            expectNone(text, secret, 'the journal');
            expect(again).toBe('');
            expectNone(reportOf(sample, secret), secret, 'a report');
            expectNone(auditOf(sample, secret), secret, 'the audit');
            expectNone(copyOf(sample), secret, 'a copy');
          },
        ),
        { numRuns },
      );
    },
    patience,
  );

  it(
    'by the journal and copies has nothing in it of what stands in the place of a credential, known or not',
    async () => {
      await fc.assert(
        fc.asyncProperty(secrets, fc.constantFrom(...telling), async (secret, place) => {
          expectNone((await journalOf(place(secret), [])).text, secret, 'the journal');
          expectNone(copyOf(place(secret)), secret, 'a copy');
        }),
        { numRuns },
      );
    },
    patience,
  );
});
