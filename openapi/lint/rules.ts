import type { Document, Response, Schema } from '../../scripts/generate/document.js';
import { resolve } from '../../scripts/generate/document.js';
import { generatorRules } from './generators.js';
import type { Rule } from './walk.js';
import { each, operation, properties, property, schemas } from './walk.js';

/** The contract's own rules: what no general linter can know of this interface. */
export const rules: readonly Rule[] = [
  {
    name: 'one-scope',
    because: 'every data operation needs exactly the scope that the interface lists (4.2)',
    check: (document) =>
      each(document, ({ operationId, security }, path, document) => {
        const scopes = (security ?? []).flatMap((requirement) => requirement.oauth ?? []);
        const known = scopes.every((scope) => scopeNames(document).has(scope));
        return path.startsWith('/oauth') || (scopes.length === 1 && known)
          ? []
          : [`${operationId}: needs one known scope, has ${scopes.join(' ') || 'none'}`];
      }),
    offend: (document) => void (operation(document, '/profile').security = []),
  },
  {
    name: 'forms-agree',
    because: 'the realm forms of an operation are one operation: same scope, same tag, same game',
    check: (document) => {
      const first = new Map<string, string>();
      return each(document, (form) => {
        const shape = JSON.stringify([form.security, form.tags]);
        const known = first.get(form['x-logical-operation']) ?? shape;
        first.set(form['x-logical-operation'], known);
        return known === shape
          ? []
          : [`${form.operationId}: differs from ${form['x-logical-operation']} in scope or tag`];
      });
    },
    offend: (document) => void (operation(document, '/character/xbox').tags = ['Stashes']),
  },
  {
    name: 'literal-realm',
    because: 'server and suite read the realm of a literal segment from x-realm',
    check: (document) =>
      each(document, (form, path) => {
        const literal = path.split('/').find((segment) => ['xbox', 'sony', 'game2'].includes(segment));
        return form['x-realm'] === literal ? [] : [`${form.operationId}: x-realm must be ${literal ?? 'absent'}`];
      }),
    offend: (document) => void delete operation(document, '/character/xbox')['x-realm'],
  },
  {
    name: 'always-true',
    because: "'always true if present' is true or absent, never null (K-007)",
    check: (document) =>
      properties(document, (schema, name, owner, place) =>
        schema.const === true &&
        !alwaysThere.has(place) &&
        (schema.type !== 'boolean' || (owner.required?.includes(name) ?? false))
          ? ['always true if present is boolean, const true and not required']
          : [],
      ),
    offend: (document) => void property(document, 'Item', 'corrupted', { type: ['boolean', 'null'] }),
  },
  {
    name: 'null-or-absent',
    because: '`?` means null or absent, no mark means always there and never null (section 2)',
    check: (document) =>
      properties(document, (schema, name, owner, place) => {
        if (isRequestOrError(place) || isFlag(schema) || schema['x-game-required']) return [];
        const required = schema['x-edition']?.effect === 'optional' || (owner.required?.includes(name) ?? false);
        if (nullable(document, schema) === !required) return [];
        if (nullOrRequired.has(place)) return [];
        return [required ? 'is required and may not be null' : 'is optional and must allow null'];
      }),
    offend: (document) => void property(document, 'League', 'url', { type: 'string' }),
  },
  {
    name: 'enum-meanings',
    because: 'an integer enum says nothing without the meaning of each value',
    check: (document) =>
      schemas(document, (schema, place) => {
        if (schema.type !== 'integer' || !schema.enum) return [];
        const meanings = (schema['x-enumDescriptions'] ?? {}) as Record<string, string>;
        return schema.enum
          .filter((value) => !meanings[String(value)])
          .map((value) => `${place}: the value ${String(value)} has no meaning in x-enumDescriptions`);
      }),
    offend: (document) =>
      void Object.assign(document.components.schemas.FrameType ?? {}, { 'x-enumDescriptions': { 0: 'Normal' } }),
  },
  {
    name: 'known-flags',
    because: 'a mark with an unknown flag would act in no edition',
    check: (document, { flags }) =>
      schemas(document, (schema, place) =>
        [schema['x-edition']?.flag, ...Object.values(schema['x-enum-edition'] ?? {})]
          .filter((flag): flag is string => flag !== undefined && !flags.has(flag))
          .map((flag) => `${place}: the flag ${flag} is not in editions.yaml`),
      ),
    offend: (document) =>
      void property(document, 'League', 'goal', { type: 'string', 'x-edition': { flag: 'F-NOWHERE' } }),
  },
  {
    name: 'observed-flagged',
    because: 'what only live data shows has a flag, or no edition could do without it',
    check: (document) =>
      schemas(document, (schema, place) =>
        schema['x-observed'] !== undefined && !schema['x-edition'] ? [`${place}: x-observed without x-edition`] : [],
      ),
    offend: (document) =>
      void property(document, 'League', 'url', { type: ['string', 'null'], 'x-observed': 'Seen once.' }),
  },
  {
    name: 'known-gaps',
    because: 'a reader who follows a gap id must find it',
    check: (document, { gaps }) =>
      [...new Set(JSON.stringify(document).match(/\bK-\d{3}\b/g) ?? [])]
        .filter((id) => !gaps.has(id))
        .map((id) => `${id} is cited and not in gaps.yaml`),
    offend: (document) => void (document.info.description += ' (K-999)'),
  },
  {
    name: 'told-by-example',
    because: 'every success and every documented error has a story that a reader can look at',
    check: (document) =>
      each(document, ({ operationId, responses }) =>
        Object.entries(responses).flatMap(([status, response]) =>
          Object.entries(resolve<Response>(document, response).content ?? {})
            .filter(([type, { examples }]) => type.includes('json') && Object.keys(examples ?? {}).length === 0)
            .map(([type]) => `${operationId}: ${status} ${type} has no example`),
        ),
      ),
    offend: (document) => {
      const response = resolve<Response>(
        document,
        operation(document, '/profile').responses['200'] ?? { description: '' },
      );
      for (const media of Object.values(response.content ?? {})) delete media.examples;
    },
  },
  {
    name: 'stories-pair-up',
    because: 'a request example is answered by the reply example of the same name',
    check: (document) =>
      each(document, ({ operationId, requestBody, responses }) => {
        const replies = new Set(
          Object.values(responses).flatMap((response) => storiesOf(resolve<Response>(document, response))),
        );
        return storiesOf(requestBody ?? {})
          .filter((story) => !replies.has(story))
          .map((story) => `${operationId}: the request example ${story} has no reply of that name`);
      }),
    offend: (document) => {
      const content = operation(document, '/oauth/token', 'post').requestBody?.content ?? {};
      for (const media of Object.values(content)) media.examples = { lonely: { value: {} } };
    },
  },
  ...generatorRules,
];

/** Always true if present, or so described where live services say otherwise. */
const isFlag = ({ const: only, anyOf = [] }: Schema): boolean =>
  only === true || anyOf.some((branch) => branch.const === true && branch['x-observed'] === undefined);

/** True, and always there: `pvp` of a match, and the mark of a listed stash (section 2). */
const alwaysThere = new Set(['PvPMatch.pvp', 'ListedStash.public']);

/** Fields whose presence the interface states in words rather than by `?`. */
const nullOrRequired = new Set([
  'TokenResponse.expires_in', // integer or null, always there (4.1)
  'TokenResponse.refresh_token', // present or absent by grant and application (4.1)
  'Specialisations.set1', // keys of a dictionary (section 2, Character)
  'Specialisations.set2',
  'Specialisations.set3',
  'Specialisations.shapeshift',
]);

/** Bodies that are sent, and errors and OAuth answers whose members the RFCs leave optional. */
const isRequestOrError = (place: string): boolean =>
  /^(\w+Request|ItemFilter(Create|Update)|DataError|Error|OAuthError|IntrospectionResponse|AuthorizationServerMetadata|UnlistedStash)\b/.test(
    place,
  );

const scopeNames = (document: Document): Set<string> =>
  new Set(
    Object.values(document.components.securitySchemes.oauth?.flows ?? {}).flatMap(({ scopes }) => Object.keys(scopes)),
  );

const storiesOf = ({ content = {} }: { content?: Record<string, { examples?: object }> }): string[] =>
  Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));

function nullable(document: Document, schema: Schema): boolean {
  const target = resolve<Schema>(document, schema as Schema & { $ref: string });
  return (
    [target.type].flat().includes('null') ||
    [...(target.anyOf ?? []), ...(target.oneOf ?? [])].some((branch) => branch.type === 'null') ||
    (target.enum?.includes(null) ?? false)
  );
}
