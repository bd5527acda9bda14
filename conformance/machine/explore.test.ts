import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createCoverage } from '../engine/coverage.js';
import type { TokenServer } from '../model/token-server.js';
import { bugs, fakeServer, lives, readings } from '../model/token-server.fixture.js';
import { certificateOf } from './certificate.js';
import { contractMachine } from './contract.js';
import { explore, playAgain, shrink } from './explore.js';
import { differences, minimal } from './machine.js';
import { settledBy } from './readings.js';

const party = { client: 'confidential', account: 'alice' };
const options = () => ({ party, lives, coverage: createCoverage(), identities: new Map<string, string>(), extra: 0 });
const explored = (server: TokenServer) => explore(server, options());

describe('the complete suite', () => {
  it.each(bugs)('finds that %s', async (bug) => {
    const { findings } = await explored(fakeServer({ planted: [bug] }));
    const [finding, ...more] = findings;
    expect(finding).toBeDefined();
    expect(more.length).toBeLessThan(4);
    const server = fakeServer({ planted: [bug] });
    const shortest = await shrink(server, finding!, options());
    expect(shortest.word.length).toBeLessThanOrEqual(finding!.word.length);
    expect(await playAgain(server, shortest, options())).toEqual(shortest);
  });

  it.each(readings)('takes it for right that %s', async (reading) => {
    const { findings, learned, inputs } = await explored(fakeServer({ as: [reading] }));
    expect(findings).toEqual([]);
    expect(learned.broken).toBeUndefined();
    // The readings that are found make the contract's machine the server's own.
    const { readings: found, withheld } = certificateOf(learned, { client: 'confidential', lives });
    const contract = await contractMachine(settledBy(found), { only: inputs });
    expect([withheld, differences(minimal(learned.machine), contract)]).toEqual([undefined, []]);
  });

  it('takes any mixture of right readings, and is content with what a server does not offer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...readings]), async (as) => {
        expect((await explored(fakeServer({ as }))).findings).toEqual([]);
      }),
      { numRuns: 10 },
    );
    const offer = { revoke: false, introspect: false, introspectRefresh: false, page: false };
    expect((await explored(fakeServer({ offer }))).findings).toEqual([]);
  });

  it('tells what was agreed from what was final, and both from what introspection says', async () => {
    const aspects = async (bug: (typeof bugs)[number]) => {
      const server = fakeServer({ planted: [bug] });
      const { findings } = await explored(server);
      return Promise.all(findings.map(async (finding) => (await shrink(server, finding, options())).aspect));
    };
    expect(await aspects('a used refresh token works at the second try')).toContain('absorbing');
    expect(await aspects('introspection shows revoked access tokens active')).toEqual(['agreement']);
    expect(await aspects('a refresh changes the identity')).toContain('identity');
    expect(await aspects('revoking a refresh token does nothing')).toContain('transition');
  });

  it('keeps to its price and tells where it has been', async () => {
    const server = fakeServer();
    const own = options();
    const { learned } = await explore(server, own);
    const { states, transitions } = own.coverage.result();
    expect(server.requests).toBeLessThan(5630);
    expect(minimal(learned.machine).states.length).toBeGreaterThan(8);
    expect(states).toContain('access FREE, refresh DEAD');
    expect(transitions['access LIVE, refresh LIVE refresh']).toBeGreaterThan(50);
  });
});
