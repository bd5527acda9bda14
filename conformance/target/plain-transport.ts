import type { Transport } from './hooks.js';

/** Milliseconds for an answer, its body included. */
const patience = 15_000;

/** Sends requests by themselves, outside of a run: one at a time, nothing traced, no redirect followed. */
export const plainTransport: Transport = async ({ method, url, headers, body }) => {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  });
  const { status } = response;
  const text = await response.text();
  const cookies = response.headers.getSetCookie();
  return {
    status,
    text,
    headers: { ...Object.fromEntries(response.headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) },
  };
};
