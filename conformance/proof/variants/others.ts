import { flags as flagTable } from '../../../src/contract/index.js';
import { decodeTree, encodeTree } from '../../../src/passive-tree/index.js';
import type { EncodeOptions, PassiveTree } from '../../../src/passive-tree/index.js';
import type { Target } from '../../target/target.js';
import type { Variant } from '../mutant.js';
import { answerOf } from '../interceptor/interceptor.js';
import type { Json, Interceptor } from '../interceptor/interceptor.js';
import { bearerOf } from '../interceptor/who.js';

/** Links in another form, unless one is asked for. */
const linksIn =
  (form: EncodeOptions) =>
  (at: Interceptor): void =>
    at.codec(() => ({
      decode: (link) => decodeTree(link),
      encode: (tree, wanted) => encodeTree(tree as unknown as PassiveTree, { ...form, ...wanted }),
    }));

/** One of so many requests is answered 429; the next one goes through. */
const limited =
  (every: number) =>
  (at: Interceptor): void => {
    let count = 0;
    at.request(({ operation }) => {
      if (operation === undefined || operation === 'authorize') return undefined;
      count += 1;
      if (count % every !== 0) return undefined;
      return answerOf(429, { error: { code: 3, message: 'Rate limit exceeded' } }, { 'retry-after': '0' });
    });
  };

/** Revocations of another client's tokens end nothing, and are answered as told: RFC 7009 2.1 refuses them, some do not. */
const keepsToOwn =
  (status: number, body: Json) =>
  (at: Interceptor): void =>
    at.form('revokeToken', (form, { headers }) => {
      const { store } = at.service.authority;
      const [asking, asked] = [store.findToken(bearerOf(headers)), store.findToken(form.get('token') ?? '')];
      if (!asking || !asked || asking.ended || !asking.grant.scopes.includes('oauth:revoke')) return undefined;
      return asking.grant.clientId === asked.grant.clientId ? undefined : answerOf(status, body);
    });

/** A target in which nobody but the operator's client may revoke. */
const operatorRevokes = (target: Target): Target => ({
  ...target,
  clients: Object.fromEntries(
    Object.entries(target.clients).map(([role, client]) => [
      role,
      role === 'operations' ? client : { ...client, scopes: client.scopes.filter((scope) => scope !== 'oauth:revoke') },
    ]),
  ),
});

/** A target that says where the server is and who its clients are, and nothing of how it reads the interface. */
export function undeclared(target: Target): Target {
  return {
    ...target,
    edition: {},
    variants: {
      access_after_refresh: 'any',
      refresh_reuse: 'any',
      invalid_scope: 'any',
      over_max: 'any',
      null_lookup_status: 'any',
    },
  };
}

const off = Object.fromEntries(flagTable.map(({ flag }) => [flag, false]));

/** What live data shows, all of it. */
const shown = Object.fromEntries(flagTable.flatMap(({ flag, kind }) => (kind === 'observed' ? [[flag, true]] : [])));

/** Variants that are no switch of our mock. */
export const others: readonly Variant[] = [
  {
    id: 'B-07',
    what: "a sub-tab's wrapper has nothing but what it must have",
    apply: (at) =>
      at.data(['getStash', 'getGuildStash'], (body, { args }) => {
        if (args.substash_id === undefined || !body.stash) return;
        const { id, name, type, metadata, children } = body.stash as Json;
        body.stash = { id, name, type, metadata, children };
      }),
  },
  { id: 'B-40', what: 'a request now and then is answered 429', apply: limited(41) },
  {
    id: 'REV-010-refused',
    what: 'a client revokes its own tokens alone, others are refused',
    switches: { 'revoke.auth': 'bearer' },
    apply: keepsToOwn(400, { error: 'invalid_grant' }),
  },
  {
    id: 'REV-010-silent',
    what: 'a client revokes its own tokens alone, for others the answer is 200 without effect',
    switches: { 'revoke.auth': 'bearer' },
    apply: keepsToOwn(200, {}),
  },
  {
    id: 'REV-010-operator',
    what: 'the same where nobody but the operator may revoke',
    switches: { 'revoke.auth': 'bearer' },
    target: operatorRevokes,
    apply: keepsToOwn(200, {}),
  },
  { id: 'B-41-little', what: 'tree links are little-endian', apply: linksIn({ byteOrder: 'little' }) },
  { id: 'B-41-bare', what: 'tree links are not padded', apply: linksIn({ padding: false }) },
  {
    id: 'B-41-both',
    what: 'tree links are little-endian and not padded',
    apply: linksIn({ byteOrder: 'little', padding: false }),
  },
  {
    id: 'E-base',
    what: 'the base edition',
    flags: { ...off, 'F-CHAR-INV-G1': true, 'F-CHAR-RUCK-G1': true, 'F-SPEC-SET3': true },
  },
  { id: 'E-observed', what: 'the edition observed', flags: shown },
  ...Object.keys(shown).map((flag) => ({
    id: `E-${flag}`,
    what: `${flag} alone; the target does not say so`,
    flags: { [flag]: true },
    target: undeclared,
  })),
  {
    id: 'T-auto',
    what: 'consent is given at once',
    switches: { 'consent.mode': 'auto' },
    target: (target) => ({ ...target, consent: 'auto' }),
  },
  { id: 'T-form', what: 'consent is given on the page', target: (target) => ({ ...target, consent: 'form' }) },
  {
    id: 'T-bare',
    what: 'a target without control and without known facts',
    target: ({ control_url: _, ...target }) => ({ ...target, consent: 'form', known: {} }),
  },
];
