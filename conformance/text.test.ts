import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { acting, speech } from './speech.fixture.js';
import { clip, count, duration, jsonText, line, visible, webAddress, wrap } from './text.js';

describe('visible', () => {
  it('shows what would act, and keeps the rest', () => {
    expect(visible('a\x1b[31mb\x00\x7f\r\n\tc')).toBe('a␛[31mb␀␡␍\n\tc');
    expect(visible('\u202e\x9b\u2028')).toBe('\\u{202E}\\u{9B}\\u{2028}');
    expect(visible('\ud800x\uffff')).toBe('\ufffdx\ufffd');
    expect(visible('Zoë 東京 🜂')).toBe('Zoë 東京 🜂');
  });

  it('breaks up what a CI system obeys, and leaves other colons and signs', () => {
    expect(visible('::error::a\n  ::b c::d')).toBe('\\u{3A}:error::a\n  \\u{3A}:b c::d');
    expect(visible('##[error]a b##vso[c] ##teamcity[d] # [e] ## f')).toBe(
      '#\\u{23}[error]a b#\\u{23}vso[c] #\\u{23}teamcity[d] # [e] ## f',
    );
    expect(visible(visible('::a \x1b[0m ##[b]'))).toBe(visible('::a \x1b[0m ##[b]'));
  });

  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.dictionary(speech, speech), (value) => {
        expect(JSON.parse(jsonText(value, 1))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(acting(jsonText(value, 1))).toEqual([]);
      }),
    );
  });

  it('leaves nothing that a terminal obeys or XML forbids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]|\p{Surrogate}/u);
      }),
    );
  });
});

describe('bounds', () => {
  it('never cut a character in two', () => {
    expect(clip('ab😀', 4)).toBe('ab😀');
    expect(clip('ab😀c', 4)).toBe('ab…');
    expect(line('a\n  b\tc')).toBe('a b c');
    expect(line('x'.repeat(50), 10)).toHaveLength(10);
  });

  it('fold at words and leave long ones whole', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('incomprehensibility a', 5)).toEqual(['incomprehensibility', 'a']);
  });
});

describe('words', () => {
  it('for numbers and times', () => {
    expect([count(1, 'request'), count(12_345, 'request')]).toEqual(['1 request', '12,345 requests']);
    expect([0, 4.21, 48.2, 120, 185, 3720].map(duration)).toEqual([
      '0 s',
      '4.2 s',
      '48 s',
      '2 min',
      '3 min 5 s',
      '1 h 2 min',
    ]);
  });

  it('for addresses that can be followed', () => {
    expect(webAddress('https://a.example/#x')).toBe('https://a.example/#x');
    expect(webAddress('javascript:alert(1)')).toBeUndefined();
    expect(webAddress('https://a.example/#x|y#z')).toBeUndefined();
    expect(webAddress('interface.md#4')).toBeUndefined();
  });
});
