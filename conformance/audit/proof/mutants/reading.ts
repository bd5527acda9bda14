import { Reference } from '../reference.js';
import type { Got, Tokens } from '../reference.js';
import type { ClientMutant } from './make.js';
import { gather, reads, fail, objects } from './make.js';

export const reading: ClientMutant[] = [];
const mutant = gather(reading);

const has =
  (text: string) =>
  (_: unknown, whole: string): void =>
    void (whole.includes(text) && fail(`what is ${text}?`));
mutant(
  'read-strict',
  'refuses members that it does not know',
  'READ-UNKNOWN-001',
  ['unknown-members'],
  reads(has('x_undocumented')),
);
mutant(
  'read-strict-token',
  'refuses members of a token response that it does not know',
  'READ-UNKNOWN-002',
  ['unknown-token-members'],
  class extends Reference {
    override received(got: Got): Tokens {
      if (got.text.includes('x_undocumented')) fail('unknown member');
      return super.received(got);
    }
  },
);
mutant(
  'read-strict-redirect',
  'refuses parameters of the redirect that it does not know',
  'READ-UNKNOWN-003',
  ['redirect-parameters'],
  class extends Reference {
    override async exchanged(code: string, verifier: string): Promise<Tokens> {
      if (this.strange) fail('unknown parameter');
      return super.exchanged(code, verifier);
    }
    strange = false;
    override callback(url: string, state: string): string | Error | undefined {
      this.strange ||= url.includes('x_undocumented=');
      return super.callback(url, state);
    }
  },
);
mutant(
  'read-null',
  'takes no null',
  'READ-NULL-001',
  ['nulls'],
  reads((reply) => {
    for (const one of objects(reply)) if ('goal' in one && one.goal === null) fail('goal is null');
  }),
);
mutant(
  'read-false',
  'needs what may be absent',
  'READ-ABSENT-001',
  ['absences'],
  class extends Reference {
    override async service(): Promise<void> {
      const { league } = (await this.get('/league/Standard/ladder?limit=100', true)) as {
        league: { entries: object[] };
      };
      if (!league.entries.some((entry) => Object.values(entry).includes(false))) fail('no flag is false');
      await super.service();
    }
  },
);
mutant(
  'read-locale',
  'needs the locale of the account',
  'READ-NULL-001',
  ['nulls'],
  reads((reply) => {
    for (const one of objects(reply)) if ('locale' in one) void (one.locale as string).length;
  }),
);
mutant(
  'read-experience',
  'needs the experience of each character on a ladder',
  'READ-ABSENT-001',
  ['absences'],
  reads((reply) => {
    for (const one of objects(reply))
      if ('rank' in one) void (one.character as { experience: number }).experience.toFixed();
  }),
);
mutant(
  'read-edition',
  'needs the members of one edition',
  'READ-EDITION-001',
  ['base-edition'],
  class extends Reference {
    override async service(): Promise<void> {
      const { leagues = [] } = (await this.get('/league', true)) as { leagues?: { name?: string }[] };
      if (leagues.some(({ name }) => name === undefined)) fail('a league without a name');
      await super.service();
    }
  },
);
mutant(
  'read-order',
  'expects members in one order',
  'READ-ORDER-001',
  ['shuffled'],
  reads((reply) => {
    for (const one of objects(reply))
      if ('filter_name' in one && 'id' in one && Object.keys(one)[0] !== 'id') fail('id does not come first');
  }),
);
mutant('read-escapes', 'knows no escapes', 'READ-JSON-001', ['escaped'], reads(has(String.raw`\u`)));
mutant('read-white', 'knows no white space', 'READ-JSON-001', ['pretty'], reads(has('\n  ')));
mutant('read-offset', 'knows dates that end in Z only', 'READ-DATE-001', ['dates-offset'], reads(has('+00:00"')));
mutant('read-fraction', 'knows whole seconds only', 'READ-DATE-001', ['dates-fraction'], reads(has('.000Z"')));
mutant(
  'read-name',
  'takes names of letters only',
  'READ-NAME-001',
  ['odd-names'],
  class extends Reference {
    override encode(name: string): string {
      return /^[\w-]+$/.test(name) ? name : fail(`a name like ${name}`);
    }
  },
);
mutant(
  'read-class',
  'knows the classes of today only',
  'READ-VALUE-001',
  ['new-values'],
  reads(has('"class":"Lamplighter"')),
);
mutant(
  'read-type',
  'knows the types of tabs of today only',
  'READ-VALUE-001',
  ['new-values'],
  reads(has('"type":"LamplighterStash"')),
);
mutant(
  'read-empty',
  'needs a character',
  'READ-EMPTY-001',
  ['empty-account'],
  reads((reply) => {
    if (Array.isArray((reply as { characters?: unknown[] }).characters))
      void (reply as { characters: { name: string }[] }).characters[0]!.name;
  }),
);
mutant(
  'read-small',
  'takes a megabyte at most',
  'READ-LARGE-001',
  ['large-pages'],
  reads((_, text) => void (text.length > 1_000_000 && fail('too large'))),
);
mutant(
  'read-fast',
  'waits for half a second',
  'READ-SLOW-001',
  ['slow'],
  class extends Reference {
    override timeout = 900;
    override attempts(): number {
      return 1;
    }
  },
);
mutant(
  'read-token',
  'takes tokens of 40 characters only',
  'READ-TOKEN-001',
  ['long-tokens'],
  class extends Reference {
    override received(got: Got): Tokens {
      const tokens = super.received(got);
      return tokens.access_token.length > 200 ? fail('too long') : tokens;
    }
    override async run(): Promise<void> {
      await this.get('/profile', true).catch(() => {});
      await super.run();
    }
  },
);
mutant(
  'read-expires',
  'needs expires_in',
  'READ-EXPIRES-001',
  ['no-expires-in'],
  class extends Reference {
    override received(got: Got): Tokens {
      return got.text.includes('expires_in') ? super.received(got) : fail('no expires_in');
    }
  },
);
mutant(
  'read-unlisted',
  'needs the properties of every stash',
  'READ-UNLISTED-001',
  ['unlisted'],
  reads((reply) => {
    for (const one of objects(reply)) if (one.public === false && 'items' in one) void (one.items as unknown[]).length;
  }),
);
mutant(
  'read-tabs',
  'takes nested tabs only',
  'READ-TABS-001',
  ['flat-tabs'],
  reads((reply) => {
    const { stashes } = reply as { stashes?: { metadata?: unknown; parent?: string }[] };
    if (stashes?.some(({ metadata, parent }) => metadata !== undefined && parent !== undefined))
      fail('a sub-tab in the list');
  }),
);
mutant(
  'read-hex',
  'takes lower-case ids only',
  'READ-HEX-001',
  ['upper-hex'],
  reads((reply) => {
    for (const { id } of objects(reply))
      if (typeof id === 'string' && id.length === 64 && /[A-F]/.test(id)) fail('an id in upper case');
  }),
);
mutant(
  'read-end',
  'needs stashes on every page',
  'READ-END-001',
  ['end-of-stream'],
  reads((reply) => {
    const { stashes } = reply as { stashes?: { id: string }[]; next_change_id?: string };
    if (stashes && 'next_change_id' in (reply as object)) void stashes[0]!.id;
  }),
);
mutant(
  'read-observed',
  'takes the entries of a ladder beside its league for nothing',
  'READ-OBSERVED-001',
  ['observed'],
  reads((reply) => {
    const { ladder } = reply as { ladder?: unknown };
    if (ladder !== undefined) fail('no entries in the league');
  }),
);
mutant(
  'read-accepted',
  'takes a member error for a failure',
  'READ-STATUS-001',
  ['filter-statuses'],
  reads((reply) => {
    if ('error' in (reply as object)) fail('the update failed');
  }),
);
mutant(
  'read-created',
  'takes no status but 200 for success',
  'READ-STATUS-001',
  ['filter-statuses'],
  class extends Reference {
    override read(got: Got): unknown {
      return got.status === 200 ? super.read(got) : fail(`HTTP ${got.status}`);
    }
  },
);
mutant(
  'read-gone',
  'needs the character that it looks up',
  'READ-MISSING-001',
  ['gone'],
  reads((reply) => {
    const { character } = reply as { character?: { name: string } };
    if (character !== undefined) void character.name;
  }),
);
/** Follows the exchange history for a day, and takes each hour for the one after the last. */
class EveryHour extends Reference {
  #hour = Number.NaN;
  override nextHour(next: number): string {
    if (next - this.#hour > 3600) fail('an hour is missing');
    this.#hour = next;
    return super.nextHour(next);
  }
  override async exchangeHistory(): Promise<void> {
    for (let part = 0; part < 5; part += 1) await super.exchangeHistory();
  }
}
mutant('read-quiet', 'expects the next hour after each hour', 'READ-QUIET-001', ['quiet-hours'], EveryHour);
mutant(
  'read-pruned',
  'goes on from an hour of the day before yesterday, and expects it to be there',
  'READ-PRUNED-001',
  ['pruned'],
  class extends EveryHour {
    override hourPath(id: string | undefined): string {
      const hour = Math.floor(Date.now() / 3_600_000) * 3600 - 60 * 3600;
      if (id === undefined) this.nextHour(hour);
      return super.hourPath(id ?? String(hour));
    }
  },
);
mutant(
  'read-display',
  'needs the displayMode of each property',
  'READ-ABSENT-001',
  ['absences'],
  reads((reply) => {
    for (const one of objects(reply)) if ('values' in one && !('displayMode' in one)) fail('how is it displayed?');
  }),
);
