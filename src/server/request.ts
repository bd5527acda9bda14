import type { Request, Response } from './http.js';
import type { LogicalOperation, Operation, Switches } from '../contract/index.js';
import { parameterTable } from '../contract/index.js';
import * as compiled from '../contract/requests.gen.js';
import { kindOf } from '../input/kind.js';
import { mediaType, readText } from './body.js';
import { Refusal } from './refusal.js';
import type { Match } from './routes.js';

/** What a compiled validator leaves behind; only the parts that a message is made from. */
/** What a validator says of a value. */
export interface Complaint {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

type Validator = ((value: unknown) => boolean) & { errors?: readonly Complaint[] | null };

const validators = compiled as unknown as Readonly<Record<string, Validator>>;

/**
 * The parameters and the body of a data request, as the contract has them.
 * @throws Refusal 400 that names what is wrong; 413 and 415 for a body that is not read
 */
export async function readRequest(
  { operation, captured }: Match,
  query: string,
  { req, res }: { readonly req: Request; readonly res: Response },
  switches: Switches,
): Promise<{ readonly params: Readonly<Record<string, unknown>>; readonly body: unknown }> {
  const params = readParameters(operation, captured, query, switches);
  const body = operation.body === undefined ? undefined : await readJson(operation, req, res, switches);
  return { params, body };
}

/** Decodes a percent-encoded text once (K-113). `+` is a space in queries and forms, itself in paths. */
function decode(text: string, place: () => string, plusIsSpace: boolean): string {
  const spaced = plusIsSpace ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new Refusal(400, `${place()}: malformed percent-encoding; write a literal % as %25 and text as UTF-8`);
  }
}

/**
 * Reads `a=1&b=2` strictly: names and values in order of appearance.
 * @throws Refusal 400 where the percent-encoding is malformed.
 */
export function readPairs(text: string, place: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals), () => `a name in the ${place}`, true);
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1), () => `${place} parameter ${quote(name)}`, true);
    pairs.push([name, value]);
  }
  return pairs;
}

/** A name from outside, safe to stand in a message. */
const quote = (name: string): string => JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);

/**
 * The parameters of an operation, typed, with defaults: path and query together, a literal realm segment as `realm`.
 * @throws Refusal 400 that names every parameter at fault.
 */
export function readParameters(
  operation: Operation,
  captured: readonly (readonly [string, string])[],
  query: string,
  switches: Switches,
): Record<string, unknown> {
  const table = parameterTable[operation.logical];
  const values: Record<string, unknown> = {};
  for (const [name, raw] of captured) values[name] = decode(raw, () => `path parameter ${name}`, false);
  if (operation.realm) values.realm = operation.realm;
  else if (values.realm !== undefined) values.realm = pathRealm(values.realm as string, switches);
  if (operation.logical === 'getCurrencyExchange' && values.id !== undefined) requireDigits(values.id as string);
  const seen = new Set<string>();
  for (const [name, value] of readPairs(query, 'query')) {
    // Unknown parameters are ignored; a path parameter cannot be overridden from the query.
    if (!operation.parameters.some((parameter) => parameter.in === 'query' && parameter.name === name)) continue;
    if (seen.has(name)) throw new Refusal(400, `query parameter ${name} is repeated; send it once`);
    seen.add(name);
    values[name] = name === 'realm' ? innerRealm(value, switches) : typed(value, table[name]?.type);
  }
  for (const [name, { default: value }] of Object.entries(table)) {
    if (values[name] === undefined && value !== undefined) values[name] = value;
  }
  return validated(operation, values, switches);
}

const pcInPath = 'path parameter realm: pc is no path realm; leave the segment out';

/** Digits are an hour, listed realms are realms, and all else is no path of the exchange (K-020). */
function requireDigits(id: string): void {
  if (id === 'pc') throw new Refusal(404, pcInPath);
  if (!/^[0-9]+$/.test(id)) throw new Refusal(404, 'the exchange takes a realm or the digits of an hour in its path');
}

function pathRealm(realm: string, switches: Switches): string {
  if (realm === 'pc' && !switches['paths.acceptPc']) throw new Refusal(400, pcInPath);
  return innerRealm(realm, switches);
}

/** The contract's word for a realm that came from the wire; a word that is spelled differently here stays unknown. */
export function innerRealm(realm: string, switches: Switches): string {
  const word = switches['names.game2'];
  if (realm === word) return 'game2';
  return realm === 'game2' ? 'game2 (unknown here)' : realm;
}

/** A text as the parameter's type; what does not read as it stays a text, which the validator then refuses. */
function typed(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^-?(0|[1-9][0-9]*)$/.test(text)) return exact(Number(text));
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** The nearest integer that is exact: whoever asks for more asks for what is beyond any end. */
const exact = (number: number): number => Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));

function validated(
  { logical, parameters }: Operation,
  values: Record<string, unknown>,
  switches: Switches,
): Record<string, unknown> {
  const validate = validators[`${logical}Parameters`];
  if (!validate || validate(values)) return values;
  const complaints = validate.errors ?? [];
  const open = complaints.filter((complaint) => !repaired(logical, values, complaint, switches));
  if (open.length === 0) return values;
  const isInPath = parameters.some((one) => one.in === 'path' && one.name === 'realm');
  const shown = isInPath && !switches['paths.acceptPc'] ? open.map(withoutPc) : open;
  throw new Refusal(400, shown.map((complaint) => explain(complaint, 'parameter', switches)).join('; '));
}

/** What a path takes as its realm: pc is left out of it (K-021). */
const withoutPc = (complaint: Complaint): Complaint =>
  complaint.instancePath === '/realm' && complaint.keyword === 'enum'
    ? {
        ...complaint,
        params: { allowedValues: (complaint.params.allowedValues as unknown[]).filter((one) => one !== 'pc') },
      }
    : complaint;

/** Where a reading asks for it, a limit above its maximum is lowered (K-015) and other junk replaced (K-016). */
function repaired(
  logical: LogicalOperation,
  values: Record<string, unknown>,
  { keyword, instancePath, params }: Complaint,
  switches: Switches,
): boolean {
  const name = instancePath.slice(1);
  const row = parameterTable[logical][name];
  if (keyword === 'maximum' && (switches['params.overMax'] === 'clamp' || switches['params.invalid'] === 'clamp')) {
    values[name] = params.limit;
    return true;
  }
  if (switches['params.invalid'] !== 'clamp' || !row) return false;
  if (keyword === 'minimum') values[name] = params.limit;
  else if (row.default !== undefined) values[name] = row.default;
  else delete values[name];
  return true;
}

async function readJson(operation: Operation, req: Request, res: Response, switches: Switches): Promise<unknown> {
  if (mediaType(req.headers['content-type']) !== operation.body) {
    throw new Refusal(415, `the content-type must be ${operation.body}`);
  }
  const text = await readText('json', req, res);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refusal(
      400,
      text === '' ? 'the body is empty; send a JSON object' : 'the body is not JSON; send a JSON object',
    );
  }
  const readable = reread(operation, body, switches);
  checkBody(operation.logical, readable, switches);
  return readable;
}

/** The body as the contract has it, where a switch lets the wire differ. */
function reread({ logical }: Operation, body: unknown, switches: Switches): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const fields: Record<string, unknown> = { ...body };
  if (typeof fields.realm === 'string') fields.realm = innerRealm(fields.realm, switches);
  // K-071: 'must be true if present', and a server may refuse false or not look at it.
  const ignored = logical === 'updateItemFilter' && switches['filters.publicFalse'] === 'ignore';
  if (ignored && fields.public === false) delete fields.public;
  return fields;
}

/**
 * Checks a JSON body against the contract.
 * @throws Refusal 400 that names every field at fault.
 */
export function checkBody(logical: LogicalOperation, body: unknown, switches: Switches): void {
  const validate = validators[`${logical}Body`];
  if (validate && !validate(body)) {
    throw new Refusal(
      400,
      (validate.errors ?? []).map((complaint) => explain(complaint, 'field', switches)).join('; '),
    );
  }
}

/** One complaint of a validator as a sentence that names the field, the rule and the remedy. */
export function explain({ keyword, instancePath, params }: Complaint, kind: string, switches: Switches): string {
  const name = instancePath.slice(1).replaceAll('/', '.') || 'the body';
  const field = name === 'the body' ? name : `${kind} ${name}`;
  switch (keyword) {
    case 'required':
      return `${kind} ${String(params.missingProperty)} is required`;
    case 'enum':
      return `${field} must be one of ${(params.allowedValues as unknown[])
        .filter((value) => value !== null)
        .map((value) => (value === 'game2' ? switches['names.game2'] : value))
        .join(', ')}`;
    case 'const':
      return `${field} must be ${JSON.stringify(params.allowedValue)}`;
    case 'maximum':
    case 'minimum':
      return `${field} must be ${keyword === 'maximum' ? 'at most' : 'at least'} ${String(params.limit)}`;
    case 'type':
      return `${field} must be ${[params.type].flat().map(kindOf).join(' or ')}`;
    case 'minLength':
      return `${field} must not be empty`;
    case 'additionalProperties':
      return `${field} has something that the contract does not have`;
    case 'minItems':
    case 'maxItems':
      return `${field} must have ${keyword === 'minItems' ? 'at least' : 'at most'} ${String(params.limit)} items`;
    case 'pattern':
      return `${field} must match ${String(params.pattern)}`;
    case 'format':
      return `${field} must be a ${String(params.format)}`;
    default:
      return `${field} is not valid`;
  }
}
