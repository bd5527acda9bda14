import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';

import type { Document } from '../scripts/generate/document.js';
import type { Gap } from '../scripts/generate/prose.js';
import { chaptersOf, declaredRows, ledgerRows } from '../scripts/generate/ledger.js';
import { fieldRows, fieldsFile } from '../scripts/generate/ledger-fields.js';
import { propertiesAt } from '../scripts/generate/places.js';
import type { SchemaNode } from '../src/contract/index.js';
import { isAddition, operationList, replySchemas, schemas } from '../src/contract/index.js';
import { groups } from './checks/index.js';
import { places } from './requirements/groups.js';
import { contractHash, contractVersion, ledger } from './ledger.gen.js';

const contractText = readFileSync('dist/openapi/openapi.json', 'utf8');
const contract = JSON.parse(contractText) as Document;
const gaps = parse(readFileSync('openapi/gaps.yaml', 'utf8')) as Gap[];

describe('the ledger', () => {
  it('is what stands beside the checks and rules', async () => {
    const { flags } = parse(readFileSync('openapi/editions.yaml', 'utf8')) as { flags: { flag: string }[] };
    const law = { contract, gaps, flags: flags.map(({ flag }) => flag) };
    const rows = ledgerRows(await declaredRows(), fieldRows(readFileSync(fieldsFile, 'utf8'), law), law);
    expect(ledger, 'run `npm run generate`').toEqual(rows);
  });

  it('names the contract that it was made for', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect([contractVersion, version]).toEqual([contract.info.version, contract.info.version]);
    expect(contractHash).toBe(createHash('sha256').update(contractText).digest('hex'));
  });

  it('leads to places that exist: chapters and operations of the documentation, pointers into the contract', () => {
    const operations = Object.values(contract.paths).flatMap((item) => [item.get, item.post]);
    const anchors = new Set([
      ...chaptersOf(contract.info.description),
      ...operations.map((operation) => anchorOf(operation?.tags?.[0], operation?.operationId)),
    ]);
    for (const row of ledger) {
      const [page, anchor] = row.link.split('#');
      expect(page).toBe('dist/docs/index.html');
      expect(anchors, row.id).toContain(anchor);
      const pointers = [row.pointer, ...(row.how === 'monitor' ? (row.properties ?? []) : [])];
      for (const pointer of pointers)
        if (pointer !== undefined) expect(at(pointer), `${row.id}: ${pointer}`).toBeDefined();
    }
  });

  it('says that no webhooks and no callbacks exist (GEN-019)', () => {
    expect(contract).not.toHaveProperty('webhooks');
    expect(contractText).not.toContain('"callbacks"');
  });
});

const anchorOf = (tag = '', id = ''): string => `/${tag.toLowerCase().replaceAll(' ', '-')}/${id.toLowerCase()}`;

const at = (pointer: string): unknown =>
  pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, token) => (node as Record<string, unknown> | undefined)?.[token], contract);

/** Properties of replies that have no row of a field: schemas and places, with the rows that speak of them. */
const apart: Readonly<Record<string, string>> = {
  OAuthError: 'RFC 6749 has its fields, and AUTH-ERR-002, TOK-ERR-001 and REV-015 hold it',
  IntrospectionResponse: 'RFC 7662 has its fields, and INTRO-003 to INTRO-013 hold them',
  DataError: 'the interface does not show it (K-067); ERR-003 notes what is met',
  Error: 'the interface does not show its fields (K-067)',
  Specialisations: 'its keys are those of a dictionary; CHAR-PASS-004 and ED-007 hold them',
  'updateItemFilter.error': 'FILTER-UPDATE-005',
};

describe('properties of replies', () => {
  it('have each a row, or a reason to have none', () => {
    const held = new Set(ledger.flatMap((row) => (row.how === 'monitor' ? (row.properties ?? []) : [])));
    const bare = [...replyPlaces()].filter(
      (place) => !held.has(propertiesAt(contract, place)[0]?.pointer ?? '') && !isJudgedWrapper(place),
    );
    const reasons = (place: string): string[] =>
      Object.keys(apart).filter((name) => place === name || place.startsWith(`${name}.`));
    expect(
      bare.filter((place) => reasons(place).length === 0),
      'give each a row in conformance/requirements/fields.yaml, or a reason here',
    ).toEqual([]);
    const needed = new Set(bare.flatMap(reasons));
    expect(Object.keys(apart).filter((name) => !needed.has(name))).toEqual([]);
  });

  it('name rows that exist as reasons', () => {
    const ids = Object.values(apart).flatMap((reason) => reason.match(/[A-Z]{2,}(-[A-Z]+)*-\d{3}/g) ?? []);
    for (const id of ids)
      expect(
        ledger.some((row) => row.id === id),
        id,
      ).toBe(true);
  });
});

/** Whether a property is the wrapper of a reply whose operation has checks of its own: they look into it. */
const isJudgedWrapper = (place: string): boolean =>
  operationList.some(({ logical, wrapper }) => place === `${logical}.${wrapper}` && checked.has(logical));

const checked = new Set<string | undefined>(
  places
    .filter(([, ...names]) =>
      ledger.some(({ id, how }) => how === 'check' && names.some((name) => id.replace(/-\d{3}$/, '') === name)),
    )
    .map(([{ operation }]) => operation),
);

/** Every property of every reply of status 200, and of the schemas that it reaches. */
function replyPlaces(): Set<string> {
  const places = new Set<string>();
  const seen = new Set<string>();
  const walk = (schema: SchemaNode, place: string): void => {
    const name = schema.$ref?.replace('#/components/schemas/', '');
    if (name !== undefined) {
      const target = schemas[name];
      if (!seen.has(name) && target) {
        seen.add(name);
        walk(target, name);
      }
      return;
    }
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      if (isAddition(property)) continue;
      places.add(`${place}.${key}`);
      walk(property, `${place}.${key}`);
    }
    const { items, additionalProperties } = schema;
    if (items) walk(items, `${place}[]`);
    if (typeof additionalProperties === 'object') walk(additionalProperties, `${place}{}`);
    for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.prefixItems ?? [])])
      if (branch['x-observed'] === undefined) walk(branch, place);
  };
  for (const [operation, replies] of Object.entries(replySchemas)) {
    for (const schema of Object.values(replies)) walk(schema, operation);
  }
  return places;
}

describe('what the interface leaves open', () => {
  it('is observed, and judged only by what a target declares of its server', () => {
    const open = groups.flatMap(({ checks }) => checks.filter(({ requirement }) => requirement.level === 'UNSPEC'));
    const judged = open.filter(({ observes }) => !observes).map(({ row }) => row);
    expect(judged).toEqual(['TOK-REFRESH-025', 'TOK-REFRESH-026']);
  });
});

describe('the snapshot', () => {
  const file = 'conformance/requirements/snapshot.json';
  const now = Object.fromEntries(
    ledger.map(({ id, level, statement }) => [
      id as string,
      createHash('sha256').update(`${level} ${statement}`).digest('hex').slice(0, 12),
    ]),
  );

  it('has every id, and none changed or gone by accident', () => {
    const remedy =
      'ids are never reused, and a row is better excluded than taken away; where an id is new, or a level or sentence ' +
      'changes on purpose, run `UPDATE_LEDGER=1 npx vitest run conformance/ledger.test.ts` and commit snapshot.json with it';
    const then = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
    const { reused, ...rest } = differences(then, now);
    expect(reused, 'an id that was taken away is not used again; take a new one').toEqual([]);
    if (process.env['UPDATE_LEDGER']) {
      writeFileSync(file, `${JSON.stringify(updated(then, now), null, 2)}\n`);
      console.log(`${file} is written anew`);
    } else {
      expect(rest, `${headlineOf(rest)}; ${remedy}`).toEqual({ gone: [], changed: [], added: [] });
    }
  });

  it('notices what is gone, changed, new and used again', () => {
    const then = { a: '1', b: '2', c: retired, d: retired };
    const later = { b: '3', c: '4', e: '5' };
    expect(differences(then, later)).toEqual({ gone: ['a'], changed: ['b'], added: ['e'], reused: ['c'] });
    expect(updated({ a: '1', b: '2' }, { b: '3' })).toEqual({ a: retired, b: '3' });
    expect(headlineOf({ gone: ['a'], changed: [], added: ['e', 'f'] })).toBe('gone: a; added: e, f');
  });
});

type Snapshot = Record<string, string>;

/** In the place of a hash: the id was taken away, and stays in the snapshot so that it is not used again. */
const retired = 'retired';

function differences(then: Snapshot, now: Snapshot): Record<'gone' | 'changed' | 'added' | 'reused', string[]> {
  const both = Object.keys(then).filter((id) => id in now && now[id] !== then[id]);
  return {
    gone: Object.keys(then).filter((id) => !(id in now) && then[id] !== retired),
    changed: both.filter((id) => then[id] !== retired),
    added: Object.keys(now).filter((id) => !(id in then)),
    reused: both.filter((id) => then[id] === retired),
  };
}

/** The ids that differ, by what became of them: `gone: A-1; added: B-2, B-3`. */
const headlineOf = (differing: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(differing)
    .filter(([, ids]) => ids.length > 0)
    .map(([what, ids]) => `${what}: ${ids.join(', ')}`)
    .join('; ');

const updated = (then: Snapshot, now: Snapshot): Snapshot => ({
  ...Object.fromEntries(Object.keys(then).map((id) => [id, retired])),
  ...now,
});
