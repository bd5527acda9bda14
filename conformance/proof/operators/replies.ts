/**
 * Mutations of replies on their way out. Places in a reply are written `leagues[].category.id`, `**.style` anywhere; `[]`
 * are the values of a list or a dictionary.
 */
import type { GameOperation } from '../../../src/contract/index.js';
import type { DataReply, Interceptor, Json } from '../interceptor/interceptor.js';
import { change as changeMember, gone, having, rename as renameMember } from '../interceptor/json.js';
import type { Inbound, Outbound } from '../interceptor/traffic.js';
import { operator } from '../mutant.js';
import { isAsked } from './requests.js';
import type { Operations, When } from './requests.js';

export type DataOperations = GameOperation | readonly GameOperation[] | 'all';

/** The body of successful replies, changed; what `change` returns takes the body's place. */
export const reply = operator(
  'reply',
  (
    at,
    operations: DataOperations,
    change: (body: Json, context: DataReply, at: Interceptor) => unknown,
    when: When = {},
  ) =>
    at.data(operations, (body, context) =>
      isAsked(at, context.request, operations, when) ? change(body, context, at) : undefined,
    ),
);

/** Replies of any status and kind, changed whole: status, headers, body. */
export const rawReply = operator(
  'rawReply',
  (at, operations: Operations, change: (reply: Outbound, request: Inbound, at: Interceptor) => void, when: When = {}) =>
    at.reply((one, request) => {
      if (isAsked(at, request, operations, when)) change(one, request, at);
    }),
);

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The objects that the member at the end of a place belongs to, and its name; `**.x` is wherever there is an `x`. */
function holders(body: unknown, place: string): readonly [readonly Json[], string] {
  const steps = place.split('.');
  const name = steps.pop()!;
  const start = steps[0] === '**' ? having(body, (steps[1] ?? name).replace('[]', '')) : [body];
  const found = steps
    .filter((step) => step !== '**')
    .reduce<readonly unknown[]>((at, step) => {
      const inner = at.map((one) => (one as Json)[step.replace('[]', '')]).filter(isObject);
      return (step.endsWith('[]') ? inner.flatMap((one) => Object.values(one)) : inner).filter(isObject);
    }, start);
  return [found as readonly Json[], name];
}

const edit = (body: unknown, place: string, to: (holder: Json, name: string) => void): void => {
  const [found, name] = holders(body, place);
  for (const holder of found) to(holder, name);
};

const made = (value: unknown, ...given: readonly unknown[]): unknown =>
  typeof value === 'function' ? (value as (...all: readonly unknown[]) => unknown)(...given) : value;

/** A member that is there gets another value, or one made of its value, its object, the context and the interceptor. */
export const set = operator('set', (at, operations: DataOperations, place: string, value: unknown, when: When = {}) =>
  reply(
    operations,
    (body, context) =>
      edit(body, place, (holder, name) =>
        changeMember(holder, name, (before) => made(value, before, holder, context, at)),
      ),
    when,
  ),
);

/** A member gets a value, as with `set`, but where it was left out as well; undefined leaves it out. */
export const put = operator('put', (at, operations: DataOperations, place: string, value: unknown, when: When = {}) =>
  reply(
    operations,
    (body, context) =>
      edit(body, place, (holder, name) => void (holder[name] = made(value, holder[name], holder, context, at))),
    when,
  ),
);

/** A member that is left out. */
export const drop = operator('drop', (_, operations: DataOperations, place: string, when: When = {}) =>
  set(operations, place, () => gone, when),
);

/** A member under another name. */
export const rename = operator('rename', (_, operations: DataOperations, place: string, to: string, when: When = {}) =>
  reply(operations, (body) => edit(body, place, (holder, name) => renameMember(holder, name, to)), when),
);

/** A list with other entries, or in another order: what `to` makes of it. */
export const list = operator(
  'list',
  (
    at,
    operations: DataOperations,
    place: string,
    to: (entries: Json[], context: DataReply, at: Interceptor) => readonly unknown[],
    when: When = {},
  ) =>
    reply(
      operations,
      (body, context) =>
        edit(body, place, (holder, name) => {
          if (Array.isArray(holder[name])) holder[name] = to(holder[name] as Json[], context, at);
        }),
      when,
    ),
);

/** Entries of a list that are left out. */
export const omit = operator(
  'omit',
  (
    _,
    operations: DataOperations,
    place: string,
    which: (entry: Json, index: number, entries: readonly Json[]) => unknown,
    when: When = {},
  ) => list(operations, place, (entries) => entries.filter((entry, index) => !which(entry, index, entries)), when),
);

/** A list without its last entry. */
export const shorten = operator('shorten', (_, operations: DataOperations, place: string, when: When = {}) =>
  list(operations, place, (entries) => entries.slice(0, -1), when),
);

/** A list in the opposite order. */
export const reverse = operator('reverse', (_, operations: DataOperations, place: string, when: When = {}) =>
  list(operations, place, (entries) => entries.toReversed(), when),
);

/** A reply without its wrapper. */
export const unwrap = operator('unwrap', (_, operations: DataOperations, wrapper: string) =>
  reply(operations, (body) => body[wrapper] ?? undefined),
);

/** A header with another value; null leaves it out. */
export const header = operator(
  'header',
  (_, operations: Operations, name: string, value: string | null, when: When = {}) =>
    rawReply(
      operations,
      ({ headers }) => {
        if (value === null) delete headers[name];
        else headers[name] = value;
      },
      when,
    ),
);

/** Answers that are kept, and given to whoever asks for what has the same key: the address, where none is named. */
export const stale = operator(
  'stale',
  (
    at,
    operation: GameOperation,
    keyOf: (request: Inbound, at: Interceptor) => string | undefined = ({ url }) => url,
  ) => {
    const answers = new Map<string, string>();
    at.laid(() => answers.clear());
    return rawReply(operation, (one, asked) => {
      if (one.status !== 200 && one.status !== 404) return;
      const key = keyOf(asked, at);
      if (key === undefined) return;
      const before = answers.get(key);
      if (before !== undefined) {
        one.status = 200;
        one.json = JSON.parse(before);
      } else if (one.status === 200) answers.set(key, one.text);
    });
  },
);

/** Objects that have all of these members get another, or another value of one, wherever in a reply they are. */
export const give = operator(
  'give',
  (_, operations: DataOperations, to: readonly string[], name: string, value: unknown, when: When = {}) =>
    reply(
      operations,
      (body) => {
        for (const one of having(body, ...to)) one[name] = made(value, one[name], one);
      },
      when,
    ),
);

/** A lookup that finds nothing is refused, where it has to give its wrapper with null. */
export const refuseUnknown = operator(
  'refuseUnknown',
  (_, operation: GameOperation, wrapper: string, when: When = {}) =>
    reply(
      operation,
      (body, { reply: one }) => {
        if (body[wrapper] !== null) return undefined;
        one.status = 404;
        return { error: { code: 1, message: 'Resource not found' } };
      },
      when,
    ),
);
