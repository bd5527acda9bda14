import { isObject } from '../json.js';
import { answers, asDescribed, objects } from './rule.js';
import type { Listener, Rules } from './rule.js';
import { own, show } from './values.js';

/** Rows of item filters and the profile (interface 2, ItemFilter; 4.2). */
export const filters: Rules = {
  'PROFILE-002': (setting) => {
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
  'PROFILE-003': asDescribed(['Profile.name']),
  'PROFILE-004': asDescribed(['Profile.locale']),
  'FILTER-LIST-002': objects('ItemFilterSummary', (filter, at, findings) => {
    findings.look();
    for (const name of ['filter', 'validation']) {
      // Null is not absent, and the interface says absent twice (K-008).
      if (Object.hasOwn(filter, name)) findings.fail(`no ${name} in a list`, at.got(filter[name], name), at);
    }
  }),
  'FILTER-VALID-002': asDescribed(
    [
      'ItemFilter.validation',
      'ItemFilter.validation.valid',
      'ItemFilter.validation.version',
      'ItemFilter.validation.validated',
    ],
    { kinds: ['missing', 'null', 'type', 'format'] },
  ),
  'FILTER-PUBLIC-003': (): Listener => {
    const judge: NonNullable<Listener['objects']>[string] = (filter, at, findings) => {
      findings.look();
      if (Object.hasOwn(filter, 'public') && filter['public'] !== true) {
        findings.fail('public true or absent', at.got(filter['public'], 'public'), at);
      }
    };
    return { objects: { ItemFilter: judge, ItemFilterSummary: judge } };
  },
  'FILTER-UPDATE-005': () => ({
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
  'FILTER-UPDATE-006': answers((answer, findings) => {
    if (answer.asked.operation !== 'updateItemFilter' || answer.status !== 200) return;
    findings.look();
    const error = own(answer.json, 'error');
    if (error !== undefined && error !== null) {
      findings.fail('error null or absent beside status 200', `$.error is ${show(error)}`, answer);
    }
  }),
};
