import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';

import type { Document } from '../../scripts/generate/document.js';
import { rules } from './rules.js';

const read = (): Document => JSON.parse(readFileSync('dist/openapi/openapi.json', 'utf8')) as Document;
const { flags } = parse(readFileSync('openapi/editions.yaml', 'utf8')) as { flags: { flag: string }[] };
const gaps = parse(readFileSync('openapi/gaps.yaml', 'utf8')) as { id: string }[];
const known = { flags: new Set(flags.map(({ flag }) => flag)), gaps: new Set(gaps.map(({ id }) => id)) };

describe('own rules of the contract', () => {
  it.each(rules)('$name passes on the contract', (rule) => {
    expect(rule.check(read(), known)).toEqual([]);
  });

  it.each(rules)('$name refuses a document that breaks it', (rule) => {
    const document = read();
    rule.offend(document);
    expect(rule.check(document, known)).not.toEqual([]);
  });
});
