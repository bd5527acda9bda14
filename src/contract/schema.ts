/** A JSON Schema of the contract, with the keywords that the contract uses and its marks. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode | false;
  readonly prefixItems?: readonly SchemaNode[];
  readonly additionalProperties?: SchemaNode | boolean;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly 'x-game'?: 'g1' | 'g2';
  readonly 'x-game-required'?: 'g1' | 'g2';
  readonly 'x-edition'?: EditionMark;
  readonly 'x-enum-edition'?: Readonly<Record<string, string>>;
  readonly 'x-only'?: string;
  /** Live services answer so beside the description: why it is thought so. */
  readonly 'x-observed'?: string;
  readonly [keyword: string]: unknown;
}

/** The flag that an element of the contract depends on, and how. */
export interface EditionMark {
  readonly flag: string;
  readonly state?: 'off';
  /**
   * `optional`: with the flag on the property may be left out, `within` one other property only. `meaning`: the flag changes
   * when the property is there or what its value stands for, not what the value may be.
   */
  readonly effect?: 'deprecated' | 'g1' | 'optional' | 'meaning';
  readonly within?: string;
}

interface SwitchFacts<Name> {
  readonly name: Name;
  /** The open point that it belongs to. */
  readonly gap: string;
  readonly source: 'description' | 'observation';
  readonly about: string;
  readonly says: string;
}
interface Choice {
  readonly type: 'choice';
  readonly values: readonly (string | number)[];
  readonly default: string | number;
}
interface Plain {
  readonly type: 'boolean' | 'string';
  readonly values?: undefined;
  readonly default: string | boolean;
}
/** A number has both bounds: whatever a switch accepts, every page and reply can show. */
interface Bounded {
  readonly type: 'integer';
  readonly values?: undefined;
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}

/** A switch of openapi/gaps.yaml: what it takes, and why there is one. */
export type SwitchRow<Name> = SwitchFacts<Name> & (Choice | Plain | Bounded);
