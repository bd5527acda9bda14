import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';
import { operationList } from '../../src/contract/index.js';
import type { LogicalOperation, Operation, Realm } from '../../src/contract/index.js';
import { succeeded } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import type { Game, TargetNames } from './shape.js';

/** A successful reply whose body is a JSON object, with what the request tells about it. */
export interface Reply {
  readonly answer: Answer;
  readonly operation: LogicalOperation;
  readonly body: JsonObject;
  readonly args: Readonly<Record<string, unknown>>;
  /** The realm that was asked for; undefined where the operation has none, or the request named none of the four. */
  readonly realm: Realm | undefined;
  /** The game whose objects the reply holds, where the request tells. */
  readonly game: Game | undefined;
}

const forms = new Map<LogicalOperation, readonly Operation[]>();
for (const operation of operationList)
  forms.set(operation.logical, [...(forms.get(operation.logical) ?? []), operation]);

/** The rows of the operation table for a logical operation. */
export const formsOf = (operation: LogicalOperation): readonly Operation[] => forms.get(operation) ?? [];

const realms: ReadonlySet<unknown> = new Set(['pc', 'xbox', 'sony', 'game2']);

/** Reads an answer to a request of the contract as a reply, or undefined where it is none that can be judged. */
export function replyOf(answer: Answer, names: TargetNames): Reply | undefined {
  const { operation, args } = answer.asked;
  if (operation === undefined || !succeeded(answer) || !isObject(answer.json) || isAmbiguous(answer, names))
    return undefined;
  const realm = realmOf(answer, names);
  return { answer, operation, body: answer.json, args, realm, game: gameOf(operation, realm) };
}

/**
 * Whether the path may mean something else than was asked: names that are realm words, which the interface does not
 * tell from realms (K-017, K-018), and names that a URL loses or rewrites (K-113).
 */
function isAmbiguous(answer: Answer, names: TargetNames): boolean {
  const { operation, args } = answer.asked;
  if (operation === undefined) return true;
  const [form] = formsOf(operation);
  for (const name in args) {
    const value = args[name];
    if (name === 'realm' || form?.parameters.some((parameter) => parameter.name === name && parameter.in === 'query'))
      continue;
    if (value === '' || value === '.' || value === '..' || realms.has(value) || value === names.game2) return true;
    if (operation === 'getCurrencyExchange' && name === 'id' && !/^\d+$/.test(String(value))) return true;
  }
  return false;
}

/** By the request as it was sent: a check may add a realm to the query that the arguments do not name. */
function realmOf({ asked, request }: Answer, names: TargetNames): Realm | undefined {
  const all = formsOf(asked.operation as LogicalOperation);
  if (
    all.some(({ parameters }) => parameters.some((parameter) => parameter.name === 'realm' && parameter.in === 'query'))
  ) {
    const [word, ...more] = queryValues(request.url, 'realm');
    if (more.length > 0) return undefined;
    if (word === names.game2) return 'game2';
    return word === 'game2' ? undefined : known(word);
  }
  return all.some(({ realm, parameters }) => realm !== undefined || parameters.some(({ name }) => name === 'realm'))
    ? known(asked.args['realm'])
    : undefined;
}

function known(word: unknown = 'pc'): Realm | undefined {
  return realms.has(word) ? (word as Realm) : undefined;
}

/** Operations of the first game answer for it alone, whatever realm was asked for. */
function gameOf(operation: LogicalOperation, realm: Realm | undefined): Game | undefined {
  if (realm !== 'game2') return realm && 'g1';
  return formsOf(operation).every(({ game }) => game === 'g1') ? undefined : 'g2';
}

/** Values of a query parameter as they were sent. */
function queryValues(url: string, name: string): readonly string[] {
  const start = url.indexOf('?');
  return start < 0 ? [] : new URLSearchParams(url.slice(start + 1).split('#')[0]).getAll(name);
}
