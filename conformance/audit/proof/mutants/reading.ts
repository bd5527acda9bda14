import { mutants, swap } from '../client-mutant.js';
import type { ClientEntry } from '../client-mutant.js';
import { fail, onObject, onReply } from '../operators.js';

/** Fails where a reply holds a text. */
const refuses = (text: string): ClientEntry =>
  onReply((_, whole) => void (whole.includes(text) && fail(`what is ${text}?`)));

/** Takes each hour of the exchange history for the one after the last, for a day. */
const everyHour = swap((_, { nextHour, exchangeHistory }) => {
  let last = Number.NaN;
  return {
    nextHour: (next) => {
      if (next - last > 3600) fail('an hour is missing');
      last = next;
      return nextHour(next);
    },
    exchangeHistory: async () => {
      for (let part = 0; part < 5; part += 1) await exchangeHistory();
    },
  };
});

export const reading = mutants({
  'READ-ERROR-001 error-empty: takes an error for an empty list': swap((_, { optional }) => ({
    attempts: () => 1,
    optional: (step) => optional(step).catch(() => {}),
  })).in('server-error'),
  'READ-ERROR-001 part-lost: goes on without what fails for good, and says nothing': swap((_, { optional, data }) => ({
    optional: (step) => optional(step).catch(() => {}),
    data: (...asked) =>
      data(...asked).catch((error: unknown) => {
        if (asked[1].includes('/ladder')) return { league: { entries: [] } };
        throw error;
      }),
  })).in('one-down'),
  'READ-ERROR-001 pages-lost: takes a page of a ladder that fails for its end': swap((client) => ({
    attempts: () => 1,
    service: async () => {
      for (const offset of [0, 20, 40])
        await client.get(`/league/Standard/ladder?limit=20&offset=${offset}`, true).catch((error: unknown) => {
          if (offset === 0) throw error;
        });
    },
  })).in('pages-down'),
  'READ-ERROR-001 tabs-lost: goes on without tabs that fail, and says nothing': swap((_, { data }) => ({
    data: (...asked) =>
      data(...asked).catch((error: unknown) => {
        if (/^\/stash\/[^/]+\//.test(asked[1])) return {};
        throw error;
      }),
  })).in('tabs-down'),
  'READ-SAME-001 same-less: takes a list that it cannot read for an empty one': swap((_, { read }) => ({
    read: (got) => (got.text.includes('"characters":') && got.text.includes('x_undocumented') ? {} : read(got)),
  })).in('unknown-members'),
  'READ-SAME-001 same-shorter: looks for the id of the next page with a pattern, and takes none for the end': swap(
    (client) => ({
      publicStashes: async () => {
        let id: string | undefined;
        for (let page = 0; page < client.pages(); page += 1) {
          const text = JSON.stringify(await client.get(client.streamPage(id), true));
          [, id] = /"next_change_id":"([^"]*)"/.exec(text) ?? [];
          if (id === undefined) return;
        }
      },
      read: (got) => {
        const isPretty = /"next_change_id": "/.test(got.text);
        const reply = JSON.parse(got.text) as Record<string, unknown>;
        return isPretty ? { ...reply, next_change_id: undefined } : reply;
      },
    }),
  ).in('pretty'),
  'READ-SAME-002 flat-lost: reads sub-tabs where they are nested only': swap((_, { flat }) => ({
    flat: (tabs, parent) => flat(parent === undefined ? tabs.filter((tab) => !tab.parent) : tabs, parent),
  })).in('flat-tabs'),
  'READ-UNKNOWN-001 read-strict: refuses members that it does not know':
    refuses('x_undocumented').in('unknown-members'),
  'READ-UNKNOWN-002 read-strict-token: refuses members of a token response that it does not know': swap(
    (_, { received }) => ({
      received: (got) => (got.text.includes('x_undocumented') ? fail('unknown member') : received(got)),
    }),
  ).in('unknown-token-members'),
  'READ-UNKNOWN-003 read-strict-redirect: refuses parameters of the redirect that it does not know': swap(
    (_, { exchanged, callback }) => {
      let strange = false;
      return {
        exchanged: async (...given) => (strange ? fail('unknown parameter') : exchanged(...given)),
        callback: (url, state) => {
          strange ||= url.includes('x_undocumented=');
          return callback(url, state);
        },
      };
    },
  ).in('redirect-parameters'),
  'READ-NULL-001 read-null: takes no null': onObject((one) => {
    if (one.goal === null) fail('goal is null');
  }).in('nulls'),
  'READ-NULL-001 read-livestream: needs the livestream of the account': onObject((one) => {
    if ('locale' in one) void (one.livestream as { name: string }).name;
  }).in('nulls'),
  'READ-NULL-001 read-locale: needs the locale of the account': onObject((one) => {
    if ('locale' in one) void (one.locale as string).length;
  }).in('nulls'),
  'READ-NULL-001 read-rule: needs the description of each rule of a league': onObject((one) => {
    for (const { description } of (one.rules ?? []) as { description: string }[]) void description.length;
  }).in('inner-nulls'),
  'READ-ABSENT-001 read-shown: needs to know how each property of an item is shown': onObject((one) => {
    for (const { displayMode } of (one.properties ?? []) as { displayMode: number }[]) displayMode.toFixed();
  }).in('inner-absences'),
  'READ-ABSENT-001 read-jewels: needs the list of jewels of a character': onObject((one) => {
    if ('equipment' in one) void (one.jewels as unknown[]).length;
  }).in('absences'),
  'READ-ABSENT-001 read-false: needs what may be absent': swap((client, { service }) => ({
    service: async () => {
      const { league } = (await client.get('/league/Standard/ladder?limit=100', true)) as {
        league: { entries: object[] };
      };
      if (!league.entries.some((entry) => Object.values(entry).includes(false))) fail('no flag is false');
      await service();
    },
  })).in('absences'),
  'READ-ABSENT-001 read-experience: needs the experience of each character on a ladder': onObject((one) => {
    if ('rank' in one) void (one.character as { experience: number }).experience.toFixed();
  }).in('absences'),
  'READ-ABSENT-001 read-display: needs the displayMode of each property': onObject((one) => {
    if ('values' in one && !('displayMode' in one)) fail('how is it displayed?');
  }).in('inner-absences'),
  'READ-EDITION-001 read-edition: needs the members of one edition': swap((client, { service }) => ({
    service: async () => {
      const { leagues = [] } = (await client.get('/league', true)) as { leagues?: { name?: string }[] };
      if (leagues.some(({ name }) => name === undefined)) fail('a league without a name');
      await service();
    },
  })).in('base-edition'),
  'READ-ORDER-001 read-order: expects members in one order': onObject((one) => {
    if ('filter_name' in one && 'id' in one && Object.keys(one)[0] !== 'id') fail('id does not come first');
  }).in('shuffled'),
  'READ-JSON-001 read-escapes: knows no escapes': refuses(String.raw`\u`).in('escaped'),
  'READ-JSON-001 read-white: knows no white space': refuses('\n  ').in('pretty'),
  'READ-CODING-001 read-gzip: asks for gzip, and reads what comes as it is': swap((_, { send }) => ({
    send: async (request) => {
      const got = await send(request);
      return got.headers.has('content-encoding') ? { ...got, text: '\u001f\u008b' } : got;
    },
  })).in('compressed'),
  'READ-CODING-001 read-deflate: asks for two codings, and reads the first only': swap((_, { send }) => ({
    send: async (request) => {
      const got = await send({ ...request, headers: { ...request.headers, 'accept-encoding': 'gzip, deflate' } });
      return got.headers.get('content-encoding') === 'deflate' ? { ...got, text: '\u0078\u009c' } : got;
    },
  })).in('compressed'),
  'READ-DATE-001 read-offset: knows dates that end in Z only': refuses('+00:00"').in('dates-offset'),
  'READ-DATE-001 read-fraction: knows whole seconds only': refuses('.000Z"').in('dates-fraction'),
  'READ-DATE-001 read-zone: knows dates in UTC only': refuses('+05:30"').in('dates-zone'),
  'READ-NAME-001 read-name: takes names of letters only': swap({
    encode: (name) => (/^[\w-]+$/.test(name) ? name : fail(`a name like ${name}`)),
  }).in('odd-names'),
  'READ-VALUE-001 read-class: knows the classes of today only': refuses('"class":"Lamplighter"').in('new-values'),
  'READ-VALUE-001 read-type: knows the types of tabs of today only':
    refuses('"type":"LamplighterStash"').in('new-values'),
  'READ-EMPTY-001 read-empty: needs a character': onReply((reply) => {
    const { characters } = reply as { characters?: { name: string }[] };
    if (Array.isArray(characters)) void characters[0]!.name;
  }).in('empty-account'),
  'READ-LARGE-001 read-small: takes a megabyte at most': onReply(
    (_, text) => void (text.length > 1_000_000 && fail('too large')),
  ).in('large-pages'),
  'READ-SLOW-001 read-fast: waits for half a second': swap({ timeout: 900, attempts: () => 1 }).in('slow'),
  'READ-TOKEN-001 read-token: takes tokens of 40 characters only': swap((client, { received, run }) => ({
    received: (got) => {
      const tokens = received(got);
      return tokens.access_token.length > 200 ? fail('too long') : tokens;
    },
    run: async () => {
      await client.get('/profile', true).catch(() => {});
      await run();
    },
  })).in('long-tokens'),
  'READ-EXPIRES-001 read-expires: needs expires_in': swap((_, { received }) => ({
    received: (got) => (got.text.includes('expires_in') ? received(got) : fail('no expires_in')),
  })).in('no-expires-in'),
  'READ-UNLISTED-001 read-unlisted: needs the properties of every stash': onObject((one) => {
    if (one.public === false && 'items' in one) void (one.items as unknown[]).length;
  }).in('unlisted'),
  'READ-TABS-001 read-tabs: takes nested tabs only': onReply((reply) => {
    const { stashes } = reply as { stashes?: { metadata?: unknown; parent?: string }[] };
    if (stashes?.some(({ metadata, parent }) => metadata !== undefined && parent !== undefined))
      fail('a sub-tab in the list');
  }).in('flat-tabs'),
  'READ-HEX-001 read-hex: takes lower-case ids only': onObject(({ id }) => {
    if (typeof id === 'string' && id.length === 64 && /[A-F]/.test(id)) fail('an id in upper case');
  }).in('upper-hex'),
  'READ-END-001 read-end: needs stashes on every page': onReply((reply) => {
    const { stashes } = reply as { stashes?: { id: string }[]; next_change_id?: string };
    if (stashes && 'next_change_id' in (reply as object)) void stashes[0]!.id;
  }).in('end-of-stream'),
  'READ-OBSERVED-001 read-observed: takes the entries of a ladder beside its league for nothing': onReply((reply) => {
    if ((reply as { ladder?: unknown }).ladder !== undefined) fail('no entries in the league');
  }).in('observed'),
  'READ-STATUS-001 read-accepted: takes a member error for a failure': onReply((reply) => {
    if ('error' in (reply as object)) fail('the update failed');
  }).in('filter-statuses'),
  'READ-STATUS-001 read-created: takes no status but 200 for success': swap((_, { read }) => ({
    read: (got) => (got.status === 200 ? read(got) : fail(`HTTP ${got.status}`)),
  })).in('filter-statuses'),
  'READ-MISSING-001 read-gone: needs the character that it looks up': onReply((reply) => {
    const { character } = reply as { character?: { name: string } };
    if (character !== undefined) void character.name;
  }).in('gone'),
  'READ-QUIET-001 read-quiet: expects the next hour after each hour': everyHour.in('quiet-hours'),
  'READ-PRUNED-001 read-pruned: goes on from an hour of the day before yesterday, and expects it to be there': everyHour
    .swap((client, { hourPath }) => ({
      hourPath: (id) => {
        const hour = Math.floor(Date.now() / 3_600_000) * 3600 - 60 * 3600;
        if (id === undefined) client.nextHour(hour);
        return hourPath(id ?? String(hour));
      },
    }))
    .in('pruned'),
});
