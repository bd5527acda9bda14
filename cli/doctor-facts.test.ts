import { afterAll, beforeAll, expect, it } from 'vitest';

import { flags } from '../src/contract/index.js';
import { startMock } from '../src/server/mock.js';
import type { Mock } from '../src/server/mock.js';
import { defaultSwitches } from '../src/server/switches.js';
import { targetText } from '../src/server/target-file.js';
import { doctor } from '../conformance/target/doctor.js';
import type { Diagnosis } from '../conformance/target/doctor.js';
import { loadTarget } from '../conformance/target/load.js';
import { plainTransport } from '../conformance/target/plain-transport.js';
import type { Known } from '../conformance/target/table.js';
import type { Target } from '../conformance/target/target.js';

let mock: Mock;
let target: Target;
beforeAll(async () => {
  mock = await startMock();
  const { url, controlUrl, world } = mock;
  const on = new Set(flags.map(({ flag }) => flag));
  const text = targetText({ url, controlUrl, controlToken: undefined, flags: on, switches: defaultSwitches, world });
  target = await loadTarget({ file: '-', env: {}, stdin: async () => text });
});
afterAll(() => mock.close());

/** What is found about facts, where these are otherwise. The codec takes a process, and shows nothing of them. */
async function found(known: Partial<Known>, more: Partial<Target> = {}): Promise<readonly Diagnosis[]> {
  const { tree_codec: _, ...rest } = target;
  const { findings } = await doctor(
    { ...rest, ...more, known: { ...target.known, ...known } },
    { transport: plainTransport(), now: Date.now, random: (bytes) => 'r'.repeat(bytes * 2), wait: false, rows: [] },
  );
  return findings.filter(({ about }) => about.startsWith('known'));
}

it('finds on the server what its target file names', async () => {
  const [finding, ...others] = await found({});
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ about: 'known', state: 'ok', met: expect.stringContaining('sub_tab') as string });
});

it.each<[Partial<Known>, string, RegExp]>([
  [{ livestream: 'bob' }, 'known.livestream', /^GET \/profile with a token of bob: 200 with no \w+$/],
  [
    { season: 'Winter of none' },
    'known.season',
    /^GET \/league\?type=season&season=Winter\+of\+none .*200 with no leagues$/,
  ],
  [{ private_league: 'Nowhere' }, 'known.private_league', /alice: 200 with no league Nowhere$/],
  [{ atlas_league: 'Nowhere' }, 'known.atlas_league', /^GET \/league-account\/Nowhere .*200 with no hashes$/],
  [{ parent_tab: '0000000000' }, 'known.parent_tab', /^GET \/stash\/\w+\/0000000000 with a token of alice: /],
  [{ sub_tab: '0000000000' }, 'known.sub_tab', /^GET \/stash\/\w+\/\w+\/0000000000 with a token of alice: /],
  [{ guild_tabs: { alice: ['0000000000'] } }, 'known.guild_tabs', /not all of the tabs of alice$/],
])('names the key that is wrong, and what rests on it no more: %j', async (known, about, met) => {
  const wrong = (await found(known)).filter(({ state }) => state === 'problem');
  expect(wrong).toEqual([
    {
      about,
      state: 'problem',
      met: expect.stringMatching(met) as string,
      remedy: expect.stringMatching(/^correct it \(.+\), or remove it/) as string,
    },
  ]);
});

it('compares the owner of the applications by the name of its account', async () => {
  const accounts = { ...target.accounts, owner: { username: 'Somebody#0001' } };
  expect(await found({}, { accounts })).toContainEqual(
    expect.objectContaining({ about: 'known.owner', met: expect.stringContaining('another name than') as string }),
  );
});

it('says nothing of what no token opens', async () => {
  expect(
    await found({ sub_tab: '0000000000' }, { consent: 'none', control_url: undefined, clients: {} } as never),
  ).toEqual([]);
});
