import { ofStashes } from './realms.js';
import type { Reply } from './reply.js';
import { asDescribed, notShownIn, replies } from './rule.js';
import type { Listener, MonitorRow } from './rule.js';
import type { Findings } from './findings.js';
import { elements, own, pathOf, show } from './values.js';

interface TabAt {
  readonly id: string;
  readonly path: readonly (string | number)[];
  readonly parent: unknown;
  readonly folder: unknown;
  readonly within: string | undefined;
}

const lower = (value: unknown): string | undefined => (typeof value === 'string' ? value.toLowerCase() : undefined);

/** All tabs of a list, those in `children` included: a server may nest them or not (K-042). */
function tabsOf(list: readonly unknown[]): readonly TabAt[] {
  const tabs: TabAt[] = [];
  const open: { list: readonly unknown[]; path: readonly (string | number)[]; within: string | undefined }[] = [
    { list, path: ['stashes'], within: undefined },
  ];
  for (let level = open.pop(); level; level = open.pop()) {
    if (level.path.length > 40) continue;
    for (const [index, tab] of level.list.entries()) {
      const id = lower(own(tab, 'id'));
      const path = [...level.path, index];
      if (id !== undefined)
        tabs.push({ id, path, parent: own(tab, 'parent'), folder: own(tab, 'folder'), within: level.within });
      const children = elements(own(tab, 'children'));
      if (children.length > 0) open.push({ list: children, path: [...path, 'children'], within: id });
    }
  }
  return tabs;
}

function tree({ operation, body, answer }: Reply, findings: Findings): void {
  const tabs = tabsOf(elements(body['stashes']));
  const known = new Set<string>();
  for (const { id, path } of tabs) {
    findings.look();
    if (known.has(id))
      findings.fail('tab ids that are unique', `${pathOf([...path, 'id'])} is ${show(id)} again`, answer);
    known.add(id);
  }
  for (const { path, parent, folder, within } of tabs) {
    const above = lower(parent);
    if (above !== undefined) {
      const got = `${pathOf([...path, 'parent'])} is ${show(parent)}`;
      if (within !== undefined && above !== within)
        findings.fail(`the enclosing tab ${show(within)} as parent`, got, answer);
      // A guild's tab may lie in one that the account has no access to.
      else if (!known.has(above) && operation === 'listStashes')
        findings.fail('a parent in the same response', got, answer);
    }
    const holder = lower(folder);
    if (holder !== undefined && !known.has(holder) && operation === 'listStashes') {
      findings.fail('a folder in the same response', `${pathOf([...path, 'folder'])} is ${show(folder)}`, answer);
    }
  }
}

/** Whether a reply with a substash has the sub-tab itself, as live services answer it. */
export function isItself({ args, body }: Reply): boolean {
  const id = lower(args['substash_id']);
  return id !== undefined && id !== lower(args['stash_id']) && lower(own(own(body, 'stash'), 'id')) === id;
}

/** The tab that a reply with a substash wraps (K-043). */
const wrapped = ({ args, body }: Reply): { readonly id: string; readonly children: readonly unknown[] } | undefined => {
  const id = lower(args['substash_id']);
  const children = own(own(body, 'stash'), 'children');
  return id !== undefined && Array.isArray(children) ? { id, children } : undefined;
};

/** Rows of stashes, guild stashes and league accounts (interface 2, StashTab; 4.2). */
export const stashes: readonly MonitorRow[] = [
  {
    id: 'STASH-LIST-004',
    level: 'INFER',
    sentence:
      'Ids of tabs are unique; a `parent`, if set, is a tab of the same response, and for a nested tab the one around it.',
    source: '2',
    entailed: '2, 4.2: an id looks up one tab, and the list has the tab that a sub-tab names as its parent',
    gap: 'K-046',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: replies(['listStashes', 'listGuildStashes'], tree),
  },
  {
    id: 'STASH-LIST-005',
    level: 'INFER',
    sentence: 'A tab that is the folder of other tabs has metadata.folder true.',
    source: '2',
    plausible: 'how folder, parent and metadata.folder relate is not stated',
    gap: 'K-046',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: ({ target }): Listener => {
      const id = lower(target.known.folder_tab);
      return {
        objects: {
          StashTab: (tab, at, findings) => {
            if (id === undefined || at.reply.operation !== 'listStashes' || lower(tab['id']) !== id) return;
            findings.look();
            const flag = own(tab['metadata'], 'folder');
            // It is `?bool`: whoever leaves it out violates nothing.
            if (flag !== true)
              findings.warn(`A folder does not say that it is one: ${at.got(flag, 'metadata', 'folder')}.`);
          },
        },
      };
    },
  },
  {
    id: 'STASH-SUB-003',
    level: 'INFER',
    sentence: 'The parent of a wrapped sub-tab, if set, is the tab of stash_id.',
    source: '2,4.2',
    entailed: '2, 4.2: the sub-tab is one whose parent is stash_id, and parent says which that is',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: replies(['getStash', 'getGuildStash'], (reply, findings) => {
      const judge = (parent: unknown, path: string): void => {
        if (typeof parent !== 'string') return;
        findings.look();
        if (lower(parent) !== lower(reply.args['stash_id']))
          findings.fail('the wrapping tab as parent', `${path}.parent is ${show(parent)}`, reply.answer);
      };
      const inner = wrapped(reply);
      for (const [index, tab] of (inner?.children ?? []).entries())
        if (lower(own(tab, 'id')) === inner?.id) judge(own(tab, 'parent'), `$.stash.children[${index}]`);
      if (isItself(reply)) judge(own(reply.body['stash'], 'parent'), '$.stash');
    }),
  },
  {
    id: 'STASH-SUB-006',
    level: 'INFER',
    sentence: 'The children of the wrapping tab hold the requested sub-tab only.',
    source: '4.2',
    plausible: 'the parent wraps the sub-tab; that it leaves out the others is not stated',
    gap: 'K-043',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: replies(['getStash', 'getGuildStash'], (reply, findings) => {
      const inner = isItself(reply) ? undefined : wrapped(reply);
      if (!inner) return;
      findings.look();
      const others = inner.children.filter((tab) => lower(own(tab, 'id')) !== inner.id);
      if (others.length > 0) {
        findings.fail('the requested sub-tab only', `$.stash.children has ${others.length} others`, reply.answer);
      }
    }),
  },
  {
    id: 'STASH-EXT-001',
    level: 'MUST',
    sentence: 'Item.extended does not occur in stash tabs, since it is of the public stash stream only.',
    source: '2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: notShownIn(ofStashes, 'Item', 'extended'),
  },
  {
    id: 'LACC-002',
    level: 'MUST',
    sentence:
      'atlas_passive_trees is an array of objects with a string `name` and `hashes`, an array of unsigned integers.',
    source: '2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: asDescribed([
      'LeagueAccount.atlas_passive_trees',
      'LeagueAccount.atlas_passive_trees[].name',
      'LeagueAccount.atlas_passive_trees[].hashes',
    ]),
  },
  {
    id: 'LACC-003',
    level: 'MUST',
    sentence: 'atlas_passives is an object with hashes, null or absent.',
    source: '2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: asDescribed(['LeagueAccount.atlas_passives', 'LeagueAccount.atlas_passives.hashes']),
  },
];
