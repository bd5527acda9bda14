import { OAuthFailure } from './failure.js';
import type { Application, TokenResponse } from './oauth.js';
import { clientCredentials } from './oauth.js';

/** Hands out an access token before each request. */
export interface TokenSource {
  (): string | Promise<string>;
  /**
   * A new access token in place of one that was refused. If `rejected` has been replaced meanwhile, the replacement is
   * handed out and nothing is asked of the server.
   */
  refresh?(rejected: string): Promise<string>;
}

/** A source that can get itself another token. */
export interface RefreshingSource extends TokenSource {
  (): Promise<string>;
  refresh(rejected: string): Promise<string>;
}

/** Tokens as an application keeps them: the token response, and when its access token ends. */
export interface HeldTokens extends TokenResponse {
  /** ms since 1970; null = never. */
  expires_at: number | null;
}

/**
 * A token response with the instant at which it ends, ready to be stored. An `expires_in` of null means never, and so
 * does none at all. `now` is the time of the response, ms.
 */
export function holdTokens(response: TokenResponse, now: number): HeldTokens {
  const seconds = response.expires_in ?? null;
  return { ...response, expires_at: seconds === null ? null : now + seconds * 1000 };
}

interface Timing {
  /** How long before its end an access token is replaced; 60 by default, and never more than half of its life. */
  readonly skewSeconds?: number;
  /** The time, ms since 1970. */
  readonly now?: () => number;
}

export interface TokenSourceOptions extends Timing {
  /** The tokens to begin with, or how to get them from where they are stored. */
  readonly tokens: HeldTokens | TokenResponse | (() => HeldTokens | Promise<HeldTokens>);
  /** Exchanges a refresh token: `(token) => refreshTokens(application, token)`. */
  readonly refresh: (refreshToken: string) => Promise<TokenResponse>;
  /**
   * Stores the new tokens. It runs before anyone gets the new access token: the old refresh token is dead by then
   * (interface 3), so what is not stored is lost. When it fails, the new tokens are kept and handed to it again.
   */
  readonly onRefresh?: (tokens: HeldTokens) => void | Promise<void>;
}

/**
 * A source that refreshes when the access token is about to end, or was refused. However many calls ask at the same
 * time, the refresh token is used once; a failure is told to all that wait, and the next call tries anew.
 *
 * `expires_in` may promise more than the service keeps (K-001), so the refusal counts, not the promise.
 */
export function tokenSource({
  tokens,
  refresh,
  onRefresh,
  skewSeconds,
  now = Date.now,
}: TokenSourceOptions): RefreshingSource {
  const stored = typeof tokens === 'function' ? tokens : 'expires_at' in tokens ? tokens : holdTokens(tokens, now());
  let unstored: HeldTokens | null = null;
  return source({
    skewSeconds,
    now,
    load: async () => (typeof stored === 'function' ? stored() : stored),
    async renew(held) {
      unstored ??= await exchange(held, refresh, now);
      await onRefresh?.(unstored);
      const renewed = unstored;
      unstored = null;
      return renewed;
    },
  });
}

async function exchange(
  held: HeldTokens,
  refresh: TokenSourceOptions['refresh'],
  now: () => number,
): Promise<HeldTokens> {
  const old = held.refresh_token;
  if (old === undefined) {
    const description = 'the access token has ended and there is no refresh token; ask the user for consent again';
    throw new OAuthFailure('no_refresh_token', { call: 'refresh', description });
  }
  // A server that does not rotate sends no refresh token; the old one stays good (RFC 6749 6).
  return holdTokens({ refresh_token: old, ...(await refresh(old)) }, now());
}

/** A source of client-credentials tokens: one is asked for at the first call, and another only when it is refused. */
export function clientCredentialsSource(
  application: Application & { clientSecret: string },
  scopes: readonly string[],
  { skewSeconds, now = Date.now }: Timing = {},
): RefreshingSource {
  const ask = async (): Promise<HeldTokens> => holdTokens(await clientCredentials(application, scopes), now());
  return source({ skewSeconds, now, load: ask, renew: ask });
}

interface Steps {
  readonly skewSeconds: number | undefined;
  readonly now: () => number;
  readonly load: () => Promise<HeldTokens>;
  readonly renew: (held: HeldTokens) => Promise<HeldTokens>;
}

function source({ load, renew, skewSeconds = 60, now }: Steps): RefreshingSource {
  let held: HeldTokens | null = null;
  const loaded = oneAtATime(async () => (held ??= await load()));
  const renewed = oneAtATime(async () => (held = await renew(await loaded())));

  // Between looking at what is held and asking for a renewal nothing may be awaited: another call could renew there.
  const current = async (): Promise<string> => {
    await loaded();
    return (renewed.running() || held === null || isEnding(held, now(), skewSeconds) ? await renewed() : held)
      .access_token;
  };
  const refresh = async (rejected: string): Promise<string> => {
    await loaded();
    return (renewed.running() || held === null || held.access_token === rejected ? await renewed() : held).access_token;
  };
  return Object.assign(current, { refresh });
}

function isEnding({ expires_at: end, expires_in: life }: HeldTokens, now: number, skewSeconds: number): boolean {
  return end !== null && now >= end - 1000 * Math.min(skewSeconds, (life ?? Infinity) / 2);
}

/** A step that runs once at a time: whoever asks while it runs gets the outcome of that run, good or bad. */
function oneAtATime<T>(step: () => Promise<T>): { (): Promise<T>; running: () => boolean } {
  let run: Promise<T> | null = null;
  const call = (): Promise<T> =>
    (run ??= step().finally(() => {
      run = null;
    }));
  return Object.assign(call, { running: () => run !== null });
}
