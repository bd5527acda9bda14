import type { JournalEntry } from '../../client/index.js';
import { bytes } from '../../bytes/index.js';
import { oauthParameters } from '../../contract/index.js';
import type { OAuthOperation, Operation, Switches } from '../../contract/index.js';
import { textOf } from '../exchange-record.js';
import type { ExchangeRecord } from '../exchange-record.js';
import { mediaType } from '../body.js';
import { Refusal } from '../refusal.js';
import { checkBody, explain, readPairs, readParameters } from '../request.js';
import type { Complaint } from '../request.js';
import type { Routes } from '../routes.js';
import { splitTarget } from '../target.js';
import { isAuthorization, valueOf } from './redact.js';

type Judge = ((body: unknown) => boolean) & { errors?: readonly Complaint[] | null };
export type Judges = Readonly<Record<string, Judge | undefined>>;

/** What an exchange is held against. */
export interface Law {
  readonly routes: Routes;
  readonly switches: Switches;
  readonly judges: Judges;
}

const forms: Readonly<Record<string, string>> = {
  issueToken: 'schemaTokenRequest',
  revokeToken: 'schemaRevocationRequest',
  introspectToken: 'schemaIntrospectionRequest',
};

/** In what request and reply leave the contract; null where that cannot be said. */
export const problemsOf = (record: ExchangeRecord, law: Law): JournalEntry['problems'] => ({
  request: requestProblems(record, law),
  reply: replyProblems(record, law),
});

/** In what a request leaves the contract; null where it is to no operation, or its body is not there as a whole. */
function requestProblems(record: ExchangeRecord, { routes, switches, judges }: Law): readonly string[] | null {
  const { path, query } = splitTarget(record.target);
  const match = routes.find(record.method, path);
  if (!match || !('operation' in match)) return null;
  const { operation, captured } = match;
  const problems = missingToken(operation, record);
  const strict = { ...switches, 'params.overMax': 'reject', 'params.invalid': 'reject' } as Switches;
  try {
    readParameters(operation, captured, query, strict);
  } catch (error) {
    problems.push(sentenceOf(error));
  }
  if (operation.body === undefined) return problems;
  if (mediaType(valueOf(record.requestHeaders, 'content-type')) !== operation.body)
    return [...problems, `the content-type must be ${operation.body}`];
  const text = textOf(record.requestBody);
  if (bytes.size(text) < record.requestBody.size) return null;
  const form = forms[operation.logical];
  return [
    ...problems,
    ...(form && isAuthorization(operation.logical)
      ? formProblems(text, operation.logical, judges[form], switches)
      : bodyProblems(operation, text, switches)),
  ];
}

function missingToken({ scope, server }: Operation, { requestHeaders }: ExchangeRecord): string[] {
  if (scope === undefined || server !== 'data' || /^bearer /i.test(valueOf(requestHeaders, 'authorization'))) return [];
  return ['there is no bearer token in the Authorization header'];
}

function bodyProblems({ logical }: Operation, text: string, switches: Switches): string[] {
  try {
    checkBody(logical, JSON.parse(text), switches);
    return [];
  } catch (error) {
    return [sentenceOf(error)];
  }
}

function formProblems(text: string, logical: OAuthOperation, judge: Judge | undefined, switches: Switches): string[] {
  const names = new Set<string>(oauthParameters[logical]);
  try {
    const pairs = readPairs(text, 'form');
    const fields = new Map(pairs);
    if (fields.size < pairs.length) return [`sent more than once: ${repeated(pairs, names).join(', ')}`];
    return complaints(Object.fromEntries(fields), judge, switches);
  } catch (error) {
    return [withKnownName(sentenceOf(error), names)];
  }
}

const unknown = 'that the contract does not have';

/** A sentence that quotes one name, if it is one of the contract. */
function withKnownName(sentence: string, names: ReadonlySet<string>): string {
  const [from, to] = [sentence.indexOf('"'), sentence.lastIndexOf('"')];
  if (from === to || names.has(sentence.slice(from + 1, to))) return sentence;
  return sentence.slice(0, from) + unknown + sentence.slice(to + 1);
}

/** The names that come more than once; any that the contract does not have may be part of a secret. */
function repeated(pairs: readonly (readonly [string, string])[], names: ReadonlySet<string>): string[] {
  const [seen, again] = [new Set<string>(), new Set<string>()];
  for (const [name] of pairs) (seen.has(name) ? again : seen).add(name);
  const known = [...again].filter((name) => names.has(name));
  return known.length < again.size ? [...known, `a field ${unknown}`] : known;
}

/** In what a reply leaves the contract; null where there is none, or none of an operation, or not the whole of it. */
function replyProblems(
  { logical, method, reply }: ExchangeRecord,
  { judges, switches }: Law,
): readonly string[] | null {
  if (logical === undefined || reply === null) return null;
  const { status, headers, body } = reply;
  if (logical === 'authorize') return null;
  const judge =
    judges[`${logical}${status}`] ?? (status >= 400 && !isAuthorization(logical) ? judges.schemaDataError : undefined);
  if (!judge) return [`the contract has no status ${status} for ${logical}`];
  if (mediaType(headers['content-type']) !== 'application/json') return ['the content-type is not application/json'];
  const text = textOf(body);
  if (method === 'HEAD' || bytes.size(text) < body.size) return null;
  try {
    return complaints(JSON.parse(text), judge, switches);
  } catch {
    return ['the body is not JSON'];
  }
}

function complaints(value: unknown, judge: Judge | undefined, switches: Switches): string[] {
  if (!judge || judge(value)) return [];
  return (judge.errors ?? []).slice(0, 5).map((complaint) => explain(complaint, 'field', switches));
}

function sentenceOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  return error instanceof SyntaxError ? 'the body is not JSON' : String(error);
}
