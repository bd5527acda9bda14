import type { GameOperation } from '../../../src/contract/index.js';
import type { Json } from '../interceptor/interceptor.js';
import { having, listAt } from '../interceptor/json.js';
import { mutants, operator } from '../mutant.js';
import { give, reply, set } from '../operators/replies.js';
import { given } from '../operators/requests.js';

const tabs = ['listStashes', 'getStash', 'listGuildStashes', 'getGuildStash'] as const;

/** The nodes of subgraphs get another skill. */
const skills = operator('skills', (_, to: (skill: unknown) => unknown) =>
  reply('getCharacter', (body) => {
    for (const { nodes } of having(body, 'groups', 'nodes'))
      for (const node of Object.values(nodes as Record<string, Json>)) if ('skill' in node) node.skill = to(node.skill);
  }),
);

/** The nodes that replace others, changed. */
const overrides = operator('overrides', (_, to: (node: Json) => void) =>
  reply('getCharacter', (body) => {
    for (const { skill_overrides: all } of having(body, 'skill_overrides'))
      for (const node of Object.values(all as Record<string, Json>)) to(node);
  }),
);

/** Ladders with the page beside their league or match. */
const beside = operator('beside', (_, operation: 'getLeagueLadder' | 'getPvpMatchLadder', wrapper: string) =>
  reply(operation, (body) =>
    body[wrapper]
      ? {
          [wrapper]: { id: 'Standard', description: '', glickoRatings: false, pvp: true, style: 'Swiss' },
          ladder: body[wrapper],
        }
      : undefined,
  ),
);

/** The page in the place of its league or match. */
const inside = operator('inside', (_, operation: 'getLeagueLadder' | 'getPvpMatchLadder', wrapper: string) =>
  reply(operation, (body) => (body.ladder ? { [wrapper]: body.ladder } : undefined)),
);

/** The page in a member of its own, and nothing beside it. */
const alone = operator('alone', (_, operation: GameOperation, wrapper: string) =>
  reply(operation, (body) => (body[wrapper] ? { ladder: body[wrapper] } : undefined)),
);

/** Sub-tabs that come as themselves. */
const unwrapped = operator('unwrapped', (_, operation: 'getStash' | 'getGuildStash') =>
  reply(
    operation,
    (body) => {
      const [inner] = listAt(body.stash as Json | null, 'children');
      if (inner) body.stash = inner;
    },
    { substash_id: given },
  ),
);

/** Unlisted stashes with other members; one that is undefined is left out. */
const unlistedWith = operator('unlistedWith', (_, members: Readonly<Record<string, unknown>>) =>
  reply('getPublicStashTabs', ({ stashes }) => {
    for (const change of stashes as Json[]) {
      if (change.public === false) Object.assign(change, members);
    }
  }),
);

/** Tabs of a list that are no folders have other children. */
const subTabsListed = operator('subTabsListed', (_, operation: 'listStashes', to: (tab: Json) => unknown) =>
  reply(operation, (body) => {
    const visit = (tabs: Json[]): void => {
      for (const tab of tabs) {
        if ((tab.metadata as Json).folder === true) visit(listAt(tab, 'children'));
        else tab.children = to(tab);
      }
    };
    visit(body.stashes as Json[]);
  }),
);

/** Modifiers as objects. */
const withFlags = (mods: string[]): unknown => mods.map((description) => ({ description, flags: [] }));

/**
 * Servers that do not do what their own target file declares of what live data shows, in each direction. The same is no
 * bug where it declares nothing. That groups lack isProxy is as described, so that no server can violate it.
 */
export const observed = mutants({
  'ITEM-FIELD-support declared-off: active gems carry support false, which is declared off': () =>
    give(['getStash', 'getCharacter'], ['typeLine', 'frameType'], 'support', (support: unknown, { frameType }: Json) =>
      frameType === 4 ? (support ?? false) : support,
    ).exercise('STASH-GET-001', 'CHAR-GET-001'),
  "PNODE-FIELD-skill declared-off: the skill of a cluster jewel's node is a string, which is declared off": () =>
    skills(String).exercise('CHAR-GET-001'),
  'PNODE-FIELD-expansionJewel.proxy declared-off: proxies of an expansionJewel are strings, which is declared off':
    () => set('getCharacter', '**.expansionJewel.proxy', String).exercise('CHAR-GET-001'),
  'PNODE-FIELD-expansionJewel.parent declared-off: parents of an expansionJewel are strings, which is declared off':
    () => set('getCharacter', '**.expansionJewel.parent', String).exercise('CHAR-GET-001'),
  'TAB-FIELD-metadata.colour declared-off: colours of tabs are without leading zeros, which is declared off': () =>
    set([...tabs], '**.metadata', ({ colour, ...rest }: Json) =>
      typeof colour === 'string' ? { ...rest, colour: colour.replace(/^(00){1,2}/, '') } : rest,
    ).exercise('STASH-LIST-001'),
  'PNODE-FIELD-out declared-off: nodes in skill_overrides are without out and in, which is declared off': () =>
    overrides((node) => {
      delete node.out;
      delete node.in;
    })
      .also('PNODE-FIELD-in', 'CHAR-PASS-011', 'GEN-006')
      .exercise('CHAR-GET-001'),
  'LADDER-001 declared-off: the page of a ladder is beside its league, which is declared off': () =>
    beside('getLeagueLadder', 'league'),
  'PVPLADDER-001 declared-off: the page of a ladder is beside its match, which is declared off': () =>
    beside('getPvpMatchLadder', 'match'),
  "ED-010 skill: the skill of a cluster jewel's node is a number, where strings are declared": () =>
    skills(Number)
      .exercise('CHAR-GET-001')
      .on({ flags: { 'F-OBS-SKILL': true } }),
  'ED-010 expansion: parents of an expansionJewel are numbers, where strings are declared': () =>
    set('getCharacter', '**.expansionJewel.parent', Number)
      .exercise('CHAR-GET-001')
      .on({ flags: { 'F-OBS-EXPANSION': true } }),
  'ED-010 override: nodes in skill_overrides have out, which are declared to be without': () =>
    overrides((node) => void (node.out = []))
      .exercise('CHAR-GET-001')
      .on({ flags: { 'F-OBS-OVERRIDE': true } }),
  'ED-010 mark: a group of a subgraph has isProxy, where none is declared to have it': () =>
    give('getCharacter', ['orbits', 'nodes'], 'isProxy', true)
      .exercise('CHAR-GET-001')
      .on({ flags: { 'F-OBS-PROXY': true } }),
  'ED-010 proxy: groups of a subgraph have no proxy, where each is declared to have one': () =>
    give('getCharacter', ['orbits', 'nodes'], 'proxy', undefined)
      .exercise('CHAR-GET-001')
      .on({ flags: { 'F-OBS-PROXY': true } }),
  'ED-010 ladder: the page of a ladder is in the place of its league, where one beside it is declared': () =>
    inside('getLeagueLadder', 'league')
      .exercise('LADDER-LIMIT-001')
      .on({ flags: { 'F-OBS-LADDER': true } }),
  'ED-010 match: the page of a ladder is in the place of its match, where one beside it is declared': () =>
    inside('getPvpMatchLadder', 'match')
      .exercise('PVPLADDER-LIMIT-001')
      .on({ flags: { 'F-OBS-LADDER': true } }),
  'PSTASH-UNLIST-001 declared-off: an unlisted stash keeps its league, which is declared off': () =>
    unlistedWith({ league: 'Standard' }).exercise('PSTASH-001'),
  'STASH-LIST-002 declared-off: a list has no sub-tabs, which is declared off': () =>
    subTabsListed('listStashes', () => undefined).exercise('STASH-LIST-002'),
  'ITEM-FIELD-explicitMods declared-off: explicit modifiers are objects, which is declared off': () =>
    set('getStash', '**.explicitMods', withFlags).exercise('STASH-GET-001'),
  'ITEM-FIELD-logbookMods[].mods declared-off: modifiers of logbooks are objects, which is declared off': () =>
    set('getStash', '**.mods', withFlags).exercise('STASH-GET-001'),
  'ED-010 unlisted: an unlisted stash is without its league, where every member is declared': () =>
    unlistedWith({ league: undefined })
      .exercise('PSTASH-001')
      .on({ flags: { 'F-OBS-UNLISTED': true } }),
  'ED-010 type: the type of an unlisted stash is null, where a string is declared': () =>
    unlistedWith({ stashType: null })
      .exercise('PSTASH-001')
      .on({ flags: { 'F-OBS-UNLISTED': true } }),
  'ED-010 sub-tab: a sub-tab comes wrapped, where it is declared to come as itself': () =>
    reply(
      'getStash',
      (body, { args }) => {
        if (body.stash) body.stash = { ...(body.stash as Json), id: args.stash_id, children: [body.stash] };
      },
      { substash_id: given },
    )
      .exercise('STASH-SUB-001')
      .on({ flags: { 'F-OBS-SUBTAB': true } }),
  'ED-010 list: tabs of a list that are no folders have children, where only folders are declared to': () =>
    subTabsListed('listStashes', () => [])
      .exercise('STASH-LIST-001')
      .on({ flags: { 'F-OBS-TABLIST': true } }),
  'EVLADDER-001 neither: the page of an event ladder is in a member ladder, and its league is left out': () =>
    alone('getLeagueEventLadder', 'league').on({ declares: 'no edition' }),
  'LADDER-001 neither: the page of a ladder is in a member ladder, and its league is left out': () =>
    alone('getLeagueLadder', 'league').on({ declares: 'no edition' }),
  'PVPLADDER-001 neither: the page of a ladder is in a member ladder, and its match is left out': () =>
    alone('getPvpMatchLadder', 'match').on({ declares: 'no edition' }),
  'LADDER-001 undeclared: the page of a ladder is beside its league, of which nothing is declared': () =>
    beside('getLeagueLadder', 'league').on({ declares: 'no edition' }).warns(),
  'PSTASH-UNLIST-001 undeclared: an unlisted stash keeps its league, of which nothing is declared': () =>
    unlistedWith({ league: 'Standard' }).exercise('PSTASH-001').on({ declares: 'no edition' }).warns(),
  'STASH-SUB-001 undeclared: a sub-tab comes as itself, of which nothing is declared': () =>
    unwrapped('getStash').on({ declares: 'no edition' }).warns(),
  'GUILD-SUB-001 undeclared: a sub-tab of the guild comes as itself, of which nothing is declared': () =>
    unwrapped('getGuildStash').on({ declares: 'no edition' }).warns(),
  'STASH-LIST-002 undeclared: a list has no sub-tabs, of which nothing is declared': () =>
    subTabsListed('listStashes', () => undefined)
      .on({ declares: 'no edition' })
      .warns(),
  'ED-010 recipe: nodes in skill_overrides have a recipe, which are declared to be without': () =>
    overrides((node) => void (node.recipe = []))
      .exercise('CHAR-GET-001')
      .on({ flags: { 'F-OBS-OVERRIDE': true } }),
  'ED-010 modifier: explicit modifiers are strings, where objects are declared': () =>
    set('getStash', '**.explicitMods', (mods: Json[]) => mods.map(({ description }) => description))
      .exercise('STASH-GET-001')
      .on({ flags: { 'F-OBS-MODIFIER': true } }),
});
