import { expect, it } from 'vitest';

import { deref, schemas } from '../../src/contract/index.js';
import { dispensable, sparse } from './sparse.js';

it('leaves out only members that the contract does not require', () => {
  for (const [name, members] of Object.entries(dispensable)) {
    const { properties = {}, required = [] } = deref(schemas[name]!).schema;
    for (const member of members) {
      expect(Object.keys(properties), `${name}.${member}`).toContain(member);
      expect(required, `${name}.${member}`).not.toContain(member);
    }
  }
});

it('leaves them out wherever the object is, or makes them null', () => {
  const body = JSON.stringify({ uuid: 'u', name: 'n', locale: 'en_US' });
  expect(JSON.parse(sparse(body, 'getProfile', 'absent'))).toEqual({ uuid: 'u', name: 'n' });
  expect(JSON.parse(sparse(body, 'getProfile', 'null'))).toEqual({ uuid: 'u', name: 'n', locale: null });
});
