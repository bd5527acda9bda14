import { schemas } from '../../src/contract/index.js';
import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';
import { isItself } from './stashes.js';
import { decimal, elements, given, own, show } from './values.js';
import type { Reply } from './reply.js';
import type { Listener, RuleContext } from './rule.js';
import type { Findings } from './findings.js';
import type { Cursor } from './cursor.js';

type Judge = (value: JsonObject, at: Cursor, findings: Findings) => void;

const isDigits = (value: unknown): boolean => typeof value === 'string' && decimal.test(value);

/** Members of an item that are lists of modifiers. */
const modifierLists = Object.entries(schemas['Item']?.properties ?? {}).flatMap(([name, { items }]) =>
  items && items.$ref?.endsWith('/Modifier') ? [name] : [],
);

/**
 * What each flag promises of the objects of a schema. That support may be false, a colour short and a member there that
 * the description does not have promises nothing.
 */
const promises: Readonly<Record<string, readonly [schema: string, judge: (fail: Fail) => Judge]>> = {
  'F-OBS-SKILL': [
    'JewelSubgraph',
    (fail) => (graph, at, findings) => {
      const nodes = graph['nodes'];
      for (const [id, node] of isObject(nodes) ? Object.entries(nodes) : []) {
        const skill = own(node, 'skill');
        if (!given(skill)) continue;
        findings.look();
        if (!isDigits(skill)) fail(findings, at, 'a string of digits', at.got(skill, 'nodes', id, 'skill'));
      }
    },
  ],
  'F-OBS-EXPANSION': [
    'ExpansionJewel',
    (fail) => (socket, at, findings) => {
      for (const name of ['proxy', 'parent']) {
        const node = own(socket, name);
        if (!given(node)) continue;
        findings.look();
        if (!isDigits(node)) fail(findings, at, 'a string of digits', at.got(node, name));
      }
    },
  ],
  'F-OBS-OVERRIDE': [
    'Passives',
    (fail) => (passives, at, findings) => {
      const overrides = passives['skill_overrides'];
      for (const [id, node] of isObject(overrides) ? Object.entries(overrides) : []) {
        findings.look();
        for (const name of ['out', 'in', 'skill', 'recipe', 'ascendancyName', 'isMultipleChoice']) {
          const edges = own(node, name);
          if (edges !== undefined) fail(findings, at, `no ${name}`, at.got(edges, 'skill_overrides', id, name));
        }
      }
    },
  ],
  'F-OBS-PROXY': [
    'PassiveGroup',
    (fail) => (group, at, findings) => {
      findings.look();
      const [mark, proxy] = [own(group, 'isProxy'), own(group, 'proxy')];
      if (mark !== undefined) fail(findings, at, 'no isProxy', at.got(mark, 'isProxy'));
      if (typeof proxy !== 'string') fail(findings, at, 'a string', at.got(proxy, 'proxy'));
    },
  ],
  'F-OBS-UNLISTED': [
    'UnlistedStash',
    (fail) => (change, at, findings) => {
      findings.look();
      for (const name of ['accountName', 'stash', 'stashType', 'league', 'items']) {
        const value = own(change, name);
        const expected = unlistedForm(name, value);
        if (expected !== undefined) fail(findings, at, expected, at.got(value, name));
      }
    },
  ],
  'F-OBS-MODIFIER': [
    'Item',
    (fail) => (item, at, findings) => {
      if (at.reply.game !== 'g1') return;
      for (const name of modifierLists) {
        for (const [index, modifier] of elements(own(item, name)).entries()) {
          findings.look();
          if (!isObject(modifier)) fail(findings, at, 'an object with description', at.got(modifier, name, index));
        }
      }
    },
  ],
};

/** What a member of an unlisted stash is to be, where it is something else. */
function unlistedForm(name: string, value: unknown): string | undefined {
  if (name === 'stashType') return typeof value === 'string' ? undefined : 'a string';
  if (name === 'items') return Array.isArray(value) && value.length === 0 ? undefined : 'an empty array';
  return value === null || (name === 'league' && typeof value === 'string') ? undefined : 'null';
}

type Fail = (findings: Findings, at: Cursor, expected: string, got: string) => void;

const failing =
  (flag: string): Fail =>
  (findings, at, expected, got) =>
    findings.fail(`${expected}, since ${flag} is declared on`, got, at);

/** That the page of a ladder is beside its league or match; of an event's ladder no capture tells. */
function besideWrapper({ operation, body, answer }: Reply, findings: Findings): void {
  const wrapper = { getLeagueLadder: 'league', getPvpMatchLadder: 'match' }[operation as string];
  if (wrapper === undefined || (!given(own(body, wrapper)) && !given(own(body, 'ladder')))) return;
  findings.look();
  if (!Array.isArray(own(own(body, 'ladder'), 'entries'))) {
    const keys = Object.keys(body).join(', ');
    findings.fail(
      'the page in ladder, since F-OBS-LADDER is declared on',
      `a body with ${keys} and no page there`,
      answer,
    );
  }
}

/** That a sub-tab comes as itself. */
function asItself(reply: Reply, findings: Findings): void {
  const { operation, args, body, answer } = reply;
  const stash = own(body, 'stash');
  if (!['getStash', 'getGuildStash'].includes(operation) || args['substash_id'] === undefined || !given(stash)) return;
  findings.look();
  if (isItself(reply)) return;
  findings.fail('the sub-tab as stash, since F-OBS-SUBTAB is declared on', `the tab ${show(own(stash, 'id'))}`, answer);
}

/** That of the tabs of a list folders alone have children. */
function foldersOnly({ operation, body, answer }: Reply, findings: Findings): void {
  if (!['listStashes', 'listGuildStashes'].includes(operation)) return;
  const judge = (tabs: unknown): void => {
    for (const tab of elements(tabs)) {
      findings.look();
      const children = own(tab, 'children');
      if (own(own(tab, 'metadata'), 'folder') === true) judge(children);
      else if (given(children)) {
        const got = `children of the tab ${show(own(tab, 'id'))}`;
        findings.fail('children of folders only, since F-OBS-TABLIST is declared on', got, answer);
      }
    }
  };
  judge(body['stashes']);
}

/** What each flag promises of whole replies. */
const ofReplies: Readonly<Record<string, (reply: Reply, findings: Findings) => void>> = {
  'F-OBS-LADDER': besideWrapper,
  'F-OBS-SUBTAB': asItself,
  'F-OBS-TABLIST': foldersOnly,
};

/** The row of what the target declares to be as live data shows it: a server is held to each form that it declares. */
export function observed({ flag }: RuleContext): Listener {
  const isOn = (name: string): boolean => flag(name) === 'on';
  const objects: Record<string, Judge> = {};
  for (const [name, [schema, judge]] of Object.entries(promises))
    if (isOn(name)) objects[schema] = judge(failing(name));
  const judges = Object.entries(ofReplies).flatMap(([name, judge]) => (isOn(name) ? [judge] : []));
  return {
    objects,
    reply(reply, findings) {
      for (const judge of judges) judge(reply, findings);
    },
    ...(Object.keys(objects).length + judges.length === 0 && {
      idle: 'the target declares nothing of what live data shows',
    }),
  };
}
