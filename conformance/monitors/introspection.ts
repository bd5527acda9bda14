import { header } from '../wire/answer.js';
import { replies } from './rule.js';
import type { MonitorRow, Rules } from './rule.js';
import { given, show } from './values.js';

/** Far beyond any clock that counts seconds: a time in milliseconds. */
const milliseconds = 1e11;

/** Rows of introspection (RFC 7662 2.2). */
export const introspection: readonly MonitorRow[] = [
  {
    id: 'INTRO-007',
    level: 'SHOULD-RFC',
    sentence: 'Answers about inactive tokens hold no member but `active`.',
    source: '4.1',
    needs: ['introspect'],
    rule: replies(['introspectToken'], ({ body }, findings) => {
      if (body['active'] !== false) return;
      findings.look();
      const more = Object.keys(body).filter((name) => name !== 'active' && body[name] !== null);
      if (more.length > 0) findings.warn(`Inactive answers tell ${more.slice(0, 6).join(', ')} as well.`);
    }),
  },
];

/** Whose requirement stands beside a check that brings the case about. */
export const introspected: Rules = {
  'INTRO-003': () => ({
    reply({ operation, body: { active }, answer }, findings) {
      if (operation !== 'introspectToken') return;
      findings.look();
      if (typeof active !== 'boolean') findings.fail('active as a boolean', `$.active is ${show(active)}`, answer);
    },
  }),
  'INTRO-013': ({ target }) => ({
    reply({ operation, body, answer }, findings) {
      const { iat, exp } = body;
      if (operation !== 'introspectToken' || !given(iat)) return;
      if (typeof iat !== 'number' || !Number.isInteger(iat)) {
        findings.fail('iat in whole seconds', `$.iat is ${show(iat)}`, answer);
        return;
      }
      if (typeof exp === 'number') {
        findings.look();
        if (iat > exp) findings.fail('iat at or before exp', `$.iat is ${iat}, exp is ${exp}`, answer);
      }
      if (iat > milliseconds) findings.fail('iat in seconds, not in the future', `$.iat is ${iat}`, answer);
      // A server whose clock can be moved may date its answers by another one.
      const now = Date.parse(header(answer, 'date') ?? '') / 1000;
      if (target.control_url !== undefined || target.adapter !== undefined || Number.isNaN(now)) return;
      findings.look();
      if (iat > now + 300) findings.warn(`iat is ${Math.round(iat - now)} s after the Date header.`);
    },
  }),
};
