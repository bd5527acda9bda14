import type { Requirement } from '../requirement.js';

/** Requirements that no request could judge, and why. */
export const excluded: readonly (Requirement & { readonly reason: string; readonly needs?: never })[] = [
  {
    id: 'GEN-019',
    level: 'MUST',
    sentence: 'No webhooks and no push notifications exist.',
    source: '6',
    reason:
      'Nothing of a server can show it: that no push exists is the absence of an operation. The contract declares neither webhooks nor callbacks, which a test of the ledger holds.',
  },
  {
    id: 'RATE-001',
    level: 'MUST',
    sentence:
      "Rate limits count per client for confidential clients, are shared by all public clients, and count against the owner's account for client-credentials tokens.",
    source: '5.4,5.6,8',
    gap: 'K-093',
    reason:
      'The interface shows neither figures nor headers of rate limits (K-093), so no number of requests would tell a server that keeps this sentence from one that has no limits.',
  },
  {
    id: 'BEAR-017',
    level: 'MUST',
    sentence: 'Access tokens are shared with nobody but their owner, and refresh tokens are stored server-side.',
    source: '5.8',
    reason:
      'A duty of the client: to whom an application gives its tokens, and where it keeps them, cannot be seen at the server.',
  },
];
