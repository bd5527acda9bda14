import { challengeOf } from '../../target/pkce.js';
import { example } from '../miniature.fixture.js';

/** The miniature as it is. */
const right = {};

example('AUTH-CODE-004', 'that does not compare the verifier', right, {
  'POST /oauth/token': (asked, server) => {
    const code = server.codes.get(asked.form.get('code') ?? '');
    if (code) code.challenge = challengeOf(asked.form.get('code_verifier') ?? '');
    return server.token(asked);
  },
});
example('AUTH-CODE-005', 'that needs no verifier', right, {
  'POST /oauth/token': (asked, server) => {
    const code = server.codes.get(asked.form.get('code') ?? '');
    if (code && !asked.form.has('code_verifier')) code.challenge = challengeOf('');
    return server.token(asked);
  },
});
example('AUTH-CODE-009', 'that takes a code again', right, {
  'POST /oauth/token': (asked, server) => {
    const code = asked.form.get('code') ?? '';
    const grant = server.codes.get(code);
    const answer = server.token(asked);
    if (grant) server.codes.set(code, grant);
    return answer;
  },
});
