import type { LimitSettings } from '../../client/index.js';
import type { Admission } from './limits.js';

type Headers = Record<string, string>;

/** Names of a rule's two headers. */
const namesOf = {
  client: ['X-Rate-Limit-Client', 'X-Rate-Limit-Client-State'],
  account: ['X-Rate-Limit-Account', 'X-Rate-Limit-Account-State'],
  ip: ['X-Rate-Limit-Ip', 'X-Rate-Limit-Ip-State'],
} as const;

/** The headers that show a client where it stands, after its request was counted. */
export function limitHeaders(admission: Admission, style: LimitSettings['headers'], now: number): Headers {
  if (style === 'none' || admission.readings.length === 0) return {};
  return style === 'ietf' ? ietf(admission, now) : observed(admission, now);
}

/** `hits:period:restriction` for each window of a rule, and in `-State` what was counted and how long it is restricted. */
function observed({ policy, readings }: Admission, now: number): Headers {
  const headers: Headers = { 'X-Rate-Limit-Policy': policy, 'X-Rate-Limit-Rules': '' };
  let rules = '';
  for (let at = 0; at < readings.length; at++) {
    const { counted, meters } = readings[at]!;
    const { rule, shown, periods } = counted;
    const [name, stateName] = namesOf[rule];
    let state = '';
    for (let index = 0; index < meters.length; index++) {
      const meter = meters[index]!;
      if (index > 0) state += ',';
      state += meter.count(now) + periods[index]! + meter.restricted(now);
    }
    headers[name] = shown;
    headers[stateName] = state;
    rules += rules === '' ? rule : `,${rule}`;
  }
  headers['X-Rate-Limit-Rules'] = rules;
  return headers;
}

/** The fields of draft-ietf-httpapi-ratelimit-headers: each window is a quota policy of its own. */
function ietf({ policy, readings }: Admission, now: number): Headers {
  const policies: string[] = [];
  const states: string[] = [];
  for (const {
    counted: { rule, windows },
    meters,
  } of readings) {
    windows.forEach(({ hits, period }, index) => {
      const meter = meters[index]!;
      const name = `"${policy}-${rule}-${period}"`;
      const restricted = meter.restricted(now);
      const left = restricted > 0 ? 0 : Math.max(0, hits - meter.count(now));
      policies.push(`${name};q=${hits};w=${period}`);
      states.push(`${name};r=${left};t=${restricted > 0 ? restricted : meter.relief(now)}`);
    });
  }
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: states.join(', ') };
}
