import { example, guarded } from '../miniature.fixture.js';
import type { Handlers } from '../miniature.fixture.js';

/** A server whose account has tabs in the second of its leagues alone, in which it plays. */
const stashes = (shown: string): Handlers => ({
  'GET /account/leagues': guarded(() => ({ leagues: [{ id: 'Standard' }, { id: 'Ember' }] })),
  'GET /character': guarded(() => ({ characters: [{ id: 'c', name: 'Kaya', league: 'Ember' }] })),
  'GET /stash/Standard': guarded(() => ({ stashes: [] })),
  'GET /stash/Ember': guarded(() => ({ stashes: [tab('a1')] })),
  'GET /stash/Ember/a1': guarded(() => ({ stash: { ...tab(shown), items: [] } })),
});
const tab = (id: string): object => ({ id, name: 'Tab', type: 'NormalStash', index: 0, metadata: {} });

example('STASH-GET-001', 'that shows another tab', stashes('a1'), stashes('b2'));
