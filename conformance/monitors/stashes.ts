import { ofStashes } from './realms.js';
import type { Reply } from './reply.js';
import { asDescribed, notShownIn, replies } from './rule.js';
import type { Listener, Rules } from './rule.js';
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
export const stashes: Rules = {
  'STASH-LIST-004': replies(['listStashes', 'listGuildStashes'], tree),
  'STASH-LIST-005': ({ target }): Listener => {
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
  'STASH-SUB-003': replies(['getStash', 'getGuildStash'], (reply, findings) => {
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
  'STASH-SUB-006': replies(['getStash', 'getGuildStash'], (reply, findings) => {
    const inner = isItself(reply) ? undefined : wrapped(reply);
    if (!inner) return;
    findings.look();
    const others = inner.children.filter((tab) => lower(own(tab, 'id')) !== inner.id);
    if (others.length > 0) {
      findings.fail('the requested sub-tab only', `$.stash.children has ${others.length} others`, reply.answer);
    }
  }),
  'STASH-EXT-001': notShownIn(ofStashes, 'Item', 'extended'),
  'LACC-002': asDescribed([
    'LeagueAccount.atlas_passive_trees',
    'LeagueAccount.atlas_passive_trees[].name',
    'LeagueAccount.atlas_passive_trees[].hashes',
  ]),
  'LACC-003': asDescribed(['LeagueAccount.atlas_passives', 'LeagueAccount.atlas_passives.hashes']),
};
