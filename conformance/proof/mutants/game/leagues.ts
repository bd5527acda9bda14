import type { Realm } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { everywhere, listAt } from '../../interceptor/json.js';
import { ignored, shifted } from '../../interceptor/queries.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';

/** Adds the current events of the realm to a list of leagues. */
const withEvents = (seam: Interceptor, applies: (type: string | null) => boolean): void =>
  seam.data('listLeagues', (body, { query }) => {
    if (!applies(query.get('type'))) return;
    const leagues = listAt(body, 'leagues');
    const now = seam.service.clock.now();
    const events = seam.service.world
      .leagues((query.get('realm') ?? 'pc') as Realm)
      .filter(({ kind, league }) => kind === 'event' && Date.parse(league.endAt ?? '') > now)
      .map(({ league }) => league);
    leagues.push(...(events as unknown as Json[]));
  });

const dates = ['startAt', 'endAt', 'registerAt', 'cached_since', 'validated', 'last_game_time'];
const notFound = () => answerOf(404, { error: { code: 1, message: 'Resource not found' } });

export const leagues: readonly Mutant[] = [
  {
    id: 'M-AD-40',
    bug: 'the list of leagues refuses realm=game2',
    rows: ['REALM-QUERY-003'],
    plant: (seam) =>
      seam.request(({ operation, query }) =>
        operation === 'listLeagues' && query.get('realm') === 'game2'
          ? answerOf(400, { error: { code: 2, message: 'Invalid query: realm' } })
          : undefined,
      ),
  },
  {
    id: 'M-AD-52',
    bug: 'the list of leagues is a bare list',
    rows: ['LEAGUE-LIST-001'],
    plant: (seam) => seam.data('listLeagues', (body) => body.leagues),
  },
  {
    id: 'M-AD-54',
    bug: 'the limit of the list of leagues is ignored',
    rows: ['LEAGUE-LIMIT-003'],
    plant: (seam) => seam.query('listLeagues', (query) => query.delete('limit')),
  },
  {
    id: 'M-AD-65',
    bug: 'the realms of account leagues give 404',
    rows: ['ACCLEAGUE-003'],
    plant: (seam) => seam.request(({ path }) => (/^\/account\/leagues\/./.test(path) ? notFound() : undefined)),
  },
  {
    id: 'M-AD-65-bare',
    bug: 'account leagues are a bare list',
    rows: ['ACCLEAGUE-001'],
    plant: (seam) => seam.data('listAccountLeagues', (body) => body.leagues),
  },
  {
    id: 'M-LL-01',
    bug: 'the default limit of the list of leagues is 20',
    rows: ['LEAGUE-LIMIT-001'],
    plant: (seam) => seam.query('listLeagues', (query) => void (query.has('limit') || query.set('limit', '20'))),
  },
  {
    id: 'M-LL-04',
    bug: 'type=main lists events too',
    rows: ['LEAGUE-LIST-003'],
    plant: (seam) => withEvents(seam, (type) => type === 'main'),
  },
  {
    id: 'M-LL-05',
    bug: 'without a type all leagues are listed',
    rows: ['LEAGUE-LIST-002'],
    plant: (seam) => withEvents(seam, (type) => type === null),
  },
  {
    id: 'M-LL-07',
    bug: 'an unknown league is answered with {}',
    rows: ['LEAGUE-GET-002', 'ERR-002'],
    plant: (seam) => seam.data('getLeague', (body) => (body.league === null ? {} : undefined)),
  },
  {
    id: 'M-LL-07-404',
    bug: 'an unknown league is answered with 404 and no wrapper',
    rows: ['LEAGUE-GET-002', 'ERR-002'],
    plant: (seam) =>
      seam.data('getLeague', (body, { reply }) => {
        if (body.league !== null) return undefined;
        reply.status = 404;
        return { error: { code: 1, message: 'Resource not found' } };
      }),
  },
  {
    id: 'M-LL-08',
    bug: 'an unknown league is an empty object',
    rows: ['LEAGUE-GET-002'],
    plant: (seam) => seam.data('getLeague', (body) => void (body.league ??= {})),
  },
  {
    id: 'M-LL-09',
    bug: 'a league has no wrapper',
    rows: ['LEAGUE-GET-001'],
    plant: (seam) => seam.data('getLeague', (body) => body.league ?? undefined),
  },
  {
    id: 'M-LL-12',
    bug: 'dates are numbers of seconds',
    rows: ['GEN-009'],
    plant: (seam) =>
      seam.data('all', (body) => {
        for (const name of dates)
          everywhere(body, name, (date: string | null) => (date === null ? null : Date.parse(date) / 1000));
      }),
  },
  {
    id: 'M-LL-12-day',
    bug: 'dates have no time of day',
    rows: ['GEN-009'],
    plant: (seam) =>
      seam.data('all', (body) => {
        for (const name of dates) everywhere(body, name, (date: string | null) => date?.slice(0, 10) ?? null);
      }),
  },
  {
    id: 'M-LL-33',
    bug: 'the id of a character has 32 digits',
    rows: ['GEN-012'],
    plant: (seam) =>
      seam.data(['getLeagueLadder', 'listCharacters', 'getCharacter'], (body) =>
        everywhere(body, 'character', (character: Json | null) =>
          character && typeof character.id === 'string' ? { ...character, id: character.id.slice(0, 32) } : character,
        ),
      ),
  },
  {
    id: 'N-LEAGUE-LIST-004',
    bug: 'type=event lists nothing',
    rows: ['LEAGUE-LIST-004'],
    plant: (seam) =>
      seam.data('listLeagues', (body, { query }) => void (query.get('type') === 'event' && (body.leagues = []))),
  },
  {
    id: 'N-LEAGUE-LIST-005',
    bug: 'type=season lists the current leagues',
    rows: ['LEAGUE-LIST-005'],
    plant: ignored('listLeagues', 'type'),
  },
  {
    id: 'N-LEAGUE-OFFSET-001',
    bug: 'offset of the list of leagues is off by one',
    rows: ['LEAGUE-OFFSET-001'],
    plant: shifted('listLeagues'),
  },
];
