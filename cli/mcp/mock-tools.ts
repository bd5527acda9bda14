import * as z from 'zod';

import type { JournalEntry, MockControl, TokenWish } from '../../src/client/index.js';
import { scopes } from '../../src/contract/index.js';
import { environmentOf, gatherFacts } from '../../src/server/facts.js';
import { startMock } from '../../src/server/mock.js';
import { count, line } from '../../conformance/text.js';
import { editionOf, flagsOn } from '../mock-options.js';
import { UsageError } from '../usage-error.js';
import { packageVersion } from '../version.js';
import type { Register } from './tool.js';
import { tool } from './tool.js';

const start = tool({
  name: 'start_mock',
  description:
    'Start a mock of the interface on this machine: authorization server, data API, test accounts and ready tokens. A session has one; another call replaces it.',
  input: {
    profile: z
      .enum(['described', 'observed'])
      .optional()
      .describe(
        'described (default): as the interface is written; observed: with the limits and forms of live services',
      ),
    auto_approve: z.boolean().optional().describe('redirect at once in place of the consent page'),
    port: z.int().min(0).max(65535).optional().describe('0, the default, takes any free port'),
  },
  run: async ({ profile = 'described', auto_approve: autoApprove = false, port = 0 }, session) => {
    const mock = await session.replace(() => startMock({ profile, autoApprove, port, journal: true }));
    const flags = { host: '', seed: 1, profile, flag: {}, set: {} };
    const version = packageVersion();
    const facts = await gatherFacts(mock, { version, edition: editionOf(flags), flags: flagsOn(flags) });
    const variables = Object.entries(environmentOf(facts)).map(([name, value]) => `${name}=${value}`);
    return {
      text: [`The mock serves ${mock.url}; its documentation is ${facts.docsUrl}.`, ...variables].join('\n'),
      next: 'run the client with these variables, then call read_journal. mint_token makes other tokens, and move_clock lets them expire.',
    };
  },
});

const mint = tool({
  name: 'mint_token',
  description: 'Make an access token of the running mock without asking a user, as good as one from a grant.',
  input: {
    scopes: z
      .array(z.string())
      .min(1)
      .describe(`some of: ${Object.keys(scopes).join(', ')}`),
    account: z
      .string()
      .optional()
      .describe('such as alice; without it the token is one of client credentials, for service:* scopes'),
    client_id: z.string().optional().describe('default: a client that may have the scopes'),
  },
  run: async ({ client_id: clientId, ...wish }, { mock }) => {
    const { access_token: token, expires_in: seconds } = await mock.issueToken({
      ...wish,
      ...(clientId !== undefined && { clientId }),
    } as TokenWish);
    return {
      text: `access_token: ${token}\nexpires_in: ${seconds ?? 'null, it does not expire'}`,
      next: `send it as a header, such as curl -H 'Authorization: Bearer ${token}' ${mock.url}/profile, and read_journal says what became of it.`,
    };
  },
});

const clock = tool({
  name: 'move_clock',
  description:
    'Move the clock of the running mock forward: tokens expire, streams and hours go on. It never goes back.',
  input: {
    days: z.number().min(0).optional(),
    hours: z.number().min(0).optional(),
    minutes: z.number().min(0).optional(),
    seconds: z.number().min(0).optional(),
  },
  run: async (span, { mock }) => {
    if (!Object.values(span).some((value) => (value ?? 0) > 0))
      throw new UsageError('nothing to move by; give days, hours, minutes or seconds, such as {"days": 28}');
    const now = await mock.clock.advance(span);
    return {
      text: `It is ${now.toISOString()} in the mock. Tokens: ${await tokenStates(mock)}.`,
      next: 'call the client again. An expired access token is answered with 401, and a client that may refresh gets another one.',
    };
  },
});

async function tokenStates(mock: MockControl): Promise<string> {
  const states = new Map<string, number>();
  for (const { kind, state } of await mock.tokens())
    states.set(`${kind} ${state}`, (states.get(`${kind} ${state}`) ?? 0) + 1);
  return [...states].map(([state, number]) => `${number} ${state}`).join(', ') || 'none';
}

const journal = tool({
  name: 'read_journal',
  description:
    'Read what came to the running mock and what it decided: status, request, and why a request was refused or leaves the contract. Credentials are redacted.',
  input: {
    status: z
      .string()
      .regex(/^[1-5](?:\d\d|xx)$/, 'a status such as 401, or a class such as 4xx')
      .optional()
      .describe('only a status, or a class such as 4xx'),
    after: z.int().min(0).optional().describe('only entries with a greater number'),
    last: z.int().min(1).max(100).optional().describe('how many at most, the newest; default 20'),
  },
  run: async ({ status, after, last = 20 }, { mock }) => {
    const entries = await mock.journal.list({
      ...(status !== undefined && { status }),
      ...(after !== undefined && { after }),
    });
    const shown = entries.slice(-last);
    const refused = shown.findLast(({ reason }) => reason !== null);
    const head = `${count(entries.length, 'request')}${shown.length < entries.length ? `, the last ${shown.length}` : ''}`;
    return {
      text: [`${head}${entries.length === 0 ? '' : ':'}`, ...shown.map(entryText)].join('\n'),
      next:
        entries.length === 0
          ? `have the client send its requests to ${mock.url}, then read the journal again.`
          : refused
            ? `correct what #${refused.number} was refused for and send it again; read_journal {"after": ${entries.at(-1)?.number}} shows what is new.`
            : 'nothing here was refused; audit_client judges the client by all requirements.',
    };
  },
});

function entryText({
  number,
  method,
  target,
  operation_id: operation,
  reply,
  decision,
  reason,
  problems,
}: JournalEntry) {
  const what = `#${number} ${reply?.status ?? decision} ${method} ${line(target, 120)}`;
  const notes = [
    ...(reason === null ? [] : [reason]),
    ...(problems.request ?? []).map((problem) => `the request leaves the contract: ${problem}`),
  ];
  return [`${what}${operation === null ? '' : `  ${operation}`}`, ...notes.map((note) => `   ${line(note, 300)}`)].join(
    '\n',
  );
}

/** The tools around a mock, in the order in which they are used. */
export const mockTools: readonly Register[] = [start, mint, clock, journal];
