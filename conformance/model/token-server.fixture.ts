import { atOnce } from '../wire/slots.js';
import type { AgingServer } from './aging.js';
import type { Lives, Misuse } from './grant.js';
import type { CodeHandle, TokenSet, Offer, Party } from './token-server.js';

const day = 86_400;
export const lives: Lives = {
  code: 30,
  access: 28 * day,
  accessEnd: 30 * day,
  chain: 90 * day,
  margin: 60,
  codeMargin: 2,
};
export const publicLives: Lives = { ...lives, access: 36_000, accessEnd: 36_000, chain: 7 * day };

/** Planted bugs, each a small one, and some of them only to be seen two or three steps deep. */
export const bugs = [
  'a used refresh token works again',
  'only the first refresh token of a chain is used up',
  'only later refresh tokens of a chain are used up',
  'a refresh gives the used refresh token back',
  'a used refresh token works after the access token is revoked',
  'a used refresh token works at the second try',
  'the code can be replayed',
  'the code can be replayed after a refresh',
  'a replay without the verifier gives tokens',
  'a wrong verifier is taken',
  'another client may exchange the code',
  'another client may refresh',
  'a wrong secret refreshes',
  'a failed refresh revives what was used',
  'revoking an access token does nothing',
  'revoking a refreshed access token does nothing',
  'revoking the first access token after a refresh does nothing',
  'revoking a refresh token does nothing',
  'revoking a rotated refresh token does nothing',
  'a revoked access token works again after a refresh',
  'a revoked refresh token works again after a replay',
  'a refreshed access token does not work',
  'a second refresh does not give a working access token',
  'a refresh after a revocation gives a dead access token',
  'introspection shows revoked access tokens active',
  'introspection shows old access tokens inactive',
  'introspection shows used refresh tokens active',
  'introspection never shows the second access token',
  'a refresh changes the identity',
] as const;
export const independenceBugs = [
  'a revocation ends all grants of the client',
  'a revocation ends all grants of the account',
  'a replay ends all grants of the client',
  'the page of a user ends the tokens of every user',
  'a new grant ends the one before',
  'a refresh ends the access tokens of the other grants',
] as const;
export const clockBugs = [
  'access tokens never end',
  'refreshed access tokens never end',
  'a refresh puts the end of the chain off',
  'a refresh revives expired access tokens',
  'a used refresh token works again once it has expired',
  'a revoked access token works again once it has expired',
  'codes never end',
  'a public client has the lives of a confidential one',
  'access tokens end early',
] as const;
export type Bug = (typeof bugs)[number] | (typeof independenceBugs)[number] | (typeof clockBugs)[number];

/** Right ways to differ; none of them may be noticed. */
export const readings = [
  'a refresh ends older access tokens',
  'reuse ends the grant',
  'a replay ends the grant',
  'a failed attempt uses the code up',
  'a failed refresh uses the token up',
  'revoking a refresh token ends the grant',
  'revoking an access token ends the grant',
  'refresh tokens are not introspected',
  'an access token ends with its chain',
  'access tokens live 30 days',
] as const;
export type Reading = (typeof readings)[number];

interface Token {
  readonly kind: 'access' | 'refresh';
  readonly grant: Grant;
  readonly generation: number;
  readonly ends: number;
  ended: 'no' | 'used' | 'revoked';
  tries: number;
}

interface Grant {
  readonly party: Party;
  readonly tokens: Token[];
  readonly chainEnd: number;
}

interface Code {
  readonly party: Party;
  readonly issued: number;
  used: boolean;
  grant?: Grant;
}

/** A token server in memory, right but for what is planted. */
export function fakeServer({
  planted = [],
  as = [],
  offer = {},
}: { planted?: readonly Bug[]; as?: readonly Reading[]; offer?: Partial<Offer> } = {}) {
  const bug = (name: Bug): boolean => planted.includes(name);
  const reading = (name: Reading): boolean => as.includes(name);
  const codes = new Map<string, Code>();
  const tokens = new Map<string, Token>();
  const grants: Grant[] = [];
  let [clock, count] = [0, 0];
  let requests = 0;
  const text = (kind: string): string => `${kind}-${(count += 1)}`;

  const livesOf = ({ client }: Party): Lives =>
    client === 'public' && !bug('a public client has the lives of a confidential one') ? publicLives : lives;
  const end = (all: Iterable<Token>, why: 'used' | 'revoked' = 'revoked'): void => {
    for (const token of all) if (token.ended === 'no') token.ended = why;
  };
  const endWhere = (which: (party: Party) => boolean, kind?: Token['kind']): void => {
    for (const { party, tokens: own } of grants) {
      if (which(party)) end(own.filter((token) => kind === undefined || token.kind === kind));
    }
  };
  const dead = ({ ended, ends }: Token): boolean => ended !== 'no' || clock >= ends;

  function issue(grant: Grant, generation: number): TokenSet {
    const { party } = grant;
    const own = livesOf(party);
    let life = reading('access tokens live 30 days') ? own.accessEnd : own.access;
    if (bug('access tokens never end') || (generation > 0 && bug('refreshed access tokens never end'))) life = Infinity;
    if (bug('access tokens end early')) life = own.access / 2;
    const ends = reading('an access token ends with its chain') ? Math.min(clock + life, grant.chainEnd) : clock + life;
    const chain = bug('a refresh puts the end of the chain off') ? clock + own.chain : grant.chainEnd;
    const revokedBefore = grant.tokens.some(({ ended }) => ended === 'revoked');
    const access: Token = { kind: 'access', grant, generation, ends, ended: 'no', tries: 0 };
    if (generation === 1 && bug('a refreshed access token does not work')) access.ended = 'revoked';
    if (generation === 2 && bug('a second refresh does not give a working access token')) access.ended = 'revoked';
    if (revokedBefore && bug('a refresh after a revocation gives a dead access token')) access.ended = 'revoked';
    const refresh: Token = { kind: 'refresh', grant, generation, ends: chain, ended: 'no', tries: 0 };
    const [one, other] = [text('a'), text('r')];
    tokens.set(one, access).set(other, refresh);
    grant.tokens.push(access, refresh);
    const changes = generation > 0 && bug('a refresh changes the identity');
    return { access: one, refresh: other, identity: changes ? 'somebody' : grant.party.account };
  }

  const server = {
    atOnce: (values, action) => atOnce(16, values, action),
    offers: () => ({
      revoke: true,
      introspect: true,
      introspectRefresh: !reading('refresh tokens are not introspected'),
      page: true,
      ...offer,
    }),
    now: async () => clock,
    to: async (start: number, seconds: number) => {
      clock = Math.max(clock, start + seconds);
    },
    async consent(party: Party) {
      requests += 1;
      const handle = { text: text('c'), party };
      codes.set(handle.text, { party, issued: clock, used: false });
      return handle;
    },
    async exchange({ text: name, party }: CodeHandle, fault: Misuse) {
      requests += 1;
      const code = codes.get(name)!;
      const { grant } = code;
      const refreshed = grant?.tokens.some(({ generation }) => generation > 0) ?? false;
      const wrong =
        (fault === 'proof' &&
          !bug('a wrong verifier is taken') &&
          !(grant && bug('a replay without the verifier gives tokens'))) ||
        (fault === 'client' && !bug('another client may exchange the code'));
      const again =
        !bug('the code can be replayed') &&
        !(bug('the code can be replayed after a refresh') && refreshed) &&
        !(bug('a replay without the verifier gives tokens') && fault === 'proof');
      if (code.used && again) {
        if (grant && reading('a replay ends the grant')) end(grant.tokens);
        if (bug('a replay ends all grants of the client')) endWhere(({ client }) => client === party.client);
        if (grant && bug('a revoked refresh token works again after a replay')) {
          for (const token of grant.tokens)
            if (token.kind === 'refresh' && token.ended === 'revoked') token.ended = 'no';
        }
        return null;
      }
      if (clock >= code.issued + lives.code && !bug('codes never end')) return null;
      if (wrong) {
        if (reading('a failed attempt uses the code up')) code.used = true;
        return null;
      }
      code.used = true;
      if (bug('a new grant ends the one before'))
        endWhere((other) => other.client === party.client && other.account === party.account);
      const made: Grant = { party, tokens: [], chainEnd: clock + livesOf(party).chain };
      code.grant = made;
      grants.push(made);
      return issue(made, 0);
    },
    async refresh(party: Party, name: string, fault: Misuse) {
      requests += 1;
      const token = tokens.get(name);
      if (!token || token.kind !== 'refresh') return null;
      const { grant } = token;
      if (
        (fault === 'secret' && !bug('a wrong secret refreshes')) ||
        (fault === 'client' && !bug('another client may refresh'))
      ) {
        if (reading('a failed refresh uses the token up')) end([token], 'used');
        if (bug('a failed refresh revives what was used'))
          for (const one of grant.tokens) if (one.ended === 'used') one.ended = 'no';
        return null;
      }
      token.tries += 1;
      const expired = clock >= token.ends;
      const reusable =
        token.ended === 'used' &&
        (bug('a used refresh token works again') ||
          (bug('only the first refresh token of a chain is used up') && token.generation > 0) ||
          (bug('only later refresh tokens of a chain are used up') && token.generation === 0) ||
          (bug('a used refresh token works after the access token is revoked') &&
            grant.tokens.some(({ kind, ended }) => kind === 'access' && ended === 'revoked')) ||
          (bug('a used refresh token works at the second try') && token.tries > 2) ||
          (bug('a used refresh token works again once it has expired') && expired));
      if (dead(token) && !reusable) {
        if (token.ended === 'used' && reading('reuse ends the grant')) end(grant.tokens);
        return null;
      }
      if (token.ended === 'no') token.ended = 'used';
      if (reading('a refresh ends older access tokens')) end(grant.tokens.filter(({ kind }) => kind === 'access'));
      if (bug('a refresh ends the access tokens of the other grants'))
        endWhere((other) => other === party || other.client === party.client, 'access');
      if (bug('a revoked access token works again after a refresh'))
        for (const one of grant.tokens) if (one.kind === 'access') one.ended = 'no';
      if (bug('a refresh revives expired access tokens')) {
        for (const one of grant.tokens)
          if (one.kind === 'access' && clock >= one.ends) Object.assign(one, { ends: clock + lives.access });
      }
      const issued = issue(grant, token.generation + 1);
      if (!bug('a refresh gives the used refresh token back')) return issued;
      token.ended = 'no';
      return { ...issued, refresh: name };
    },
    async use(_: Party, name: string) {
      requests += 1;
      const token = tokens.get(name)!;
      if (bug('a revoked access token works again once it has expired') && clock >= token.ends)
        return token.ended === 'revoked';
      return !dead(token);
    },
    async introspect(_: Party, name: string) {
      requests += 1;
      const token = tokens.get(name)!;
      if (token.kind === 'refresh') {
        if (reading('refresh tokens are not introspected')) return false;
        return !dead(token) || (token.ended === 'used' && bug('introspection shows used refresh tokens active'));
      }
      const newest = token.grant.tokens.findLast(({ kind }) => kind === 'access');
      if (token.ended === 'revoked' && bug('introspection shows revoked access tokens active')) return true;
      if (token !== newest && bug('introspection shows old access tokens inactive')) return false;
      if (token.generation === 1 && bug('introspection never shows the second access token')) return false;
      if (bug('a revoked access token works again once it has expired') && clock >= token.ends)
        return token.ended === 'revoked';
      return !dead(token);
    },
    async revoke(party: Party, name: string) {
      requests += 1;
      const token = tokens.get(name)!;
      if (bug('a revocation ends all grants of the client')) endWhere(({ client }) => client === party.client);
      if (bug('a revocation ends all grants of the account')) endWhere(({ account }) => account === party.account);
      const access = token.kind === 'access';
      const { generation, grant } = token;
      if (access && bug('revoking an access token does nothing')) return true;
      if (access && generation > 0 && bug('revoking a refreshed access token does nothing')) return true;
      const later = grant.tokens.some((one) => one.kind === 'access' && one.generation > 0);
      if (access && generation === 0 && later && bug('revoking the first access token after a refresh does nothing'))
        return true;
      if (!access && bug('revoking a refresh token does nothing')) return true;
      if (!access && generation > 0 && bug('revoking a rotated refresh token does nothing')) return true;
      end([token]);
      if (reading(access ? 'revoking an access token ends the grant' : 'revoking a refresh token ends the grant'))
        end(grant.tokens);
      return true;
    },
    async endByUser(party: Party) {
      requests += 1;
      const everybody = bug('the page of a user ends the tokens of every user');
      endWhere(({ client, account }) => client === party.client && (everybody || account === party.account));
    },
    get requests() {
      return requests;
    },
  } satisfies AgingServer & { readonly requests: number };
  return server;
}
