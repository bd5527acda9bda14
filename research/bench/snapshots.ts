import { createMemoryStore } from '../../src/store/memory.js';
import type { Grant, Store, Token } from '../../src/store/store.js';
import type { Row } from './subject.js';

const CHANGES = 100_000;
const CLIENTS = 10;
const ROUNDS = 9;

/** A token of a grant of its own, as clients get them. */
function token(number: number): Token {
  const grant: Grant = {
    id: `grant-${number}`,
    clientId: `client-${number % CLIENTS}`,
    account: 'alice',
    scopes: ['account:profile'],
    kind: 'authorization_code',
    grantedAt: number,
  };
  const text = number.toString(16).padStart(40, '0');
  return { text, kind: 'access', grant, scopes: grant.scopes, issuedAt: number, expiresAt: 1e12 + number, ended: null };
}

const filled = (changes: number): Store => {
  const store = createMemoryStore();
  for (let number = 0; number < changes; number += 1) store.addToken(token(number));
  return store;
};

/** Milliseconds of a call. */
function once(act: () => void): number {
  const start = process.hrtime.bigint();
  act();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!;

/** Going back over so many changes, and to a state that has as many. */
export async function snapshotRows(): Promise<Row[]> {
  const empty = createMemoryStore().image();
  const full = filled(CHANGES);
  const before = full.image();
  const plain = new Map(Array.from({ length: CHANGES }, (_, number) => [token(number).text, number]));
  const rounds = Array.from({ length: ROUNDS }, () => ({
    again: once(() => full.restore(before)),
    over: once(() => full.restore(empty)),
    plain: once(() => new Map(plain)),
  }));
  const of = (name: keyof (typeof rounds)[number]): number => median(rounds.map((round) => round[name]));
  return [
    { name: 'snapshot: restore over 100,000 changes', figure: of('over'), bar: 20, wanted: 'at most', unit: 'ms' },
    {
      name: 'snapshot: restore a state of 100,000 tokens, in copies of a map of as many texts',
      figure: of('again') / of('plain'),
      bar: 12,
      wanted: 'at most',
      unit: 'x',
      note: `${of('again').toFixed(0)} ms`,
    },
  ];
}
