import { check, group } from '../../engine/check.js';

const exchange = check({
  id: 'ED-006',
  level: 'MUST',
  sentence:
    'With F-CX off the currency exchange and its scope are not part of the edition, and nothing is asserted of them.',
  source: '4.2',
  needs: ['client:service'],
  judge: async (run) => {
    const state = run.facts.flag('F-CX');
    if (state === 'off') {
      return run.expect.notApplicable(
        'F-CX is off: the edition has no currency exchange, so nothing is asserted of it',
      );
    }
    if (state === 'any') return run.expect.notApplicable('the target does not say whether its edition has F-CX');
    run.expect.has(await run.http.data('getCurrencyExchange'), 'markets');
  },
});

export default group('game/editions', [exchange]);
