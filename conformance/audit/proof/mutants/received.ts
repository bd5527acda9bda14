import { Reference } from '../reference.js';
import type { Got, Sent, Tokens } from '../reference.js';
import type { ClientMutant, Made } from './make.js';
import { gather, fail, forms } from './make.js';

/** What becomes of codes and tokens between their receipt and their use. */
export const received: ClientMutant[] = [];
const mutant = gather(received);

/** Writes one value into forms as it is. */
const writesRaw = (field: string): Made =>
  class extends Reference {
    override send(request: Sent): Promise<Got> {
      const { url, body } = request;
      if (!url.endsWith('/oauth/token') || body === undefined) return super.send(request);
      const pairs = [...new URLSearchParams(body)].map(([name, value]) =>
        name === field ? `${name}=${value}` : new URLSearchParams({ [name]: value }).toString(),
      );
      return super.send({ ...request, body: pairs.join('&') });
    }
  };
mutant('form-raw-code', 'writes the code into forms as it is', 'TOK-FORM-005', ['odd-tokens'], writesRaw('code'));
mutant(
  'form-raw-refresh',
  'writes the refresh token into forms as it is',
  'TOK-FORM-005',
  ['odd-tokens'],
  writesRaw('refresh_token'),
);
mutant(
  'form-refresh-twice',
  'encodes the refresh token before the form does',
  'TOK-FORM-005',
  ['odd-tokens'],
  forms('refresh_token', (form) => (form.refresh_token = encodeURIComponent(form.refresh_token ?? ''))),
);
/** Takes the code from the redirect in a way of its own. */
const takesCode = (take: (url: string, code: string) => string): Made =>
  class extends Reference {
    override callback(url: string, state: string): string | Error | undefined {
      const outcome = super.callback(url, state);
      return typeof outcome === 'string' ? take(url, outcome) : outcome;
    }
  };
mutant(
  'code-undecoded',
  'takes the code from the redirect without decoding it',
  'AUTH-CODE-004',
  ['odd-tokens'],
  takesCode((url, code) => /[?&]code=([^&]*)/.exec(url)?.[1] ?? code),
);
mutant(
  'code-decoded-twice',
  'decodes the code twice, so that each + is a space',
  'AUTH-CODE-004',
  ['odd-tokens'],
  takesCode((_, code) => new URLSearchParams(`code=${code}`).get('code') ?? code),
);
mutant(
  'code-cut',
  'cuts the code at =',
  'AUTH-CODE-004',
  ['odd-tokens'],
  takesCode((url, code) => decodeURIComponent(url).split('code=')[1]?.split(/[=&]/)[0] ?? code),
);
/** Changes the tokens that it received. */
const takes = (change: (tokens: Tokens) => Partial<Tokens>): Made =>
  class extends Reference {
    override received(got: Got): Tokens {
      const tokens = super.received(got);
      return { ...tokens, ...change(tokens) };
    }
  };
mutant(
  'token-cut',
  'cuts access tokens at =',
  'TOK-BEARER-003',
  ['odd-tokens'],
  takes(({ access_token }) => ({ access_token: access_token.split('=')[0]! })),
);
mutant(
  'refresh-cut',
  'cuts refresh tokens at =',
  'REFRESH-TEXT-001',
  ['odd-tokens'],
  takes(({ refresh_token }) => (refresh_token === undefined ? {} : { refresh_token: refresh_token.split('=')[0]! })),
);
mutant(
  'token-alphabet',
  'takes hexadecimal tokens only',
  'READ-TOKEN-002',
  ['odd-tokens'],
  takes(({ access_token }) => (/^[0-9a-f]+$/.test(access_token) ? {} : fail('not a token'))),
);
