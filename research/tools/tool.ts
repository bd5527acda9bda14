import { join } from 'node:path';

import type { Mutant, Mutation } from '../../conformance/proof/mutant.js';
import { root } from '../../scripts/generate/document.js';
import type { Setup } from './subject.js';

/** Results, page and manifests. */
export const folder = join(root, 'research', 'tools');
/** Where the tools are installed and work, and where the state of an interrupted run is. */
export const workshop = join(root, 'dist', 'tools');

/** What a tool is run against: the mock with a mutant, or without for a baseline run. */
export interface Trial extends Pick<Mutant, 'rows' | 'exercise'> {
  readonly setup: Setup;
  readonly mutation?: Mutation;
  /** Of whatever the tool generates. */
  readonly seed: number;
  /** Milliseconds after which the tool is ended. */
  readonly timeout: number;
}

/** A tool that people test an API of such a contract with. */
export interface Tool {
  readonly id: 'schemathesis' | 'prism' | 'dredd' | 'respect';
  readonly name: string;
  readonly version: string;
  /** Programs that the machine must have. */
  readonly needs: readonly string[];
  /** As the page shows it. */
  readonly command: string;
  /** How it is configured, in sentences. */
  readonly settings: string;
  /** What it cannot see by design, in a sentence. */
  readonly blind: string;
  /** Runs against the unchanged mock. */
  readonly baselines: number;
  /** Whether what it asks depends on the mutant, so that each needs a baseline of its own. */
  readonly guided?: true;
  readonly install?: () => Promise<void>;
  /** @returns the failures that it reports, a line each; the same failure is the same line in every run. */
  readonly run: (trial: Trial) => Promise<Reported>;
}

export interface Reported {
  readonly failures: readonly string[];
  /** It was ended for the time it took: what it had reported until then counts. */
  readonly late: boolean;
}
