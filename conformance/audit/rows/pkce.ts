import { count } from '../../text.js';
import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, quote, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { has } from './authorization.js';
import { bitsByPlace, bitsOf, structureOf, triedOrigins } from './entropy.js';
import { authorizations, exchanges, requestOf } from './requests.js';
import { repeated } from './state.js';

const verifiers = (runs: readonly WorldRun[]): { verifier: string; call: Call; run: WorldRun }[] =>
  runs.flatMap((run) =>
    exchanges(run).flatMap((call) => {
      const verifier = call.form.get('code_verifier') ?? '';
      return verifier === '' ? [] : [{ verifier, call, run }];
    }),
  );

/** What a request shows to whoever sees it: its parameters decoded as well. */
const textsOf = ({ target, body, query }: Call): string[] => [
  target,
  body,
  ...[...query.values()].flatMap((value) => [
    value,
    // What stands behind a prefix begins in the middle of a group of four.
    ...[value, ...value.split(/[^\w+/=-]+/)].flatMap((part) =>
      (['base64url', 'hex'] as const).map((form) => Buffer.from(part, form).toString('latin1')),
    ),
  ]),
];

/** So many bits are held for 256 where one verifier may happen to have letters only, and where several do not. */
const tolerance = 240;
const sure = 250;

/** The authorization request whose redirect carried the code of an exchange; undefined where the browser did not see both. */
function giverOf(run: WorldRun, exchange: Call): Call | undefined {
  const code = exchange.form.get('code');
  const visit = run.visits.find(({ callbacks }) => callbacks.some((one) => one.kind === 'answer' && one.code === code));
  return visit && authorizations(run).find(({ target }) => visit.url.includes(target));
}

/** Proof Key for Code Exchange. */
export const pkce: readonly AuditRow[] = [
  {
    id: 'AUTH-PKCE-001',
    level: 'MUST',
    sentence: 'code_challenge is the base64url of a SHA-256 hash: 43 characters without padding.',
    source: '4.1',
    how: 'The query of every authorization request is read.',
    judge: has('code_challenge', (value) => /^[\w-]{43}$/.test(value), 'of 43 characters of base64url'),
  },
  {
    id: 'AUTH-PKCE-002',
    level: 'MUST',
    sentence: 'code_challenge_method is S256.',
    source: '4.1',
    how: 'The query of every authorization request is read.',
    judge: has('code_challenge_method', (value) => value === 'S256', 'S256'),
  },
  {
    id: 'AUTH-PKCE-003',
    level: 'MUST-RFC',
    sentence: 'code_verifier has 43 to 128 characters, all of them unreserved.',
    source: 'RFC 7636 4.1',
    how: 'The form of every code exchange is read.',
    judge: (run) =>
      each(verifiers([run]), ({ verifier, call }) =>
        /^[\w.~-]{43,128}$/.test(verifier)
          ? undefined
          : violation(
              '43 to 128 unreserved characters',
              `${count(verifier.length, 'character')}, such as ${quote(verifier.replaceAll(/[\w.~-]/g, '').slice(0, 5) || verifier.slice(0, 5))}`,
              call,
            ),
      ),
  },
  {
    id: 'AUTH-PKCE-004',
    level: 'MUST',
    sentence: 'code_verifier has the entropy of at least 32 bytes.',
    source: '4.1',
    how: 'The alphabet and the length of all verifiers bound their entropy. Texts, parts that all verifiers share, and what is made of the clock, of a small number, of the client id or of the state, as it is or hashed, are found out.',
    across: (runs) => {
      const all = verifiers(runs);
      const texts = all.map(({ verifier }) => verifier);
      const bits = Math.min(bitsOf(texts), bitsByPlace(texts) ?? Infinity);
      const isLow = bits < tolerance || (new Set(texts).size > 2 && bitsOf(texts) < sure);
      return {
        ...each([...all.entries()], ([index, { verifier, call, run }]) => {
          const request = requestOf(run, call);
          const structure = structureOf(verifier, texts, run.epoch, request, index < triedOrigins);
          if (structure !== undefined)
            return violation('32 random bytes', structure, ...(request ? [request] : []), call);
          return isLow
            ? violation(
                'the entropy of 32 bytes, 256 bits',
                `at most ${Math.round(bits)} bits: ${verifier.length} characters of a small alphabet`,
                call,
              )
            : undefined;
        }),
        ...(all[0] && { world: all[0].run.world.id }),
      };
    },
  },
  {
    id: 'AUTH-PKCE-005',
    level: 'MUST-RFC',
    sentence: 'code_verifier is new for each authorization request.',
    source: 'RFC 9700 2.1.1',
    how: 'The challenges of all authorization requests of all worlds are compared.',
    across: repeated('code_challenge'),
  },
  {
    id: 'AUTH-PKCE-006',
    level: 'MUST-RFC',
    sentence: 'code_verifier goes to the token endpoint alone, with the code: nobody else may learn it.',
    source: 'RFC 7636 7.1',
    how: 'All other requests are searched for the verifier, as it is, percent-encoded, and in base64 or hexadecimal digits, such as in a state or a part of it.',
    judge: (run) =>
      each(verifiers([run]), ({ verifier, call }) => {
        const leak = run.calls.find(
          (one) => one.operation !== 'issueToken' && textsOf(one).some((text) => text.includes(verifier)),
        );
        return (
          leak &&
          violation('the verifier in the code exchange only', `it stands in ${leak.method} ${leak.path}`, leak, call)
        );
      }),
  },
  {
    id: 'AUTH-PKCE-007',
    level: 'MUST',
    sentence: 'The code exchange carries the code_verifier whose hash was sent as code_challenge.',
    source: '4.1',
    how: 'The verifier of every exchange is hashed and compared with the challenge of the authorization request that gave the code; where that is not known, it is looked for among all of them.',
    judge: (run) =>
      each(
        exchanges(run).filter(() => authorizations(run).length > 0),
        (call) => {
          if (!call.form.get('code_verifier'))
            return violation('a code exchange with code_verifier', 'a code exchange without one', call);
          const fitting = requestOf(run, call);
          if (!fitting)
            return violation(
              'the verifier of an authorization request',
              'one whose SHA-256 hash no request carried',
              call,
            );
          const giver = giverOf(run, call);
          return giver && giver.query.get('code_challenge') !== fitting.query.get('code_challenge')
            ? violation('the verifier of the request that gave the code', 'that of another request', giver, call)
            : undefined;
        },
      ),
  },
];
