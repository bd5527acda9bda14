import { Reference } from '../reference.js';
import type { Got, Sent } from '../reference.js';
import type { ClientMutant, Made } from './make.js';
import { gather, encodes, raw } from './make.js';

export const addresses: ClientMutant[] = [];
const mutant = gather(addresses);

mutant(
  'path-version',
  'asks below /v1',
  'ADDR-PATH-001',
  [],
  class extends Reference {
    override async account(): Promise<void> {
      await this.optional(async () => void (await this.get('/profile/v1')));
      await super.account();
    }
  },
);
mutant(
  'query-type',
  'asks for a type that there is not',
  'ADDR-QUERY-001',
  [],
  class extends Reference {
    override async service(): Promise<void> {
      await this.get('/league?type=all', true).catch(() => {});
      await super.service();
    }
  },
);
mutant(
  'name-raw',
  'sends names as they are',
  'ADDR-ENCODE-001',
  ['odd-names'],
  class extends Reference {
    override encode(name: string): string {
      return name.replaceAll(' ', '%20').replaceAll('/', '%2F').replaceAll('#', '%23').replaceAll('?', '%3F');
    }
    override async character(): Promise<void> {
      await super.character('Wïldfang');
    }
    override send(request: Sent): Promise<Got> {
      return /[^\x20-\x7e]/.test(request.url) ? raw(request) : super.send(request);
    }
  },
);
mutant(
  'name-twice',
  'encodes names twice',
  'ADDR-ENCODE-002',
  ['odd-names'],
  encodes((name) => encodeURIComponent(encodeURIComponent(name))),
);
mutant(
  'name-plus',
  'writes + for a space',
  'ADDR-ENCODE-002',
  ['odd-names'],
  class extends encodes((name) => encodeURIComponent(name).replaceAll('%20', '+')) {
    override async service(): Promise<void> {
      const { leagues = [] } = (await this.get('/league?limit=50', true)) as { leagues?: { id: string }[] };
      for (const { id } of leagues.filter((one) => one.id.includes(' ')).slice(0, 2))
        await this.get(`/league/${this.encode(id)}`, true).catch(() => {});
      await super.service();
    }
  },
);
mutant(
  'name-slash',
  'leaves slashes bare',
  'ADDR-ENCODE-002',
  ['odd-names'],
  class extends Reference {
    override async service(): Promise<void> {
      const { leagues = [] } = (await this.get('/league?limit=50', true)) as { leagues?: { id: string }[] };
      for (const { id } of leagues.filter((one) => one.id.includes('/')).slice(0, 1))
        await this.get(`/league/${encodeURI(id)}/ladder`, true).catch(() => {});
      await super.service();
    }
  },
);
mutant(
  'realm-pc',
  'writes the realm pc into paths',
  'ADDR-REALM-001',
  [],
  class extends Reference {
    override async stashes(league: string): Promise<void> {
      await this.get(`/stash/pc/${this.encode(league)}`).catch(() => {});
      await super.stashes(league);
    }
  },
);
mutant(
  'realm-pc-stream',
  'asks for the stream of pc',
  'ADDR-REALM-001',
  [],
  class extends Reference {
    override async publicStashes(): Promise<void> {
      await this.get('/public-stash-tabs/pc', true).catch(() => {});
      await super.publicStashes();
    }
  },
);
mutant(
  'realm-game2-stash',
  'asks for stashes of the second game',
  'ADDR-REALM-001',
  [],
  class extends Reference {
    override async stashes(league: string): Promise<void> {
      await this.get(`/stash/game2/${this.encode(league)}`).catch(() => {});
      await super.stashes(league);
    }
  },
);
mutant(
  'query-validate',
  'writes 1 for true',
  'ADDR-QUERY-001',
  [],
  class extends Reference {
    override async filters(): Promise<void> {
      const body = { filter_name: 'reference', realm: 'pc', filter: 'Show\n' };
      await this.data('POST', '/item-filter?validate=1', body).catch(() => {});
      await super.filters();
    }
  },
);
mutant(
  'sub-tab-alone',
  'asks for a sub-tab without its parent',
  'ADDR-SUBTAB-001',
  [],
  class extends Reference {
    override subTab(league: string, _parent: string, id: string): string {
      return `/stash/${this.encode(league)}/${id}`;
    }
  },
);
mutant(
  'sub-tab-turned',
  'names the sub-tab before its parent',
  'ADDR-SUBTAB-001',
  [],
  class extends Reference {
    override subTab(league: string, parent: string, id: string): string {
      return `/stash/${this.encode(league)}/${id}/${parent}`;
    }
  },
);
const ladders = (query: string, more = 0): Made =>
  class extends Reference {
    override async service(): Promise<void> {
      for (let page = 0; page <= more; page += 1)
        await this.get(`/league/Standard/ladder?${query.replace('$', String(15_000 + 20 * page))}`, true).catch(
          () => {},
        );
      await super.service();
    }
  };
mutant('limit-over', 'asks for 1000 entries', 'ADDR-LIMIT-001', [], ladders('limit=1000'));
mutant('limit-negative', 'asks for -1 entries', 'ADDR-LIMIT-001', [], ladders('limit=-1'));
mutant('limit-fraction', 'asks for half an entry', 'ADDR-LIMIT-001', [], ladders('limit=20.5'));
mutant(
  'limit-leagues',
  'asks for 100 leagues',
  'ADDR-LIMIT-001',
  [],
  class extends Reference {
    override async service(): Promise<void> {
      await this.get('/league?limit=100', true).catch(() => {});
      await super.service();
    }
  },
);
mutant('offset-beyond', 'reads on beyond the top 15,000', 'ADDR-OFFSET-001', [], ladders('limit=20&offset=$', 2));
mutant(
  'method-put',
  'puts filters',
  'ADDR-METHOD-001',
  [],
  class extends Reference {
    override async filters(): Promise<void> {
      await this.data('PUT', '/item-filter/0000000000', {}).catch(() => {});
      await super.filters();
    }
  },
);

const alsoGets = (path: string): Made =>
  class extends Reference {
    override async account(): Promise<void> {
      await this.optional(async () => void (await this.get(path)));
      await super.account();
    }
  };
mutant('realm-query', 'sends the realm as a parameter', 'ADDR-REALM-002', [], alsoGets('/character?realm=xbox'));
mutant('tab-index', 'asks for a tab by its place', 'ADDR-ID-001', [], alsoGets('/stash/Standard/0'));
mutant('tab-name', 'asks for a tab by its name', 'ADDR-ID-001', [], alsoGets('/stash/Standard/Old%20things'));
mutant('name-undefined', 'asks for a name that is not there', 'ADDR-VALUE-001', [], alsoGets('/character/undefined'));
mutant('league-none', 'asks for the tabs of None', 'ADDR-VALUE-001', [], alsoGets('/stash/None'));
