import { example, guarded } from '../miniature.fixture.js';

const profile = (): object => ({ uuid: 'u', name: 'alice' });
const right = { 'GET /profile': guarded(profile) };

example('BEAR-002', 'that asks for no token', right, { 'GET /profile': profile });
example('BEAR-003', 'that takes any token', right, {
  'GET /profile': ({ bearer }) => (bearer === undefined ? [401, {}] : profile()),
});
example('BEAR-013', 'that compares the beginning of a token', right, {
  'GET /profile': ({ bearer = '' }, { tokens }) =>
    [...tokens].some((token) => bearer.startsWith(token.slice(0, 6))) ? profile() : [401, {}],
});
