/**
 * Headers of every request that does not say otherwise: what the suite calls itself, for some services refuse requests
 * that do not say who sends them (RFC 9110 10.1.5), and that bodies are wanted as they are, for without Accept-Encoding a
 * server may compress as it likes (12.5.3).
 */
export const ownHeaders = {
  'user-agent': 'game-data-contract (conformance suite)',
  'accept-encoding': 'identity',
} as const;
