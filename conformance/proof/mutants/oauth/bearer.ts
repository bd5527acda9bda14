import { operationList } from '../../../../src/contract/index.js';
import { mint } from '../../../../src/oauth/index.js';
import type { Interceptor, Json } from '../../interceptor/interceptor.js';
import type { Inbound } from '../../interceptor/traffic.js';
import { bearerOf, realmOf } from '../../interceptor/who.js';
import { mutants, operator } from '../../mutant.js';
import { rawReply, reply } from '../../operators/replies.js';
import { refuse, request } from '../../operators/requests.js';

const data = operationList.filter(({ server }) => server === 'data').map(({ logical }) => logical);

/** Texts that are taken for an access token that they are near enough to. */
const near = operator('near', (at, isNear: (given: string, text: string) => boolean) =>
  request(data, ({ headers }) => {
    const given = bearerOf(headers);
    const { store } = at.service.authority;
    if (given === '' || store.findToken(given)) return;
    const meant = [...store.tokens()].find(({ text, kind }) => kind === 'access' && isNear(given, text));
    if (meant) headers.authorization = `Bearer ${meant.text}`;
  }),
);

/** Paths of the data API with something else in the place of a pattern. */
const replacePath = operator('replacePath', (_, pattern: RegExp, by: string) =>
  request(data, (one) => void (one.path = one.path.replaceAll(pattern, by))),
);

const headed = operator('headed', (at, change: (request: Inbound, at: Interceptor) => void) =>
  at.request((one) => change(one, at)),
);

const firstOnly = operator('firstOnly', (at) => {
  const first = new Map<string, string>();
  at.store((store, acted) => ({
    addToken(token) {
      if (token.kind === 'access' && !first.has(token.grant.clientId)) first.set(token.grant.clientId, token.text);
      store.addToken(token);
    },
    findToken(text) {
      const token = store.findToken(text);
      if (token?.kind !== 'access' || first.get(token.grant.clientId) === text) return token;
      acted();
      return undefined;
    },
  }));
});

export const bearer = mutants({
  "BEAR-001 M-AD-04: only a client's first token is accepted": () => firstOnly(),
  'BEAR-002 head: HEAD needs no token': () =>
    headed((request, { service }) => {
      if (request.method !== 'HEAD' || request.headers.authorization !== undefined) return;
      const token = mint(
        { client: 'example-desktop', account: 'alice', scopes: ['account:profile'] },
        service.authority,
      );
      request.headers.authorization = `Bearer ${token.access_token}`;
    }).inCase('HEAD'),
  'BEAR-002 M-BS-02: one operation needs no token': () =>
    request('listPvpMatches', ({ headers }, { service }) => {
      if (headers.authorization !== undefined) return;
      const token = mint({ client: 'example-service', scopes: ['service:pvp_matches'] }, service.authority);
      headers.authorization = `Bearer ${token.access_token}`;
    }),
  'BEAR-007 spaces: one space alone may follow Bearer': () =>
    request(data, ({ headers }) => {
      if (/^bearer {2}/i.test(headers.authorization ?? '')) headers.authorization = 'Bearer';
    }).warns(),
  'BEAR-008 M-BS-08: a token under another scheme, or under none, is accepted': () =>
    request(data, ({ headers }, { service }) => {
      const text = /^(?:\S+ +)?(\S+)$/.exec(headers.authorization ?? '')?.[1];
      if (text && service.authority.store.findToken(text)) headers.authorization = `Bearer ${text}`;
    }),
  'BEAR-011 M-BS-12: a 403 carries the data': () =>
    rawReply(data, ({ status, json }, { operation }) => {
      if (status !== 403) return;
      const wrapper = operationList.find(({ logical }) => logical === operation)?.wrapper;
      Object.assign(json as Json, wrapper ? { [wrapper]: [] } : { uuid: 'none', name: 'alice', stashes: [] });
    }).exercise('BEAR-006', 'SCOPE-HIER-001'),
  'BEAR-013 M-BS-10: a token is compared without regard to case': () =>
    near((given, text) => given.toLowerCase() === text.toLowerCase()),
  'BEAR-013 M-BS-10-prefix: a token is compared by its beginning': () =>
    near((given, text) => given.startsWith(text) || (given.length > 30 && text.startsWith(given))),
  'BEAR-018 M-BS-01: no token gives 403 in place of 401': () =>
    rawReply(data, (one, { headers }) => {
      if (one.status === 401 && headers.authorization === undefined) one.status = 403;
    }),
  'SCOPE-USER-001 M-BS-13: a character is looked up by its name, whoever owns it': () =>
    reply('getCharacter', (body, context, { service: { world } }) => {
      const all = world.accounts.flatMap(({ key }) => world.characters(key, realmOf(context)));
      body.character ??= all.find(({ name }) => name === context.args.name) ?? null;
    }).also('CHAR-GET-004'),
  'REALM-PATH-002 M-BS-14: the path realm is ignored': () =>
    replacePath(/\/(xbox|sony|game2)(?=\/|$)/g, '').also('REALM-ISO-001'),
  'REALM-PATH-002 M-BS-18: /stash/xbox/<league> is read as league xbox and a stash id': () =>
    reply(
      'listStashes',
      () => ({ stash: null }),
      ({ path }) => /^\/stash\/(xbox|sony)\/[^/]+$/.test(path),
    ).also('STASH-LIST-003'),
  'CX-011 M-BS-20: /currency-exchange/game2 is read as an id that is no number': () =>
    refuse('getCurrencyExchange', { realm: 'game2' }),
  'GEN-004 M-AD-01: an optional parameter is demanded: a ladder without sort gives 400': () =>
    refuse('getLeagueLadder', { sort: null }),
  'GEN-017 M-BS-21: names are decoded twice': () => replacePath(/%25/g, '%'),
  'GEN-017 M-BS-22: + in a path is decoded to a space': () => replacePath(/\+|%2B/gi, '%20'),
  'GEN-017 M-BS-23: a name with an encoded slash is not found': () =>
    refuse(data, ({ path }) => /%2f/i.test(path), 404),
});
