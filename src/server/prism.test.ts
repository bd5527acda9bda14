import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as judges from '../contract/judges.gen.js';
import { operationList } from '../contract/index.js';
import type { Call } from './call.fixture.js';
import { callsOf } from './calls.fixture.js';
import type { Got } from './mock.fixture.js';
import { send, startTestMock } from './mock.fixture.js';
import type { Mock } from './mock.js';
import { freePort } from '../input/listen.js';
import { packageFile } from '../input/package.js';

const description = packageFile('dist/openapi/openapi.json');
const children: ChildProcess[] = [];

/** Starts Prism, which cannot choose a port itself, and waits until it listens. @returns its address */
async function startPrism(args: readonly string[]): Promise<string> {
  const port = await freePort();
  const program = packageFile('node_modules/@stoplight/prism-cli/dist/index.js');
  const child = spawn(process.execPath, [program, ...args, '--port', String(port), '--host', '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  await new Promise<void>((done, fail) => {
    let output = '';
    const read = (part: Buffer): void => {
      output += part.toString();
      if (output.includes('Prism is listening')) done();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code, signal) => {
      const end = `prism ${args.join(' ')} ended with ${code ?? signal}:\n${output.slice(-2000)}`;
      // Where it had begun to listen, its tests fail by themselves, and do not say why.
      console.error(end);
      fail(new Error(end));
    });
  });
  return `http://127.0.0.1:${port}`;
}

/** Through the judge; it answers 4xx or 5xx with a list of violations where it has any. */
async function violations(prism: string, { operation, story, target, headers, body, status }: Call): Promise<string[]> {
  const got = await send(prism, { method: operation.method, path: target, headers, body });
  const name = `${operation.id} (${story}) ${operation.method} ${target}`;
  const reported = got.headers['sl-violations'];
  if (reported !== undefined) return [`${name}: ${String(reported).slice(0, 500)}`];
  return got.status === status ? [] : [`${name}: ${got.status} instead of ${status}: ${got.text.slice(0, 500)}`];
}

/** One call of each kind: the judge is slow, and every argument and form of an operation is tried elsewhere. Prism follows redirects: none here. */
function kinds(calls: readonly Call[], wanted: boolean): Call[] {
  const byKind = new Map<string, Call>();
  for (const call of calls) {
    const { operation, status, nothing, sound } = call;
    const isOAuth = operation.server === 'authorization';
    const kind = [operation.logical, status, nothing, isOAuth && call.story].join(' ');
    if (sound === wanted && status !== 302 && !byKind.has(kind)) byKind.set(kind, call);
  }
  return [...byKind.values()];
}

let mock: Mock;
/** Its one reading leaves the contract: a token without an end has no `expires_in` at all. */
let faulty: Mock;
let calls: Call[];
let faultyCalls: Call[];
let strict: string;
let lenient: string;
let prismMock: string;

beforeAll(async () => {
  mock = await startTestMock();
  faulty = await startTestMock({ switches: { 'tokens.nullExpiresIn': 'omit' } });
  // Codes live 30 seconds, and the judges take their time.
  await mock.clock.freeze();
  [calls, faultyCalls, strict, lenient, prismMock] = await Promise.all([
    callsOf(mock),
    callsOf(faulty),
    startPrism(['proxy', description, mock.url, '--errors']),
    startPrism(['proxy', description, faulty.url, '--errors', '--validate-request=false']),
    startPrism(['mock', description]),
  ]);
}, 120_000);

afterAll(async () => {
  for (const child of children) child.removeAllListeners('exit').kill();
  await Promise.all([mock.close(), faulty.close()]);
});

// Each has a process of its own, so they work side by side.
describe.concurrent('Prism as the judge of the mock', () => {
  it('finds no fault with sound requests and their replies', async () => {
    const found: string[] = [];
    for (const call of kinds(calls, true)) found.push(...(await violations(strict, call)));
    expect(found).toEqual([]);
  }, 120_000);

  it('finds no fault with the refusals of bad requests', async () => {
    const found: string[] = [];
    for (const call of kinds(faultyCalls, false)) found.push(...(await violations(lenient, call)));
    expect(found).toEqual([]);
  }, 120_000);

  it('can find fault: with a bad request, and with a reply that leaves the contract', async () => {
    const bad = calls.find(({ story }) => story.startsWith('limit=abc'));
    const wrong = faultyCalls.find(({ story }) => story === 'client credentials');
    if (!bad || !wrong) throw new Error('the calls have changed');
    expect(await violations(strict, bad)).toEqual([expect.stringContaining('limit')]);
    expect(await violations(lenient, wrong)).toEqual([expect.stringContaining('expires_in')]);
  });
});

type Judge = ((body: unknown) => boolean) & { errors?: readonly { instancePath: string; message?: string }[] | null };

describe.concurrent('Prism as a mock of the contract', () => {
  it('answers each operation with an example that keeps the contract', async () => {
    const faults: string[] = [];
    // A form with a realm answers with the schema of the form without.
    for (const { id, logical } of operationList.filter(({ id, logical }) => id === logical)) {
      const call = calls.find(({ operation, sound, status }) => operation.id === id && sound && status < 400);
      if (!call) throw new Error(`no call of ${id}`);
      const got: Got = await send(prismMock, {
        method: call.operation.method,
        path: call.target,
        headers: { accept: '*/*', ...call.headers },
        body: call.body,
      });
      if (got.status >= 400) faults.push(`${id}: ${got.status} ${got.text.slice(0, 300)}`);
      const judge = (judges as unknown as Readonly<Record<string, Judge>>)[`${logical}${got.status}`];
      if (judge && !judge(got.json())) faults.push(`${id}: ${JSON.stringify(judge.errors?.[0])}`);
    }
    expect(faults).toEqual([]);
  }, 120_000);
});
