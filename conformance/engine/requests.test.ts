import { describe, expect, it } from 'vitest';

import { operationList } from '../../src/contract/index.js';
import type { Answer } from '../wire/answer.js';
import { targetAt } from './evidence.fixture.js';
import { below, encoded, locate } from './requests.js';
import type { Args } from './requests.js';
import { transportOf } from './transport.js';
import type { Wire } from '../wire/wire.js';

const names = { game2: 'game2', livestream: 'livestream' };

describe('the place of an operation', () => {
  it.each<[Parameters<typeof locate>[0], Args, string]>([
    ['listLeagues', {}, '/league'],
    ['listLeagues', { realm: 'pc', type: 'event', limit: 5 }, '/league?'],
    ['getLeague', { league: 'A/B C&D', realm: 'pc' }, '/league/A%2FB%20C%26D'],
    ['listCharacters', { realm: 'xbox' }, '/character/xbox'],
    ['listCharacters', { realm: 'game2' }, '/character/second'],
    ['getCharacter', { realm: 'pc', name: 'Käthe' }, '/character/K%C3%A4the'],
    ['listPvpMatches', { type: 'season', season: 'x y' }, '/pvp-match?type=season&season=x%20y'],
  ])('%s %j', (operation, args, path) => {
    expect(locate(operation, args, { ...names, game2: 'second' }).path).toContain(path);
  });

  it('is there for every form of every operation', () => {
    for (const { logical, realm, parameters, path } of operationList) {
      const inPath = parameters
        .filter((one) => one.in === 'path')
        .map(({ name }) => [name, name === 'realm' ? 'sony' : 'x']);
      const args = { ...(Object.fromEntries(inPath) as Args), ...(realm !== undefined && { realm }) };
      expect(locate(logical, args, names).operation.path).toBe(path);
    }
  });

  it('is not there for what no form takes', () => {
    expect(() => locate('getProfile', { name: 'x' }, names)).toThrow('no form of getProfile takes {"name":"x"}');
  });
});

describe('fields and addresses', () => {
  it('are encoded in order, repetitions kept', () => {
    expect(
      encoded([
        ['a', '1 2'],
        ['a', '+&=%'],
        ['b', 'é'],
      ]),
    ).toBe('a=1%202&a=%2B%26%3D%25&b=%C3%A9');
    expect(encoded([])).toBe('');
  });

  it('are put below a base with one slash', () => {
    expect(below('http://h/api', '/x')).toBe('http://h/api/x');
    expect(below('http://h/api', 'x')).toBe('http://h/api/x');
  });
});

describe('the transport of hooks', () => {
  it('sends over the wire, and tells control from the authorization server', async () => {
    const sent: unknown[] = [];
    const wire = {
      send: async (request: unknown, asked: unknown) => {
        sent.push([request, asked]);
        return { status: 200, headers: {}, text: '' } as Answer;
      },
    } as unknown as Wire;
    const transport = transportOf(wire, targetAt('http://h', { control_url: 'http://h/control' }));
    await transport({ method: 'POST', url: 'http://h/control/clock', body: '{}' });
    await transport({ method: 'GET', url: 'http://h/controls', headers: { a: 'b' } });
    const inside = transportOf(wire, targetAt('http://h/oauth', { control_url: 'http://h' }));
    await inside({ method: 'GET', url: 'http://h/oauth/authorize?x' });
    await inside({ method: 'GET', url: 'http://h/clock' });
    expect(sent).toEqual([
      [
        { method: 'POST', url: 'http://h/control/clock', headers: {}, body: '{}' },
        { server: 'control', args: {} },
      ],
      [
        { method: 'GET', url: 'http://h/controls', headers: { a: 'b' } },
        { server: 'authorization', args: {} },
      ],
      [
        { method: 'GET', url: 'http://h/oauth/authorize?x', headers: {} },
        { server: 'authorization', args: {} },
      ],
      [
        { method: 'GET', url: 'http://h/clock', headers: {} },
        { server: 'control', args: {} },
      ],
    ]);
  });
});
