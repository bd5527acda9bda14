import type { Realm } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { listAt } from '../../interceptor/json.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Json } from '../../interceptor/interceptor.js';

export const accountLeagues: readonly Mutant[] = [
  {
    id: 'N-ACCLEAGUE-002',
    bug: 'account leagues leave private ones out',
    rows: ['ACCLEAGUE-002'],
    plant: (seam) =>
      seam.data('listAccountLeagues', (body) => {
        body.leagues = listAt(body, 'leagues').filter(
          ({ id, name }) => !`${String(id)} ${String(name)}`.includes('PL'),
        );
      }),
  },
  {
    id: 'N-ACCLEAGUE-002-others',
    bug: "account leagues include other accounts' private ones",
    rows: ['ACCLEAGUE-002'],
    plant: (seam) =>
      seam.data('listAccountLeagues', (body, { request }) => {
        const realm = (request.route?.realm ?? request.route?.args.realm ?? 'pc') as Realm;
        const all = seam.service.world.leagues(realm).filter(({ members }) => members !== null);
        const listed = new Set(listAt(body, 'leagues').map(({ id }) => id));
        listAt(body, 'leagues').push(
          ...(all.map(({ league }) => league).filter(({ id }) => !listed.has(id)) as unknown as Json[]),
        );
      }),
  },
  {
    id: 'N-LACC-004',
    bug: 'league accounts know no realms',
    rows: ['LACC-004'],
    plant: (seam) =>
      seam.request(({ path }) =>
        /^\/league-account\/(xbox|sony)\//.test(path)
          ? answerOf(404, { error: { code: 1, message: 'Resource not found' } })
          : undefined,
      ),
  },
  {
    id: 'N-ACCLEAGUE-004',
    bug: 'leagues of an account are those in which it has guild tabs',
    rows: ['ACCLEAGUE-004'],
    plant: (seam) => seam.data('listAccountLeagues', (body) => void (body.leagues = listAt(body, 'leagues').slice(-1))),
  },
  {
    id: 'N-ACCLEAGUE-003-pc',
    bug: 'leagues of an account in sony are those in pc',
    rows: ['REALM-QUERY-004'],
    beside: ['ACCLEAGUE-003'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.path === '/account/leagues/sony') request.path = '/account/leagues';
      }),
  },
];
