/** The contract as TypeScript: types, operation table, facts. Everything but this face is generated from openapi/. */
import type { editions, scopes } from './facts.gen.js';
import { operationTable, parameterSets } from './operations.gen.js';
import type { Forms, Params } from './operations.gen.js';
import type { components, operations } from './types.gen.js';
import { branches, deref } from './walk.js';

export { editionMarks, editions, flags, limits, lifetimes, scopes, switchTable } from './facts.gen.js';
export type { Switches } from './facts.gen.js';
export type { Params } from './operations.gen.js';
export type { components, operations, paths } from './types.gen.js';
export { replySchemas, schemas } from './schemas.gen.js';
export type { EditionMark, SchemaNode, SwitchRow } from './schema.js';
export { placePath } from './place.js';
export { branches, deref, described, isAddition } from './walk.js';

export type Scope = keyof typeof scopes;
export type Realm = components['schemas']['Realm'];
export type Edition = keyof typeof editions;

/** One of the 26 operations of the interface, whatever its realm form. */
export type LogicalOperation = keyof Params;
/** Those of the authorization server. */
export type OAuthOperation = 'authorize' | 'issueToken' | 'revokeToken' | 'introspectToken';
/** Those of the data API. */
export type GameOperation = Exclude<LogicalOperation, OAuthOperation>;
/** One of the 52 operations of the OpenAPI document. */
export type OperationId = keyof operations;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly required: boolean;
  readonly default?: string | number | boolean;
}

/** A row of the operation table: method and path template, and what they need. */
export interface Operation {
  readonly id: OperationId;
  readonly logical: LogicalOperation;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly server: 'data' | 'authorization';
  readonly tag: string;
  readonly scope?: Scope;
  /** Realm of a literal path segment. */
  readonly realm?: Realm;
  /** The game that the operation belongs to, where it belongs to one. */
  readonly game?: 'g1' | 'g2';
  /** The edition flag without which the operation does not exist. */
  readonly flag?: string;
  /** The field that holds the reply's object or list, where it has one. */
  readonly wrapper?: string;
  readonly parameters: readonly Parameter[];
  /** Media type of the request body. */
  readonly body?: string;
  readonly statuses: readonly number[];
}

export const operationList: readonly Operation[] = operationTable;

/** How each parameter of a logical operation is read: type, default, and maximum where the contract sets one. */
export const parameterTable: Readonly<
  Record<
    LogicalOperation,
    Readonly<Record<string, { type: Parameter['type']; default?: string | number | boolean; maximum?: number }>>
  >
> = parameterSets;

type Responses<Id extends OperationId> = operations[Id]['responses'];
type ReplyOf<Id extends OperationId> = Id extends OperationId
  ? {
      [Status in keyof Responses<Id>]: {
        readonly status: Status;
        readonly headers?: Readonly<Record<string, string>>;
        readonly body: JsonOf<Responses<Id>[Status]>;
      };
    }[keyof Responses<Id>]
  : never;
type JsonOf<R> = R extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** A reply that the contract documents for the operation; any other status or body is a compile error. */
export type Reply<K extends LogicalOperation> = ReplyOf<Forms[K]>;

type FormOf<K extends OAuthOperation> = operations[K] extends {
  requestBody: { content: { 'application/x-www-form-urlencoded': infer Form } };
}
  ? Form
  : Params[K];
type KeyOf<T> = T extends unknown ? keyof T & string : never;

/** A parameter of an endpoint of the authorization server, of its query or of its form. */
export type OAuthParameter<K extends OAuthOperation> = KeyOf<FormOf<K>>;

const formFields = (form: string): readonly string[] => {
  const forms = branches(deref({ $ref: `#/components/schemas/${form}` }).schema);
  return [...new Set(forms.flatMap((one) => Object.keys(deref(one).schema.properties ?? {})))];
};

/** What each endpoint of the authorization server reads: the parameters that the contract has for it. */
export const oauthParameters = {
  authorize: Object.keys(parameterTable.authorize),
  issueToken: formFields('TokenRequest'),
  revokeToken: formFields('RevocationRequest'),
  introspectToken: formFields('IntrospectionRequest'),
} as { readonly [K in OAuthOperation]: readonly OAuthParameter<K>[] };

/** The JSON body of a request, or undefined where the operation takes none. */
export type RequestBody<K extends LogicalOperation> = operations[K] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : undefined;

/** Data operations that take nothing but a token, or a realm beside it. */
export type PlainOperation = {
  [K in GameOperation]: [RequestBody<K>, Exclude<keyof Params[K], 'realm'>] extends [undefined, never] ? K : never;
}[GameOperation];
