import { OAuthError } from './errors.js';

/** The known parameters of a request. An empty value counts as omitted (RFC 6749 3.1, 3.2). */
export interface Parameters<Name extends string> {
  readonly values: { readonly [K in Name]?: string };
  /** Known parameters that came more than once, with whatever value. */
  readonly repeated: readonly Name[];
}

/** Picks the parameters of an endpoint; any other is ignored, even if it is repeated (RFC 6749 3.1, 3.2). */
export function readParameters<Name extends string>(source: URLSearchParams, names: readonly Name[]): Parameters<Name> {
  const values: { [K in Name]?: string } = {};
  const repeated: Name[] = [];
  for (const name of names) {
    const [value, ...more] = source.getAll(name);
    if (more.length > 0) repeated.push(name);
    else if (value) values[name] = value;
  }
  return { values, repeated };
}

/** The parameters of a form, each at most once (RFC 6749 3.2). */
export function readForm<Name extends string>(
  source: URLSearchParams,
  names: readonly Name[],
): Parameters<Name>['values'] {
  const { values, repeated } = readParameters(source, names);
  refuseRepeated(repeated);
  return values;
}

export function refuseRepeated(repeated: readonly string[]): void {
  if (repeated.length > 0) throw new OAuthError('invalid_request', `sent more than once: ${repeated.join(', ')}`);
}

/** The value of a parameter that the endpoint cannot do without. */
export function required(name: string, value: string | undefined): string {
  if (!value) throw new OAuthError('invalid_request', `${name} is missing or empty`);
  return value;
}
