import { setTimeout as sleep } from 'node:timers/promises';

import { Reference } from '../reference.js';
import type { ClientMutant } from './make.js';
import { gather } from './make.js';

export const streams: ClientMutant[] = [];
const mutant = gather(streams);

mutant(
  'stream-name',
  'sends next_change_id under its own name',
  'STREAM-ID-001',
  [],
  class extends Reference {
    override streamPage(id: string | undefined): string {
      return id === undefined ? '/public-stash-tabs' : `/public-stash-tabs?next_change_id=${id}`;
    }
  },
);
mutant(
  'stream-since',
  'sends next_change_id as since',
  'STREAM-ID-001',
  [],
  class extends Reference {
    override streamPage(id: string | undefined): string {
      return id === undefined ? '/public-stash-tabs' : `/public-stash-tabs?since=${id}`;
    }
  },
);
mutant(
  'stream-stuck',
  'reads the first page again and again',
  'STREAM-ID-003',
  [],
  class extends Reference {
    override nextPage(): undefined {
      return undefined;
    }
  },
);
mutant(
  'stream-invented',
  'counts ids up by itself',
  'STREAM-ID-002',
  [],
  class extends Reference {
    override nextPage(id: string | undefined, next: string): string {
      return id === undefined ? next : next.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
    }
  },
);
mutant(
  'stream-zero',
  'begins at an id of its own',
  'STREAM-ID-002',
  [],
  class extends Reference {
    override streamPage(id = '0-0000000000'): string {
      return super.streamPage(id);
    }
  },
);
mutant(
  'stream-again',
  'begins anew at the end',
  'STREAM-END-001',
  ['end-of-stream'],
  class extends Reference {
    override pages(): number {
      return 9;
    }
    override nextPage(_id: string | undefined, next: string, over: boolean): string | undefined {
      return over ? undefined : next;
    }
  },
);
mutant(
  'stream-no-pause',
  'polls at the end without a pause',
  'STREAM-END-002',
  ['end-of-stream'],
  class extends Reference {
    override async publicStashes(): Promise<void> {
      let id: string | undefined;
      for (let page = 0; page < 12; page += 1)
        id = ((await this.get(this.streamPage(id), true)) as { next_change_id: string }).next_change_id;
    }
  },
);
mutant(
  'stream-forgotten',
  'begins anew with each start',
  'STREAM-RESUME-001',
  ['rotation'],
  class extends Reference {
    override async publicStashes(): Promise<void> {
      this.around.stored.delete('stream');
      await super.publicStashes();
    }
  },
);
mutant(
  'exchange-query',
  'sends the hour in the query',
  'EXCHANGE-ID-001',
  [],
  class extends Reference {
    override hourPath(id: string | undefined): string {
      return id === undefined ? '/currency-exchange' : `/currency-exchange?id=${id}`;
    }
  },
);
mutant(
  'exchange-computed',
  'computes the hours',
  'EXCHANGE-ID-002',
  [],
  class extends Reference {
    override nextHour(next: number): string {
      return String(next + 3600);
    }
  },
);
mutant(
  'exchange-current',
  'begins with the hour that is',
  'EXCHANGE-ID-002',
  [],
  class extends Reference {
    override hourPath(id: string | undefined): string {
      return super.hourPath(id ?? String(Math.floor(Date.now() / 3_600_000) * 3600));
    }
  },
);
mutant(
  'exchange-fraction',
  'reads numbers as floating-point ones, and writes them so',
  'EXCHANGE-ID-003',
  [],
  class extends Reference {
    override nextHour(next: number): string {
      return next.toFixed(1);
    }
    override async exchangeHistory(): Promise<void> {
      await super.exchangeHistory().catch(() => {});
    }
  },
);
mutant(
  'exchange-future',
  'asks for hours to come',
  'EXCHANGE-HOUR-001',
  [],
  class extends Reference {
    override nextHour(): string {
      return String(Math.floor(Date.now() / 3_600_000) * 3600 + 7200);
    }
  },
);
mutant(
  'exchange-polls',
  'polls at the end of the history',
  'EXCHANGE-END-001',
  ['end-of-stream'],
  class extends Reference {
    override stopsAtEnd(): boolean {
      return false;
    }
  },
);
mutant(
  'exchange-stuck',
  'never leaves the first hour',
  'EXCHANGE-WALK-001',
  [],
  class extends Reference {
    override hourPath(): string {
      return '/currency-exchange';
    }
    override stopsAtEnd(): boolean {
      return false;
    }
    override async exchangeHistory(): Promise<void> {
      await super.exchangeHistory();
      await sleep(300);
      await super.exchangeHistory();
    }
  },
);
mutant(
  'stream-stash',
  'takes the id of a stash for that of the next page',
  'STREAM-ID-002',
  [],
  class extends Reference {
    #stash: string | undefined;
    override async data(...request: Parameters<Reference['data']>): Promise<unknown> {
      const reply = (await super.data(...request)) as { stashes?: { id: string }[] };
      if (request[1].startsWith('/public-stash-tabs')) this.#stash = reply.stashes?.[0]?.id;
      return reply;
    }
    override nextPage(_id: string | undefined, next: string): string {
      return this.#stash ?? next;
    }
    override pages(): number {
      return 2;
    }
  },
);
mutant(
  'exchange-anew',
  'reads the history from its beginning, again and again',
  'EXCHANGE-END-001',
  ['end-of-stream'],
  class extends Reference {
    override async exchangeHistory(): Promise<void> {
      for (let walk = 0; walk < 6; walk += 1) {
        this.around.stored.delete('exchange');
        await super.exchangeHistory();
      }
    }
  },
);
