import type { OldMutant as Mutant } from '../../mutant.js';
import { answerOf } from '../../interceptor/interceptor.js';

export const paths: readonly Mutant[] = [
  {
    id: 'N-GEN-003',
    bug: 'the profile is found at a path with a version, to which its own leads',
    rows: ['GEN-003'],
    plant: (seam) =>
      seam.request(({ operation, headers }) =>
        operation === 'getProfile' && headers.authorization !== undefined
          ? answerOf(307, undefined, { location: '/v1/profile' })
          : undefined,
      ),
  },
  {
    id: 'N-GEN-003-token',
    bug: 'the token endpoint leads to one with a version',
    rows: ['GEN-003'],
    plant: (seam) =>
      seam.form('issueToken', (form) =>
        form.get('grant_type') === 'cx-none' ? answerOf(308, undefined, { location: '/v2/oauth/token' }) : undefined,
      ),
  },
  {
    id: 'N-GEN-017',
    bug: 'a plus sign in a path is a space',
    rows: ['GEN-017'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.operation === 'getLeague' || request.operation === 'getCharacter')
          request.path = request.path.replaceAll('+', '%20');
      }),
  },
  {
    id: 'N-GEN-017-twice',
    bug: 'paths are decoded twice',
    rows: ['GEN-017'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.operation === 'getLeague') request.path = request.path.replace(/%25([0-9A-F]{2})/gi, '%$1');
      }),
  },
  {
    id: 'N-GEN-017-latin',
    bug: 'names of leagues are taken for Latin-1',
    rows: ['GEN-017'],
    plant: (seam) =>
      seam.data('getLeague', (body, { args }) => {
        if (/[^\x20-\x7e]/.test(args.league ?? '')) body.league = null;
      }),
  },
  {
    id: 'N-GEN-004-xbox',
    bug: 'characters of realm xbox need a league',
    rows: ['GEN-004'],
    plant: (seam) =>
      seam.request(({ path, query }) =>
        path === '/character/xbox' && !query.has('league')
          ? answerOf(400, { error: { code: 2, message: 'league is missing' } })
          : undefined,
      ),
  },
  {
    id: 'N-GEN-001-utf8',
    bug: 'JSON is said to be application/javascript for one operation',
    rows: ['GEN-001'],
    beside: ['LACC-001'],
    plant: (seam) =>
      seam.data('getLeagueAccount', (_, { reply }) => void (reply.headers['content-type'] = 'application/javascript')),
  },
  {
    id: 'N-GEN-017-stash',
    bug: 'the league of a list of tabs may have letters and digits only',
    rows: ['GEN-017'],
    plant: (seam) =>
      seam.request(({ operation, path }) =>
        operation === 'listStashes' && path.includes('%')
          ? answerOf(404, { error: { code: 1, message: 'Resource not found' } })
          : undefined,
      ),
  },
  {
    id: 'N-GEN-001-mark',
    bug: 'JSON begins with a byte order mark',
    rows: ['GEN-001'],
    beside: ['LACC-001'],
    plant: (seam) =>
      seam.reply((reply, { operation }) => {
        if (operation === 'getLeagueAccount') reply.content = `\ufeff${reply.content}`;
      }),
  },
];
