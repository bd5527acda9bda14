/** The authorization server's rules: what a request may do, and what it is answered. No sockets here. */
export type { Answer } from './answers.js';
export { failed } from './answers.js';
export type { GrantedApplication } from './applications.js';
export { grantedApplications, revokeByApplication, revokeByUser } from './applications.js';
export type { Authority } from './authority.js';
export type { Authorization, AuthorizationRequest } from './authorize.js';
export { authorize } from './authorize.js';
export { bearer } from './bearer.js';
export type { Decision } from './consent.js';
export { consent } from './consent.js';
export { OAuthError } from './errors.js';
export { introspectToken } from './introspect.js';
export { metadata } from './metadata.js';
export { mint } from './mint.js';
export { sameText } from './pkce.js';
export { revokeToken } from './revoke.js';
export { issueToken } from './token-endpoint.js';
export { whyDead } from './tokens.js';
