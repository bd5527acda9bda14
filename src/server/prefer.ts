import { bytes } from '../bytes/index.js';
import type { Operation } from '../contract/index.js';
import { errorHeaders } from '../oauth/index.js';
import { challengeTo } from './access.js';
import type { Files } from './files.js';
import type { Request, Response as Reply } from './http.js';
import { writeJson } from './present.js';
import { decided, jsonType, reasonHeader } from './send.js';
import type { HttpReply } from './send.js';
import type { Service } from './service.js';
import { turnOf } from './turn.js';

/** Seconds that a reply is held back at most. */
const longest = 30;

/** What the header `Prefer` asks for (RFC 7240), of which the mock knows three. */
interface Preferences {
  /** The reply that the contract documents for this status. */
  readonly code?: string;
  /** The example of this name. */
  readonly example?: string;
  /** Seconds to hold the reply back. */
  readonly wait?: string;
}

/** Whether a request asks for anything here. Nobody may choose what users see, or where they are sent, but they. */
export const hasPreferences = (req: Request, { logical }: Operation): boolean =>
  req.headers.prefer !== undefined && logical !== 'authorize';

/**
 * The reply that a request prefers: a documented example, for which nothing is done and no token asked, or the ordinary
 * one, each after the wait. `Preference-Applied` names what was done; `X-Mock-Reason` says what could not be. Null where
 * nothing is to be sent.
 */
export async function preferred(
  operation: Operation,
  { req, res }: { readonly req: Request; readonly res: Reply },
  answer: () => Promise<HttpReply | null>,
  { service, files }: { readonly service: Service; readonly files: Files },
): Promise<HttpReply | null> {
  const wishes = readPreferences(String(req.headers.prefer));
  const wish = wishes.code !== undefined || wishes.example !== undefined;
  const example = wish ? await exampleOf(operation, wishes, service, files) : undefined;
  const found = typeof example === 'object' ? example : undefined;
  const reply = found ? replyOf(operation, found, service) : await answer();
  if (reply === null) return null;
  const seconds = Math.min(longest, Number(wishes.wait ?? Number.NaN));
  const applied = [
    ...(found && wishes.code !== undefined ? [`code=${found.status}`] : []),
    ...(found && wishes.example !== undefined ? [`example=${found.name}`] : []),
    ...(seconds >= 0 ? [`wait=${seconds}`] : []),
  ];
  const shown: HttpReply = {
    ...reply,
    headers: {
      ...reply.headers,
      vary: 'Prefer',
      ...(applied.length > 0 && { 'preference-applied': applied.join(', ') }),
      ...(typeof example === 'string' && { 'x-mock-reason': reasonHeader(example) }),
      ...(found && reply.status >= 400 && { 'x-mock-reason': `the request asked for it: Prefer: ${applied[0]}` }),
    },
  };
  decided(res, shown);
  if (seconds > 0 && !turnOf(res)?.replayed) await pause(seconds * 1000);
  return shown;
}

/** Waits; on Node no process is kept for it. */
const pause = (ms: number): Promise<void> =>
  new Promise((done) => {
    const timer: { unref?(): unknown } | number = setTimeout(done, ms);
    if (typeof timer === 'object') timer.unref?.();
  });

/** Names in any letter case, values perhaps in quotes; of one that comes twice the first counts (RFC 7240 2). */
function readPreferences(header: string): Preferences {
  const found = new Map<string, string>();
  for (const part of header.split(',')) {
    const [, name = '', quoted, bare] = /^\s*([a-z]+)\s*=\s*(?:"([^"]*)"|([^\s;"]*))/i.exec(part) ?? [];
    const key = name.toLowerCase();
    if (name !== '' && !found.has(key)) found.set(key, quoted ?? bare ?? '');
  }
  const wait = found.get('wait');
  return {
    ...(found.has('code') && { code: found.get('code')! }),
    ...(found.has('example') && { example: found.get('example')! }),
    ...(wait !== undefined && /^\d{1,9}(\.\d{1,3})?$/.test(wait) && { wait }),
  };
}

interface Example {
  readonly status: string;
  readonly name: string;
  readonly value: unknown;
  /** Those that the contract documents an example of. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Replies of the contract and their examples, as `npm run generate` publishes them. */
interface Published {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Readonly<Record<string, Response>> }>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>;
    readonly examples: Readonly<Record<string, Written>>;
  };
}
interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly example?: string }>>;
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, Written>> }>>;
}
interface Written {
  readonly $ref?: string;
  readonly value?: unknown;
}

/** The first example that is asked for, or why there is none. */
async function exampleOf(
  { id, path, method }: Operation,
  { code, example }: Preferences,
  service: Service,
  files: Files,
): Promise<Example | string> {
  const contract = await contractOf(service.options.edition, files).catch(() => null);
  if (!contract) return 'Prefer: there are no examples here, for the file of them is not there';
  const documented =
    contract.paths[path.replace(`/${service.switches['names.game2']}`, '/game2')] ?? contract.paths[path];
  const responses = documented?.[method.toLowerCase()]?.responses ?? {};
  const { components } = contract;
  const all = Object.entries(responses).flatMap(([status, written]) => {
    const { content = {}, headers: shown = {} } = components.responses[nameIn(written)] ?? written;
    const headers = Object.fromEntries(
      Object.entries(shown).flatMap(([name, header]) => (header.example === undefined ? [] : [[name, header.example]])),
    );
    const examples = Object.entries(content).find(([type]) => type.startsWith('application/json'))?.[1].examples ?? {};
    return Object.entries(examples).map(([name, one]): Example => {
      const { value } = components.examples[nameIn(one)] ?? one;
      return { status, name, value, headers };
    });
  });
  const found = all.find(
    (one) => (code === undefined || one.status === code) && (example === undefined || one.name === example),
  );
  if (found) return found;
  const asked = [code === undefined ? '' : `code=${code}`, example === undefined ? '' : `example=${example}`];
  const there = all.map(({ status, name }) => `${status} ${name}`).join(', ');
  return `Prefer: ${asked.filter(Boolean).join(', ')} is no example of ${id}; there are ${there || 'none'}`;
}

/** The name that a reference ends with. */
const nameIn = ({ $ref = '' }: { readonly $ref?: string }): string => $ref.split('/').at(-1) ?? '';

function replyOf(operation: Operation, example: Example, { presenter, switches }: Service): HttpReply {
  const { value, headers } = example;
  const status = Number(example.status);
  const isData = operation.server === 'data';
  const body = isData && presenter ? presenter.body(operation, status, value, operation.realm) : value;
  // A challenge names the error that it is about, so no single example of it fits.
  const own = isData
    ? switches['errors.wwwAuthenticate'] && challengeTo(status, operation)
    : errorHeaders((value as { error?: string }).error);
  return {
    status,
    headers: { 'content-type': jsonType, ...headers, ...own },
    content: writeJson(body, switches['json.form']),
  };
}

/** Read when somebody asks for an example, and no earlier: it is large. The same for every mock, and never changed. */
const published = new WeakMap<Files, Map<string, Promise<Published>>>();

function contractOf(edition: string, files: Files): Promise<Published> {
  const editions = published.get(files) ?? new Map<string, Promise<Published>>();
  published.set(files, editions);
  const known = editions.get(edition);
  if (known) return known;
  const read = files
    .read(`dist/openapi/${edition}.examples.json`)
    .then((content) => JSON.parse(bytes.decode(content)) as Published);
  read.catch(() => editions.delete(edition));
  editions.set(edition, read);
  return read;
}
