import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';

import { environmentAt, meeting, targetAt } from './evidence.fixture.js';
import type { Met } from './evidence.fixture.js';
import { checkReachability } from './reachability.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Looks for a server that answers so. */
async function reached(answer: (met: Met, reply: ServerResponse) => void): Promise<void> {
  const { url, close } = await meeting(answer);
  closers.push(close);
  const target = targetAt(url);
  await checkReachability(environmentAt(target).wire, target);
}

describe('a server', () => {
  it.each([200, 401, 404, 500])('is there when it answers with %i', async (status) => {
    await expect(reached((_, reply) => void reply.writeHead(status).end())).resolves.toBeUndefined();
  });

  it.each(['/', '/oauth/authorize'])('is there, for checks to fail it, when it answers %s alone', async (one) => {
    const answering = reached(({ path }, reply) => void (path === one ? reply.end('{}') : reply.destroy()));
    await expect(answering).resolves.toBeUndefined();
  });

  it('is not there when it answers nothing', async () => {
    await expect(reached((_, reply) => void reply.destroy())).rejects.toThrow(
      /base_url http:\/\/127\.0\.0\.1:\d+: the connection closed without an HTTP response/,
    );
  });
});
