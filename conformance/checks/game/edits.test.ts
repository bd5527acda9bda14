import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { edited, gEdit } from './edits.js';

describe('edits of a token', () => {
  const jwt = 'eyJhbGciOiJI.eyJzdWIiOiJh.c2lnbmF0dXJl';

  it('stay near it', () => {
    fc.assert(
      fc.property(gEdit, (edit) => {
        const near = edited('0123456789abcdef', edit);
        expect(near.length).toBeLessThanOrEqual(17);
        expect(near.length).toBeGreaterThanOrEqual(8);
      }),
    );
  });

  it('leave the end of each part of a JWT alone, whose low bits may mean nothing', () => {
    fc.assert(
      fc.property(gEdit, (edit) => {
        if (edit.kind !== 'replace' && edit.kind !== 'swap case') return;
        const near = edited(jwt, edit);
        expect(near.split('.').map((part) => part.slice(-2))).toEqual(jwt.split('.').map((part) => part.slice(-2)));
      }),
    );
  });

  it('work on tokens of any length', () => {
    fc.assert(
      fc.property(gEdit, fc.string({ minLength: 1 }), (edit, token) => typeof edited(token, edit) === 'string'),
    );
  });
});
