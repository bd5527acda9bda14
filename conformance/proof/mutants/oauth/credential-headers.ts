import { operationList } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Inbound } from '../../interceptor/traffic.js';

const isData = ({ operation }: Inbound): boolean =>
  operationList.some(({ logical, server }) => logical === operation && server === 'data');

/** Headers that are read as a token otherwise than they should be. */
const read = (tokenIn: (header: string, seam: Interceptor) => string | undefined): Mutant['plant'] => {
  return (seam) =>
    seam.request((request) => {
      const header = request.headers.authorization;
      if (!isData(request) || header === undefined || /^bearer [^\s,"]+$/i.test(header)) return;
      const text = tokenIn(header, seam);
      if (text !== undefined && seam.service.authority.store.findToken(text))
        request.headers.authorization = `Bearer ${text}`;
    });
};

/** Refusals with another status, for some requests. */
const refusedAs =
  (from: number, to: number, which: (request: Inbound, seam: Interceptor) => boolean): Mutant['plant'] =>
  (seam) =>
    seam.reply((reply, request) => {
      if (isData(request) && reply.status === from && which(request, seam)) reply.status = to;
    });

const isKnown = ({ headers }: Inbound, seam: Interceptor): boolean =>
  seam.service.authority.store.findToken(headers.authorization?.replace(/^bearer /i, '') ?? '') !== undefined;

export const credentialHeaders: readonly Mutant[] = [
  {
    id: 'N-BEAR-014-two',
    bug: 'of two tokens in the header the first one counts',
    rows: ['BEAR-014'],
    plant: read((header) => /^bearer +([^\s,]+)[\s,]/i.exec(header)?.[1]),
  },
  {
    id: 'N-BEAR-014-crash',
    bug: 'a header of one word is a crash',
    rows: ['BEAR-014', 'GEN-016'],
    plant: (seam) =>
      seam.request((request) =>
        isData(request) && /^bearer\s*$/i.test(request.headers.authorization ?? '')
          ? answerOf(500, { error: { code: 1, message: 'Internal error' } })
          : undefined,
      ),
  },
  {
    id: 'N-BEAR-014-quotes',
    bug: 'a token in quotes is accepted',
    rows: ['BEAR-014'],
    plant: read((header) => /^bearer +"([^"]+)"$/i.exec(header)?.[1]),
  },
  {
    id: 'N-BEAR-008-basic',
    bug: 'a token as the user name of HTTP Basic is accepted',
    rows: ['BEAR-008'],
    plant: read((header) => {
      const encoded = /^basic +(\S+)$/i.exec(header)?.[1];
      return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8').split(':')[0];
    }),
  },
  {
    id: 'N-BEAR-008-token',
    bug: 'the scheme Token is as good as Bearer',
    rows: ['BEAR-008'],
    plant: read((header) => /^token +(\S+)$/i.exec(header)?.[1]),
  },
  {
    id: 'N-BEAR-003-one',
    bug: 'an unknown token on the exchange is 403',
    rows: ['BEAR-003'],
    plant: refusedAs(
      401,
      403,
      (request, seam) => request.operation === 'getCurrencyExchange' && !isKnown(request, seam),
    ),
  },
  {
    id: 'N-BEAR-003-400',
    bug: 'an unknown token is 400 on lookups',
    rows: ['BEAR-003'],
    plant: refusedAs(
      401,
      400,
      (request, seam) => (request.operation ?? '').startsWith('get') && !isKnown(request, seam),
    ),
  },
  {
    id: 'N-BEAR-018-one',
    bug: 'no token is 403 on the creation of filters',
    rows: ['BEAR-018'],
    plant: refusedAs(
      401,
      403,
      ({ operation, headers }) => operation === 'createItemFilter' && headers.authorization === undefined,
    ),
  },
  {
    id: 'N-BEAR-015-one',
    bug: 'without a token an unknown character is null in place of a refusal',
    rows: ['BEAR-015'],
    plant: (seam) =>
      seam.reply((reply, { operation, headers, route }) => {
        if (operation !== 'getCharacter' || reply.status !== 401 || headers.authorization !== undefined) return;
        const known = seam.service.world.accounts.some(({ key }) =>
          seam.service.world.characters(key, 'pc').some(({ name }) => name === route?.args.name),
        );
        if (known) return;
        reply.status = 200;
        reply.json = { character: null };
      }),
  },
  {
    id: 'N-BEAR-001-single',
    bug: 'a new token of a client ends its earlier ones, whoever holds them',
    rows: ['BEAR-001'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        addToken(token) {
          store.addToken(token);
          if (token.kind !== 'access') return;
          const all = [...store.tokens()].filter(
            ({ kind, grant, ended }) => kind === 'access' && !ended && grant.clientId === token.grant.clientId,
          );
          for (const old of all.slice(0, -1)) {
            acted();
            store.endToken(old.text, 'revoked');
          }
        },
      })),
  },
];
