import type { Json } from '../../interceptor/interceptor.js';
import { gone } from '../../interceptor/json.js';
import { mutants, operator } from '../../mutant.js';
import { anyCase, cut, leavesFilter, sentMember, sentText, withoutSeparators } from '../../operators/filters.js';
import { give, rawReply, set, unwrap } from '../../operators/replies.js';
import { refuse, request, sentBody } from '../../operators/requests.js';

const create = 'createItemFilter';
const realms = ['pc', 'xbox', 'sony', 'game2'];
const filterOperations = ['listItemFilters', 'getItemFilter', create, 'updateItemFilter'] as const;

/** Members of a creation that may be left out. */
const optional = operator('optional', (_, defaults: Json) => sentBody(create, (body) => ({ ...defaults, ...body })));

/** The content type of creations, taken for another. */
const sentType = operator('sentType', (_, to: (type: string | undefined) => string | undefined) =>
  request(create, ({ headers }) => void (headers['content-type'] = to(headers['content-type']))),
);

/** What is created, and what is refused. */
export const filterCreation = mutants({
  'FILTER-CREATE-001 M-PF-06: a created filter comes without its wrapper': () => unwrap(create, 'filter'),
  'FILTER-CREATE-002: line ends of a filter are made alike': () =>
    request(create, (one) => void (one.body = one.body.replaceAll(String.raw`\r\n`, String.raw`\n`))).warns(),
  'FILTER-CREATE-002 trim: blanks at the start of the text of a filter are cut off': () =>
    sentText(create, 'filter', (text) => text.replace(/^[ \t\r\n]+/, '')).warns(),
  'FILTER-CREATE-002 planes: characters outside the basic plane become question marks': () =>
    sentText(create, 'filter', (text) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
  'FILTER-CREATE-002 long: a text is cut off after 65535 bytes': () =>
    sentText(create, 'filter', (text) => Buffer.from(text).subarray(0, 65_535).toString()),
  'FILTER-CREATE-002 form: a text is brought into Unicode form C': () =>
    sentText(create, 'filter', (text) => text.normalize('NFC')),
  'FILTER-CREATE-002 html: a text has its HTML escaped': () =>
    sentText(create, 'filter', (text) => text.replaceAll('<', '&lt;')),
  'FILTER-CREATE-002 tab: tabs in a text become spaces': () =>
    sentText(create, 'filter', (text) => text.replaceAll('\t', ' ')),
  'FILTER-CREATE-002 bom: a byte order mark at the start of a text is cut off': () =>
    sentText(create, 'filter', (text) => text.replace(/^\ufeff/, '')),
  'FILTER-CREATE-002 separator: line separators in a created text become line ends': () =>
    sentText(create, 'filter', withoutSeparators),
  'FILTER-CREATE-002 name-form: a name is brought into Unicode form C': () =>
    sentText(create, 'filter_name', (text) => text.normalize('NFC')),
  'FILTER-CREATE-002 name: a name is cut off after 16 characters': () => sentText(create, 'filter_name', cut(16)),
  'FILTER-CREATE-002 name-64: a name is cut off after 64 characters': () => sentText(create, 'filter_name', cut(64)),
  'FILTER-CREATE-003 M-AD-45: description and version are dropped when a filter is created': () =>
    sentBody(create, ({ description: _, version: __, ...rest }) => rest),
  'FILTER-CREATE-003 validated: with validate=true description and version are dropped': () =>
    sentBody(create, ({ description, version, ...rest }, asked) =>
      asked.get('validate') === 'true' ? rest : { description, version, ...rest },
    ),
  'FILTER-CREATE-003 cut: a description is cut off after 255 characters': () =>
    sentText(create, 'description', cut(255)),
  'FILTER-CREATE-003 spaces: spaces in a description become one': () =>
    sentText(create, 'description', (text) => text.replace(/ +/g, ' ')),
  'FILTER-CREATE-003 form: a description is brought into Unicode form C': () =>
    sentText(create, 'description', (text) => text.normalize('NFC')),
  'FILTER-CREATE-003 backslash: backslashes in a description are doubled': () =>
    sentText(create, 'description', (text) => text.replaceAll('\\', '\\\\')),
  'FILTER-CREATE-003: a description is shown without what is not ASCII': () =>
    sentText(create, 'description', (text) => text.replace(/[^\x20-\x7e]/g, '')),
  'FILTER-CREATE-004 type: a Ruthless filter is public unless it says otherwise': () =>
    sentBody(create, (body) => (body.type === 'Ruthless' ? { public: true, ...body } : body)),
  'FILTER-CREATE-004 M-PF-09: a private filter says public: false': () =>
    give(filterOperations, ['filter_name'], 'public', (is: unknown) => is ?? false).also(
      'FILTER-PUBLIC-003',
      'ITEMFILTER-FIELD-public',
    ),
  'FILTER-CREATE-005: public is dropped when a filter is created': () =>
    sentMember(create, 'public', (value: unknown) => (value === true ? gone : value)),
  'FILTER-CREATE-005 validated: with validate=true a filter is created as a private one': () =>
    sentBody(create, (body, asked) => {
      if (asked.get('validate') === 'true') delete body.public;
    }),
  'FILTER-CREATE-006: filter_name may be left out': () => optional({ filter_name: 'Unnamed' }),
  'FILTER-CREATE-006 realm: without a realm a filter is of realm pc': () => optional({ realm: 'pc' }),
  'FILTER-CREATE-006 text: without a text a filter is empty': () => optional({ filter: '' }),
  'FILTER-CREATE-007 M-PF-12-any: a filter of any realm is accepted': () =>
    sentBody(create, (body) => void (realms.includes(String(body.realm)) || (body.realm = 'pc'))),
  'FILTER-CREATE-007 case: the realm of a creation is taken in any case': () => sentText(create, 'realm', anyCase),
  'REALM-FILTER-001 M-PF-12: a filter of realm game2 is refused': () =>
    refuse(create, ({ json }) => (json as Json | undefined)?.realm === 'game2'),
  'FILTER-CREATE-008 M-PF-13: a type in lower case is stored': () =>
    sentText(create, 'type', (type) => type.replace(/^ruthless$/, 'Ruthless').replace(/^normal$/, 'Normal')),
  'FILTER-CREATE-008: a type that nobody knows is refused, and a filter is left behind': () => leavesFilter(),
  'FILTER-CREATE-009: application/json with a charset is refused': () =>
    refuse(create, ({ headers }) => headers['content-type']?.includes('charset') === true, 415),
  'FILTER-CREATE-009 none: a creation without a content type is accepted': () =>
    sentType((type) => type ?? 'application/json'),
  'FILTER-CREATE-009 like: every content type that begins with application is taken for JSON': () =>
    sentType((type) => (type?.startsWith('application/') ? 'application/json' : type)),
  'FILTER-CREATE-010 M-PF-16: malformed JSON gives 500': () =>
    rawReply(create, (one, { json }) => void (json === undefined && one.status === 400 && (one.status = 500))),
  'FILTER-CREATE-010 number: a number is taken for a name': () =>
    sentMember(create, 'filter_name', (name: unknown) => (typeof name === 'number' ? String(name) : name)),
  'FILTER-CREATE-010 public: public: 1 and public: "true" are taken for true': () =>
    sentMember(create, 'public', (value: unknown) => value === 1 || value === 'true' || value),
  'FILTER-CREATE-010 description: a description that is a number is written as text': () =>
    sentMember(create, 'description', (text: unknown) => (typeof text === 'number' ? String(text) : text)),
  'FILTER-CREATE-011: the type of a filter without one is not shown': () =>
    set(create, 'filter.type', '', ({ json }) => !('type' in (json as Json))),
  'FILTER-CREATE-013: a description that is null is stored as the text null': () =>
    sentMember(create, 'description', (value: unknown) => value ?? 'null'),
  'FILTER-CREATE-013 refused: type: null is refused': () =>
    refuse(create, ({ json }) => (json as Json | undefined)?.type === null),
});
