import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { cellCommand, changesOf, differenceOf, standingOf, textOf } from './cell.js';
import { committedFiles } from './files.js';
import { cellOf, rebuiltText } from './rebuild.js';
import type { Cell, Run } from './run.js';
import { doubts, folder, isEdited, isOld, latest, nameOf, readRun, sealed, storedRuns } from './run.js';
import { pageName, siteOf } from './site.js';
import { sources } from './sources.js';
import { workingTree } from './tree.js';

const digests = { suite: 'a'.repeat(64), contract: 'b'.repeat(64), target: 'c'.repeat(64) };

const run = (cells: Run['cells'], rest: Partial<Run> = {}): Run =>
  sealed({
    kind: 'server',
    subject: { id: 'one', name: '<One>', version: '1.0.0', language: 'Go' },
    date: '2026-11-24T10:00:00.000Z',
    commit: 'd'.repeat(40),
    version: '0.1.0',
    digests,
    seconds: 3,
    cells,
    causes: [],
    ...rest,
  });

const cell: Cell = { passed: ['TOK-A-001'], failed: ['TOK-A-002'], warned: [], unjudged: ['TOK-A-003'] };

describe('a run', () => {
  const one = run({ 'TOK-A': cell });

  it('is read from its file, and no other file is', () => {
    expect(readRun(JSON.stringify(one), 'one.json')).toEqual(one);
    expect(() => readRun(JSON.stringify({ ...one, kind: 'guess' }), 'one.json')).toThrow(
      'one.json/kind: must be equal to one of',
    );
  });

  it('is known to be edited, old or out of date', () => {
    const now = { date: new Date('2026-11-25T00:00:00Z'), digests };
    expect(doubts(one, now)).toEqual([]);
    expect(isEdited({ ...one, cells: { 'TOK-A': { ...cell, failed: [] } } })).toBe(true);
    expect(isOld(one, new Date('2027-02-22T10:00:00Z'))).toBe(false);
    expect(isOld(one, new Date('2027-02-22T10:00:01Z'))).toBe(true);
    expect(
      doubts(
        { ...one, seconds: 1 },
        { date: new Date('2028-01-01T00:00:00Z'), digests: { ...digests, suite: 'e', target: 'f' } },
      ),
    ).toEqual([
      'edited: the file is not as the run wrote it',
      'older than 90 days',
      'out of date: suite and target changed since',
    ]);
  });

  it('is compared with the one before of the same subject', () => {
    const before = run(
      { 'TOK-A': { ...cell, passed: ['TOK-A-001', 'TOK-A-002'], failed: [] } },
      { date: '2026-11-23T10:00:00.000Z' },
    );
    const other = run({}, { subject: { ...one.subject, id: 'other' } });
    const [first, second] = latest([one, other, before]);
    expect([first?.run, first?.before, second?.before]).toEqual([one, before, undefined]);
    expect(changesOf(before, one)).toEqual(['TOK-A: TOK-A-002 passed -> failed']);
  });
});

describe('a cell', () => {
  it.each<[Cell, string, string]>([
    [cell, 'bad', '1 of 2'],
    [{ passed: ['a'], warned: ['b'] }, 'fair', '1 of 2'],
    [{ passed: ['a'] }, 'good', '1 of 1'],
    [{ passed: [], unjudged: ['a'] }, 'none', 'not judged'],
    [{ failed: ['a'], warned: ['b', 'c'] }, 'bad', '1 failed, 2 warned'],
    [{ failed: [], warned: [] }, 'none', 'no finding'],
    [{ text: 'yes' }, 'good', 'yes'],
    [{ text: 'not reached' }, 'bad', 'not reached'],
    [{ text: '5' }, 'none', '5'],
  ])('%j stands %s and says %s', (one, standing, text) => {
    expect([standingOf(one), textOf(one)]).toEqual([standing, text]);
  });

  it('differs in what stands elsewhere, whether passed rows are named or not', () => {
    expect(differenceOf({ text: '5' }, { text: '6' })).toEqual(['5 -> 6']);
    expect(differenceOf(cell, cell)).toEqual([]);
    expect(differenceOf({ failed: ['a'] }, { failed: [], warned: ['b'] })).toEqual([
      'a failed -> passed',
      'b passed -> warned',
    ]);
    expect(differenceOf({ passed: ['a'] }, { passed: ['a', 'b'] })).toEqual(['b gone -> passed']);
  });

  it('has a command, which names it', () => {
    expect(cellCommand(run({}), 'TOK-A')).toBe('npm run results -- --rebuild server/one/TOK-A');
    expect(cellCommand(run({}), 'log in: code')).toBe("npm run results -- --rebuild 'server/one/log in: code'");
  });
});

describe('a name of a cell', () => {
  const [known] = latest(storedRuns());
  const { kind, subject, cells } = known!.run;

  it('leads to the run and to what runs it again', () => {
    const [column = ''] = Object.keys(cells);
    const found = cellOf(`${kind}/${subject.id}/${column}`, storedRuns());
    expect([found.column, found.source.id]).toEqual([column, subject.id]);
  });

  it.each([
    ['server/none/TOK', /no run of server\/none; there are .*server\//],
    [`${kind}/${subject.id}/NONE`, /has no cell NONE; there are /],
  ])('%s says what there is', (name, message) => {
    expect(() => cellOf(name, storedRuns())).toThrow(message);
  });

  it('is told equal where nothing but what varies differs', () => {
    const compared = { was: cell, is: cell, differences: [], varying: ['TOK-A-001 passed -> failed'] };
    expect(rebuiltText('server/one/TOK-A', compared)).toBe(
      'server/one/TOK-A: equal; published 1 of 2, now 1 of 2\n  TOK-A-001 passed -> failed, which varies from run to run',
    );
  });
});

describe('the site', () => {
  const doubtful = {
    run: run({ 'TOK-A': cell }, { causes: [{ rows: ['TOK-A-002'], class: 'deviation', why: 'By <design>.' }] }),
    before: undefined,
    doubts: ['older than 90 days'],
  };
  const pages = siteOf([doubtful], () => ({ level: 'MUST', sentence: 'It holds.' }));

  it('leads from each cell to its evidence and its command', () => {
    expect(pages.get('index.html')).toContain('<a href="server-one.html#TOK-A">1 of 2</a>');
    const page = pages.get('server-one.html');
    expect(page).toContain('<h2 id="TOK-A">');
    expect(page).toContain('npm run results -- --rebuild server/one/TOK-A');
    expect(page).toContain('<b>TOK-A-002</b> MUST: It holds.<p class="cause"><b>deviation</b>: By &lt;design&gt;.</p>');
  });

  it('says of each run why to doubt it, and runs no script', () => {
    for (const html of pages.values()) {
      expect(html).toContain('older than 90 days');
      expect(html).not.toMatch(/<script|<One>|https?:\/\/(?!www\.w3\.org)/);
    }
  });
});

describe('the published runs', () => {
  const runs = storedRuns();
  const shown = latest(runs);
  const number = (...kinds: readonly string[]): number =>
    shown.filter(({ run: { kind } }) => kinds.includes(kind)).length;

  it('are of twelve servers and twenty clients and libraries at least, and have machines', () => {
    expect(number('server')).toBeGreaterThanOrEqual(12);
    expect(number('client', 'library')).toBeGreaterThanOrEqual(20);
    expect(number('machine')).toBeGreaterThan(0);
  });

  it('are as they were written, under their names', () => {
    for (const name of readdirSync(folder)) {
      const one = readRun(readFileSync(join(folder, name), 'utf8'), name);
      expect([name, isEdited(one)]).toEqual([nameOf(one), false]);
    }
  });

  it('have links in the site that lead to pages and places of it', () => {
    const pages = siteOf(
      shown.map((one) => ({ ...one, doubts: [] })),
      () => undefined,
    );
    expect(pages.size).toBe(shown.length + 1);
    for (const [, name = '', place = ''] of pages.get('index.html')!.matchAll(/href="([^"#]+[.]html)#([^"]+)"/g))
      expect(pages.get(name), name).toContain(`id="${place}"`);
    for (const one of shown) expect([...pages.keys()]).toContain(pageName(one.run));
  });

  it('are what the pages of research show; npm run results takes what is new there', () => {
    for (const source of sources()) {
      const published = source.run(readFileSync(source.file, 'utf8'), source.file, workingTree);
      const taken = shown.find(({ run: { kind, subject } }) => kind === source.kind && subject.id === source.id);
      if (published) expect(taken?.run.cells, `${source.kind} ${source.id}`).toEqual(published.cells);
    }
  });

  it('are what docs/results.md and its picture show; npm run results writes them', async () => {
    for (const [file, text] of await committedFiles(shown)) expect(readFileSync(file, 'utf8'), file).toBe(text);
  });
});
