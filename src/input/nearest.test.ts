import { describe, expect, it, vi } from 'vitest';

import { nearest } from './nearest.js';

describe('the nearest name', () => {
  const names = ['base_url', 'auth_url', 'name'];

  it('is the one with a letter or two wrong, left out, doubled or exchanged', () => {
    expect(
      ['bas_url', 'BASE_URL', 'abse_url', 'base_urll', 'nmae', 'token'].map((word) => nearest(word, names)),
    ).toEqual(['base_url', 'base_url', 'base_url', 'base_url', 'name', undefined]);
  });

  it('has one letter wrong where it is short', () => {
    const short = ['bash', 'TOK', 'zsh'];
    expect(['bsah', 'TOL', 'tcsh', 'FOO'].map((word) => nearest(word, short))).toEqual([
      'bash',
      'TOK',
      undefined,
      undefined,
    ]);
  });

  it('is not looked for by the letters of a word that is much longer', () => {
    const word = 'x'.repeat(1_000_000);
    const edits = vi.spyOn(Array.prototype, 'push');
    const near = nearest(word, names);
    const steps = edits.mock.calls.length;
    edits.mockRestore();
    expect([near, steps]).toEqual([undefined, 0]);
  });
});
