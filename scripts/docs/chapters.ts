/** A chapter of the documentation: a Markdown file of the repository at the address `<name>.html`. */
export interface Chapter {
  readonly name: string;
  readonly file: string;
  /** What the navigation calls it. */
  readonly label: string;
}

const chapter = (name: string, file: string, label: string): Chapter => ({ name, file, label });

/** The chapters in the order of the navigation. A page that is not listed here has no address. */
export const chapterGroups: Readonly<Record<string, readonly Chapter[]>> = {
  'Get started': [chapter('start', 'README.md', 'Overview')],
  'The interface': [
    chapter('operations', 'docs/operations.md', 'Every operation'),
    chapter('authorization', 'docs/authorization.md', 'How a client is authorized'),
    chapter('machine', 'conformance/machine/README.md', 'The token lifecycle'),
    chapter('passive-tree-links', 'docs/passive-tree-links.md', 'Passive-tree links'),
  ],
  'I write a client': [
    chapter('mock', 'docs/mock.md', 'The mock'),
    chapter('handler', 'docs/handler.md', 'Inside a program'),
    chapter('languages', 'research/languages/README.md', 'Use it from your language'),
    chapter('audit', 'conformance/audit/README.md', 'Audit your client'),
    chapter('agents', 'docs/agents.md', 'For coding agents'),
    chapter('agent-session', 'docs/agent-session.md', 'A recorded session'),
    chapter('replicas', 'docs/replicas.md', 'One mock for a company'),
  ],
  'I write a server': [
    chapter('verify', 'conformance/README.md', 'Test your server'),
    chapter('readings', 'docs/readings.md', 'Readings and editions'),
    chapter('recorded-traffic', 'docs/recorded-traffic.md', 'Recorded traffic'),
    chapter('proxy', 'docs/proxy.md', 'A proxy that judges'),
    chapter('histories', 'conformance/histories/README.md', 'Races'),
  ],
  'Files and editors': [
    chapter('editors', 'docs/editors.md', 'Schemas for your editor'),
    chapter('container', 'docs/container.md', 'In a container'),
  ],
  'How it is judged': [
    chapter('proved', 'conformance/proof/README.md', 'Proof of the suite'),
    chapter('audit-proved', 'conformance/audit/proof/README.md', 'Proof of the audit'),
    chapter('results', 'docs/results.md', 'Open results'),
    chapter('foreign', 'research/foreign/README.md', 'Servers of others'),
    chapter('foreign-machines', 'research/foreign/machines/README.md', 'Their machines'),
    chapter('standard-mutants', 'research/mutate/README.md', 'Standard mutants'),
    chapter('clients', 'research/clients/README.md', 'Clients of others'),
    chapter('other-tools', 'research/tools/README.md', 'Other tools'),
  ],
  'The project': [
    chapter('contributing', 'CONTRIBUTING.md', 'Contributing'),
    chapter('changelog', 'CHANGELOG.md', 'Changelog'),
    chapter('security', 'SECURITY.md', 'Security'),
    chapter('decision-judging', 'decisions/judging.md', 'Decision: judging'),
    chapter('decision-one-source', 'decisions/one-source.md', 'Decision: one source'),
    chapter('decision-redaction', 'decisions/redaction.md', 'Decision: redaction'),
    chapter('decision-routing', 'decisions/routing.md', 'Decision: routing'),
    chapter('decision-store', 'decisions/store.md', 'Decision: store'),
    chapter('decision-imports', 'decisions/who-imports-whom.md', 'Decision: who imports whom'),
    chapter('decision-world', 'decisions/world.md', 'Decision: world'),
  ],
};

export const chapters: readonly Chapter[] = Object.values(chapterGroups).flat();
