import { headerValues, redirectOf } from './answers.js';
import type { PlainAnswer } from './answers.js';
import { shown } from './control.js';
import { endpointUrl } from './endpoints.js';
import { note, ok, problem } from './diagnosis.js';
import type { Diagnosis } from './diagnosis.js';
import type { Transport } from './hooks.js';
import { isOffered } from './offers.js';
import type { Target } from './target.js';
import { unreachable } from './unreachable.js';

export interface Reach {
  readonly findings: readonly Diagnosis[];
  /** The Date header of the data API, where it sent one. */
  readonly date: string | undefined;
  /** Whether each server is there to be asked more. */
  readonly data: boolean;
  readonly authorization: boolean;
  /** Whether what answers at the addresses of the target is another site, or is at other paths. */
  readonly elsewhere: boolean;
  /** The origin of a data API that does not answer at all. */
  readonly down?: string;
}

/** Response times above this many milliseconds make a run long. */
const slow = 1000;

/** Whether the data API and the authorization server respond at their addresses. */
export async function reachFindings(target: Target, transport: Transport, now: () => number): Promise<Reach> {
  const { base_url: base } = target;
  const tokenUrl = endpointUrl(target, 'token');
  const ask = async (request: Parameters<Transport>[0]): Promise<TimedAnswer> => {
    const started = now();
    try {
      return { answer: await transport(request), ms: Math.round(now() - started) };
    } catch (error) {
      return { error, ms: Math.round(now() - started) };
    }
  };
  const data = await ask({ method: 'GET', url: `${base}/profile`, headers: { accept: 'application/json' } });
  const token = await ask({
    method: 'POST',
    url: tokenUrl,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  });
  const ofData = isOffered(target, 'getProfile')
    ? findingOf('base_url', `${base}/profile`, data, 'expected 401 without a token')
    : answers('base_url', base, data);
  const ofToken = isOffered(target, 'issueToken')
    ? findingOf('auth_url', tokenUrl, token, 'expected 400 or 401 with JSON for a request without fields')
    : note('auth_url', 'not tried: no client is declared, or it offers no tokens');
  const reached = ({ state }: Diagnosis): boolean => state !== 'problem';
  return {
    findings: isOneServer(data, token, base, tokenUrl) ? [ofData] : [ofData, ofToken],
    data: reached(ofData),
    authorization: reached(ofToken),
    elsewhere: [
      { asked: data, offered: isOffered(target, 'getProfile') },
      { asked: token, offered: isOffered(target, 'issueToken') },
    ].every(({ asked, offered }) => offered && 'answer' in asked && isElsewhere(asked.answer)),
    ...('error' in data && { down: new URL(base).origin }),
    date: 'answer' in data ? headerValues(data.answer, 'date')[0] : undefined,
  };
}

type TimedAnswer = { readonly ms: number } & ({ readonly answer: PlainAnswer } | { readonly error: unknown });

/** Whether one server is down, which is told once. */
const isOneServer = (data: TimedAnswer, token: TimedAnswer, base: string, tokenUrl: string): boolean =>
  'error' in data && 'error' in token && new URL(base).origin === new URL(tokenUrl).origin;

/** Whether anything answers, where it is not known what it should answer. */
function answers(about: 'base_url', url: string, asked: TimedAnswer): Diagnosis {
  return 'error' in asked ? findingOf(about, url, asked, '') : ok(about, `${url} answers in ${asked.ms} ms`);
}

const isHtml = (answer: PlainAnswer): boolean => /\bhtml\b/i.test(headerValues(answer, 'content-type')[0] ?? '');

/** Whether an answer is that of another site. */
const isElsewhere = (answer: PlainAnswer): boolean =>
  [404, 405].includes(answer.status) || redirectOf(answer) !== undefined || (isHtml(answer) && answer.status < 400);

function findingOf(about: 'base_url' | 'auth_url', url: string, asked: TimedAnswer, expected: string): Diagnosis {
  if ('error' in asked) {
    const { met, remedy } = unreachable(asked.error, url);
    return problem(about, `${url}: ${met}`, remedy.replaceAll('{key}', about));
  }
  const { answer, ms } = asked;
  const status = `${url}: ${answer.status}`;
  const location = redirectOf(answer);
  if (location !== undefined)
    return problem(about, `${status}, a redirect to ${shown(location)}`, `set ${about} to the address it redirects to`);
  if (answer.status === 404 || answer.status === 405)
    return problem(about, status, `correct ${about} (${expected}); its path may be incomplete`);
  if (answer.status >= 500) return problem(about, status, `check the server's log (${expected})`);
  // A data error may have any body, an OAuth error is JSON (RFC 6749 5.2).
  if (isHtml(answer) && (about === 'auth_url' || answer.status < 400))
    return problem(about, `${status}, an HTML page`, `correct ${about} (${expected}); this looks like a website`);
  if (about === 'base_url' && answer.status < 300)
    return note(about, `${status} without a token`, `${expected}; a run reports the details`);
  if (ms >= slow)
    return note(about, `${status} after ${ms} ms`, 'a run sends thousands of requests, so it will take long');
  return ok(about, `${url} answers in ${ms} ms`);
}
