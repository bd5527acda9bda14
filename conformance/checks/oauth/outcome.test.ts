import { expect, it } from 'vitest';

import { described } from './outcome.js';

it.each([
  ['https://a.example/cb?code=secret&state=s%201', 'a code, state "s 1"'],
  ['https://a.example/cb?more=1&error=access_denied&iss=x', 'error access_denied, more'],
  ['https://a.example/cb#code=secret&state=s', 'code, state in the fragment'],
  ['https://a.example/cb?code=secret#cx', 'a code, cx in the fragment'],
  ['https://a.example/cb', 'nothing'],
])('tells what %s hands over, without its secrets', (location, words) => {
  const query = new URL(location).searchParams;
  const [code, error] = [query.get('code'), query.get('error')];
  expect(described({ status: 303, location, code, error, query } as Parameters<typeof described>[0])).toBe(
    `status 303, sent to https://a.example/cb with ${words}`,
  );
});
