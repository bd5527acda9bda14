import { example } from '../miniature.fixture.js';
import type { Asked, Handlers, Miniature } from '../miniature.fixture.js';

const moment = (): Promise<void> => new Promise((done) => setTimeout(done, 3));

/** What a request finds when it comes in is what it goes on with, whoever came meanwhile. */
const finding =
  (field: 'code' | 'refresh_token') =>
  async (asked: Asked, server: Miniature): Promise<object> => {
    const text = asked.form.get(field) ?? '';
    const [code, refresh] = [server.codes.get(text), server.refreshTokens.get(text)];
    await moment();
    if (code) server.codes.set(text, code);
    if (refresh) server.refreshTokens.set(text, refresh);
    return server.token(asked);
  };

example(
  'LIFE-016',
  'that finds a refresh token, waits, and ends it',
  {},
  { 'POST /oauth/token': finding('refresh_token') },
);
example('LIFE-017', 'that finds a code, waits, and ends it', {}, { 'POST /oauth/token': finding('code') });

const told = ({ form }: Asked): string => form.get('token') ?? '';
const right: Handlers = {
  'POST /oauth/token/revoke': (asked, server) => {
    server.tokens.delete(told(asked));
    server.refreshTokens.delete(told(asked));
    return {};
  },
  'POST /oauth/token/introspect': (asked, server) => ({ active: server.tokens.has(told(asked)) }),
};

/** Tokens that were asked about while they were revoked. */
const stuck = new Set<string>();
example('INTRO-022', 'whose introspection remembers what it found before a revocation', right, {
  ...right,
  'POST /oauth/token/introspect': async (asked, server) => {
    const active = server.tokens.has(told(asked));
    await moment();
    if (active && !server.tokens.has(told(asked))) stuck.add(told(asked));
    return { active: active || stuck.has(told(asked)) };
  },
});
