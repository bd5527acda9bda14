import { SetupError } from '../../src/input/setup-error.js';
import { readYaml } from '../../src/input/yaml.js';

/** An object of a document. */
export type Json = Readonly<Record<string, unknown>>;

/** An OpenAPI 3.x description. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Json>>;
  readonly security: unknown;
  /**
   * What stands at a place, references followed; `name` is the last word of a reference, such as `Item`.
   * @throws SetupError where a reference leads nowhere, in a circle, or out of the document
   */
  resolve(value: unknown): { readonly name: string | undefined; readonly value: Json };
}

/** A whole contract has ten times what a person writes by hand. */
const mostTokens = 2_000_000;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads an OpenAPI 3.x description, YAML or JSON, in one file.
 * @throws SetupError with what is wrong and what to do
 */
export function readContract(text: string, label: string): OpenApi {
  const whole = readYaml(text, label, mostTokens).value();
  if (!isObject(whole) || typeof whole['openapi'] !== 'string' || !/^3[.]\d/.test(whole['openapi']))
    throw new SetupError(
      `${label}: is no OpenAPI 3 description (openapi: 3.x); name one, such as dist/openapi/openapi.yaml`,
    );
  if (!isObject(whole['paths'])) throw new SetupError(`${label}: has no paths; name the whole description`);
  const paths = Object.fromEntries(
    Object.entries(whole['paths']).filter((entry): entry is [string, Json] => isObject(entry[1])),
  );
  return {
    paths,
    security: whole['security'],
    resolve(value) {
      let name: string | undefined;
      let current = value;
      for (let steps = 0; isObject(current) && typeof current['$ref'] === 'string'; steps += 1) {
        const { $ref: reference, ...beside } = current as Json & { readonly $ref: string };
        const target = steps < 32 ? at(whole, reference) : undefined;
        if (!isObject(target))
          throw new SetupError(
            `${label}: ${reference} leads to nothing in this file; bundle the description into one file (redocly bundle)`,
          );
        name ??= reference.slice(reference.lastIndexOf('/') + 1);
        current = { ...target, ...beside };
      }
      return { name, value: isObject(current) ? current : {} };
    },
  };
}

/** What a JSON pointer of the document leads to. */
function at(whole: Json, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, token) => (isObject(node) && Object.hasOwn(node, token) ? node[token] : undefined), whole);
}
