import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';

import type { Scenario } from './scenario.js';
import { startStage } from './stage.js';
import type { Stage } from './stage.js';
import { worldNamed } from './worlds.js';

let stage: Stage | undefined;
afterEach(() => stage?.close());

async function start(scenario: Scenario): Promise<Stage> {
  return (stage = await startStage(scenario));
}

const get = ({ url, environment }: Stage, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url + path, { headers: { authorization: `Bearer ${environment.GAMEDATA_TOKEN_ACCOUNT}` }, ...init });

describe('a stage', () => {
  it('notes what comes to the other origin, and that the redirect was met', async () => {
    const own = await start({ ...worldNamed('redirected'), redirect: { server: 'data' } });
    const response = await get(own, '/profile?a=1');
    expect(response.status).toBe(404);
    expect(own.elsewhere).toEqual([{ method: 'GET', url: response.url, authorization: undefined, body: '' }]);
    expect(own.obstacles()).toEqual([{ name: 'redirect', applied: 1 }]);
  });

  it('names the league that a client is to use, an odd one where names are odd', async () => {
    const own = await start(worldNamed('odd-names'));
    const league = encodeURIComponent(own.environment.GAMEDATA_LEAGUE ?? '');
    const { stashes } = (await (await get(own, `/stash/${league}`)).json()) as { stashes: unknown[] };
    expect(stashes.length).toBeGreaterThan(0);
  });

  it('records what was sent, where the scenario changes it', async () => {
    const own = await start(worldNamed('gone'));
    await (await get(own, '/character/nobody')).text();
    expect(own.calls).toMatchObject([{ operation: 'getCharacter', text: '{"character":null}' }]);
  });

  it('notes calls of the control surface, and none of a dashboard that is open', async () => {
    const own = await start(worldNamed('calm'));
    await get(own, '/__control/state');
    await fetch(`${own.url}/__control/clock`, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(own.controlCalls).toEqual(['GET /__control/state']);
  });

  it('keeps a silent connection open while the browser follows the redirect', async () => {
    const own = await start(worldNamed('held-connection'));
    const connections = new Set<unknown>();
    let held = 0;
    const listener = createServer((_, res) => {
      held = connections.size;
      res.end();
    });
    listener.on('connection', (socket) => {
      connections.add(socket);
      socket.once('close', () => connections.delete(socket));
    });
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
    const redirect = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;
    const query = new URLSearchParams({
      client_id: own.environment.GAMEDATA_PUBLIC_CLIENT_ID ?? '',
      response_type: 'code',
      scope: 'account:profile',
      state: 'state',
      redirect_uri: redirect,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    await own.open(`${own.url}/oauth/authorize?${query}`);
    listener.closeAllConnections();
    await new Promise((done) => listener.close(done));
    expect(held).toBe(2);
    expect(own.visits).toMatchObject([{ callbacks: [{ kind: 'stray' }, { kind: 'answer', status: 200 }] }]);
    expect(own.obstacles()).toMatchObject([{ name: 'a silent connection that stays open', applied: 1 }]);
  });
});
