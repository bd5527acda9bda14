import { example } from '../miniature.fixture.js';
import type { Asked, Miniature } from '../miniature.fixture.js';

/** The miniature as it is. */
const right = {};
const used = ({ form }: Asked): string => form.get('refresh_token') ?? '';

/** Answers as is right, and then changes what came of it. */
const then =
  (spoil: (body: Record<string, unknown>, asked: Asked, server: Miniature) => void) =>
  (asked: Asked, server: Miniature) => {
    const grant = server.refreshTokens.get(used(asked));
    const answer = server.token(asked) as Record<string, unknown>;
    if (grant) server.refreshTokens.set(used(asked), grant);
    if (grant) spoil(answer, asked, server);
    return answer;
  };

example('TOK-REFRESH-004', 'where a used refresh token stays alive', right, { 'POST /oauth/token': then(() => {}) });
example('TOK-REFRESH-002', 'that gives the same refresh token back', right, {
  'POST /oauth/token': then((body, asked) => void (body['refresh_token'] = used(asked))),
});
example('TOK-REFRESH-001', 'that gives no new refresh token', right, {
  'POST /oauth/token': then((body) => void delete body['refresh_token']),
});
