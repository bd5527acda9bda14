import { setTimeout as sleep } from 'node:timers/promises';

import { Reference } from '../reference.js';
import type { Got, Tokens } from '../reference.js';
import type { ClientMutant, Made } from './make.js';
import { gather, fail } from './make.js';

export const pace: ClientMutant[] = [];
const mutant = gather(pace);

const waits = (ms: number): Made =>
  class extends Reference {
    override async waitAfter(): Promise<void> {
      await sleep(ms);
    }
  };
mutant('retry-at-once', 'repeats at once after a 429', 'PACE-RETRY-001', ['restricted-once'], waits(50));
mutant('retry-second', 'waits a second, whatever Retry-After says', 'PACE-RETRY-001', ['restricted-once'], waits(1000));
mutant('retry-habit', 'waits two seconds, whatever is asked', 'PACE-RETRY-001', ['restricted-once'], waits(2000));
mutant('retry-three', 'waits three seconds, whatever is asked', 'PACE-RETRY-001', ['restricted-first'], waits(3000));
mutant('busy-habit', 'waits two seconds after a 503', 'PACE-RETRY-002', ['busy-once'], waits(2000));
mutant(
  'token-habit',
  'waits two seconds for the token endpoint',
  'REFRESH-STORM-002',
  ['token-busy'],
  class extends Reference {
    override async tokenWait(): Promise<void> {
      await sleep(2000);
    }
  },
);
mutant(
  'retry-bare',
  'needs Retry-After',
  'PACE-SURVIVE-007',
  ['restricted-bare'],
  class extends Reference {
    override retryAfter(got: Got): number | undefined {
      return Number(got.headers.get('retry-after')!.trim()) * 1000 + 100;
    }
  },
);
mutant(
  'retry-date',
  'does not read a date in Retry-After',
  'PACE-RETRY-003',
  ['restricted-date'],
  class extends Reference {
    override retryAfter(got: Got): number | undefined {
      const seconds = Number(got.headers.get('retry-after'));
      return Number.isNaN(seconds) ? 100 : seconds * 1000;
    }
  },
);
mutant(
  'retry-ms',
  'takes Retry-After for milliseconds',
  'PACE-RETRY-001',
  ['restricted-once'],
  class extends Reference {
    override retryAfter(got: Got): number | undefined {
      return (super.retryAfter(got) ?? 0) / 1000 + 40;
    }
  },
);
mutant('retry-503', 'repeats at once after a 503', 'PACE-RETRY-002', ['busy-once'], waits(50));
mutant(
  'backoff-none',
  'repeats failures at once',
  'PACE-BACKOFF-001',
  ['down'],
  class extends Reference {
    override attempts(): number {
      return 9;
    }
    override async waitAfter(): Promise<void> {
      await sleep(10);
    }
  },
);
mutant(
  'backoff-endless',
  'never gives up',
  'PACE-BACKOFF-001',
  ['down'],
  class extends Reference {
    override attempts(): number {
      return 40;
    }
    override async waitAfter(): Promise<void> {
      await sleep(250);
    }
  },
);
mutant(
  'refused-loop',
  'gets a new token for every 401, and asks again',
  'PACE-REFUSED-001',
  ['refused'],
  class extends Reference {
    override async data(...asked: Parameters<Reference['data']>): Promise<unknown> {
      for (let time = 1; ; time += 1) {
        const got = await super.data(...asked).catch((error: unknown) => error);
        if (!(got instanceof Error)) return got;
        if (!got.message.includes('401') || time > 8) throw got;
        await sleep(300);
      }
    }
  },
);
mutant(
  'same-burst',
  'asks for the same thing ten times',
  'PACE-SAME-001',
  [],
  class extends Reference {
    override async account(): Promise<void> {
      for (let time = 0; time < 12; time += 1) await this.get('/profile');
      await super.account();
    }
  },
);
const insists = (status: number): Made =>
  class extends Reference {
    override async optional(step: () => Promise<void>): Promise<void> {
      for (let tries = 0; tries < 6; tries += 1) {
        try {
          return await step();
        } catch (error) {
          if ((error as { status?: number }).status !== status) throw error;
        }
      }
    }
  };
mutant('forbidden-again', 'repeats what was forbidden', 'PACE-FORBIDDEN-001', ['partial-consent'], insists(403));
mutant(
  'missing-again',
  'repeats what is not there',
  'PACE-MISSING-001',
  [],
  class extends insists(404) {
    override async account(): Promise<void> {
      await super.account();
      await this.optional(async () => void (await this.get('/item-filter/0000000000')));
    }
  },
);
mutant(
  'invalid-again',
  'repeats what is invalid',
  'PACE-INVALID-001',
  [],
  class extends insists(400) {
    override async service(): Promise<void> {
      await super.service();
      await this.optional(async () => void (await this.get('/league?type=none', true)));
    }
  },
);
mutant(
  'window-ignored',
  'reads no limits',
  'PACE-WINDOW-001',
  ['tight-limits'],
  class extends Reference {
    override learn(): void {}
    override attempts(): number {
      return 8;
    }
  },
);
mutant(
  'window-exact',
  'paces to the exact edge of the window',
  'PACE-WINDOW-001',
  ['coarse-windows'],
  class extends Reference {
    override margin(): number {
      return 0;
    }
    override attempts(): number {
      return 8;
    }
  },
);
mutant(
  'agent-library',
  'sends the name of its library',
  'PACE-AGENT-001',
  [],
  class extends Reference {
    override agent(): string {
      return 'python-requests/2.32.0';
    }
  },
);
mutant(
  'hang-for-ever',
  'waits for ever',
  'PACE-HANG-001',
  ['hang'],
  class extends Reference {
    override timeout = 600_000;
  },
);
const ended = (status: number): Made =>
  class extends Reference {
    override worthTrying(got: number): boolean {
      return got !== status && super.worthTrying(got);
    }
  };
mutant('ends-429', 'ends with a 429', 'PACE-SURVIVE-001', ['restricted-once'], ended(429));
mutant('ends-429-first', 'ends with the first 429', 'PACE-SURVIVE-001', ['restricted-first'], ended(429));
mutant(
  'date-ends',
  'ends with a Retry-After that is a date',
  'PACE-SURVIVE-006',
  ['restricted-date'],
  class extends Reference {
    override retryAfter(got: Got): number | undefined {
      if (/[A-Z]/.test(got.headers.get('retry-after') ?? '')) fail('a number is wanted');
      return super.retryAfter(got);
    }
  },
);
mutant('ends-503', 'ends with a 503', 'PACE-SURVIVE-002', ['busy-once'], ended(503));
mutant(
  'policy-fixed',
  'expects the policy of the first reply for ever',
  'PACE-SURVIVE-003',
  ['policy-changes'],
  class extends Reference {
    #policy: string | null = null;
    override learn(key: string, got: Got): void {
      const policy = got.headers.get('x-rate-limit-policy');
      this.#policy ??= policy;
      if (policy !== null && policy !== this.#policy) fail(`no policy ${policy}`);
      super.learn(key, got);
    }
  },
);
mutant(
  'edge-json',
  'reads every reply as JSON',
  'PACE-SURVIVE-004',
  ['edge-page'],
  class extends Reference {
    override async dataRequest(
      method: string,
      path: string,
      token: string,
      body?: Record<string, unknown>,
    ): Promise<Got> {
      const got = await super.dataRequest(method, path, token, body);
      try {
        JSON.parse(got.text);
      } catch {
        this.worthTrying = () => false;
      }
      return got;
    }
  },
);
mutant(
  'reset-ends',
  'ends with a reset',
  'PACE-SURVIVE-005',
  ['reset'],
  class extends Reference {
    override failed(error: unknown): Promise<undefined> {
      return Promise.reject(error as Error);
    }
  },
);
mutant(
  'access-ends',
  'ends with its access token',
  'TOK-SURVIVE-001',
  ['access-ends'],
  class extends Reference {
    override renew(): Promise<Tokens> {
      return Promise.reject(new Error('the token has ended'));
    }
  },
);
mutant(
  'token-busy-ends',
  'ends when the token endpoint is busy',
  'TOK-SURVIVE-002',
  ['token-busy'],
  class extends Reference {
    override tokenWait(): Promise<void> {
      return Promise.reject(new Error('busy'));
    }
  },
);
