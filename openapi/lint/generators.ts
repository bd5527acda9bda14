import type { MediaType, Schema } from '../../scripts/generate/document.js';
import { resolve } from '../../scripts/generate/document.js';
import type { Rule } from './walk.js';
import { each, operation, property, schemas } from './walk.js';

/** What is lawful OpenAPI and yet read wrongly by generators: the contract says the same in another way. */
export const generatorRules: readonly Rule[] = [
  {
    name: 'names-apart',
    because: 'generators put all components into one namespace, where one silently takes the type of the other',
    check: ({ components: { schemas, responses = {}, parameters = {} } }) => {
      const names = [schemas, responses, parameters].flatMap((section) => Object.keys(section));
      return names
        .filter((name, index) => names.indexOf(name) !== index)
        .map((name) => `components: ${name} stands twice`);
    },
    offend: ({ components }) => void (components.responses = { Item: { description: '' } }),
  },
  {
    name: 'described',
    because: 'a generated method has no other documentation than the description of its operation',
    check: (document) =>
      each(document, ({ operationId, description }) =>
        typeof description === 'string' && description !== '' ? [] : [`${operationId}: has no description`],
      ),
    offend: (document) => void delete operation(document, '/character/xbox')['description'],
  },
  {
    name: 'no-index-signature',
    because: 'most type systems cannot have named properties beside additionalProperties of a type',
    check: (document) =>
      schemas(document, ({ properties, additionalProperties }, place) =>
        properties && typeof additionalProperties === 'object'
          ? [`${place}: has properties and typed additionalProperties; unevaluatedProperties says the same`]
          : [],
      ),
    offend: ({ components }) =>
      void ((components.schemas['Specialisations'] ?? {}).additionalProperties = { type: 'array' }),
  },
  {
    name: 'no-default-in-body',
    because: 'generators take a member with a default for one that is always there, and requests may leave it out',
    check: (document) =>
      each(document, ({ operationId, requestBody }) =>
        Object.values<MediaType>(requestBody?.content ?? {}).flatMap(({ schema = {} }) =>
          [schema, ...(schema.oneOf ?? [])]
            .map((form) => resolve<Schema>(document, form as Schema & { $ref: string }))
            .flatMap(({ properties = {} }) => Object.entries(properties))
            .filter(([, member]) => member.default !== undefined)
            .map(([name]) => `${operationId}: the member ${name} of its body has a default`),
        ),
      ),
    offend: (document) => property(document, 'ItemFilterCreate', 'public', { type: 'boolean', default: false }),
  },
];
