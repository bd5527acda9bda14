import { headerValues, redirectOf } from './answers.js';
import type { PlainAnswer } from './answers.js';
import { shown } from './control.js';
import { endpointUrl } from './endpoints.js';
import { note, ok, problem } from './diagnosis.js';
import type { Diagnosis } from './diagnosis.js';
import type { Transport } from './hooks.js';
import type { Target } from './target.js';

export interface Reach {
  readonly findings: readonly Diagnosis[];
  /** The Date header of the data API, where it sent one. */
  readonly date: string | undefined;
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
  return {
    findings: [
      findingOf('base_url', `${base}/profile`, data, 'expected 401 without a token'),
      findingOf('auth_url', tokenUrl, token, 'expected 400 or 401 with JSON for a request without fields'),
    ],
    date: 'answer' in data ? headerValues(data.answer, 'date')[0] : undefined,
  };
}

type TimedAnswer = { readonly ms: number } & ({ readonly answer: PlainAnswer } | { readonly error: unknown });

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
  const isHtml = /\bhtml\b/i.test(headerValues(answer, 'content-type')[0] ?? '');
  // A data error may have any body, an OAuth error is JSON (RFC 6749 5.2).
  if (isHtml && (about === 'auth_url' || answer.status < 400))
    return problem(about, `${status}, an HTML page`, `correct ${about} (${expected}); this looks like a website`);
  if (about === 'base_url' && answer.status < 300)
    return note(about, `${status} without a token`, `${expected}; a run reports the details`);
  if (ms >= slow)
    return note(about, `${status} after ${ms} ms`, 'a run sends thousands of requests, so it will take long');
  return ok(about, `${url} answers in ${ms} ms`);
}

/** Why there was no response, and the remedy. `{key}` stands for the key of the target. */
export function unreachable(error: unknown, url: string): { met: string; remedy: string } {
  const { code, message } = rootOf(error);
  const https = url.startsWith('https:');
  if (code === 'ECONNREFUSED')
    return { met: 'connection refused', remedy: 'start the server, or correct the host and port of {key}' };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { met: `the name ${new URL(url).hostname} does not resolve (${code})`, remedy: 'correct the host of {key}' };
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || (https && code === 'EPROTO'))
    return { met: 'the server does not speak TLS on that port', remedy: 'use http:// in {key}, or the TLS port' };
  if (/CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO_VERIFY|ISSUER/.test(code))
    return {
      met: `its TLS certificate is not trusted (${code})`,
      remedy: 'set the environment variable NODE_EXTRA_CA_CERTS to its CA certificate, or replace the certificate',
    };
  if (code === 'TimeoutError' || code.includes('TIMEOUT') || code === 'ETIMEDOUT')
    return { met: 'timeout', remedy: 'check whether the server hangs, or correct the host and port of {key}' };
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' || code.startsWith('HPE_'))
    return {
      met: `the connection closed without an HTTP response (${code})`,
      remedy: https ? 'check the server’s log' : 'use https:// in {key} if it speaks TLS, or correct the port',
    };
  return {
    met: `no response (${code === '' ? message : code})`,
    remedy: 'correct {key}, and check that the server runs',
  };
}

/** The error at the bottom: fetch says "fetch failed", and hides why in its cause. */
function rootOf(error: unknown): { code: string; message: string } {
  let at = error;
  for (let depth = 0; depth < 8 && at instanceof Error; depth += 1) {
    if (at instanceof AggregateError && at.errors.length > 0) at = at.errors[0];
    else if (at.cause instanceof Error) at = at.cause;
    else break;
  }
  if (!(at instanceof Error)) return { code: '', message: String(at) };
  const { code } = at as NodeJS.ErrnoException;
  return { code: typeof code === 'string' ? code : at.name === 'TimeoutError' ? at.name : '', message: at.message };
}
