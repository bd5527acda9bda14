import { isObject } from '../json.js';
import { answers, asDescribed, objects } from './rule.js';
import type { Listener, MonitorRow } from './rule.js';
import { own, show } from './values.js';

/** Rows of item filters and the profile (interface 2, ItemFilter; 4.2). */
export const filters: readonly MonitorRow[] = [
  {
    id: 'PROFILE-002',
    level: 'MUST',
    sentence: 'uuid is a UUID of version 4 in canonical form.',
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: (setting) => {
      return {
        ...asDescribed(['Profile.uuid'])(setting),
        objects: {
          Profile: ({ uuid }, at, findings) => {
            if (typeof uuid === 'string' && uuid !== uuid.toLowerCase()) {
              findings.warn(`The uuid has upper-case letters: ${at.got(uuid, 'uuid')}; the canonical form has none.`);
            }
          },
        },
      };
    },
  },
  {
    id: 'PROFILE-003',
    level: 'MUST',
    sentence: 'name of the profile is a string.',
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: asDescribed(['Profile.name']),
  },
  {
    id: 'PROFILE-004',
    level: 'MUST',
    sentence: 'locale of the profile is a string, null or absent.',
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: asDescribed(['Profile.locale']),
  },
  {
    id: 'FILTER-LIST-002',
    level: 'MUST',
    sentence: 'In the list, `filter` and `validation` are absent, not even null.',
    source: '2,4.2',
    gap: 'K-008',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: objects('ItemFilterSummary', (filter, at, findings) => {
      findings.look();
      for (const name of ['filter', 'validation']) {
        // Null is not absent, and the interface says absent twice (K-008).
        if (Object.hasOwn(filter, name)) findings.fail(`no ${name} in a list`, at.got(filter[name], name), at);
      }
    }),
  },
  {
    id: 'FILTER-VALID-002',
    level: 'MUST',
    sentence:
      'validation, where present, has a boolean `valid`; its version is a string, null or absent, its validated a date-time, null or absent.',
    source: '2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: asDescribed(
      [
        'ItemFilter.validation',
        'ItemFilter.validation.valid',
        'ItemFilter.validation.version',
        'ItemFilter.validation.validated',
      ],
      { kinds: ['missing', 'null', 'type', 'format'] },
    ),
  },
  {
    id: 'FILTER-PUBLIC-003',
    level: 'MUST',
    sentence: 'public is true or absent in every ItemFilter.',
    source: '2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: (): Listener => {
      const judge: NonNullable<Listener['objects']>[string] = (filter, at, findings) => {
        findings.look();
        if (Object.hasOwn(filter, 'public') && filter['public'] !== true) {
          findings.fail('public true or absent', at.got(filter['public'], 'public'), at);
        }
      };
      return { objects: { ItemFilter: judge, ItemFilterSummary: judge } };
    },
  },
  {
    id: 'FILTER-UPDATE-005',
    level: 'MUST',
    sentence: 'With status 202 `error` is an object beside `filter`.',
    source: '4.2,7',
    gap: 'K-068',
    needs: [['client:confidential', 'client:public'], 'consent', 'known:slow_filter'],
    rule: () => ({
      answer({ asked, status, json, ...answer }, findings) {
        if (asked.operation !== 'updateItemFilter' || status !== 202) return;
        findings.look();
        for (const name of ['error', 'filter']) {
          const value = own(json, name);
          if (!isObject(value))
            findings.fail(`${name} is an object beside status 202`, `$.${name} is ${show(value)}`, {
              asked,
              status,
              json,
              ...answer,
            });
        }
      },
    }),
  },
  {
    id: 'FILTER-UPDATE-006',
    level: 'INFER',
    sentence: 'With status 200 `error` is null or absent.',
    source: '4.2',
    plausible: '202 is said to carry an error; that 200 never does is not',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: answers((answer, findings) => {
      if (answer.asked.operation !== 'updateItemFilter' || answer.status !== 200) return;
      findings.look();
      const error = own(answer.json, 'error');
      if (error !== undefined && error !== null) {
        findings.fail('error null or absent beside status 200', `$.error is ${show(error)}`, answer);
      }
    }),
  },
];
