import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { RequestBody } from '../contract/index.js';
import { isValidFilter } from './filter-text.js';
import { alice, bob, call, createGame, epoch, hour, ok, type TestGame } from './game.fixture.js';

// The generator takes a default for a promise that the field is there.
type CreateBody = RequestBody<'createItemFilter'>;
type Create = Omit<CreateBody, 'public'> & { public?: boolean | null };
type Update = RequestBody<'updateItemFilter'>;

const good = 'Show\n    Rarity Unique\n';
const minimal: Create = { filter_name: 'Mine', realm: 'pc', filter: good };

const create = (game: TestGame, body: Partial<Create> = {}, validate = false) =>
  ok(game, 'createItemFilter', { validate }, { body: { ...minimal, ...body } as CreateBody }).filter;
const update = (game: TestGame, id: string, body: Omit<Update, 'public'> & { public?: boolean }, validate = false) =>
  call(game, 'updateItemFilter', { id, validate }, { body: body as Update });
const get = (game: TestGame, id: string) => ok(game, 'getItemFilter', { id }).filter;

describe('creating a filter', () => {
  it('stores what was sent, with defaults for the rest', () => {
    const game = createGame();
    const filter = create(game);
    expect(filter).toEqual({ id: filter.id, ...minimal, description: '', version: '', type: 'Normal' });
    expect(get(game, filter.id)).toEqual(filter);
    expect(create(game, { description: null, version: null, type: null, public: null })).toEqual({
      ...filter,
      id: expect.any(String),
    });
    expect(create(game, { public: false })).not.toHaveProperty('public');
    expect(create(game, { public: true, type: 'Ruthless', realm: 'game2' })).toMatchObject({
      public: true,
      type: 'Ruthless',
      realm: 'game2',
    });
  });

  it('validates against the version of its own game, and forgets that with the game', () => {
    const game = createGame();
    const filter = create(game, { realm: 'game2' }, true);
    expect(filter.validation?.version).toBe('0.4.1');
    update(game, filter.id, { description: 'still there' });
    expect(get(game, filter.id).validation).toBeDefined();
    update(game, filter.id, { realm: 'xbox' });
    expect(get(game, filter.id)).not.toHaveProperty('validation');
    update(game, filter.id, {}, true);
    expect(get(game, filter.id).validation?.version).toBe('3.4.1');
    update(game, filter.id, { realm: 'sony' });
    expect(get(game, filter.id).validation?.version).toBe('3.4.1');
  });

  it('validates on demand, against the current version and by the clock', () => {
    const game = createGame();
    game.advance(hour + 250);
    expect(create(game, {}, true).validation).toEqual({
      valid: true,
      version: '3.4.1',
      validated: '2024-01-01T01:00:00Z',
    });
    expect(create(game, { filter: 'Shwo\n' }, true).validation).toMatchObject({ valid: false });
    expect(create(game)).not.toHaveProperty('validation');
  });

  it('answers with the status that the switch names', () => {
    expect(
      call(createGame({ 'filters.createStatus': 201 }), 'createItemFilter', {}, { body: minimal as CreateBody }),
    ).toMatchObject({
      status: 201,
    });
  });

  it('ends at a hundred filters an account, with a remedy', () => {
    const game = createGame();
    for (let number = 0; number < 100; number += 1) create(game);
    const refused = call(game, 'createItemFilter', {}, { body: minimal as CreateBody });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('update one of them') } },
    });
    expect(ok(game, 'listItemFilters').filters).toHaveLength(100);
    expect(call(game, 'createItemFilter', {}, { body: minimal as CreateBody, account: bob }).status).toBe(200);
  });
});

describe('the list of filters', () => {
  it('has neither text nor validation, not even as null', () => {
    const game = createGame();
    expect(ok(game, 'listItemFilters')).toEqual({ filters: [] });
    const { filter, validation, ...summary } = create(game, { public: true }, true);
    expect(filter && validation).toBeTruthy();
    expect(ok(game, 'listItemFilters')).toEqual({ filters: [summary] });
  });
});

describe('updating a filter', () => {
  it('changes what is sent and nothing else, empty texts included', () => {
    const game = createGame();
    const filter = create(game, { description: 'long', version: '1' });
    expect(update(game, filter.id, {})).toEqual({ status: 200, body: { filter } });
    expect(update(game, filter.id, { description: '' })).toMatchObject({
      body: { filter: { ...filter, description: '' } },
    });
    expect(update(game, filter.id, { description: null, version: null, type: null })).toMatchObject({
      body: { filter: { version: '1' } },
    });
    expect(get(game, filter.id)).toEqual({ ...filter, description: '' });
    expect(update(game, filter.id, { id: 'other', filter_name: 'New' } as Update)).toMatchObject({
      body: { filter: { id: filter.id } },
    });
  });

  it('publishes for good', () => {
    const game = createGame();
    const { id } = create(game);
    expect(update(game, id, { public: true })).toMatchObject({ body: { filter: { public: true } } });
    const refused = update(game, id, { public: false, filter_name: 'Sneaky' });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('field public') } },
    });
    expect(get(game, id)).toMatchObject({ public: true, filter_name: 'Mine' });
    const lax = createGame({ 'filters.publicFalse': 'ignore' });
    const other = create(lax, { public: true });
    expect(update(lax, other.id, { public: false, version: '2' })).toMatchObject({
      status: 200,
      body: { filter: { public: true, version: '2' } },
    });
    const hidden = create(lax);
    expect(update(lax, hidden.id, { public: false })).toEqual({ status: 200, body: { filter: hidden } });
  });

  it('keeps a validation as long as the text that it is of', () => {
    const game = createGame();
    const { id, validation } = create(game, {}, true);
    expect(update(game, id, { filter_name: 'New' })).toMatchObject({ body: { filter: { validation } } });
    game.advance(hour);
    expect(update(game, id, {}, true)).toMatchObject({
      body: { filter: { validation: { validated: '2024-01-01T01:00:00Z' } } },
    });
    const { body } = update(game, id, { filter: 'Hide\n' });
    expect(body).not.toHaveProperty('filter.validation');
  });

  it('is accepted with 202 when the text has the marker; what is stored is read again', () => {
    const game = createGame({ 'filters.asyncTrigger': '# tarry' });
    const { id } = create(game, {}, true);
    const text = `# tarry\n${good}`;
    const reply = update(game, id, { filter: text }, true);
    expect(reply).toMatchObject({
      status: 202,
      body: { filter: { id, filter: text }, error: { code: 0, message: expect.stringMatching(/^Accepted/) } },
    });
    expect(reply.body).not.toHaveProperty('filter.validation');
    expect(get(game, id)).toMatchObject({ filter: text, validation: { valid: true } });
  });

  it('may leave the text out of the reply', () => {
    const game = createGame({ 'filters.updateEcho': 'brief' });
    const { id } = create(game);
    expect(update(game, id, { version: '2' }).body).not.toHaveProperty('filter.filter');
    expect(get(game, id)).toMatchObject({ filter: good, version: '2' });
  });
});

describe('filters of others', () => {
  it('do not exist, public or not', () => {
    const game = createGame();
    const { id } = create(game, { public: true });
    for (const unknown of [id, 'nothing', '__proto__']) {
      const account = unknown === id ? bob : alice;
      const missing = { status: 404, body: { error: { code: 1 } } };
      expect(call(game, 'getItemFilter', { id: unknown }, { account })).toMatchObject(missing);
      expect(call(game, 'updateItemFilter', { id: unknown }, { account, body: { version: '9' } })).toMatchObject(
        missing,
      );
    }
    expect(get(game, id).version).toBe('');
    expect(ok(game, 'listItemFilters', {}, { account: bob })).toEqual({ filters: [] });
  });
});

describe('filters of an account', () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 });
  const fields = {
    filter_name: fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
    realm: fc.constantFrom('pc', 'xbox', 'sony', 'game2'),
    description: text,
    version: text,
    type: fc.constantFrom('Normal', 'Ruthless'),
    filter: fc.string({ unit: fc.constantFrom('Show', ' ', '\t', '\r\n', '"', '\\', '🜂', '#'), maxLength: 40 }),
  } as const;
  const creation = fc.record({ ...fields, public: fc.boolean() }, { requiredKeys: ['filter_name', 'realm', 'filter'] });
  const change = fc.record({ ...fields, public: fc.constant(true as const) }, { requiredKeys: [] });

  it('are a map: ids to what was last written', () => {
    fc.assert(
      fc.property(
        fc.array(creation, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(), change), { maxLength: 12 }),
        (creates, changes) => {
          const game = createGame();
          const model = new Map<string, Record<string, unknown>>();
          for (const body of creates) {
            const { id } = create(game, body as Create);
            const shown: Record<string, unknown> = { id, description: '', version: '', type: 'Normal', ...body };
            if (!body.public) delete shown.public;
            model.set(id, shown);
          }
          expect(model.size).toBe(creates.length);
          for (const [pick, body] of changes) {
            const id = [...model.keys()][pick % model.size] ?? '';
            model.set(id, { ...model.get(id), ...body });
            expect(update(game, id, body as Update).body).toEqual({ filter: model.get(id) });
          }
          for (const [id, filter] of model) expect(get(game, id)).toEqual(filter);
          const listed = ok(game, 'listItemFilters').filters;
          expect(listed).toEqual([...model.values()].map(({ filter: _text, ...rest }) => rest));
        },
      ),
    );
  });
});

describe('the rule for filter texts', () => {
  it('takes blocks of words with values, comments and blank lines', () => {
    for (const text of [
      '',
      '# only words',
      good,
      'Show # all\r\n\tItemLevel >= 80\r\n\r\nHide',
      'Show\n  Rarity Rare\n  Continue',
    ]) {
      expect(isValidFilter(text), text).toBe(true);
    }
  });

  it('refuses unknown blocks, words without a value, and lines outside a block', () => {
    for (const text of ['Shwo\n', 'show\n', 'Show\n  ItemLevel\n', 'Rarity Rare\n', 'Show Rare\n', 'Show\n  12 34\n']) {
      expect(isValidFilter(text), text).toBe(false);
    }
  });

  it.each(['\u2028', '\u2029'])('take no longer than their length asks for: a long comment before %j', (end) => {
    const from = performance.now();
    expect(isValidFilter(`${'#'.repeat(100_000)}${end}`)).toBe(true);
    expect(performance.now() - from).toBeLessThan(1000);
  });

  it('is asked at the time of the clock', () => {
    const game = createGame();
    expect(create(game, {}, true).validation?.validated).toBe(new Date(epoch).toISOString().replace('.000', ''));
  });
});
