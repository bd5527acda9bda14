import type { Level } from './result.js';
import type { Known, Role } from './target/target.js';
import { roles } from './target/target.js';

/** The levels of requirements, from what the interface states to what it leaves open. */
export const levels = ['MUST', 'MUST-RFC', 'SHOULD-RFC', 'INFER', 'MAY', 'UNSPEC'] as const satisfies readonly Level[];

const capabilities = [
  'consent',
  'deny',
  'page',
  'second-account',
  'clock',
  'wait',
  'user-revocation',
  'application-revocation',
  'stash-events',
  'codec',
  'revoke',
  'introspect',
  'game2',
] as const;

const knownKeys: Readonly<Record<keyof Known, true>> = {
  owner: true,
  livestream: true,
  game2_account: true,
  main_leagues: true,
  event_leagues: true,
  season: true,
  private_league: true,
  private_league_of_bob: true,
  ladder_league: true,
  time_league: true,
  score_league: true,
  event_ladder_league: true,
  pvp_season: true,
  pvp_league: true,
  stash_league: true,
  guild_league: true,
  atlas_league: true,
  odd_names: true,
  folder_tab: true,
  parent_tab: true,
  sub_tab: true,
  empty_tab: true,
  guild_tabs: true,
  good_filter: true,
  bad_filter: true,
  slow_filter: true,
  first_hour: true,
  quiet_hour: true,
};

/**
 * What a row needs of a target. `client:` a client of that role; `refresh:` one that may refresh; `flag:` an edition
 * flag that is not off; `known:` a fact of the target file; `page` the text of the consent page; `wait` leave to wait
 * for half a minute; `revoke` and `introspect` a way to a token with that scope of `oauth:*`; `game2` an account with
 * second-game characters.
 */
export type Need =
  (typeof capabilities)[number] | `client:${Role}` | `refresh:${Role}` | `known:${keyof Known}` | `flag:${string}`;

/** Whether a server that breaks the row is failed; where not, it is warned. */
export const isBinding = ({ plausible }: Pick<LedgerRow, 'plausible'>): boolean => plausible === undefined;

/** Whether a word is one of the needs; `flags` are the edition flags of the contract. */
export function isNeed(word: string, flags: readonly string[]): word is Need {
  const [kind = '', name = ''] = word.split(/:(.*)/s);
  if (!word.includes(':')) return capabilities.some((capability) => capability === word);
  if (kind === 'client' || kind === 'refresh') return roles.some((role) => role === name);
  return kind === 'known' ? Object.hasOwn(knownKeys, name) : kind === 'flag' && flags.includes(name);
}

interface Row<Id extends string> {
  readonly id: Id;
  readonly level: Level;
  /** Sections of the interface, such as `4.2,7`; `-` for what follows from none of them. */
  readonly section: string;
  readonly statement: string;
  /** INFER: the sentences that it follows from, by their sections, and how: `4.2, 7: …`. */
  readonly entailed?: string;
  /** INFER: why it is likely and no sentence entails it. It never fails a server by itself. */
  readonly plausible?: string;
  /** The place where the interface contradicts itself or is silent, with what may be asserted of any server. */
  readonly gap?: string;
  /** Each entry must be met, by any one of its alternatives. For a monitor: without them it will hardly see its case. */
  readonly needs: readonly (readonly Need[])[];
  /** Where the sentence can be read: a page of the package, below its root, and the place on it. */
  readonly link: string;
  /** JSON pointer into the contract, where the row is about one place of it. */
  readonly pointer?: string;
  /** The id without its number; for fields their schema. */
  readonly group: string;
}

/** A requirement, and how it is proved. */
export type LedgerRow<Id extends string = string> = Row<Id> &
  (
    | { readonly how: 'check'; /** Its group of checks, such as `oauth/refresh`. */ readonly check: string }
    | {
        readonly how: 'monitor';
        /** Field rows: the property in the contract, such as `Item.influences.elder`. */
        readonly place?: string;
        /** Field rows: JSON pointers of every property schema that the place stands for; `pointer` is the first. */
        readonly properties?: readonly string[];
      }
    | { readonly how: 'excluded'; readonly reason: string }
  );
