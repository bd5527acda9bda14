import { join } from 'node:path';

import { table } from '../foreign/page.js';
import type { MutantLine } from '../../conformance/proof/matrix.js';
import type { MutantResults, Results } from './results.js';
import { kinds } from './sample.js';
import type { Kind } from './sample.js';
import type { Tool } from './tool.js';
import { folder } from './tool.js';

export const pageFile = join(folder, 'README.md');

const columns: Readonly<Record<Kind, string>> = {
  fields: 'Field mutants',
  data: 'Other data mutants',
  oauth: 'OAuth mutants',
  codec: 'Codec',
};

const nouns: Readonly<Record<Kind, string>> = {
  fields: 'field mutants',
  data: 'other mutants of the data API',
  oauth: 'of OAuth',
  codec: 'of the codec',
};

/** README.md of the folder, before it is formatted. `killed` is what the suite kills in the published proof. */
export function pageOf(
  { seed, sample, all, tools: results, mutants }: Results,
  tools: readonly Pick<Tool, 'id' | 'name' | 'command' | 'settings' | 'blind'>[],
  matrix: readonly Pick<MutantLine, 'id' | 'status'>[],
): string {
  const killed = new Set(matrix.filter(({ status }) => status === 'killed').map(({ id }) => id));
  const part = sample === mutants.length ? `${sample}` : `the first ${mutants.length} of ${sample}`;
  return `# Other tools

\`npm run tools\` runs four tools against a sample of the suite's own mutants: ${part}, seed ${seed}, of each kind in
proportion to what there is (${kinds.map((kind) => `${all[kind]} ${nouns[kind]}`).join(', ')}). \`npm run tools -- prism --mutant M-AZ-01\` runs one tool
against one mutant. This page is written by that command; \`results.json\` holds what it is made from.

A tool **finds** a mutant if it reports a failure on the mock with the mutant that none of its runs on the unchanged mock
shows. That counts generously: any new failure counts, also one that chance brought up. The suite kills a mutant if every
requirement that the mutant names fails, and passes on the unchanged mock.

Each tool is configured as its documentation recommends, and has what its user would have: a valid token with every scope,
of an application whose owner has all kinds of data, and the contract with ids and credentials of that account as examples.
Only the alternative to authenticate as a client is left out of it, which a tool would mix with the token.

The comparison needs care. The four judge by the contract alone, for any interface, without a line of code about this one;
the suite knows every sentence of this interface, and the mutants were written beside it. A field mutant departs from a
schema, which the four can see; most other mutants keep every schema and violate a sentence. The codec of tree links has no
address that a request could ask: no tool that speaks HTTP alone can see its mutants.

${summary(mutants, tools, results, killed)}

## How each was run

Seconds are of runs beside those of the other tools on two cores: they compare the tools with each other, no more.

${tools.map((tool) => chapterOf(tool, results[tool.id])).join('\n\n')}

## Mutant by mutant

${detail(mutants, tools, killed)}

The machine needs npm, and Python for Schemathesis; a tool that cannot be installed is named and skipped. Nothing of this
runs in CI.
`;
}

type Named = Pick<Tool, 'id' | 'name'>;

/** How many mutants each tool finds, by their kind. */
function summary(
  mutants: readonly MutantResults[],
  tools: readonly Named[],
  results: Results['tools'],
  killed: ReadonlySet<string>,
): string {
  const counted = (by: (mutant: MutantResults) => boolean): readonly string[] => {
    const share = (list: readonly MutantResults[]): string => `${list.filter(by).length} of ${list.length}`;
    return [...kinds.map((kind) => share(mutants.filter((mutant) => mutant.kind === kind))), share(mutants)];
  };
  return table(
    ['Mutants found by', ...kinds.map((kind) => columns[kind]), 'All'],
    [
      ...tools.map(({ id, name }) => [
        `${name} ${results[id]?.version}`,
        ...counted(({ found }) => found[id] !== undefined),
      ]),
      ['any of the four', ...counted(({ found }) => Object.keys(found).length > 0)],
      ['[this suite](../../conformance/proof/README.md)', ...counted(({ id }) => killed.has(id))],
    ],
  );
}

/** Who finds which mutant. */
const detail = (mutants: readonly MutantResults[], tools: readonly Named[], killed: ReadonlySet<string>): string =>
  table(
    ['Mutant', 'What it does wrong', ...tools.map(({ name }) => name), 'This suite'],
    kinds.flatMap((kind) =>
      mutants
        .filter((mutant) => mutant.kind === kind)
        .map(({ id, what, found }) => [
          id,
          what,
          ...tools.map((tool) => (found[tool.id] ? 'found' : '')),
          killed.has(id) ? 'killed' : '',
        ]),
    ),
  );

function chapterOf(
  { name, command, settings, blind }: Pick<Tool, 'name' | 'command' | 'settings' | 'blind'>,
  results: Results['tools'][string] | undefined,
): string {
  if (!results) return `### ${name}\n\nNot run yet.`;
  const { baselines, noisy, seconds, late } = results;
  const chance = `${noisy} of its ${baselines} baseline runs show${noisy === 1 ? 's' : ''} a failure that the others do not.`;
  const cut = late > 0 ? ` ${late} runs were ended for the time they took; what they had reported counts.` : '';
  return `### ${name}

\`\`\`sh
${command}
\`\`\`

${settings} A run takes ${seconds} seconds (median). ${baselines > 1 ? chance : ''}${cut}

By design it does not see ${blind}.`;
}
