import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../generate/document.js';

/** A chapter of the documentation: a Markdown file of the repository at the address `<name>.html`. */
export interface Chapter {
  readonly name: string;
  readonly file: string;
  /** What the navigation calls it: the heading of the file. */
  readonly label: string;
}

const chapter = (name: string, file: string): Chapter => {
  const [, label] = /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8')) ?? [];
  if (label === undefined) throw new Error(`${file}: has no heading`);
  return { name, file, label };
};

/** The chapters in the order of the navigation. A page that is not listed here has no address. */
export const chapterGroups: Readonly<Record<string, readonly Chapter[]>> = {
  'Get started': [{ ...chapter('start', 'README.md'), label: 'Overview' }],
  'The interface': [
    chapter('operations', 'docs/operations.md'),
    chapter('authorization', 'docs/authorization.md'),
    chapter('machine', 'conformance/machine/README.md'),
    chapter('passive-tree-links', 'docs/passive-tree-links.md'),
  ],
  'I write a client': [
    chapter('mock', 'docs/mock.md'),
    chapter('handler', 'docs/handler.md'),
    chapter('languages', 'research/languages/README.md'),
    chapter('audit', 'conformance/audit/README.md'),
    chapter('agents', 'docs/agents.md'),
    chapter('agent-session', 'docs/agent-session.md'),
    chapter('replicas', 'docs/replicas.md'),
  ],
  'I write a server': [
    chapter('verify', 'conformance/README.md'),
    chapter('readings', 'docs/readings.md'),
    chapter('recorded-traffic', 'docs/recorded-traffic.md'),
    chapter('proxy', 'docs/proxy.md'),
    chapter('histories', 'conformance/histories/README.md'),
  ],
  'Files and editors': [chapter('editors', 'docs/editors.md'), chapter('container', 'docs/container.md')],
  'How it is judged': [
    chapter('suite-proof', 'conformance/proof/README.md'),
    chapter('audit-proof', 'conformance/audit/proof/README.md'),
    chapter('results', 'docs/results.md'),
    chapter('foreign', 'research/foreign/README.md'),
    chapter('foreign-machines', 'research/foreign/machines/README.md'),
    chapter('standard-mutants', 'research/mutate/README.md'),
    chapter('clients', 'research/clients/README.md'),
    chapter('other-tools', 'research/tools/README.md'),
  ],
  'The project': [
    chapter('contributing', 'CONTRIBUTING.md'),
    chapter('changelog', 'CHANGELOG.md'),
    chapter('security', 'SECURITY.md'),
  ],
  Decisions: [
    chapter('decision-judging', 'decisions/judging.md'),
    chapter('decision-one-source', 'decisions/one-source.md'),
    chapter('decision-redaction', 'decisions/redaction.md'),
    chapter('decision-routing', 'decisions/routing.md'),
    chapter('decision-store', 'decisions/store.md'),
    chapter('decision-imports', 'decisions/who-imports-whom.md'),
    chapter('decision-world', 'decisions/world.md'),
  ],
};

export const chapters: readonly Chapter[] = Object.values(chapterGroups).flat();
