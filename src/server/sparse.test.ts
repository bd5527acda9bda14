import { expect, it } from 'vitest';

import { deref, schemas } from '../contract/index.js';
import { isDispensable, sparse } from './sparse.js';

/** The members of a schema that may be missing. */
const missing = (name: string, form: Parameters<typeof sparse>[2]): readonly string[] => {
  const { schema } = deref(schemas[name]!);
  return Object.keys(schema.properties ?? {}).filter((key) => isDispensable(name, key, schema, form));
};

it('leaves out what the contract does not require, and nothing else says to be there', () => {
  expect(missing('FilterValidation', 'absent')).toEqual(['version', 'validated']);
  expect(missing('ItemFilter', 'absent')).toEqual([]);
  expect(missing('Passives', 'absent')).not.toContain('hashes_ex');
  expect(missing('PassiveNode', 'absent')).toContain('skill');
  expect(missing('PassiveNode', 'absent')).not.toContain('out');
  expect(missing('Character', 'absent')).toEqual(expect.arrayContaining(['league', 'rucksack', 'jewels']));
  expect(missing('Character', 'absent')).not.toContain('equipment');
  expect(missing('StashTab', 'absent')).not.toContain('children');
  expect(missing('Item', 'absent')).toEqual(expect.arrayContaining(['id', 'sockets', 'explicitMods', 'extended']));
});

it('leaves flags as they are', () => {
  expect(missing('PvPMatch', 'absent')).not.toContain('upcoming');
  expect(missing('Item', 'null')).not.toContain('corrupted');
});

it('makes null only what may be null', () => {
  expect(missing('Passives', 'null')).toContain('bandit_choice');
  expect(missing('Passives', 'null')).not.toContain('hashes_ex');
});

it('leaves them out wherever the object is, or makes them null', () => {
  const body = JSON.stringify({ uuid: 'u', name: 'n', locale: 'en_US' });
  expect(JSON.parse(sparse(body, 'getProfile', 'absent'))).toEqual({ uuid: 'u', name: 'n' });
  expect(JSON.parse(sparse(body, 'getProfile', 'null'))).toEqual({ uuid: 'u', name: 'n', locale: null });
});

it('keeps objects and lists where only what is inmost goes', () => {
  const rules = [{ id: 'a', name: 'A', description: 'is a' }];
  const body = JSON.stringify({ league: { id: 'x', rules, url: 'https://x.example' } });
  const league = { id: 'x', rules: [{ id: 'a', name: 'A' }] };
  expect(JSON.parse(sparse(body, 'getLeague', 'inner absent'))).toEqual({ league });
  expect(JSON.parse(sparse(body, 'getLeague', 'absent'))).toEqual({ league: { id: 'x' } });
});
