import type { Variant } from '../mutant.js';
import type { Outbound } from '../interceptor/traffic.js';

const replies = (id: string, what: string, change: (reply: Outbound) => void): Variant => ({
  id,
  what,
  apply: (at) => at.reply(change),
});

/** Other ways to speak HTTP, which is all that a client may rely on. */
export const transports: readonly Variant[] = [
  replies('H-close', 'each connection serves one request', ({ headers }) => void (headers.connection = 'close')),
  replies('H-chunked', 'bodies come in chunks', ({ headers }) => void (headers['transfer-encoding'] = 'chunked')),
  replies('H-type', 'the media type is written otherwise', ({ headers }) => {
    if (headers['content-type']?.startsWith('application/json'))
      headers['content-type'] = 'Application/JSON;Charset="UTF-8"';
  }),
  replies('H-headers', 'there are cookies, and headers that nobody asked for', ({ headers }) => {
    Object.assign(headers, {
      'set-cookie': 'session=1; Path=/; HttpOnly',
      server: 'other/1.0',
      'x-rate-limit-policy': 'backend',
      'x-rate-limit-rules': 'Ip',
      'x-rate-limit-ip': '1000:10:60',
      'x-rate-limit-ip-state': '1:10:0',
      vary: 'Accept-Encoding, Authorization',
    });
  }),
  {
    id: 'H-hosts',
    what: 'the authorization server has another host than the data API',
    target: (target) => ({ ...target, auth_url: target.auth_url.replace('127.0.0.1', 'localhost') }),
  },
  {
    id: 'H-prefix',
    what: 'the data API is below a path',
    target: (target) => ({ ...target, base_url: `${target.base_url}/api/game` }),
    apply: (at) =>
      at.request((request) => {
        if (request.path.startsWith('/api/game/')) request.path = request.path.slice('/api/game'.length);
      }),
  },
];
