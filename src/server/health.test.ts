import { expect, it } from 'vitest';

import { startMock } from './mock.js';

it('answers health checks without a token, also where everything is limited and faults hold', async () => {
  const mock = await startMock({ limits: 'realistic', faults: [{ kind: 'status', status: 503 }] });
  try {
    const health = await fetch(`${mock.url}/health`);
    expect(health.status).toBe(200);
    expect(health.headers.get('cache-control')).toBe('no-store');
    expect(await health.json()).toMatchObject({ status: 'ok' });
    expect((await fetch(`${mock.url}/league`)).status).toBe(503);
  } finally {
    await mock.close();
  }
});
