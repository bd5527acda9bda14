import { headerValues, redirectOf } from './answers.js';
import type { PlainAnswer } from './answers.js';
import { shown } from './control.js';
import { note, ok, problem } from './findings.js';
import type { Finding } from './findings.js';
import type { Transport } from './hooks.js';
import type { Target } from './target.js';

export interface Reach {
  readonly findings: readonly Finding[];
  /** The Date header of the data API, where it sent one. */
  readonly date: string | undefined;
}

/** Milliseconds from which a run takes tediously long. */
const slow = 1000;

/** Whether the data API and the authorization server answer as such, at their addresses. */
export async function reachFindings(
  { base_url: base, auth_url: auth }: Target,
  transport: Transport,
  now: () => number,
): Promise<Reach> {
  const ask = async (request: Parameters<Transport>[0]): Promise<Asked> => {
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
    url: `${auth}/oauth/token`,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  });
  return {
    findings: [
      findingOf('base_url', `${base}/profile`, data, 'without a token 401 is expected there'),
      findingOf('auth_url', `${auth}/oauth/token`, token, 'without fields 400 or 401 and JSON are expected there'),
    ],
    date: 'answer' in data ? headerValues(data.answer, 'date')[0] : undefined,
  };
}

type Asked = { readonly ms: number } & ({ readonly answer: PlainAnswer } | { readonly error: unknown });

function findingOf(about: 'base_url' | 'auth_url', url: string, asked: Asked, expected: string): Finding {
  if ('error' in asked) {
    const { met, remedy } = unreachable(asked.error, url);
    return problem(about, `${url}: ${met}`, remedy.replaceAll('{key}', about));
  }
  const { answer, ms } = asked;
  const status = `${url}: ${answer.status}`;
  const location = redirectOf(answer);
  if (location !== undefined)
    return problem(
      about,
      `${status}, a redirect to ${shown(location)}`,
      `write the address in ${about} that it leads to`,
    );
  if (answer.status === 404 || answer.status === 405)
    return problem(about, status, `mend ${about}: ${expected}, and perhaps it lacks a path at its end`);
  if (answer.status >= 500) return problem(about, status, `look into the server's log: ${expected}`);
  const isHtml = /\bhtml\b/i.test(headerValues(answer, 'content-type')[0] ?? '');
  // A data error may have any body, an OAuth error is JSON (RFC 6749 5.2).
  if (isHtml && (about === 'auth_url' || answer.status < 400))
    return problem(about, `${status}, an HTML page`, `mend ${about}: ${expected}, and this looks like a website`);
  if (about === 'base_url' && answer.status < 300)
    return note(about, `${status} without a token`, `${expected}; the run will say more`);
  if (ms >= slow)
    return note(about, `${status} after ${ms} ms`, 'a run sends thousands of requests; expect it to be long');
  return ok(about, `${url} answers in ${ms} ms`);
}

/** Why no answer came, and what to do about it. `{key}` stands for the key of the target. */
export function unreachable(error: unknown, url: string): { met: string; remedy: string } {
  const { code, message } = rootOf(error);
  const https = url.startsWith('https:');
  if (code === 'ECONNREFUSED')
    return { met: 'connection refused', remedy: 'start the server, or mend the host and port of {key}' };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { met: `the name ${new URL(url).hostname} is not known (${code})`, remedy: 'mend the host of {key}' };
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || (https && code === 'EPROTO'))
    return { met: 'the server speaks no TLS there', remedy: 'write http:// in {key}, or the port that speaks TLS' };
  if (/CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO_VERIFY|ISSUER/.test(code))
    return {
      met: `its TLS certificate is not accepted (${code})`,
      remedy: 'name its authority in the environment variable NODE_EXTRA_CA_CERTS, or mend the certificate',
    };
  if (code === 'TimeoutError' || code.includes('TIMEOUT') || code === 'ETIMEDOUT')
    return { met: 'no answer in time', remedy: 'see what keeps the server, or mend the host and port of {key}' };
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' || code.startsWith('HPE_'))
    return {
      met: `the connection was cut without an HTTP answer (${code})`,
      remedy: https ? 'look into the server’s log' : 'write https:// in {key} if it speaks TLS, or mend the port',
    };
  return { met: `no answer (${code === '' ? message : code})`, remedy: 'mend {key}, and see that the server runs' };
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
