import { operationList } from '../../../../src/contract/index.js';
import { bearerOf } from '../../interceptor/who.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import type { Inbound } from '../../interceptor/traffic.js';
import { mutants, operator } from '../../mutant.js';
import { keptToken } from '../../operators/tokens.js';
import { rawReply } from '../../operators/replies.js';
import { request, respond } from '../../operators/requests.js';
import type { Operations } from '../../operators/requests.js';

const data = [...new Set(operationList.filter(({ server }) => server === 'data').map(({ logical }) => logical))];
const lookups = data.filter((operation) => operation.startsWith('get'));

/** Credentials that are taken for a bearer token: the one that a pattern finds in the header. */
const takeToken = operator(
  'takeToken',
  (at, pattern: RegExp, of: (found: string) => string | undefined = (found) => found) =>
    request(data, ({ headers }) => {
      const header = headers.authorization ?? '';
      const found = /^bearer [^\s,"]+$/i.test(header) ? undefined : pattern.exec(header)?.[1];
      const text = found && of(found);
      if (text && at.service.authority.store.findToken(text)) headers.authorization = `Bearer ${text}`;
    }),
);

/** 401 that has another status. */
const refuseAs = operator(
  'refuseAs',
  (_, operations: Operations, status: number, when: (request: Inbound, at: Interceptor) => boolean) =>
    rawReply(operations, (reply) => void (reply.status === 401 && (reply.status = status)), when),
);

const isUnknown = ({ headers }: Inbound, at: Interceptor): boolean =>
  at.service.authority.store.findToken(bearerOf(headers)) === undefined;

export const credentialHeaders = mutants({
  'BEAR-014 two: of two tokens in the header the first one counts': () => takeToken(/^bearer +([^\s,]+)[\s,]/i),
  'BEAR-014 crash: a header of one word is a crash': () =>
    respond(data, ({ headers }) => /^bearer\s*$/i.test(headers.authorization ?? ''), 500, {
      error: { code: 1, message: 'Internal error' },
    }).also('GEN-016'),
  'BEAR-014 quotes: a token in quotes is accepted': () => takeToken(/^bearer +"([^"]+)"$/i),
  'BEAR-008 basic: a token as the user name of HTTP Basic is accepted': () =>
    takeToken(/^basic +(\S+)$/i, (encoded) => Buffer.from(encoded, 'base64').toString('utf8').split(':')[0]),
  'BEAR-008 token: the scheme Token is as good as Bearer': () => takeToken(/^token +(\S+)$/i),
  'BEAR-003 one: an unknown token on the exchange is 403': () => refuseAs('getCurrencyExchange', 403, isUnknown),
  'BEAR-003 400: an unknown token is 400 on lookups': () => refuseAs(lookups, 400, isUnknown),
  'BEAR-018 one: no token is 403 on the creation of filters': () =>
    refuseAs('createItemFilter', 403, ({ headers }) => headers.authorization === undefined),
  'BEAR-015 one: without a token an unknown character is null in place of a refusal': () =>
    rawReply('getCharacter', (reply, { headers, route }, { service: { world } }) => {
      if (reply.status !== 401 || headers.authorization !== undefined) return;
      const all = world.accounts.flatMap(({ key }) => world.characters(key, 'pc'));
      if (all.some(({ name }) => name === route?.args.name)) return;
      reply.status = 200;
      reply.json = { character: null };
    }),
  'BEAR-001 single: a new token of a client ends its earlier ones, whoever holds them': () =>
    keptToken((token, _, at) => {
      const { store } = at.service.authority;
      for (const { text, kind, grant, ended } of token.kind === 'access' ? store.tokens() : []) {
        if (kind !== 'access' || ended || grant.clientId !== token.grant.clientId) continue;
        at.acted();
        store.endToken(text, 'revoked');
      }
      return null;
    }),
});
