import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Realm } from '../../src/contract/index.js';
import type { World } from '../../src/world/world.js';
import type { Document, Operation, Parameter, Response } from '../../scripts/generate/document.js';
import { operationsOf, resolve, root } from '../../scripts/generate/document.js';
import { application, startSubject } from './subject.js';
import type { Setup, Subject } from './subject.js';

/** Values of parameters by path and name. */
export type KnownIds = Readonly<Record<string, Readonly<Record<string, string>>>>;

const realms = ['pc', 'xbox', 'sony', 'game2'] as const satisfies readonly Realm[];

let known: Promise<KnownIds> | undefined;

/** Ids that no tool can guess, from the world of an unchanged mock. */
export const knownIds = (): Promise<KnownIds> => (known ??= read());

async function read(): Promise<KnownIds> {
  const { stage, url, token } = await startSubject({});
  try {
    const headers = { authorization: `Bearer ${token}` };
    // Ids of the stream are opaque: the second page, as the first one names it.
    const changeAt = async (path: string): Promise<string> =>
      ((await (await fetch(url + path, { headers })).json()) as { next_change_id: string }).next_change_id;
    const { world } = stage.interceptor.service;
    const paths = operationsOf(contract('openapi.json'));
    return {
      ...Object.fromEntries([...paths].map(({ path }) => [path, valuesOf(path, world)])),
      '/public-stash-tabs': { id: await changeAt('/public-stash-tabs') },
      '/public-stash-tabs/{realm}': { realm: 'xbox', id: await changeAt('/public-stash-tabs/xbox') },
    };
  } finally {
    await stage.close();
  }
}

export const contract = (name: 'openapi.json' | 'openapi.3.0.json'): Document =>
  JSON.parse(readFileSync(join(root, 'dist', 'openapi', name), 'utf8')) as Document;

/** Values of all parameters in a path, of the first realm that has some. */
function valuesOf(path: string, world: World): Readonly<Record<string, string>> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'realm');
  const named = realms.find((realm) => path.split('/').includes(realm));
  const wanted = named ? [named] : path.includes('{realm}') ? realms.slice(1) : realms.slice(0, 1);
  for (const realm of wanted) {
    const values = valuesIn(realm, path, world);
    if (names.every((name) => values[name] !== undefined))
      return { realm, ...Object.fromEntries(names.map((name) => [name, values[name]!])) };
  }
  return {};
}

function valuesIn(realm: Realm, path: string, world: World): Readonly<Record<string, string | undefined>> {
  const { owner } = application;
  const leagues = world.leagues(realm).map(({ league }) => league.id);
  const [first] = path.replace('/', '').split('/');
  switch (first) {
    case 'character':
      return { name: world.characters(owner, realm)[0]?.name };
    case 'item-filter':
      return { id: world.itemFilters(owner)[0]?.id };
    case 'currency-exchange':
      return { id: String(world.exchange(realm).firstHour) };
    case 'pvp-match':
      return { match: world.pvpMatches(realm).find(({ match: { id } }) => hasLadder(world, realm, id))?.match.id };
    case 'league-account':
      return { league: leagues.find((league) => world.leagueAccount(owner, realm, league)) };
    case 'league':
      return {
        league: String(
          path.endsWith('event-ladder') ? world.known['event_ladder_league'] : world.known['ladder_league'],
        ),
      };
    default:
      return tabIn(first === 'guild' ? world.guildStashes : world.stashes, realm, leagues);
  }
}

const hasLadder = (world: World, realm: Realm, match: string): boolean =>
  (world.pvpLadder(realm, match)?.length ?? 0) > 0;

/** An id of nothing, which is no error. */
const nowhere = '0000000000';

/** A tab with tabs in it where there is one, else any. */
function tabIn(tabs: World['stashes'], realm: Realm, leagues: readonly string[]): Readonly<Record<string, string>> {
  const all = leagues.flatMap((league) => tabs(application.owner, realm, league).map((tab) => ({ league, tab })));
  const { league, tab } = all.find(({ tab: one }) => (one.children?.length ?? 0) > 0) ?? all[0] ?? {};
  const inner = tab?.children?.[0];
  const [of, id, within] = [league ?? leagues[0] ?? nowhere, tab?.id ?? nowhere, inner?.id ?? nowhere];
  return { league: of, stash_id: id, substash_id: within };
}

/** The contract as its reader would hand it to a tool: for one mock, with ids and credentials that it has as examples. */
export function filled(document: Document, ids: KnownIds, subject: Subject, replies: Replies = {}): Document {
  const copy = structuredClone(document);
  for (const { path, item, operation } of operationsOf(copy)) {
    delete item.servers;
    // A valid token is what tools are given; to authenticate as a client is the other way.
    operation.security = operation.security?.filter((one) => !('client' in one));
    operation.parameters = operation.parameters?.map((given): Parameter => {
      const parameter = { ...resolve<Parameter>(copy, given) };
      const value = ids[path]?.[parameter.name];
      if (value !== undefined && (parameter.in === 'path' || parameter.name === 'id')) parameter.example = value;
      return parameter;
    });
    const form = formsOf(subject)[path];
    const content = Object.values(operation.requestBody?.content ?? {})[0];
    if (form && content) content.examples = { known: { value: form } };
    for (const [status, reply] of Object.entries(replies[operation.operationId] ?? {})) {
      const response = structuredClone(resolve<Response>(copy, operation.responses[status] ?? { description: '' }));
      for (const one of Object.values(response.content ?? {})) one.examples = { known: { value: reply } };
      operation.responses[status] = response;
    }
  }
  copy.servers = [{ url: subject.url }];
  return copy;
}

/** Bodies with credentials, by path; the examples of the contract name those of nobody. */
export const formsOf = ({ token, spare }: Subject): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  '/oauth/token': {
    client_id: application.id,
    client_secret: application.secret,
    grant_type: 'client_credentials',
    scope: 'service:leagues',
  },
  '/oauth/token/introspect': { token, token_type_hint: 'access_token' },
  '/oauth/token/revoke': { token: spare, token_type_hint: 'access_token' },
});

/** Bodies of replies by operation and status. */
type Replies = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Replies that were recorded, by setup. */
const recordings = new Map<string, Promise<Replies>>();

/** What the unchanged mock answers to one request of each operation: as examples for whoever compares with examples. */
export function recorded(document: Document, ids: KnownIds, setup: Setup): Promise<Replies> {
  const key = JSON.stringify(setup);
  const replies = recordings.get(key) ?? record(document, ids, setup);
  recordings.set(key, replies);
  return replies;
}

async function record(document: Document, ids: KnownIds, setup: Setup): Promise<Replies> {
  const subject = await startSubject(setup);
  try {
    const replies: Record<string, Record<string, unknown>> = {};
    const headers = { authorization: `Bearer ${subject.token}` };
    for (const { path, method, operation } of operationsOf(filled(document, ids, subject))) {
      const form = formsOf(subject)[path];
      const query = Object.entries(queryOf(document, operation));
      const url = `${subject.url}${pathWith(path, ids)}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`;
      const answer = await fetch(url, {
        method,
        headers: form?.client_secret ? {} : { ...headers, ...(method === 'POST' && !form && json) },
        ...(method === 'POST' && { body: form ? new URLSearchParams(form) : JSON.stringify(filter) }),
      });
      const type = answer.headers.get('content-type') ?? '';
      if (answer.ok && type.startsWith('application/json'))
        replies[operation.operationId] = { [answer.status]: await answer.json() };
    }
    return replies;
  } finally {
    await subject.stage.close();
  }
}

const json = { 'content-type': 'application/json' };
const filter = { filter_name: 'Everyday', realm: 'pc', filter: 'Show\n  Rarity Unique\n' };

const pathWith = (path: string, ids: KnownIds): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[path]?.[name] ?? nowhere));

/** Query parameters with their examples, as a tool would send them. */
function queryOf(document: Document, { parameters = [] }: Operation): Readonly<Record<string, string>> {
  const all = parameters.map((given) => resolve<Parameter>(document, given));
  const wanted = all.filter(
    ({ name, example, required, in: place }) =>
      place === 'query' && example !== undefined && (required || name === 'id'),
  );
  return Object.fromEntries(wanted.map(({ name, example }) => [name, String(example)]));
}
