import type { Json } from '../../interceptor/interceptor.js';
import { gone } from '../../interceptor/json.js';
import { accountOf } from '../../interceptor/who.js';
import { mutants, together } from '../../mutant.js';
import { afterwards, anyCase, cut, foreignWritten, halfWritten, hides } from '../../operators/filters.js';
import { withoutPublic, keptFilter, leavesCopy, pendingWithout, sentMember } from '../../operators/filters.js';
import { sentText, showsForeign, textOnly, withoutSeparators, written } from '../../operators/filters.js';
import { put, rawReply, reply, set, stale, unwrap } from '../../operators/replies.js';
import { refuse, request, sentBody } from '../../operators/requests.js';

const update = 'updateItemFilter';
const defaults = { filter_name: 'Unnamed', description: '', version: '', type: 'Normal' };

/** A field in the answer to an update is as the update before left it. */
function asBefore(field: string) {
  const known = new Map<unknown, unknown>();
  return set(update, `filter.${field}`, (now: unknown, { id }: Json) => {
    const before = known.get(id) ?? now;
    known.set(id, now);
    return before;
  });
}

/** What an update changes, what it leaves, and what it refuses. */
export const filterUpdates = mutants({
  'FILTER-UPDATE-001 M-PF-18: an update resets what it leaves out': () =>
    sentBody(update, (body) => ({ ...defaults, ...body })),
  'FILTER-UPDATE-001 M-PF-28: a description cannot be updated to an empty text': () =>
    sentMember(update, 'description', (text: unknown) => text || gone),
  'FILTER-UPDATE-001 version: a version cannot be updated to an empty text': () =>
    sentMember(update, 'version', (version: unknown) => (version === '' ? gone : version)),
  'FILTER-UPDATE-001 realm: the realm cannot be updated': () => sentMember(update, 'realm', () => gone),
  'FILTER-UPDATE-001 text: a new text clears the description, which only a later lookup shows': () =>
    written((after, before) => (after.filter === before.filter ? after : { ...after, description: '' })),
  'FILTER-UPDATE-001 type: a new description makes the type Normal': () =>
    written((after, before) =>
      after.description === before.description || after.type === 'Normal' ? after : { ...after, type: 'Normal' },
    ),
  'FILTER-UPDATE-001 dry: an update with validate=true stores nothing': () =>
    written((after, before, { current }) => (current?.query.get('validate') === 'true' ? { ...before } : after)).inCase(
      'validate=true',
    ),
  'FILTER-UPDATE-001 stale: a lookup of a filter is kept for ever': () =>
    stale('getItemFilter').also('FILTER-MODEL-001'),
  'FILTER-UPDATE-001 lost: of two updates without a lookup in between the second undoes the first': (
    known = new Map<string, Json>(),
  ) =>
    together(
      reply('getItemFilter', () => known.clear()),
      written((after, before) => {
        const base = known.get(after.id);
        known.set(after.id, { ...before });
        // A new text may take a while to process: that case is another.
        if (after.filter !== before.filter) known.clear();
        if (!base || after.filter !== before.filter) return after;
        const changed = Object.entries(after).filter(([name, value]) => value !== (before as unknown as Json)[name]);
        return { ...before, ...base, ...Object.fromEntries(changed) };
      }),
    )
      .inCase('at once')
      .warns(),
  'FILTER-UPDATE-001 zero: a version that is a number loses the zeros at its end': () =>
    sentText(update, 'version', (version) => (/^\d+\.\d+$/.test(version) ? String(Number(version)) : version)),
  'FILTER-UPDATE-001 separator: line separators in an updated text become line ends': () =>
    sentText(update, 'filter', withoutSeparators),
  'FILTER-UPDATE-004 stale: the answer to an update has the description of before': () => asBefore('description'),
  'FILTER-UPDATE-004 version: the answer to an update has the version of before': () => asBefore('version'),
  'FILTER-UPDATE-003 told: the answer to an update that publishes a filter says that it is not public': () =>
    put(update, 'filter.public', () => false),
  'FILTER-UPDATE-001 N-FILTER-CREATE-002-update: line ends of an updated filter are made alike': () =>
    sentText(update, 'filter', (text) => text.replaceAll('\r\n', '\n')).warns(),
  'FILTER-UPDATE-001 name-form: an updated filter_name is brought into Unicode form C': () =>
    sentText(update, 'filter_name', (name) => name.normalize('NFC')),
  'FILTER-UPDATE-001 name-spaces: spaces in an updated filter_name become one': () =>
    sentText(update, 'filter_name', (name) => name.replace(/[ \u00a0]+/g, ' ')),
  'FILTER-UPDATE-001 lines: line ends of an updated description are made alike': () =>
    sentText(update, 'description', (text) => text.replace(/\r\n?/g, '\n')).warns(),
  'FILTER-UPDATE-001 version-html: an updated version has its HTML escaped': () =>
    sentText(update, 'version', (text) => text.replaceAll('<', '&lt;')),
  'FILTER-UPDATE-001 name: an updated filter_name is cut at 100 characters': () =>
    sentText(update, 'filter_name', cut(100)),
  'FILTER-UPDATE-001 description: an updated description is cut at 255 characters': () =>
    sentText(update, 'description', cut(255)),
  'FILTER-UPDATE-001 slow: of an update that needs processing only the text is written': () =>
    textOnly().inCase('with processing'),
  'FILTER-UPDATE-001 late: the end of the processing of an update undoes those in between': () =>
    afterwards((filter, { body, status }) => (status === 202 && 'filter' in body ? filter : null), 400).inCase(
      'during processing',
    ),
  'FILTER-UPDATE-002 M-PF-19: an update with {} is refused': () => refuse(update, ({ body }) => body.trim() === '{}'),
  'FILTER-UPDATE-002 M-PF-19-wipes: an update with {} wipes the filter': () =>
    sentBody(update, (body) =>
      Object.keys(body).length === 0 ? { description: 'wiped', version: '', filter: 'Show' } : body,
    ),
  'FILTER-UPDATE-002 empty: an update of a public filter with {} is refused': () =>
    refuse(update, ({ json }) => JSON.stringify(json) === '{}', 422),
  'FILTER-UPDATE-003 M-AD-48: public: true is ignored in an update': () =>
    sentMember(update, 'public', (is: unknown) => (is === true ? gone : is)),
  'FILTER-UPDATE-003 clears: an update of public alone clears the version': () =>
    sentBody(update, (body) =>
      body.public === true && Object.keys(body).length === 1 ? { ...body, version: '' } : undefined,
    ).inCase('alone'),
  'FILTER-UPDATE-001 game2: the second game is refused as the realm of an update': () =>
    refuse(update, ({ json }) => /^(game2|poe2)$/.test(String((json as Json | undefined)?.realm))).inCase(
      'some fields',
    ),
  'FILTER-UPDATE-003 alone: public counts only where it is the only field of an update': () =>
    sentBody(update, ({ public: is, ...rest }) => (is === true && Object.keys(rest).length > 0 ? rest : undefined)),
  'FILTER-UPDATE-004: an updated filter comes without its wrapper': () => unwrap(update, 'filter'),
  'FILTER-UPDATE-004 pending: an update that needs processing answers without the filter': () =>
    pendingWithout('filter'),
  'FILTER-UPDATE-005: an update that needs processing has no error object': () =>
    pendingWithout('error').exercise('FILTER-UPDATE-004'),
  'FILTER-UPDATE-013: an update that needs processing is answered with 200': () =>
    rawReply(update, (one) => {
      if (one.status === 202) one.status = 200;
    }).exercise('FILTER-UPDATE-013'),
  'FILTER-UPDATE-006: every update has an error object, which says that there is none': () =>
    put(update, 'error', (error: unknown) => error ?? { code: 0, message: '' }).exercise('FILTER-UPDATE-002'),
  'FILTER-UPDATE-007 M-AD-50: an update takes JSON under any content type': () =>
    request(update, ({ headers }) => void (headers['content-type'] = 'application/json')),
  'FILTER-UPDATE-008 realm: an update with an unknown realm is refused, and its description is stored': () =>
    halfWritten(({ realm }) => realm !== undefined),
  'FILTER-UPDATE-008 type: an update with an unknown type is refused, and its version is stored': () =>
    halfWritten(({ type, version }) => type !== undefined && version !== undefined),
  'FILTER-UPDATE-008 realm-case: the realm of an update is taken in any case': () => sentText(update, 'realm', anyCase),
  'FILTER-UPDATE-008 name: an update that is refused has renamed the filter': () =>
    afterwards((filter, { body: { realm, filter_name: name }, status }) =>
      status >= 400 && realm !== undefined && typeof name === 'string' ? { ...filter, filter_name: name } : null,
    ),
  "FILTER-UPDATE-009 M-PF-27: another account's filter can be updated": () => foreignWritten(),
  "FILTER-UPDATE-009 read: an update of another account's filter shows it, and changes nothing": () =>
    showsForeign(update, 404, { error: { code: 1, message: 'Forbidden' } }),
  'FILTER-UPDATE-009 public: anybody may update a public filter': () =>
    request(update, (one, at) => {
      const { account, filter } = keptFilter(at, one.route?.args.id) ?? {};
      const { description } = (one.json ?? {}) as Json;
      if (account === undefined || !filter?.public || typeof description !== 'string') return;
      if (account === accountOf(at, { request: one })) return;
      at.acted();
      at.service.authority.store.putFilter(account, { ...filter, description });
    }),
  "FILTER-GET-004 N-FILTER-GET-003: another account's private filter can be read": () =>
    showsForeign('getItemFilter', 200),
  'FILTER-UPDATE-010: an id in the body of an update is taken': () =>
    reply(update, ({ filter }, { request: { json } }) => {
      const { id } = json as Json;
      if (typeof id === 'string') (filter as Json).id = id;
    }),
  'FILTER-UPDATE-010 renamed: a public filter that is renamed gets another id': () =>
    reply(update, ({ filter }, { request: { json } }) => {
      const shown = filter as Json;
      if (shown.public === true && (json as Json).filter_name !== undefined)
        shown.id = [...String(shown.id)].toReversed().join('');
    }),
  'FILTER-UPDATE-010 copy: every update leaves the filter as it was under another id': () => leavesCopy(),
  'FILTER-UPDATE-011: the update of an unknown filter creates one': () =>
    request(update, (one, at) => {
      if (keptFilter(at, one.route?.args.id)) return;
      one.path = '/item-filter';
      at.acted();
    }),
  'FILTER-UPDATE-012: the answer to an update shows the text as it was before': (texts = new Map<unknown, string>()) =>
    set(['createItemFilter', update], 'filter.filter', (text: string, { id }: Json) => {
      const before = texts.get(id) ?? text;
      texts.set(id, text);
      return before;
    }),
  'FILTER-UPDATE-012 lines: the answer to an update shows line ends of one kind': () =>
    set(update, 'filter.filter', (text: string) => text.replaceAll('\r\n', '\n')).warns(),
  'FILTER-PUBLIC-001 M-PF-21: public: null makes a filter private': () => hides(null),
  'FILTER-PUBLIC-001 text: a new text makes a filter private': () =>
    written((after, before) => (after.filter === before.filter ? after : withoutPublic(after))),
  'FILTER-PUBLIC-001 realm: a new realm makes a filter private': () =>
    written((after, before) => (after.realm === before.realm ? after : withoutPublic(after))),
  'FILTER-PUBLIC-001 validate: an update with validate=true makes a filter private': () =>
    written((after, _, { current }) => (after.public && current?.query.has('validate') ? withoutPublic(after) : after)),
  'FILTER-PUBLIC-001 invalid: a validation that fails makes a filter private': () =>
    afterwards((filter, { status, reply: { filter: shown } }) => {
      const { valid } = ((shown as Json | undefined)?.validation ?? {}) as Json;
      return status < 300 && filter.public && valid === false ? withoutPublic(filter) : null;
    }),
  'FILTER-PUBLIC-002: an update with public: false is refused, and its description is stored': () =>
    halfWritten((body) => body.public === false),
  'FILTER-PUBLIC-002 validated: public: false makes a filter private that has been validated': () =>
    hides(false, ({ validation }) => validation !== undefined).inCase('a public filter that was validated'),
  'FILTER-PUBLIC-002 M-PF-22: public: false is accepted, and echoed': (denied = new WeakSet<object>()) =>
    together(
      request(update, (one) => void ((one.json as Json | undefined)?.public === false && denied.add(one))),
      hides(false),
      put(update, 'filter.public', false, (one) => denied.has(one)),
    ).also('FILTER-PUBLIC-003'),
});
