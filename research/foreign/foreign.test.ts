import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { formatted } from '../../scripts/formatted.js';
import { ledger } from '../../conformance/ledger.gen.js';
import { differencesOf, machinesPage, storedMachines } from './machines.js';
import { pageOf, rowsOf, testedRows, unoffered } from './page.js';
import { classes, entries, falseAlarms, folder, onboardings, serverNames } from './server.js';

const servers = entries();
const sorted = (ids: readonly string[]): readonly string[] => [...ids].sort();

describe.each(servers)('$name', ({ name, server, results }) => {
  it('has each red row explained once, by a deviation or a defect', () => {
    const red = rowsOf(results, 'fail');
    const explained = server.causes.flatMap(({ rows, varies }) => rows.filter((row) => red.includes(row) || !varies));
    expect(sorted(explained)).toEqual(sorted(red));
    for (const cause of server.causes) {
      expect(classes).toContain(cause.class);
      expect(cause.why).toMatch(/\S{3}.*[.)"]$/s);
    }
  });

  it('has each row that was not judged explained', () => {
    const open = rowsOf(results, 'could not run', 'not exercised', 'not applicable', 'suite error');
    const explained = (server.unjudged ?? []).flatMap(({ rows }) => rows);
    expect(sorted([...explained, ...unoffered])).toEqual(sorted(open));
  });

  it('was tested against every row of authorization', () => {
    expect(results.passed + Object.keys(results.rows).length).toBe(testedRows.length);
    for (const id of Object.keys(results.rows)) expect(testedRows).toContain(id);
  });

  it('is pinned to the version that is published', () => {
    const manifest = readdirSync(join(folder, name)).find((file) =>
      ['package.json', 'requirements.txt', 'go.mod', 'pom.xml', 'Gemfile'].includes(file),
    );
    const text = readFileSync(join(folder, name, manifest ?? 'a manifest'), 'utf8');
    expect(text).toContain(server.package);
    expect(text).toContain(server.version);
  });
});

it('has results of every server, at least twelve in at least six languages', () => {
  expect(servers.map(({ name }) => name)).toEqual(serverNames());
  expect(servers.length).toBeGreaterThanOrEqual(12);
  expect(new Set(servers.map(({ server }) => server.language)).size).toBeGreaterThanOrEqual(4);
});

it('fails a server that checks nothing', () => {
  const mock = servers.find(({ name }) => name === 'oauth2-mock-server');
  const red = mock ? rowsOf(mock.results, 'fail') : [];
  // Codes and clients unchecked, PKCE downgraded, refresh tokens reused, revocation and introspection without effect.
  for (const row of ['AUTH-CODE-013', 'AUTH-REDIR-003', 'AUTH-PKCE-001', 'TOK-REFRESH-004', 'REV-003', 'INTRO-004'])
    expect(red).toContain(row);
});

it('names only rows of the ledger', () => {
  const ids = ledger.map(({ id }) => id as string);
  for (const { rows } of falseAlarms()) for (const row of rows) expect(ids).toContain(row);
});

it('has its page up to date', async () => {
  const file = 'research/foreign/README.md';
  const page = await formatted(file, pageOf(servers, falseAlarms(), onboardings()));
  expect(readFileSync(file, 'utf8'), 'run `npm run foreign -- --page`').toBe(page);
});

describe('the machines', () => {
  const machines = storedMachines();

  it('are of eight servers or more, learned to their end, and their page is up to date', async () => {
    expect(machines.filter(({ stored }) => stored.complete).length).toBeGreaterThanOrEqual(8);
    const file = 'research/foreign/machines/README.md';
    const page = await formatted(file, await machinesPage(machines));
    expect(readFileSync(file, 'utf8'), 'run `npm run foreign -- --machine --page`').toBe(page);
  });

  it.each(machines)(
    '$name fails LIFE-009 just where its machine violates it, and is certified just where it does not',
    async ({ stored, server }) => {
      // Who answers one sequence in two ways, now and then, may have been met in one of the two runs alone.
      if (server.causes.some(({ rows, varies }) => varies && rows.includes('LIFE-009'))) return;
      if (!stored.complete) return expect(stored.certificate).toBeNull();
      const wrong = (await differencesOf(stored)).some(({ class: kind }) => kind === 'violation');
      expect([stored.rows['LIFE-009'] === 'fail', stored.certificate?.withheld !== undefined]).toEqual([wrong, wrong]);
    },
  );
});
