import { setTimeout as sleep } from 'node:timers/promises';

import { Reference } from '../reference.js';
import type { Tokens } from '../reference.js';
import type { ClientMutant } from './make.js';
import { gather } from './make.js';

export const refresh: ClientMutant[] = [];
const mutant = gather(refresh);

class KeepsFirst extends Reference {
  override replaced(held: Tokens, next: Tokens): Tokens {
    return { ...next, ...(held.refresh_token !== undefined && { refresh_token: held.refresh_token }) };
  }
}
mutant('refresh-old', 'keeps the first refresh token', 'REFRESH-USED-001', ['rotation'], KeepsFirst);
mutant(
  'refresh-first',
  'keeps the first refresh token while it runs',
  'REFRESH-USED-001',
  ['access-ends-twice'],
  KeepsFirst,
);
mutant(
  'refresh-double',
  'refreshes once more with the used token',
  'REFRESH-USED-001',
  ['access-ends'],
  class extends Reference {
    override async refreshed(held: Tokens | undefined): Promise<Tokens> {
      const next = await super.refreshed(held);
      await sleep(400);
      if (held?.refresh_token) await this.sendForm(this.refreshForm(held.refresh_token), {});
      return next;
    }
  },
);
mutant(
  'refresh-storm',
  'refreshes for each request that fails',
  'REFRESH-ONCE-001',
  ['access-ends'],
  class extends Reference {
    override async account(): Promise<void> {
      await this.get('/profile');
      await Promise.all(
        ['/profile', '/character', '/account/leagues', '/item-filter'].map((path) => this.get(path).catch(() => {})),
      );
    }
    override renew(): Promise<Tokens> {
      return this.refreshed(this.load());
    }
  },
);
mutant(
  'refresh-ignored',
  'goes on with the old access token',
  'REFRESH-NEWEST-001',
  ['access-ends'],
  class extends Reference {
    #first: Tokens | undefined;
    override async tokens(): Promise<Tokens> {
      return (this.#first ??= await super.tokens());
    }
    override async renew(): Promise<Tokens> {
      return this.refreshed(this.load());
    }
    override async optional(step: () => Promise<void>): Promise<void> {
      await step().catch(() => {});
      await sleep(300);
    }
  },
);
mutant(
  'refresh-invalid',
  'tries a refused refresh token again',
  'REFRESH-INVALID-001',
  ['revoked-by-user'],
  class extends Reference {
    override async afterRefresh(error: unknown): Promise<Tokens> {
      const token = this.load()?.refresh_token ?? '';
      for (let tries = 0; tries < 3; tries += 1) {
        await sleep(400);
        await this.sendForm(this.refreshForm(token), {});
      }
      return super.afterRefresh(error);
    }
  },
);
const hurries = class extends Reference {
  override async tokenWait(): Promise<void> {
    await sleep(5);
  }
};
mutant(
  'token-hurry',
  'does not wait for Retry-After of the token endpoint',
  'REFRESH-STORM-002',
  ['token-503'],
  hurries,
);
mutant(
  'token-hurry-first',
  'does not wait for Retry-After at the first token request',
  'REFRESH-STORM-002',
  ['token-busy'],
  hurries,
);
mutant(
  'token-storm',
  'storms a token endpoint that fails',
  'REFRESH-STORM-001',
  ['token-500'],
  class extends Reference {
    override async tokenWait(): Promise<void> {
      await sleep(1);
    }
    override async refreshed(held: Tokens | undefined): Promise<Tokens> {
      const token = held?.refresh_token;
      if (token !== undefined)
        for (let tries = 0; tries < 2; tries += 1)
          await this.sendForm(this.refreshForm(token), {}).then((got) =>
            got.status === 200 ? this.keep(this.received(got)) : undefined,
          );
      return super.refreshed(this.load());
    }
  },
);
class LostLoop extends Reference {
  override async afterRefresh(error: unknown): Promise<Tokens> {
    const token = this.load()?.refresh_token ?? '';
    for (let tries = 0; tries < 6; tries += 1) await this.sendForm(this.refreshForm(token), {});
    return super.afterRefresh(error);
  }
}
mutant('lost-loop', 'repeats a refresh whose reply was lost', 'REFRESH-LOST-001', ['lost-refresh-reply'], LostLoop);
mutant(
  'lost-loop-later',
  'repeats a refresh whose reply was lost, and begins with requests of its own',
  'REFRESH-LOST-001',
  ['lost-refresh-reply'],
  class extends LostLoop {
    override async run(): Promise<void> {
      await this.service();
      await super.run();
    }
  },
);
mutant(
  'refresh-each',
  'refreshes before each request',
  'REFRESH-NEED-001',
  [],
  class extends Reference {
    override ending(): boolean {
      return true;
    }
  },
);
mutant(
  'refresh-scope',
  'asks for all of its scopes with each refresh',
  'REFRESH-SCOPE-001',
  ['partial-consent'],
  class extends Reference {
    override refreshForm(token: string): Record<string, string> {
      return { ...super.refreshForm(token), scope: this.scopes.join(' ') };
    }
  },
);
mutant(
  'restart-old',
  'stores the first refresh token only',
  'REFRESH-RESTART-001',
  ['rotation'],
  class extends Reference {
    #held: Tokens | undefined;
    override keep(tokens: Tokens): Tokens {
      this.#held = tokens;
      if (!this.around.stored.has('tokens')) super.keep(tokens);
      return tokens;
    }
    override load(): Tokens | undefined {
      return this.#held ?? super.load();
    }
  },
);
mutant(
  'refresh-serial',
  'refreshes once for each request that was refused, one after the other',
  'REFRESH-ONCE-002',
  ['access-ends'],
  class extends Reference {
    #last: Promise<unknown> = Promise.resolve();
    override async account(): Promise<void> {
      await this.get('/profile');
      await Promise.all(
        ['/profile', '/character', '/account/leagues', '/item-filter'].map((path) => this.get(path).catch(() => {})),
      );
    }
    override renew(): Promise<Tokens> {
      const next = this.#last.then(() => this.refreshed(this.load()));
      this.#last = next.catch(() => {});
      return next;
    }
  },
);
