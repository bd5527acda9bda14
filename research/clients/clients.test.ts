import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { formatted } from '../../scripts/formatted.js';
import { auditLedger } from '../../conformance/audit/ledger.js';
import { readSurvivors } from '../mutate/reasons.js';
import { audited, auditedCopies, classes, filesOf, listed } from './client.js';
import { scores } from './mutants/mutate.js';
import { pageOf } from './page.js';

const all = audited();
const copies = auditedCopies();
const entries = [...all, ...copies.map((one) => ({ ...one, name: `${one.name} in several copies` }))];
const found = listed();
const ids = new Set(auditLedger.map(({ id }) => id));

describe.each(entries)('$name', ({ client, results }) => {
  it('has each finding explained once, by the library or by its example', () => {
    const explained = client.causes.flatMap(({ rows }) => rows);
    expect(explained.toSorted()).toEqual(Object.keys(results.rows).toSorted());
    for (const cause of client.causes) {
      expect(classes).toContain(cause.class);
      expect(cause.why).toMatch(/\S{3}.*[.]$/s);
    }
  });

  it('is judged, by rows of the ledger', () => {
    expect(results.judged).toBeGreaterThan('cache' in client ? 4 : 60);
    for (const id of Object.keys(results.rows)) expect(ids).toContain(id);
  });

  it('is pinned to the version that is published', () => {
    const text = filesOf(client.folder);
    expect(text).toContain(client.package);
    expect(text).toContain(client.version);
  });
});

it('has results of every client, at least twelve in at least five languages', () => {
  expect(all.map(({ name }) => name)).toEqual(Object.keys(found.clients));
  expect(all.length).toBeGreaterThanOrEqual(12);
  expect(new Set(all.map(({ language }) => language)).size).toBeGreaterThanOrEqual(5);
});

it('has results of several copies of every client with a cache, at least six', () => {
  expect(copies.map(({ name }) => name)).toEqual(Object.keys(found.copies));
  expect(copies.length).toBeGreaterThanOrEqual(6);
});

it('fails a client that does not store what its session refreshed', () => {
  const google = copies.find(({ name }) => name === 'google-auth-python');
  expect(google?.results.rows).toMatchObject({ 'COPY-USED-001': 'fail', 'COPY-STORED-001': 'warn' });
});

it('fails a client that checks nothing', () => {
  const go = all.find(({ name }) => name === 'go');
  expect(go?.results.rows).toMatchObject({ 'AUTH-STATE-003': 'fail', 'AUTH-ERROR-001': 'fail' });
});

it('names only rows of the ledger', () => {
  for (const { rows } of [...found.falseAlarms, ...found.misses]) for (const row of rows) expect(ids).toContain(row);
});

it('tried mutants of at least three clients', () => {
  const tried = scores().map(({ results }) => results.length);
  expect(tried.length).toBeGreaterThanOrEqual(3);
  expect(Math.min(...tried)).toBeGreaterThanOrEqual(10);
});

it('has its page up to date, with a reason for each survivor', async () => {
  const file = 'research/clients/README.md';
  const text = pageOf(all, copies, found, scores(), readSurvivors('research/clients/survivors.yaml'));
  const page = await formatted(file, text);
  expect(readFileSync(file, 'utf8'), 'run `npm run clients -- --page`').toBe(page);
});
