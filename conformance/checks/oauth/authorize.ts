import { group } from '../../engine/check.js';
import { requestChecks } from './authorize-request.js';
import { denyChecks, stateChecks } from './authorize-state.js';
import { consentChecks } from './consent.js';
import { redirectChecks } from './redirect.js';
import { warningChecks } from './warning.js';

/** The authorization endpoint and the consent page (interface 3, 4.1, 5.4, 7; RFC 6749 4.1). */
export default group('oauth/authorize', [
  ...requestChecks,
  ...stateChecks,
  ...redirectChecks,
  ...denyChecks,
  ...consentChecks,
  ...warningChecks,
]);
