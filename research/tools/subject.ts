import { operator } from '../../conformance/proof/mutant.js';
import type { Mutant, Mutation } from '../../conformance/proof/mutant.js';
import { startStage } from '../../conformance/proof/stage.js';
import type { MockSetup, MockStage } from '../../conformance/proof/stage.js';
import { connectMock } from '../../src/client/index.js';
import { scopes as scopeTable } from '../../src/contract/index.js';
import type { Scope } from '../../src/contract/index.js';

/** The application that the tools call with: it is registered with every scope, and its owner has all kinds of data. */
export const application = { id: 'example-web', secret: 'web-secret', owner: 'alice' } as const;

const scopes = Object.keys(scopeTable) as Scope[];

const registered = operator('registered', (at) =>
  at.clients(({ id }) => (id === application.id ? { scopes, credentialScopes: scopes, owner: application.owner } : {})),
);

/** What a mutant needs of the mock beside itself; its baseline has the same. */
export type Setup = Pick<Mutant, 'switches' | 'flags' | 'precondition'>;

export const setupOf = ({ switches, flags, precondition }: Setup): Setup => ({
  ...(switches && { switches }),
  ...(flags && { flags }),
  ...(precondition && { precondition }),
});

/** A mock that a tool is run against. */
export interface Subject {
  readonly url: string;
  /** A valid access token with every scope. */
  readonly token: string;
  /** Another one, to be revoked. */
  readonly spare: string;
  readonly stage: MockStage;
}

/** The mock as a setup has it, with a mutation or without. */
export const mockSetup = ({ switches, flags, precondition }: Setup, mutation?: Mutation): MockSetup => ({
  ...(switches && { switches }),
  ...(flags && { flags }),
  mutations: [...(precondition ? [precondition] : []), ...(mutation ? [mutation] : [])],
});

/** Starts a mock whose tokens come from its control surface, so that no mutant keeps a tool from beginning. */
export async function startSubject(setup: Setup, mutation?: Mutation): Promise<Subject> {
  const { mutations, ...rest } = mockSetup(setup, mutation);
  const stage = await startStage({ ...rest, mutations: [registered(), ...mutations] });
  const url = stage.target.base_url;
  const issued = async (): Promise<string> =>
    (await connectMock(url).issueToken({ clientId: application.id, scopes })).access_token;
  return { url, token: await issued(), spare: await issued(), stage };
}
