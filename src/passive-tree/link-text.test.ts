import { describe, expect, it } from 'vitest';
import { linkText } from './index.js';

const LINK = 'AAAABgECAwABAQL__wAA';
const PADDED = 'AAAABgINAQAHAAA=';
const LITTLE = 'BgAAAAINAQcAAAA=';

describe('linkText', () => {
  it.each([
    [LINK, LINK],
    [`https://example.com/passive-skill-tree/${LINK}`, LINK],
    [`https://example.com/passive-skill-tree/3.25.0/${PADDED}?accountName=x&characterName=y`, PADDED],
    [`https://example.com/passive-skill-tree/${PADDED}/`, PADDED],
    [`https://example.com/passive-skill-tree/${PADDED.replace('=', '%3D')}`, PADDED],
    [`https://example.com/tree?v=3.25&tree=${PADDED}&x=1`, PADDED],
    [`https://example.com/tree?${LITTLE}`, LITTLE],
    [`https://example.com/tree#${PADDED}`, PADDED],
    [`https://example.com/tree#/atlas/${LITTLE}`, LITTLE],
    [`https://example.com/tree#tree=${LINK}`, LINK],
    [`example.com/passive-skill-tree/${LINK}`, LINK],
    [`/passive-skill-tree/${LINK}?x=1`, LINK],
  ])('%s', (input, link) => {
    expect(linkText(input)).toBe(link);
  });

  it('takes no longer than the length of a text asks for', () => {
    const dots = '.'.repeat(100_000);
    const from = performance.now();
    expect(linkText(dots)).toBe(dots);
    expect(performance.now() - from).toBeLessThan(1000);
  });

  it.each(['', 'AAAABg+/AA', 'AAAABgAA/wAA', '####', ' AAAABgAAAAAA'])(
    'leaves "%s", which is no URL, as it is',
    (input) => {
      expect(linkText(input)).toBe(input);
    },
  );

  it('gives the last path segment where nothing looks like a link, so that reading it can say what is wrong', () => {
    expect(linkText('https://example.com/passive-skill-tree/AAAAAw?x=1')).toBe('AAAAAw');
    expect(linkText('https://example.com/tree/%E0%A4%A')).toBe('%E0%A4%A');
    expect(linkText('https://example.com')).toBe('');
  });
});
