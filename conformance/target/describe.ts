import type { Target } from './target.js';

const redacted = '(redacted)';

/** The effective settings of a target, as plain data, secrets redacted: reports and screens show it. */
export function describeTarget(target: Target): Readonly<Record<string, unknown>> {
  return {
    ...target,
    ...(target.control_token !== undefined && { control_token: redacted }),
    ...(target.proxy !== undefined && { proxy: withoutCredentials(target.proxy) }),
    accounts: Object.fromEntries(
      Object.entries(target.accounts).map(([key, account]) => [
        key,
        { ...account, ...(account.password !== undefined && { password: redacted }) },
      ]),
    ),
    tokens: target.tokens.map((one) => ({ ...one, token: redacted })),
    clients: Object.fromEntries(
      Object.entries(target.clients).map(([role, client]) => [
        role,
        { ...client, ...(client.client_secret !== undefined && { client_secret: redacted }) },
      ]),
    ),
  };
}

function withoutCredentials(address: string): string {
  const url = new URL(address);
  return url.username === '' && url.password === '' ? address : `${url.protocol}//${redacted}@${url.host}`;
}
