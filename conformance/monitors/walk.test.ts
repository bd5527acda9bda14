import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';
import { flags, operationList } from '../../src/contract/index.js';
import type { LogicalOperation } from '../../src/contract/index.js';
import * as judges from '../../src/contract/judges.gen.js';
import type { FlagState } from '../target/target.js';
import { aTarget, anAnswer } from './answers.fixture.js';
import { documents, editions, replySchema } from './documents.fixture.js';
import type { Kind } from './documents.fixture.js';
import type { Departure, DepartureKind } from './departure.js';
import { createMonitors } from './monitors.js';
import { Shapes } from './shape.js';
import type { Game } from './shape.js';
import { Cursor } from './cursor.js';
import { ShapeWalk } from './walk.js';

const operations = [...new Set(operationList.filter(({ server }) => server === 'data').map(({ logical }) => logical))];
const shapes = new Shapes({ game2: 'game2', livestream: 'livestream' });
const nothing = (): void => {};

/** What the walk tells of a reply. */
function findings(
  body: unknown,
  { operation, game, on }: Kind,
  flag = (name: string): FlagState => (on(name) ? 'on' : 'off'),
): readonly Departure[] {
  const found: Departure[] = [];
  const at = new Cursor({
    answer: anAnswer(operation, {}),
    operation,
    body: body as JsonObject,
    args: {},
    realm: undefined,
    game,
  });
  const walk = new ShapeWalk({
    departure: (departure) => void found.push(departure),
    object: nothing,
    // The superset accepts a member that only live data shows in the form that it shows.
    undocumented: (shape, name) => {
      const field = shape.fields.get(name);
      if (field?.observed) found.push({ kind: 'type', field, shape: undefined, expected: '', got: name, at });
    },
    unsafe: nothing,
    sign: nothing,
    flag,
  });
  const slot = shapes.reply(operation, 200);
  if (slot) walk.value(body, slot, at);
  return found;
}

const kinds = fc.record({
  operation: fc.constantFrom(...operations),
  game: fc.constantFrom<Game>('g1', 'g2'),
  on: editions,
});
/** A kind with a document of it. */
const replies = (strict: boolean) =>
  kinds.chain((kind) => documents(replySchema(kind.operation), kind, strict).map((body) => ({ kind, body })));

const outOfPlace = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 'x', '', 'pc', 0, 1, -1, 1.5, 99, [], {}, [null], { a: 1 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Every place of a value in a document: the object or array that holds it, and its key. */
function* places(value: unknown): Generator<{ holder: Record<string, unknown>; key: string }> {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    yield { holder, key };
    yield* places(holder[key]);
  }
}

const isDate = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

/** Departures that a JSON Schema of the superset cannot tell. */
const beyond: ReadonlySet<DepartureKind> = new Set(['game', 'only', 'edition', 'gated', 'restricted']);
const isBeyond = ({ kind, field }: Departure): boolean =>
  beyond.has(kind) || (kind === 'missing' && (!field?.required || field.edition?.effect === 'optional'));

const observed = new Set<string>(flags.filter(({ kind }) => kind === 'observed').map(({ flag }) => flag));

const ofOneGame = new Set(['hashes_ex', 'mastery_effects', 'specialisations']);

describe('the walk', () => {
  it('accepts every document of every operation, game and edition', () => {
    fc.assert(
      fc.property(replies(false), ({ kind, body }) => {
        expect(findings(body, kind).map(({ kind, got }) => `${kind}: ${got}`)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('says of a changed document what Ajv says of it', () => {
    const tally = { right: 0, wrong: 0 };
    fc.assert(
      fc.property(replies(true), fc.nat(), fc.option(outOfPlace, { nil: undefined }), ({ kind, body }, where, what) => {
        const copy = structuredClone(body);
        const all = [...places(copy)];
        const place = all[where % Math.max(all.length, 1)];
        if (place) {
          // What a date-time is, the two read differently on purpose.
          if (isDate(place.holder[place.key]) && typeof what === 'string') return;
          // Nor does a schema know what the other game's fields are.
          if (what === null && ofOneGame.has(place.key)) return;
          // What else may stand beside the named keys of specialisations, the schema says and the interface does not.
          if (place.key === 'specialisations' && isObject(what)) return;
          // A null wrapper is right by itself, so that the schema looks at no ladder beside it.
          if (isObject(copy) && 'ladder' in copy && [copy['league'], copy['match']].includes(null)) return;
          // What is in a member that only live data shows is nobody's matter.
          if (isObject(copy) && copy['guild'] === place.holder) return;
          if (what === undefined && !Array.isArray(place.holder)) delete place.holder[place.key];
          else if (what !== undefined)
            Object.defineProperty(place.holder, place.key, { value: what, enumerable: true });
        }
        const accepts = (judges as unknown as Record<string, (value: unknown) => boolean>)[`${kind.operation}200`];
        const valid = accepts?.(copy) ?? true;
        // The superset accepts what live data shows.
        const asAny = (flag: string): FlagState => (observed.has(flag) ? 'any' : kind.on(flag) ? 'on' : 'off');
        const found = findings(copy, kind, asAny).filter((departure) => !isBeyond(departure));
        tally[valid ? 'right' : 'wrong'] += 1;
        expect(found.length === 0).toBe(valid);
      }),
      { numRuns: 900 },
    );
    expect(Math.min(tally.right, tally.wrong)).toBeGreaterThan(75);
  });

  it('takes any element where the contract says nothing of them', () => {
    const base = {
      verified: false,
      w: 1,
      h: 1,
      icon: '',
      name: '',
      typeLine: '',
      baseType: '',
      identified: true,
      ilvl: 1,
    };
    const item = { ...base, craftedMods: [{ description: 'Fire', flags: [null, 7, 'x'] }] };
    const tab = { id: 'a0a0a0a0a0', name: 'n', type: 'PremiumStash', metadata: {}, items: [item] };
    const kind: Kind = { operation: 'getStash', game: 'g1', on: () => true };
    expect(findings({ stash: tab }, kind, () => 'any').map(({ got }) => got)).toEqual([]);
  });

  it('tells the wire names of a target from the contract’s', () => {
    const monitors = createMonitors(aTarget({ names: { game2: 'second', livestream: 'tube' } }));
    const account = { name: 'a', tube: { name: 7 } };
    const entry = { rank: 1, account, character: { id: 'a'.repeat(64), name: 'n', level: 1, class: 'Witch' } };
    monitors.answer(anAnswer('getLeagueLadder', { league: { total: 1, entries: [entry] } }));
    monitors.answer(
      anAnswer('getLeague', { league: { id: 'x', realm: 'game2' } }, { url: 'http://s/league/x?realm=second' }),
    );
    monitors.answer(
      anAnswer('getLeague', { league: { id: 'x', realm: 'second' } }, { url: 'http://s/league/x?realm=second' }),
    );
    const results = monitors.results();
    expect(results.get('ACCOUNT-FIELD-livestream.name')?.violations[0]?.got).toBe(
      '$.league.entries[0].account.tube.name is 7',
    );
    expect(results.get('LEAGUE-FIELD-realm')).toMatchObject({ exercised: 2, count: 1 });
    expect(results.get('REALM-QUERY-004')).toMatchObject({ exercised: 2, count: 1 });
  });

  it('bears whatever a server sends', () => {
    const deep = `${'{"items":['.repeat(10_000)}${']}'.repeat(10_000)}`;
    const nested = `{"stash":${'{"id":"a","children":['.repeat(10_000)}${']}'.repeat(10_000)}}`;
    const bodies = [
      deep,
      nested,
      '{"__proto__":{"items":[]},"stash":{"__proto__":1,"constructor":2,"toString":null}}',
      JSON.stringify({ character: { name: 'x'.repeat(1_000_000), ['k'.repeat(1_000_000)]: 1 } }),
      JSON.stringify({ stashes: Array.from({ length: 20_000 }, (_, index) => ({ [`field${index}`]: index })) }),
      '{"next_change_id":1e999,"markets":[{"market_id":"a|b","lowest_ratio":{"a":1e300,"b":1}}]}',
      'null',
      '[]',
      '"text"',
      '{"a":',
      '',
    ];
    const monitors = createMonitors(aTarget());
    for (const { logical } of operationList) {
      for (const text of bodies) monitors.answer(anAnswer(logical, undefined, { text }));
    }
    expect([...monitors.results().values()].every(({ violations }) => violations.length <= 5)).toBe(true);
    for (const text of monitors.observations()) expect(text.length).toBeLessThan(2000);
    for (const { violations } of monitors.results().values()) {
      for (const { expected, got } of violations) expect(expected.length + got.length).toBeLessThan(1000);
    }
  });

  it('bears any JSON from any operation', () => {
    const monitors = createMonitors(aTarget());
    fc.assert(
      fc.property(
        fc.constantFrom(...operations),
        fc.jsonValue(),
        fc.integer({ min: 200, max: 599 }),
        (operation, value, status) => {
          const wrapper = operation.replace(/^(list|get)/, '').toLowerCase();
          monitors.answer(
            anAnswer(operation, isObject(value) ? value : { [wrapper]: value, leagues: value, stashes: [value] }, {
              status,
            }),
          );
        },
      ),
    );
    fc.assert(
      fc.property(replies(false), fc.nat(), outOfPlace, ({ kind, body }, where, what) => {
        const all = [...places(body)];
        const place = all[where % Math.max(all.length, 1)];
        if (place) Object.defineProperty(place.holder, place.key, { value: what, enumerable: true });
        monitors.answer(anAnswer(kind.operation, body, { args: { realm: kind.game === 'g2' ? 'game2' : 'pc' } }));
      }),
      { numRuns: 300 },
    );
  });

  it('sees every entry of every ladder page', () => {
    const entries = Array.from({ length: 500 }, (_, index) => ({
      rank: index + 1,
      dead: false,
      public: true,
      character: {
        id: index.toString(16).padStart(64, '0'),
        name: `name ${index}`,
        level: 90,
        class: 'Witch',
        experience: 4_250_334_444,
        time: 1000,
        depth: { default: 100, solo: 90 },
      },
      account: {
        name: `account ${index}`,
        realm: 'pc',
        guild: { id: 1, name: 'g', tag: 't' },
        challenges: { set: 's', completed: 1, max: 40 },
      },
    }));
    const answer = anAnswer('getLeagueLadder' satisfies LogicalOperation, {
      league: { total: 500, cached_since: '2026-01-01T00:00:00Z', entries },
    });
    const monitors = createMonitors(aTarget());
    for (let round = 0; round < 3; round += 1) monitors.answer(answer);
    expect(monitors.results().get('LADDERENTRY-FIELD-rank')).toMatchObject({ exercised: 3 * 500, count: 0 });
  });
});
