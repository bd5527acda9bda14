import { describe, expect, it } from 'vitest';

import { errorBody, errorObject, errors, fault } from './errors.js';

describe('the errors of the data API', () => {
  it('have a code of their own from 0 to 10, and a status of their own', () => {
    const rows = Object.values(errors);
    expect(rows.map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(rows.map(({ status }) => status)).size).toBe(11);
  });

  it('say what is at fault after words that never change', () => {
    expect(fault('notFound')).toEqual({ status: 404, body: { error: { code: 1, message: 'Resource not found' } } });
    expect(fault('invalidQuery', 'limit must be at least 1').body.error.message).toBe(
      'Invalid query: limit must be at least 1',
    );
    expect(errorObject('accepted')).toEqual({ code: 0, message: 'Accepted' });
  });

  it('are found by status', () => {
    expect(errorBody(401).error).toEqual({ code: 8, message: 'Unauthorized' });
    expect(errorBody(413, 'too large').error).toEqual({ code: 2, message: 'Invalid query: too large' });
    expect(errorBody(501).error.code).toBe(4);
  });
});
