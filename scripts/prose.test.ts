import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import type { Document } from './generate/document.js';
import type { Gap } from './generate/prose.js';
import { checkGaps, duration, fillFacts } from './generate/prose.js';

const document = JSON.parse(readFileSync('dist/openapi/openapi.json', 'utf8')) as Document;

describe('facts in prose', () => {
  it('are filled in, as they are, as durations and as numbers', () => {
    expect(fillFacts('{{limits.ladder_depth}} {{limits.ladder_depth|number}}', document)).toBe('15000 15,000');
    expect(fillFacts('{{lifetimes.refresh_token.public|duration}}', document)).toBe('7 days');
  });

  it('refuse a name or a filter that does not exist', () => {
    expect(() => fillFacts('{{limits.nowhere}}', document)).toThrow('{{limits.nowhere}} names no number');
    expect(() => fillFacts('{{limits.ladder_depth|loud}}', document)).toThrow('there are duration, number');
  });

  it('leave no placeholder in what is published', () => {
    expect(JSON.stringify(document)).not.toContain('{{');
  });

  it('write durations in the largest unit that fits', () => {
    expect([30, 300, 36_000, 86_400, 2_419_200].map(duration)).toEqual([
      '30 seconds',
      '5 minutes',
      '10 hours',
      '1 day',
      '28 days',
    ]);
  });
});

describe('gaps', () => {
  const gap: Gap = { id: 'K-1', kind: 'silent', topic: 't', says: '', contract: '', mock: '', suite: '' };

  it('refuse a default that is none of the values', () => {
    const broken = { ...gap, switches: [{ name: 'a.b', values: ['x'], default: 'y', about: '' }] };
    expect(() => checkGaps([broken])).toThrow(
      'openapi/gaps.yaml: K-1: switch a.b: the default "y" is not one of its values',
    );
  });

  it('refuse an id or a switch that stands twice', () => {
    expect(() => checkGaps([gap, gap])).toThrow('K-1 stands twice');
  });
});
