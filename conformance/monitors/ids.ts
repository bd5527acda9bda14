import type { JsonObject } from '../json.js';
import { clipped } from '../wire/bounds.js';
import type { Reply } from './reply.js';
import { replies } from './rule.js';
import type { Listener, MonitorRow } from './rule.js';
import type { Findings } from './findings.js';
import type { Cursor } from './cursor.js';
import { elements, own, show } from './values.js';

/** Ids that occur more than once in a list, each with the index where it occurs again. */
function repeated(
  list: readonly unknown[],
  of: (element: unknown) => unknown,
): readonly (readonly [id: string, index: number])[] {
  if (list.length < 2) return [];
  const seen = new Set<string>();
  const again: [string, number][] = [];
  for (let index = 0; index < list.length; index += 1) {
    const id = of(list[index]);
    if (typeof id !== 'string') continue;
    if (seen.has(id)) again.push([id, index]);
    seen.add(id);
  }
  return again;
}

/** An id of 64 hexadecimal digits, whose letter case makes no difference; undefined for anything else. */
const hexId = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9A-Fa-f]{64}$/.test(value) ? value.toLowerCase() : undefined;

/** That no id occurs twice in the list of a reply. */
function distinct({ body, answer }: Reply, wrapper: string, findings: Findings): void {
  const list = elements(own(body, wrapper));
  if (list.length > 1) findings.look();
  for (const [id, index] of repeated(list, (element) => own(element, 'id'))) {
    findings.fail('ids that are unique in the list', `$.${wrapper}[${index}].id is ${show(id)} again`, answer);
  }
}

/** Items of a collection with those in their sockets, which are in it as well. */
const withSocketed = (list: readonly unknown[], depth = 0): readonly unknown[] =>
  depth > 8 ? [] : list.flatMap((item) => [item, ...withSocketed(elements(own(item, 'socketedItems')), depth + 1)]);

/** How many ids are remembered over a run. */
const remembered = 50_000;

/** The name of each character by its id, as far as the run has shown it. */
class CharacterNames {
  private readonly byId = new Map<string, string>();

  /** The other name that the id has had, if it had one. */
  other(value: JsonObject, findings: Findings): string | undefined {
    const id = hexId(own(value, 'id'));
    const name = own(value, 'name');
    if (id === undefined || typeof name !== 'string' || name === '') return undefined;
    const short = clipped(name, 200);
    const before = this.byId.get(id);
    if (before !== undefined) findings.look();
    else if (this.byId.size < remembered) this.byId.set(id, short);
    return before === undefined || before === short ? undefined : before;
  }
}

const sameName = (value: JsonObject, at: Cursor, findings: Findings, names: CharacterNames): void => {
  const other = names.other(value, findings);
  if (other !== undefined) {
    findings.fail(
      'one name for one character id',
      `${at.got(own(value, 'name'), 'name')}, elsewhere ${show(other)}`,
      at,
    );
  }
};

/** The arrays of items that an object holds, by its schema. */
const collections: Readonly<Record<string, readonly string[]>> = {
  Character: ['equipment', 'skills', 'inventory', 'rucksack', 'jewels'],
  StashTab: ['items'],
  ListedStash: ['items'],
  Item: ['socketedItems'],
};

const idOf = (element: unknown): unknown => own(element, 'id');

/** No two elements of a list have one id. `below` leads from the object to the list. */
function distinctIds(
  list: readonly unknown[],
  of: (element: unknown) => unknown,
  at: Cursor,
  findings: Findings,
  ...below: string[]
): void {
  if (list.length > 1) findings.look();
  for (const [, index] of repeated(list, (element) => hexId(of(element)))) {
    findings.fail(
      'ids that stand for one thing only',
      `${at.got(of(list[index]), ...below, index)}, as an earlier one is`,
      at,
    );
  }
}

/** No item in a socket has the id of another item of the list. Ids that repeat in the list itself are left to `distinctIds`. */
function distinctInSockets(list: readonly unknown[], at: Cursor, findings: Findings, name: string): void {
  if (repeated(list, (item) => hexId(idOf(item))).length > 0) return;
  const [first] = repeated(withSocketed(list), (item) => hexId(idOf(item)));
  if (!first) return;
  findings.fail(
    'ids that stand for one thing only, items in sockets included',
    `${at.here()}.${name} has ${show(first[0])} twice, at least once in a socket`,
    at,
  );
}

const distinctItems =
  (schema: string) =>
  (value: JsonObject, at: Cursor, findings: Findings): void => {
    for (const name of collections[schema] ?? []) {
      const list = value[name];
      if (!Array.isArray(list)) continue;
      distinctIds(list, idOf, at, findings, name);
      if (schema !== 'Item') distinctInSockets(list, at, findings, name);
    }
  };

function distinctCharacters({ operation, body, answer }: Reply, findings: Findings): void {
  if (operation !== 'listCharacters') return;
  const list = elements(body['characters']);
  if (list.length > 1) findings.look();
  for (const [id, index] of repeated(list, (entry) => hexId(idOf(entry)))) {
    findings.fail(
      'ids that stand for one thing only',
      `$.characters[${index}].id is ${show(id)}, as an earlier one is`,
      answer,
    );
  }
}

function uniqueIds(): Listener {
  const names = new CharacterNames();
  return {
    reply: distinctCharacters,
    objects: {
      Character: (value, at, findings) => {
        distinctItems('Character')(value, at, findings);
        sameName(value, at, findings, names);
      },
      StashTab: distinctItems('StashTab'),
      ListedStash: distinctItems('ListedStash'),
      Item: distinctItems('Item'),
      LadderPage: ({ entries }, at, findings) =>
        distinctIds(elements(entries), (entry) => idOf(own(entry, 'character')), at, findings, 'entries'),
    },
  };
}

/** Rows of ids, within a list and over the run (interface 2). */
export const ids: readonly MonitorRow[] = [
  {
    id: 'GEN-013',
    level: 'MUST',
    sentence:
      'Ids called unique do not repeat for two different things: within one character list, one ladder page, one item collection.',
    source: '2',
    rule: uniqueIds,
  },
  {
    id: 'XF-002',
    level: 'INFER',
    sentence: 'The same character.id has the same name in ladders, PvP ladders and character lists.',
    source: '2',
    plausible: 'a ladder may keep the name that a character had then',
    rule: () => {
      const names = new CharacterNames();
      const judge = (value: JsonObject, at: Cursor, findings: Findings): void => sameName(value, at, findings, names);
      return { objects: { LadderCharacter: judge, 'PvPLadderTeamMember.character': judge, Character: judge } };
    },
  },
  {
    id: 'LEAGUE-LIST-009',
    level: 'INFER',
    sentence: 'Ids of leagues are unique within the list of a realm.',
    source: '2',
    entailed: '2, 4.2: the id is the name by which a league is looked up',
    needs: ['client:service'],
    rule: replies(['listLeagues', 'listAccountLeagues'], (reply, findings) => distinct(reply, 'leagues', findings)),
  },
  {
    id: 'FILTER-LIST-004',
    level: 'INFER',
    sentence: 'Ids of filters are unique within the list.',
    source: '4.2',
    entailed: '4.2: an id looks up one filter',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: replies(['listItemFilters'], (reply, findings) => distinct(reply, 'filters', findings)),
  },
];
