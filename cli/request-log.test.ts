import { expect, it } from 'vitest';

import type { ExchangeRecord } from '../src/server/exchange-record.js';
import { requestLine } from './request-log.js';

const plain = { strong: (text: string) => `*${text}*`, faint: String };

const record = (more: Partial<ExchangeRecord>): ExchangeRecord => ({
  number: 1,
  at: 0,
  realTime: 0,
  elapsed: 1,
  method: 'GET',
  target: '/profile',
  operationId: 'getProfile',
  logical: 'getProfile',
  address: '127.0.0.1',
  requestHeaders: [],
  requestBody: { content: '', size: 0 },
  account: undefined,
  clientId: undefined,
  credential: undefined,
  decision: 'answered',
  reason: undefined,
  reply: { status: 200, headers: {}, body: { content: '{}', size: 2 } },
  delivery: 'sent',
  ...more,
});
const reply = (status: number): ExchangeRecord['reply'] => ({ status, headers: {}, body: { content: '', size: 0 } });

it('says method, path, status and who asked', () => {
  const shown = requestLine(record({ account: 'alice', clientId: 'example-web' }), plain);
  expect(shown).toBe('200 GET /profile  alice, example-web\n');
});

it('says why a request is refused', () => {
  const refused = record({ decision: 'refused', reason: 'the token has expired', reply: reply(401) });
  expect(requestLine(refused, plain)).toBe('*401* GET /profile  the token has expired\n');
});

it('shows no code, state or token of an address', () => {
  const target = '/oauth/authorize?client_id=web&state=st4te&code=c0de&access_token=t0ken#x';
  const shown = requestLine(record({ target }), plain);
  expect(shown).toContain('client_id=web&state=…&code=…&access_token=…');
  expect(shown).not.toMatch(/st4te|c0de|t0ken/);
});

it('keeps a line a line, however long and whatever is sent', () => {
  const shown = requestLine(
    record({ target: `/x\n\u001b[31m${'a'.repeat(5000)}`, reason: 'b\r\n'.repeat(900) }),
    plain,
  )!;
  expect(shown.trimEnd().split('\n')).toHaveLength(1);
  expect(shown).not.toContain('\u001b');
  expect(shown.length).toBeLessThan(500);
});

it('leaves out the mock’s own pages', () => {
  expect(requestLine(record({ target: '/try', operationId: undefined, logical: undefined }), plain)).toBeUndefined();
});
