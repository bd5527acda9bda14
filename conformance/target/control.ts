import { inspect } from 'node:util';

import { objectOf } from '../json.js';
import { PrerequisiteFailed } from '../verdict.js';
import type { ConsentOutcome, Hooks, Transport } from './hooks.js';
import { SetupError } from '../../src/input/setup-error.js';
import type { Target } from './target.js';

/**
 * Hooks over the control protocol, version 1 (control protocol, section 2): those that the server says it offers.
 *
 * @throws SetupError where nothing speaks the protocol at `url`. The hooks throw PrerequisiteFailed with what the control said.
 */
export async function controlHooks(
  { control_url: url = '', control_token: token }: Pick<Target, 'control_url' | 'control_token'>,
  transport: Transport,
): Promise<Hooks> {
  const call = caller(url, token, transport);
  const offered = await capabilities(url, call);
  const post = async (path: string, body: unknown): Promise<unknown> =>
    answerTo(`POST ${path}`, await call('POST', path, body));
  return {
    ...(offered.has('clock') && {
      clock: steppingClock(
        async () => instantOf('GET /clock', answerTo('GET /clock', await call('GET', '/clock')), 'now'),
        async (seconds) => toldTime(await post('/clock', { advance: seconds })),
      ),
    }),
    ...(offered.has('consent') && {
      consent: async ({ url, account, decision, scope }) =>
        outcomeOf(
          'POST /consent',
          await post('/consent', { url, account, decision, ...(scope !== undefined && { scope }) }),
        ),
    }),
    ...(offered.has('revocations') && {
      revoke: async (revocation) => void (await post('/revocations', revocation)),
    }),
    ...(offered.has('stash-events') && {
      stashEvent: async (event) => stashChangeOf('POST /stash-events', await post('/stash-events', event)),
    }),
    ...(offered.has('reset') && { reset: async () => void (await post('/reset', undefined)) }),
  };
}

interface ControlAnswer {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
}

type ControlCall = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<ControlAnswer>;

const caller =
  (url: string, token: string | undefined, transport: Transport): ControlCall =>
  async (method, path, body) => {
    const answer = await transport({
      method,
      // The capabilities are at the address itself; a server that wants the slash says so by a redirect or a 404.
      url: `${url}${path}`,
      headers: {
        accept: 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      if (error.name === 'Stopped') throw error;
      throw new PrerequisiteFailed(`control, ${method} ${path}: no response (${error.message})`);
    });
    return { status: answer.status, text: answer.text, json: parsed(answer.text) };
  };

async function capabilities(url: string, call: ControlCall): Promise<ReadonlySet<unknown>> {
  const refuse = (what: string, remedy: string): never => {
    throw new SetupError(`control_url ${url}: ${what}; ${remedy}`);
  };
  const answer = await call('GET', '/').catch((error: Error) => {
    if (error.name === 'Stopped') throw error;
    return refuse(
      error.message.replace(/^control, GET \/: /, ''),
      'start the server, or correct or remove control_url',
    );
  });
  if (answer.status === 401 || answer.status === 403)
    return refuse(`GET / returned ${said(answer)}`, 'set control_token to the token of the server');
  if (answer.status !== 200)
    return refuse(`GET / returned ${said(answer)}`, 'the control protocol returns 200; correct control_url');
  const { protocol, capabilities: offered } = objectOf(answer.json);
  if (protocol === undefined || !Array.isArray(offered))
    return refuse(
      `GET / returned ${shown(answer.text)}`,
      'the control protocol returns {"protocol":1,"capabilities":[…]}; correct control_url',
    );
  if (protocol !== 1) return refuse(`protocol ${JSON.stringify(protocol)}`, 'this suite supports protocol 1');
  return new Set(offered);
}

/** Milliseconds that may pass between a move of the clock and the next look at it. */
const tellingMargin = 5000;

/** What the answer to a move of the clock says the time is, where it does. */
export function toldTime(value: unknown): Date | undefined {
  const time = new Date(String(objectOf(value)['now']));
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/**
 * A clock that is asked before and after it is moved: a control that says yes and does nothing would make servers look
 * as if their tokens lived for ever. Once `step` was seen to tell the new time truly, its word is enough.
 */
export function steppingClock(
  now: () => Promise<Date>,
  step: (seconds: number) => Promise<Date | undefined>,
): NonNullable<Hooks['clock']> {
  let told: Date | undefined;
  return {
    now,
    async advance(seconds) {
      const before = told ?? (await now());
      const said = await step(seconds);
      const after = told && said ? said : await now();
      // It was read just after it was told.
      const isTrue = said !== undefined && Math.abs(after.getTime() - said.getTime()) < tellingMargin;
      told = isTrue ? after : undefined;
      const moved = (after.getTime() - before.getTime()) / 1000;
      // A clock of whole seconds may show up to one less; one that goes back was reset.
      if (moved >= 0 && moved < seconds - 1)
        throw new PrerequisiteFailed(
          `the clock did not advance: asked for ${seconds} s, it went from ${before.toISOString()} to ${after.toISOString()}`,
        );
      return after;
    },
  };
}

function answerTo(what: string, answer: ControlAnswer): unknown {
  if (answer.status >= 200 && answer.status < 300) return answer.json;
  throw new PrerequisiteFailed(`control, ${what}: ${said(answer)}`);
}

/** Reads `{ status, location, body }` (control protocol, section 2). */
export function outcomeOf(what: string, value: unknown): ConsentOutcome {
  const { status, location = null, body } = objectOf(value);
  const wellFormed =
    Number.isInteger(status) &&
    (location === null || typeof location === 'string') &&
    (body === undefined || body === null || typeof body === 'string');
  if (!wellFormed) throw new PrerequisiteFailed(`${what}: returned ${shown(value)}, not { status, location, body }`);
  return {
    status: status as number,
    location: location as string | null,
    ...(typeof body === 'string' && { body }),
  };
}

/** Reads `{ id, at }` (control protocol, section 2). */
export function stashChangeOf(what: string, value: unknown): { readonly id: string; readonly at: Date } {
  const { id } = objectOf(value);
  if (typeof id !== 'string' || id === '')
    throw new PrerequisiteFailed(`${what}: returned ${shown(value)}, not { id, at }`);
  return { id, at: instantOf(what, value, 'at') };
}

/** Reads a date-time member. */
export function instantOf(what: string, value: unknown, name: string): Date {
  const written = objectOf(value)[name];
  const instant = written instanceof Date ? written : new Date(typeof written === 'string' ? written : Number.NaN);
  if (Number.isNaN(instant.getTime()))
    throw new PrerequisiteFailed(`${what}: returned ${shown(value)}, without a date-time "${name}"`);
  return instant;
}

/** The status, and the sentence of the error where there is one. */
function said({ status, text, json }: ControlAnswer): string {
  const { error } = objectOf(json);
  if (typeof error === 'string') return `${status}, ${JSON.stringify(error)}`;
  return text.trim() === '' ? `${status}` : `${status}, ${shown(text)}`;
}

/** A value in a sentence: on one line, short, and without the codes and tokens that it may hold. */
export function shown(value: unknown): string {
  const written = typeof value === 'string' ? value : value === undefined ? 'nothing' : jsonOf(value);
  const text = written.replaceAll(/\s+/g, ' ').trim().replaceAll(secrets, '$1…');
  return text.length > 120 ? `${text.slice(0, 119)}…` : text === '' ? 'nothing' : text;
}

/** What is no JSON, such as a bigint or an object in itself, as Node shows it. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? inspect(value);
  } catch {
    return inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY });
  }
}

const secrets = /(\b(?:code|access_token|refresh_token|client_secret)(?:=|"\s*:\s*"))[^&"\s]+/g;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
