import { answerOf } from '../../interceptor/interceptor.js';
import { realmOf } from '../../interceptor/who.js';
import { mutants, operator } from '../../mutant.js';
import { drop, reply, reverse } from '../../operators/replies.js';
import { defaultParameter, given, request } from '../../operators/requests.js';
import { seenTabs } from '../../operators/tabs.js';

const hour = 3600;

/** Nothing is declared: two answers of the server have to tell. */
const bare = { declares: 'nothing' } as const;

/** A path whose percent-encoding is malformed breaks the server. */
const breaksOn = operator('breaksOn', (at, path: RegExp) => {
  at.request((one) => {
    if (!path.test(one.path)) return;
    try {
      decodeURIComponent(one.path);
    } catch {
      return answerOf(500, { error: { code: 4, message: 'Internal error' } });
    }
  });
});

/** Paths that lead to no operation any more. */
const unrouted = operator('unrouted', (at, path: RegExp) => {
  at.request((one) => void (path.test(one.path) && (one.path = `/gone${one.path}`)));
});

/** A history that begins with two hours with markets. */
const startsBusy = operator('startsBusy', (at) => {
  at.world((world) => ({
    exchange(realm) {
      const whole = world.exchange(realm);
      let { firstHour } = whole;
      while ([0, hour].some((after) => whole.markets(firstHour + after).length === 0)) firstHour += hour;
      return { ...whole, firstHour, markets: (of) => (of < firstHour ? [] : whole.markets(of)) };
    },
  }));
});

/** What a target without facts leaves to comparison. */
export const undeclared = mutants({
  'GEN-023: a path with malformed percent-encoding is a server error': () => breaksOn(/^\/(?!oauth)/).on(bare),
  'GEN-023 guild: malformed percent-encoding of the id of a guild tab is a server error': () =>
    breaksOn(/^\/guild\/stash\/[^/]+\/./).on(bare),
  'GEN-023 filter: malformed percent-encoding of the id of a filter is a server error': () =>
    breaksOn(/^\/item-filter\/./).on(bare),
  'CHAR-GET-002 inventory-undeclared: characters come without their inventory, and no edition is declared': () =>
    drop('getCharacter', 'character.inventory').on(bare).warns(),
  'CX-003 after: an id is answered with the markets of the hour after it': () =>
    reply('getCurrencyExchange', (body, context, at) => {
      const asked = Number(context.args['id'] ?? Number.NaN);
      const markets = at.service.world.exchange(realmOf(context)).markets(asked + hour);
      if (Number.isFinite(asked) && Number(body['next_change_id']) > asked) body['markets'] = markets;
    }).on({ ...bare, precondition: startsBusy() }),
  'REALM-PATH-003 routes: no realm form of the paths of guild tabs is routed': () =>
    unrouted(/^\/guild\/(?!stash\/)/).on(bare),
  'REALM-PATH-003 tab: a guild tab cannot be asked for with a realm': () =>
    unrouted(/^\/guild\/(?!stash\/)[^/]+\/stash\/[^/]+\/[^/]+$/).on(bare),
  'EVLADDER-LIMIT-001 bare: the default limit of an event ladder that is found is 50': () =>
    defaultParameter('getLeagueEventLadder', 'limit', '50').on(bare),
  'PVPLADDER-RANK-001 bare: the teams of a match that is found come in the order of their games': () =>
    reverse('getPvpMatchLadder', 'match.entries').on(bare),
  'LADDER-SORT-005 bare: pages sorted by time are reversed': () =>
    reverse('getLeagueLadder', 'league.entries', { sort: 'time' }).on(bare),
  'LADDER-DEPTH-001 bare: an offset beyond the depth begins again': () =>
    request('getLeagueLadder', (one) => {
      const sent = one.query;
      const offset = Number(sent.get('offset'));
      if (offset > 15_000) sent.set('offset', String(offset % 15_000));
      if (offset > 15_000) one.query = sent;
    }).on(bare),
  'GUILD-GET-003 bare: guild tabs can be read whoever may access them': () =>
    seenTabs('guildStashes', 'getGuildStash', { stash_id: given }, ([, ...place], world) =>
      world.guildStashes('alice', ...place),
    ).on(bare),
  'TOK-CC-010 bare: the profile that a client-credentials token reads is of somebody else': () =>
    reply('getProfile', (body) => void (body['name'] = `not ${String(body['name'])}`)).on(bare),
});
