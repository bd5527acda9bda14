import type { LimitSettings } from '../../client/index.js';
import type { Admission } from './limits.js';

type Headers = Record<string, string>;

/** The headers that show a client where it stands, after its request was counted. */
export function limitHeaders(admission: Admission, style: LimitSettings['headers'], now: number): Headers {
  if (style === 'none' || admission.readings.length === 0) return {};
  return style === 'ietf' ? ietf(admission, now) : observed(admission, now);
}

/**
 * `hits:period:restriction` for each window of a rule, and in `-State` what was counted and how long it is restricted.
 * Every name is written out: a name that is looked up makes this several times as slow.
 */
function observed({ policy, readings }: Admission, now: number): Headers {
  const headers: Headers = { 'X-Rate-Limit-Policy': policy, 'X-Rate-Limit-Rules': rulesOf(readings) };
  for (let at = 0; at < readings.length; at++) {
    const { counted, meters } = readings[at]!;
    const { rule, shown, periods } = counted;
    let state = '';
    for (let index = 0; index < meters.length; index++) {
      const meter = meters[index]!;
      if (index > 0) state += ',';
      state += meter.count(now) + periods[index]! + meter.restricted(now);
    }
    if (rule === 'client') {
      headers['X-Rate-Limit-Client'] = shown;
      headers['X-Rate-Limit-Client-State'] = state;
    } else if (rule === 'account') {
      headers['X-Rate-Limit-Account'] = shown;
      headers['X-Rate-Limit-Account-State'] = state;
    } else {
      headers['X-Rate-Limit-Ip'] = shown;
      headers['X-Rate-Limit-Ip-State'] = state;
    }
  }
  return headers;
}

function rulesOf(readings: Admission['readings']): string {
  let rules = readings[0]?.counted.title ?? '';
  for (let at = 1; at < readings.length; at++) rules += `,${readings[at]!.counted.title}`;
  return rules;
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
