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
  readonly 'x-edition'?: { readonly flag: string; readonly state?: 'off'; readonly effect?: 'deprecated' | 'g1' };
  readonly 'x-enum-edition'?: Readonly<Record<string, string>>;
  readonly 'x-only'?: string;
  readonly [keyword: string]: unknown;
}
