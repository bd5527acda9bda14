/** What the suite calls itself (RFC 9110 10.1.5): some services refuse requests that do not say who sends them. */
export const userAgent = 'game-data-contract (conformance suite)';

/**
 * Headers of every request that does not say otherwise. Without Accept-Encoding a server may compress as it likes (RFC
 * 9110 12.5.3).
 */
export const ownHeaders = { 'user-agent': userAgent, 'accept-encoding': 'identity' } as const;
