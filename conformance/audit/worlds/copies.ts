import { canRefresh } from './conditions.js';
import type { PlannedWorld } from './conditions.js';
import type { WorldRun } from '../run.js';

/** A client that stores nothing below GAMEDATA_STATE has nothing that its copies share. */
const shares = (calm: WorldRun): boolean => canRefresh(calm) && calm.endings.every(({ stored }) => stored === true);

/** A refresh takes so long that others can send theirs meanwhile; what comes of those is learned after the first reply. */
const slowRefresh = [
  { kind: 'latency', grant: 'refresh_token', times: 1, ms: 400 },
  { kind: 'latency', grant: 'refresh_token', after: 1, times: 100, ms: 800 },
] as const;

const because = 'A user starts a command in several windows; 3 has a refresh token used once, whoever sends it.';

/** Several copies of the client at once on one store: in a login, in copies that run together, and in a last start. */
export const copies: readonly PlannedWorld[] = [
  {
    id: 'two-at-once',
    title: 'Two copies start at once, and the access token has been revoked',
    because,
    copies: { count: 2, meet: true },
    faults: slowRefresh,
    needs: shares,
  },
  {
    id: 'eight-at-once',
    title: 'Eight copies, or as many as the plan says, start at once, and the access token has been revoked',
    because,
    copies: { meet: true },
    faults: slowRefresh,
    needs: shares,
  },
  {
    id: 'woken-together',
    title: 'The access token of all copies is revoked while they run, and they learn of it at the same moment',
    because: '5.3: a token expires or is revoked, and is answered with 401; a laptop wakes all its programs at once.',
    copies: { meet: true, woken: true },
    faults: slowRefresh,
    needs: shares,
  },
  {
    id: 'one-refreshes-late',
    title: 'Three copies start at once, and the reply of the first refresh comes after those of the others',
    because: 'No speed is promised, and no order between connections.',
    copies: { count: 3, meet: true },
    faults: [{ kind: 'latency', grant: 'refresh_token', times: 1, ms: 1500 }],
    needs: shares,
  },
  {
    id: 'killed-between',
    title: 'One of three copies is killed when its refresh has been carried out, before it has the reply',
    because: 'Processes are killed; 3 has the refresh token expire with its use.',
    copies: { count: 3, loss: 'killed' },
    needs: shares,
  },
  {
    id: 'torn-store',
    title: 'One of three copies is killed while it writes what its refresh returned',
    because: 'Processes are killed, and disks are full.',
    copies: { count: 3, loss: 'torn' },
    needs: shares,
  },
  {
    id: 'second-login',
    title: 'The user revokes the access of the application while three copies run, and one of them logs in again',
    because: '1: users can revoke their tokens at any time.',
    copies: { count: 3, meet: true, woken: true, loss: 'revoked' },
    needs: shares,
  },
];
