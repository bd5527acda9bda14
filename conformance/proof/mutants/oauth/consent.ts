import { hash } from 'node:crypto';

import type { OldMutant as Mutant } from '../../mutant.js';
import type { Json } from '../../interceptor/interceptor.js';
import { isConsent } from '../../interceptor/interceptor.js';
import { withParameter } from './planting.js';

export const consent: readonly Mutant[] = [
  {
    id: 'M-AZ-23',
    bug: 'a code is issued although the user denied',
    rows: ['AUTH-DENY-001', 'AUTH-ERR-001'],
    plant: (seam) =>
      seam.redirect((location, { order }) =>
        location !== null && order.decision === 'deny'
          ? withParameter(location, 'code', seam.service.authority.newToken())
          : location,
      ),
  },
  {
    id: 'M-AZ-24',
    bug: 'a code is issued without consent',
    rows: ['AUTH-NOCONSENT-001'],
    plant(seam) {
      seam.switches({ 'consent.mode': 'auto' });
      seam.reply((reply, request) => {
        if (request.operation === 'authorize' && reply.headers.location?.includes('code=')) seam.acted();
      });
    },
  },
  {
    id: 'M-AZ-35',
    bug: "the token carries the application owner's identity in place of the user's",
    rows: ['AUTH-USER-001'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        addCode(code) {
          acted();
          store.addCode({ ...code, grant: { ...code.grant, account: 'owner' } });
        },
      })),
  },
  {
    id: 'M-AD-15',
    bug: 'codes are derived from the user and the second',
    rows: ['AUTH-CODEFMT-001'],
    plant: (seam) =>
      seam.authority((authority) => ({
        newToken() {
          const request = seam.current;
          if (!request || !isConsent(request)) return authority.newToken();
          seam.acted();
          const { account } = request.json as Json;
          return hash('sha1', `${String(account)} ${Math.floor(authority.now() / 1000)}`, 'hex');
        },
      })),
  },
];
