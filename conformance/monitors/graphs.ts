import { isObject } from '../json.js';
import { objects } from './rule.js';
import type { MonitorRow } from './rule.js';
import type { Findings } from './findings.js';
import type { Cursor } from './cursor.js';
import { elements, own, show } from './values.js';

const fail = (findings: Findings, at: Cursor, expected: string, got: string): void => findings.fail(expected, got, at);

/** Rows of cluster jewels' subgraphs and of crucible trees (interface 2, ItemJewelData and Item). */
export const graphs: readonly MonitorRow[] = [
  {
    id: 'CHAR-PASS-008',
    level: 'INFER',
    sentence:
      "Within a subgraph groups and nodes agree: a node's group is a key of groups and lists the node, and every listed node is a key of nodes.",
    source: '2',
    entailed: "2: group is a key into the groups, and a group's nodes are keys of nodes: both say one membership",
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: objects('JewelSubgraph', ({ groups, nodes }, at, findings) => {
      if (!isObject(groups) || !isObject(nodes)) return;
      const listed = new Map(
        Object.entries(groups).map(([key, group]) => [key, new Set(elements(own(group, 'nodes')))]),
      );
      for (const [id, node] of Object.entries(nodes)) {
        const group = own(node, 'group');
        if (typeof group !== 'string') continue;
        findings.look();
        const got = at.got(group, 'nodes', id, 'group');
        if (!Object.hasOwn(groups, group)) fail(findings, at, 'a group of the same subgraph', got);
        else if (!listed.get(group)?.has(id)) fail(findings, at, 'a group that lists the node', got);
      }
      for (const [key, group] of Object.entries(groups)) {
        for (const [index, id] of elements(own(group, 'nodes')).entries()) {
          if (typeof id !== 'string') continue;
          findings.look();
          const got = at.got(id, 'groups', key, 'nodes', index);
          if (!Object.hasOwn(nodes, id)) {
            fail(findings, at, 'a node of the same subgraph', got);
            continue;
          }
          const back = own(nodes[id], 'group');
          if (typeof back === 'string' && back !== key)
            fail(findings, at, 'a node of that group', `${got}, whose group is ${show(back)}`);
        }
      }
    }),
  },
  {
    id: 'XF-008',
    level: 'INFER',
    sentence: "The out and in of a crucible's nodes are keys of the same dictionary.",
    source: '2',
    plausible: 'what out and in of a crucible name is not stated',
    rule: objects('Crucible', ({ nodes }, at, findings) => {
      if (!isObject(nodes)) return;
      for (const [id, node] of Object.entries(nodes)) {
        for (const side of ['out', 'in']) {
          for (const [index, other] of elements(own(node, side)).entries()) {
            if (typeof other !== 'string') continue;
            findings.look();
            if (!Object.hasOwn(nodes, other))
              fail(findings, at, 'a key of the same nodes', at.got(other, 'nodes', id, side, index));
          }
        }
      }
    }),
  },
];
