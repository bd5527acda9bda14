/** Why a certificate was refused, by the codes of Node. */
const certificates: Readonly<Record<string, { readonly met: string; readonly remedy: string }>> = {
  CERT_HAS_EXPIRED: { met: 'its TLS certificate has expired', remedy: 'replace the certificate' },
  CERT_NOT_YET_VALID: { met: 'its TLS certificate is not valid yet', remedy: 'check the clocks, or replace it' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    met: 'its TLS certificate is for another host',
    remedy: 'use the name that it is for in {key}, or replace the certificate',
  },
};

/** Why there was no response, and the remedy. `{key}` stands for the key of the target. */
export function unreachable(error: unknown, url: string): { met: string; remedy: string } {
  const { code, message } = rootOf(error);
  const https = url.startsWith('https:');
  if (code === 'EPROXY') return { met: message, remedy: 'correct proxy, or remove it' };
  if (code === 'ECONNREFUSED')
    return { met: 'connection refused', remedy: 'start the server, or correct the host and port of {key}' };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { met: `the name ${new URL(url).hostname} does not resolve (${code})`, remedy: 'correct the host of {key}' };
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || (https && code === 'EPROTO'))
    return { met: 'the server does not speak TLS on that port', remedy: 'use http:// in {key}, or the TLS port' };
  const known = certificates[code];
  if (known) return { met: `${known.met} (${code})`, remedy: known.remedy };
  if (/ALERT/.test(code))
    return {
      met: `the server ended the TLS handshake (${code})`,
      remedy: 'if it asks for a client certificate, set client_certificate to its files',
    };
  if (/CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO_VERIFY|ISSUER/.test(code))
    return {
      met: `its TLS certificate is not trusted (${code})`,
      remedy: 'set ca to the file of its CA certificate, or of the certificate itself if it is self-signed',
    };
  if (code === 'TimeoutError' || code.includes('TIMEOUT') || code === 'ETIMEDOUT')
    return { met: 'timeout', remedy: 'check whether the server hangs, or correct the host and port of {key}' };
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' || code.startsWith('HPE_'))
    return {
      met: `the connection closed without an HTTP response (${code})`,
      remedy: https
        ? 'check the server’s log'
        : 'check the server’s log; if it never answers, use https:// in {key}, or correct the port',
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
