import { describe, expect, it } from 'vitest';

import { expressionsOf, patternsOf, whySlow } from './expressions.js';

describe('the regular expressions of a source', () => {
  it('are its literals, and those made of a text or a template', () => {
    const text = [
      'const one = /a[/]b/gi;',
      'const two = new RegExp("^\\\\d+$", "u");',
      'const three = RegExp(`</${name}(?=>)`);',
      'const four = new RegExp(one.source);',
      'const digits = String.raw`\\d+`;',
      'const six = new RegExp(String.raw`^${digits}\\.${digits}$`);',
    ].join('\n');
    expect(expressionsOf('a.ts', text)).toEqual({
      expressions: [
        { file: 'a.ts', line: 1, source: 'a[/]b', flags: 'gi' },
        { file: 'a.ts', line: 2, source: '^\\d+$', flags: 'u' },
        { file: 'a.ts', line: 3, source: '</word(?=>)', flags: '' },
        { file: 'a.ts', line: 6, source: '^\\d+\\.\\d+$', flags: '' },
      ],
      built: ['a.ts:4'],
    });
  });
});

describe('the patterns of the contract', () => {
  it('are found at any depth', () => {
    const text =
      'Name:\n  type: object\n  properties:\n    id: { type: string, pattern: "^[0-9]+$" }\n    pattern: {}\n';
    expect(patternsOf('a.yaml', text)).toEqual([{ file: 'a.yaml', line: 4, source: '^[0-9]+$', flags: 'u' }]);
  });
});

describe('the time that an expression takes', () => {
  it.each([
    /^(a+)+$/, // exponential
    /#.*$/, // quadratic from the start
    /^[^/]*\.[^/]*\//, // quadratic by two loops in a row
    /<[^>]*>/g, // quadratic over all matches
  ])('is refused where it grows faster than the input: %s', async ({ source, flags }) => {
    expect(await whySlow({ source, flags })).toMatch(/^takes (exponential|.+ polynomial).* time, as on /);
  });

  it.each([/^[a-z]+$/, /(?<!=)=+$/, /<[^<>]*>/g, /#.*$/s])('is right where it does not: %s', async (expression) => {
    expect(await whySlow(expression)).toBeUndefined();
  });
});
