import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { LimitPolicy, LimitWindow } from '../../client/index.js';
import { operationList } from '../../contract/index.js';
import type { Operation } from '../../contract/index.js';
import type { Subjects } from './limits.js';
import { Limits } from './limits.js';

const operationOf = (id: string): Operation => operationList.find((operation) => operation.id === id)!;
const [shared, other, alone] = ['getProfile', 'listCharacters', 'listLeagues'].map(operationOf) as [
  Operation,
  Operation,
  Operation,
];

/** The simplest thing that could be right: every hit is written down with its instant, and looked through each time. */
class Model {
  readonly #hits: { readonly window: LimitWindow; readonly subject: string; readonly at: number; key: string }[] = [];
  readonly #until = new Map<string, number>();

  constructor(private readonly policies: readonly LimitPolicy[]) {}

  request(operation: Operation, subjects: Subjects, invalid: boolean, now: number): { status: number; state: string } {
    const under = this.policies.filter(({ operations }) => operations.includes(operation.id));
    const all = under.flatMap((policy) => this.#windows(policy, subjects).map((one) => ({ ...one, policy })));
    const restricted = all.some(({ key }) => (this.#until.get(key) ?? 0) > now);
    if (restricted) return { status: 429, state: '' };
    const requests = all.filter(({ policy }) => policy.counts !== 'invalid');
    for (const one of requests) this.#hit(one, now);
    const state = requests.map(({ key, window }) => `${this.#count(key, window, now)}`).join(',');
    if (requests.some(({ key }) => (this.#until.get(key) ?? 0) > now)) return { status: 429, state };
    if (invalid) for (const one of all) if (one.policy.counts === 'invalid') this.#hit(one, now);
    return { status: invalid ? 404 : 200, state };
  }

  #windows({ name, rules }: LimitPolicy, subjects: Subjects) {
    return rules.flatMap(({ rule, windows }) =>
      subjects[rule] === undefined
        ? []
        : windows.map((window) => ({
            window,
            subject: subjects[rule]!,
            key: `${name} ${rule} ${window.period} ${subjects[rule]}`,
          })),
    );
  }

  #hit({ key, window, subject }: { key: string; window: LimitWindow; subject: string }, now: number): void {
    this.#hits.push({ key, window, subject, at: now });
    if (this.#count(key, window, now) > window.hits) this.#until.set(key, now + window.restriction * 1000);
  }

  #count(key: string, { period, bucket = 1 }: LimitWindow, now: number): number {
    const endOf = (at: number): number => (Math.floor(at / (bucket * 1000)) + 1) * bucket * 1000;
    return this.#hits.filter((hit) => hit.key === key && endOf(hit.at) > now - period * 1000).length;
  }

  /** What is too old to matter, so that long runs stay quick. */
  forget(now: number): void {
    const kept = this.#hits.filter(({ at, window }) => at > now - (window.period + (window.bucket ?? 1)) * 1000);
    this.#hits.splice(0, this.#hits.length, ...kept);
  }
}

const windowOf = fc
  .record({
    hits: fc.integer({ min: 1, max: 6 }),
    period: fc.integer({ min: 1, max: 40 }),
    restriction: fc.integer({ min: 1, max: 30 }),
    bucket: fc.integer({ min: 1, max: 40 }),
  })
  .map((window) => ({ ...window, bucket: Math.min(window.bucket, window.period) }));
const windows = fc.uniqueArray(windowOf, { minLength: 1, maxLength: 3, selector: ({ period }) => period });
const rules = fc.uniqueArray(fc.record({ rule: fc.constantFrom('client', 'account', 'ip'), windows }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ rule }) => rule,
});
const policies = fc
  .record({ first: rules, second: rules, invalid: rules })
  .map(({ first, second, invalid }): LimitPolicy[] => [
    { name: 'first', operations: [shared.id, other.id], rules: first },
    { name: 'second', operations: [alone.id], rules: second },
    { name: 'invalid', operations: [shared.id, alone.id], counts: 'invalid', rules: invalid },
  ]);
const step = fc.record({
  wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2500 }), fc.integer({ min: 0, max: 60_000 })),
  operation: fc.constantFrom(shared, other, alone),
  client: fc.constantFrom('one', 'two', undefined),
  account: fc.constantFrom('alice', 'bob', undefined),
  ip: fc.constantFrom('10.0.0.1', '10.0.0.2'),
  invalid: fc.boolean(),
});

const perRun = 500;
/** A million steps: LIMIT_STEPS=1000000. */
const numRuns = Math.ceil(Number(process.env.LIMIT_STEPS ?? 20_000) / perRun);

describe('the limits', () => {
  it('decide and count as a list of all hits does', { timeout: 3_600_000 }, () => {
    let steps = 0;
    let refused = 0;
    fc.assert(
      fc.property(
        policies,
        fc.integer({ min: 0, max: 10_000 }),
        fc.array(step, { minLength: perRun, maxLength: perRun }),
        (settings, start, sequence) => {
          const limits = new Limits();
          limits.set({ policies: settings });
          const model = new Model(settings);
          let now = Date.UTC(2026, 0) + start;
          for (const [index, { wait, operation, client, account, ip, invalid }] of sequence.entries()) {
            now += wait;
            const subjects = { client, account, ip };
            const admission = limits.admit(operation, subjects, now);
            const status = admission?.refusal ? 429 : invalid ? 404 : 200;
            if (!admission?.refusal) limits.settle(operation, subjects, status, now);
            const expected = model.request(operation, subjects, invalid, now);
            expect([index, status]).toEqual([index, expected.status]);
            if (expected.state !== '') {
              const state = admission?.readings.flatMap(({ meters }) => meters.map((meter) => meter.count(now)));
              expect([index, state?.join(',')]).toEqual([index, expected.state]);
            }
            if (index % 50 === 0) model.forget(now);
            steps += 1;
            refused += status === 429 ? 1 : 0;
          }
        },
      ),
      { numRuns },
    );
    // A run in which nothing, or everything, is refused would show little.
    expect(refused / steps).toBeGreaterThan(0.1);
    expect(refused / steps).toBeLessThan(0.9);
    if (process.env.LIMIT_STEPS) console.log(`${steps} steps, ${refused} refused`);
  });
});
