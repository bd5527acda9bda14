/** What the suite calls itself (RFC 9110 10.1.5): some services refuse requests that do not say who sends them. */
export const userAgent = 'game-data-contract (conformance suite)';
