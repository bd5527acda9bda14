import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';
import { decimal, given, own } from './values.js';
import type { Reply } from './reply.js';
import type { Listener, RuleContext } from './rule.js';
import type { Findings } from './findings.js';
import type { Cursor } from './cursor.js';

type Judge = (value: JsonObject, at: Cursor, findings: Findings) => void;

const isDigits = (value: unknown): boolean => typeof value === 'string' && decimal.test(value);

/** What each flag promises of the objects of a schema. That support may be false and a colour short promises nothing. */
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
        for (const name of ['out', 'in']) {
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
};

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

/** The row of what the target declares to be as live data shows it: a server is held to each form that it declares. */
export function observed({ flag }: RuleContext): Listener {
  const isOn = (name: string): boolean => flag(name) === 'on';
  const objects: Record<string, Judge> = {};
  for (const [name, [schema, judge]] of Object.entries(promises))
    if (isOn(name)) objects[schema] = judge(failing(name));
  return {
    objects,
    ...(isOn('F-OBS-LADDER') && { reply: besideWrapper }),
    ...(Object.keys(objects).length === 0 &&
      !isOn('F-OBS-LADDER') && { idle: 'the target declares nothing of what live data shows' }),
  };
}
