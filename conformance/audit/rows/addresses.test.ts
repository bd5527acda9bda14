import { describe, expect, it } from 'vitest';

import { findingOf, runOf, verdictOf } from '../run.fixture.js';

const names = new Set(['Standard', 'A/B', 'A+B 100%', 'Ünïcode', 'What? #1', 'Tide Race']);
const judge = (id: string, ...targets: readonly string[]): string =>
  verdictOf(
    id,
    runOf(
      targets.map((target) => [target]),
      { facts: { names } },
    ),
  );

describe('a name in a path', () => {
  it.each([
    ['encoded once', '/league/What%3F%20%231', 'pass'],
    ['with a plus sign as it is', '/league/A+B%20100%25', 'pass'],
    ['with nothing to encode', '/league/Standard', 'not exercised'],
    ['with a space only', '/league/Tide%20Race', 'not exercised'],
    ['encoded twice, but for its bare %', '/league/A+B%20100%%2520', 'violated'],
    ['encoded twice', '/league/What%253F%2520%25231', 'violated'],
    ['with a bare slash', '/stash/A/B', 'violated'],
    ['with + for a space', '/league/Tide+Race', 'violated'],
    ['cut at a bare ?', '/league/What?%20', 'violated'],
    ['cut at a bare ?, with more behind it', '/league/What?%20#1/ladder', 'violated'],
    ['cut at a bare #', '/league/What%3F%20', 'violated'],
  ])('%s', (_, target, expected) => {
    expect(judge('ADDR-ENCODE-002', target)).toBe(expected);
  });
});

describe('the id of a sub-tab', () => {
  const tabs = new Map([
    ['aaaaaaaaaa', undefined], // a tab with sub-tabs
    ['a000000001', 'aaaaaaaaaa'],
    ['ffffffffff', undefined], // a folder
    ['f000000001', undefined], // in the folder
  ]);
  it.each([
    ['under its parent', 'aaaaaaaaaa/a000000001', 'pass'],
    ['in upper case', 'AAAAAAAAAA/A000000001', 'pass'],
    ['that is not there', 'aaaaaaaaaa/0123456789', 'pass'],
    ['alone', 'a000000001', 'not exercised'],
    ['under another tab', 'ffffffffff/a000000001', 'violated'],
    ['of a tab in a folder, under the folder', 'ffffffffff/f000000001', 'violated'],
    ['of a tab, under itself', 'aaaaaaaaaa/aaaaaaaaaa', 'violated'],
    ['of a tab in a folder, alone', 'f000000001', 'not exercised'],
  ])('%s', (_, path, expected) => {
    const run = runOf([[`/stash/Standard/${path}`]], { facts: { tabs: () => tabs } });
    expect(verdictOf('ADDR-SUBTAB-001', run)).toBe(expected);
  });

  it.each([
    ['alone', 'a000000001', 'violated'],
    ['under its parent', 'aaaaaaaaaa/a000000001', 'pass'],
    ['of a tab in a folder, alone', 'f000000001', 'not exercised'],
  ])('is better not sent %s', (_, path, expected) => {
    const run = runOf([[`/stash/Standard/${path}`]], { facts: { tabs: () => tabs } });
    expect(verdictOf('ADDR-SUBTAB-002', run)).toBe(expected);
  });

  it('may go under what a reply named as its parent', () => {
    const run = runOf(
      [
        ['/stash/Standard', { reply: { stashes: [{ id: 'f000000001', parent: 'ffffffffff' }] } }],
        ['/stash/Standard/ffffffffff/f000000001'],
      ],
      { facts: { tabs: () => tabs } },
    );
    expect(verdictOf('ADDR-SUBTAB-001', run)).toBe('pass');
  });
});

describe('a name that is asked for', () => {
  const league = { reply: { leagues: [{ id: 'Ünïcode' }, { id: 'Tide Race' }, { id: 'A&B' }] } };
  const asked = (id: string, name: string): string =>
    verdictOf(id, runOf([['/league', league], [`/league/${encodeURIComponent(name)}`]], { facts: { names } }));

  it.each([
    ['as a reply had it', 'Ünïcode', 'pass', 'pass'],
    ['in another normal form', 'Ünïcode'.normalize('NFD'), 'violated', 'not exercised'],
    ['without its accents', 'Unicode', 'violated', 'not exercised'],
    ['with entities for its signs', 'A&amp;B', 'violated', 'not exercised'],
    ['in another letter case', 'tide race', 'violated', 'not exercised'],
    ['without its space', 'TideRace', 'violated', 'not exercised'],
    ['whose UTF-8 was decoded in parts', '\ufffd\ufffdn\ufffd\ufffdcode', 'violated', 'not exercised'],
    ['whose UTF-8 was read as Latin-1', 'Ã\u009cnÃ¯code', 'violated', 'not exercised'],
    ['that is known from elsewhere', 'Standard', 'not exercised', 'pass'],
    ['that nobody has', 'Moon Race', 'not exercised', 'violated'],
    ['that is encoded twice', '%C3%9Cn%C3%AFcode', 'not exercised', 'not exercised'],
    ['that is none', 'undefined', 'not exercised', 'not exercised'],
  ])('%s', (_, name, changed, madeUp) => {
    expect([asked('ADDR-NAME-001', name), asked('ADDR-NAME-002', name)]).toEqual([changed, madeUp]);
  });

  it.each([
    ['Ünïcode'.normalize('NFD'), 'in another Unicode normal form'],
    ['TideRace', 'with 0 space characters instead of 1'],
    ['Tide\u00a0Race', 'with other space characters'],
    ['\ufffd\ufffdn\ufffd\ufffdcode', 'U+FFFD'],
    ['Ã\u009cnÃ¯code', 'its UTF-8 read as Latin-1'],
  ])('%s is reported with what was changed in it', (name, expected) => {
    const run = runOf([['/league', league], [`/league/${encodeURIComponent(name)}`]], { facts: { names } });
    expect(findingOf('ADDR-NAME-001', run).violations[0]?.got).toContain(expected);
  });

  it('may be of another day, where no list was read', () => {
    expect(verdictOf('ADDR-NAME-002', runOf([['/league/Moon%20Race']], { facts: { names } }))).toBe('not exercised');
  });

  it('may be the id of a tab that was listed, and no other', () => {
    const tabs = new Map([['aaaaaaaaaa', undefined]]);
    const found = (id: string): string =>
      verdictOf(
        'ADDR-NAME-002',
        runOf([['/stash/Standard'], [`/stash/Standard/${id}`]], { facts: { tabs: () => tabs } }),
      );
    expect([found('AAAAAAAAAA'), found('bbbbbbbbbb')]).toEqual(['pass', 'violated']);
  });
});

describe('a tab and a league of another realm', () => {
  const tabs = (path: string) => [path, { reply: { stashes: [{ id: 'aaaaaaaaaa' }] } }] as const;
  const leagues = (path: string, ...ids: string[]) =>
    [path, { reply: { leagues: ids.map((id) => ({ id })) } }] as const;
  const none = { reply: { stash: null } };
  const there = { reply: { stash: { id: 'aaaaaaaaaa' } } };
  const judged = (...asked: Parameters<typeof runOf>[0]): string => verdictOf('ADDR-REALM-003', runOf(asked));
  it.each([
    ['asked for in its own', judged(tabs('/stash/xbox/A'), ['/stash/xbox/A/aaaaaaaaaa', there]), 'pass'],
    ['asked for in another', judged(tabs('/stash/A'), ['/stash/xbox/A/aaaaaaaaaa', none]), 'violated'],
    ['that is there too', judged(tabs('/stash/A'), ['/stash/xbox/A/aaaaaaaaaa', there]), 'pass'],
    ['that no list had', judged(tabs('/stash/A'), ['/stash/xbox/A/bbbbbbbbbb', none]), 'not exercised'],
    [
      'whose passives are asked for without its realm',
      judged(leagues('/account/leagues', 'A'), leagues('/account/leagues/xbox', 'B'), ['/league-account/B']),
      'violated',
    ],
    [
      'which may be in the other realm as well',
      judged(leagues('/account/leagues/xbox', 'B'), ['/league-account/B']),
      'pass',
    ],
    [
      'which is in both',
      judged(leagues('/account/leagues', 'B'), leagues('/account/leagues/xbox', 'B'), ['/league-account/B']),
      'pass',
    ],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('a character of another realm', () => {
  const id = 'a'.repeat(64);
  const list = ['/character/xbox', { reply: { characters: [{ id, name: 'Anna', class: 'Witch' }] } }] as const;
  const there = { reply: { character: { name: 'Anna' } } };
  const none = { reply: { character: null } };
  const judged = (row: string, ...asked: Parameters<typeof runOf>[0]): string =>
    verdictOf(row, runOf([list, ...asked], { facts: { names: new Set(['Anna']) } }));
  it.each([
    ['in its own', judged('ADDR-REALM-003', ['/character/xbox/Anna', there]), 'pass'],
    ['that has the same name there', judged('ADDR-REALM-003', ['/character/Anna', there]), 'pass'],
    [
      'looked for everywhere',
      judged('ADDR-REALM-003', ['/character/Anna', none], ['/character/xbox/Anna', there]),
      'pass',
    ],
    ['without its realm', judged('ADDR-REALM-003', ['/character/Anna', none]), 'violated'],
    ['that no list named', judged('ADDR-REALM-003', ['/character/Bert', none]), 'not exercised'],
    ['by its id', judged('ADDR-NAME-001', [`/character/xbox/${id}`, none]), 'violated'],
    ['by its class', judged('ADDR-NAME-002', ['/character/xbox/Witch', none]), 'violated'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});
