/** The typed client: the data API, OAuth, token sources, and the control of a mock. Works in browsers too. */
export { authorizationUrl, readRedirect } from './authorization.js';
export type { AuthorizationParameters } from './authorization.js';
export { MockCallError } from './control.js';
export type { ConnectOptions } from './control.js';
export type { FaultKind, FaultRule, FaultState, MockFaults } from './faults.js';
export { OAuthFailure } from './failure.js';
export { createGameClient } from './game.js';
export type { GameClient, GameClientOptions } from './game.js';
export type {
  JournalBody,
  JournalDecision,
  JournalEntry,
  JournalFilter,
  JournalMessage,
  JournalSettings,
  MockJournal,
} from './journal.js';
export type {
  LimitChoice,
  LimitEdge,
  LimitHead,
  LimitPolicy,
  LimitRule,
  LimitSettings,
  LimitWindow,
  MockLimits,
} from './limits.js';
export { connectMock } from './mock.js';
export type {
  ConsentDecision,
  ConsentOutcome,
  MockClock,
  MockControl,
  MockNamespace,
  Span,
  StashEvent,
  TokenInfo,
  TokenWish,
} from './mock.js';
export { clientCredentials, exchangeCode, introspectToken, refreshTokens, revokeToken } from './oauth.js';
export type { Application, CodeExchange, Introspection, TokenCall, TokenResponse } from './oauth.js';
export { challengeOf, createVerifier, newState } from './pkce.js';
export { clientCredentialsSource, holdTokens, tokenSource } from './tokens.js';
export type { HeldTokens, RefreshingSource, TokenSource, TokenSourceOptions } from './tokens.js';
export type { MockSnapshots, SnapshotFile, SnapshotInfo } from './snapshots.js';
