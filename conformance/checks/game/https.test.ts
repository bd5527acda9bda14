import { describe, expect, it } from 'vitest';

import type { Run } from '../../engine/run.js';
import general from './general.js';

/** What the check of the scheme says of a server at these addresses. */
async function verdict(base_url: string, auth_url: string): Promise<string> {
  const { body } = general.checks.find(({ row }) => row === 'GEN-002')!;
  let said = 'not exercised';
  const run = {
    facts: { target: { base_url, auth_url, paths: {} } },
    expect: {
      notApplicable: () => {
        throw new Error('not applicable');
      },
      equal: (got: unknown, expected: unknown) => {
        if (got !== expected) throw new Error('fail');
        said = 'pass';
      },
    },
  };
  try {
    await body(run as unknown as Run);
  } catch (error) {
    return (error as Error).message;
  }
  return said;
}

// No mutant can show this: the proof's server is on the machine that asks it.
describe('the scheme of a server', () => {
  it('has to be https, of both addresses', async () => {
    expect(await verdict('https://api.example', 'https://auth.example')).toBe('pass');
    expect(await verdict('http://api.example', 'https://auth.example')).toBe('fail');
    expect(await verdict('https://api.example', 'http://auth.example/path')).toBe('fail');
    expect(await verdict('http://127.0.0.1:8080', 'http://auth.example')).toBe('fail');
  });

  it('is open on the own machine', async () => {
    expect(await verdict('http://localhost:1', 'http://[::1]:2')).toBe('not applicable');
    expect(await verdict('http://127.0.0.1.example', 'https://auth.example')).toBe('fail');
  });
});
