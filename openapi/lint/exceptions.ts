import type { Exception } from './linters.js';

/** What Spectral's rules ask and the contract does not do, with the reason. */
export const exceptions: readonly Exception[] = [
  {
    rule: 'contact-properties',
    documents: /./,
    because: 'the interface names no page or address to write to',
  },
  {
    rule: 'license-url',
    documents: /^(?!openapi\.3\.0$)/,
    because: 'the licence has its SPDX identifier, beside which 3.1 allows no url',
  },
  {
    rule: 'openapi-tags-alphabetical',
    documents: /./,
    because: 'the tags are in the order of the interface, login first',
  },
  {
    rule: 'oas3-valid-media-example',
    documents: /^openapi\.3\.0$/,
    because:
      'it wants a type beside nullable where allOf or oneOf says it; openapi30.test.ts holds the examples against the meaning',
  },
  {
    rule: 'array-items',
    documents: /^control$/,
    because: 'prefixItems and a fixed length say all of a pair, and 3.1 needs no items beside them',
  },
];
