/**
 * Why a link or a tree was refused. Of a link: `alphabet`, `padding`, `pad-bits`, `length` (characters),
 * `version`, `truncated`, `trailing`, `range` (bytes). Of a tree: `missing`, `type`, `range`, `count`, `field`.
 */
export type TreeFault =
  | 'alphabet'
  | 'padding'
  | 'pad-bits'
  | 'length'
  | 'version'
  | 'truncated'
  | 'trailing'
  | 'missing'
  | 'type'
  | 'range'
  | 'count'
  | 'field';

/** Where the fault lies: counted from 0 in the link's characters or in its bytes, or a field of a tree to encode. */
export type FaultPlace = { character: number } | { byte: number } | { path: string };

/** A link that cannot be read, or a tree that cannot be written. The message names the thing, the place and the remedy. */
export class TreeLinkError extends Error {
  override readonly name = 'TreeLinkError';
  readonly reason: TreeFault;
  /** Of a link: 0-based, in `unit`s. Absent for a tree. */
  readonly offset?: number;
  readonly unit?: 'character' | 'byte';
  /** Of a tree: the field, such as `hashes[3]` or `mastery[0].node`. Absent for a link. */
  readonly path?: string;

  constructor(reason: TreeFault, place: FaultPlace, message: string) {
    super(message);
    this.reason = reason;
    if ('path' in place) {
      this.path = place.path;
    } else {
      this.unit = 'character' in place ? 'character' : 'byte';
      this.offset = 'character' in place ? place.character : place.byte;
    }
  }
}

/** A value as an error message shows it: short, whatever it is. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
