/** What programs import: a mock in their own process, the client, the tree codec and the contract's types. */
export type { Decision, Delivery, ExchangeRecord, RecordedBody } from './server/exchange-record.js';
export type { AuditFinding, AuditSession, AuditVerdict, StartAuditOptions } from '../conformance/audit/start.js';
export { startAudit } from '../conformance/audit/start.js';
export type { LearnedMachine, LearnOptions, ServerDifference } from '../conformance/machine/learn.js';
export { learn } from '../conformance/machine/learn.js';
export { loadTarget } from '../conformance/target/load.js';
export type { Mock, MockOptions } from './server/mock.js';
export { startMock } from './server/mock.js';
export { FixtureError } from './world/fixtures/folder.js';
export { SetupError } from './input/setup-error.js';
export * from './client/index.js';
export * from './passive-tree/index.js';
export type { components, operations, paths, Realm, Scope } from './contract/index.js';
