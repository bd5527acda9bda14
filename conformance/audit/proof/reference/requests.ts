import { setTimeout as sleep } from 'node:timers/promises';

import type { Sent } from '../../../wire/answer.js';

export type { Sent } from '../../../wire/answer.js';

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Dependencies {
  readonly environment: Readonly<Record<string, string>>;
  readonly open: (url: string) => Promise<void>;
  /** What outlives a start. */
  readonly stored: Map<string, string>;
}

const agent = 'OAuth example-reference/1.0 (contact: reference@example.com)';

/** Requests, and the pace that they keep. */
export class Requests {
  readonly base: string;
  readonly auth: string;
  timeout = 3000;
  protected windows = new Map<string, readonly (readonly [number, number])[]>();
  protected sentAt = new Map<string, number[]>();
  protected resting = new Map<string, number>();

  readonly stored: Dependencies['stored'];
  readonly open: Dependencies['open'];
  readonly #environment: Dependencies['environment'];

  constructor({ environment, open, stored }: Dependencies) {
    this.#environment = environment;
    this.open = open;
    this.stored = stored;
    this.base = this.env('BASE_URL');
    this.auth = this.env('AUTH_URL');
  }

  env(name: string): string {
    return this.#environment[`GAMEDATA_${name}`] ?? '';
  }

  agent(): string {
    return agent;
  }

  async send({ method, url, headers, body }: Sent): Promise<Got> {
    const answer = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(this.timeout),
      redirect: 'manual',
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** ms, a little more than asked for. */
  retryAfter(got: Got): number | undefined {
    const text = got.headers.get('retry-after');
    if (text === null) return undefined;
    return /^\d+$/.test(text) ? Number(text) * 1000 + 100 : Math.max(0, Date.parse(text) - Date.now()) + 100;
  }

  /** Keeps a second and more away from the edges of the windows that were announced. */
  async pace(key: string): Promise<void> {
    const sent = this.sentAt.get(key) ?? [];
    this.sentAt.set(key, sent);
    for (;;) {
      const now = Date.now();
      const rest = (this.resting.get(key) ?? 0) - now;
      const waits = (this.windows.get(key) ?? []).map(([hits, seconds]) => {
        const within = sent.filter((at) => at > now - seconds * 1000 - this.margin());
        return within.length < hits ? 0 : within[within.length - hits]! + seconds * 1000 + this.margin() - now;
      });
      const wait = Math.max(rest, 0, ...waits);
      if (wait <= 0) break;
      await sleep(wait + 5);
    }
    sent.push(Date.now());
  }

  margin(): number {
    return 1100;
  }

  learn(key: string, got: Got): void {
    const rules = this.rules(got);
    if (rules.length === 0) return;
    const read = (end: string): string =>
      rules.flatMap((rule) => got.headers.get(`x-rate-limit-${rule}${end}`) ?? []).join(',');
    this.windows.set(
      key,
      read('')
        .split(',')
        .map((rule) => rule.split(':').map(Number) as [number, number]),
    );
    this.hearOfOthers(key, read('-state'));
  }

  /** The rules of a policy, each of which has headers of its own. */
  rules(got: Got): string[] {
    return (got.headers.get('x-rate-limit-rules') ?? '')
      .toLowerCase()
      .split(',')
      .filter((rule) => rule !== '');
  }

  /** What others have used of a window counts as sent just now: nobody says when they sent it. */
  hearOfOthers(key: string, state: string): void {
    const now = Date.now();
    const sent = this.sentAt.get(key) ?? [];
    for (const rule of state.split(',')) {
      const [used = 0, seconds = 0] = rule.split(':').map(Number);
      const known = sent.filter((at) => at > now - seconds * 1000 - this.margin()).length;
      for (let more = known; more < used; more += 1) sent.push(now);
    }
  }
}
