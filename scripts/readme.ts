/**
 * `npm run readme`: writes the generated parts of pages, which are what a mock prints, the figures of the proof, the
 * tables of operations, clients, worlds and languages, draws the operations, and writes the prose of the reference as Markdown;
 * with --check only says whether they are current.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Command } from 'commander';

import { formatted } from './formatted.js';
import { placeholders } from '../conformance/audit/client.js';
import { allWorlds } from '../conformance/audit/worlds.js';
import { ledger } from '../conformance/ledger.gen.js';
import { publishedClients } from '../conformance/proof/clients.js';
import { killedByFailure, publishedMatrix } from '../conformance/proof/matrix.js';
import { firstScreen } from '../cli/screen.js';
import { packageVersion } from '../cli/version.js';
import { operationList } from '../src/contract/index.js';
import { gatherFacts } from '../src/server/facts.js';
import { startMock } from '../src/server/mock.js';
import { builtInFixtures } from '../src/world/fixtures/built-in.js';
import { root } from './generate/document.js';
import type { Document } from './generate/document.js';
import { languageParts } from '../research/languages/page.js';
import { readResults } from '../research/mutate/log.js';
import { publishedOf } from '../research/mutate/page.js';
import { readSurvivors } from '../research/mutate/reasons.js';
import { operationsPicture } from './operations-picture.js';

const { check } = new Command('npm run readme --')
  .description('Write the generated parts of pages')
  .option('--check', 'only say whether they are current')
  .parse()
  .opts<{ check?: boolean }>();

const readme = join(root, 'README.md');
const contract = JSON.parse(await readFile(join(root, 'dist', 'openapi', 'openapi.json'), 'utf8')) as Document;
const [open, close] = ['<!-- operations: npm run readme -->', '<!-- /operations -->'];

const pointers = new Map<string, string | undefined>(ledger.map(({ id, pointer }) => [id, pointer]));
const { mutants, variants } = publishedMatrix();

/** What the published results of standard mutants come to, in a sentence. */
function standardMutants(): string {
  const folder = join(root, 'research', 'mutate');
  const results = readResults(join(folder, 'results.jsonl'));
  const { total } = publishedOf('', {}, results, readSurvivors(join(folder, 'survivors.yaml')));
  const rest = total.tried - total.free - total.unobservable;
  const [tried, dead, left] = [total.tried, total.killed, rest].map((number) => number.toLocaleString('en-US'));
  return ` Of ${tried} [generated mutants](research/mutate/README.md) of the mock's rules, ${left} change behavior in a way that the interface forbids; the suite kills ${dead} of these.`;
}

/** Requirements at places of the contract, and the mutants that their checks kill. */
function judged(at: (pointer: string | undefined) => boolean): string {
  const rows = ledger.filter(({ how, pointer }) => how !== 'excluded' && at(pointer)).length;
  const killed = mutants.filter(({ by }) => by.some((row) => at(pointers.get(row)))).length;
  return `${rows} | ${killed}`;
}

const logical = operationList.filter(({ id, logical: name }) => id === name);
const rows = logical.map(({ logical: name, method, path, scope }) => {
  const forms = operationList.filter((operation) => operation.logical === name).length;
  const place = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  const counts = judged((pointer) => pointer?.startsWith(place) ?? false);
  return `| \`${method} ${path}\` | ${scope ? `\`${scope}\`` : ''} | ${forms} | ${counts} |`;
});
const table = [
  '| Operation | Scope | Forms | Requirements | Mutants killed |',
  '|---|---|---|---|---|',
  ...rows,
  `| requirements not tied to one operation | | | ${judged((pointer) => !pointer?.startsWith('/paths/'))} |`,
].join('\n');

const killed = mutants.filter(({ status }) => status === 'killed').length;
const falsePositives = variants.filter(({ status }) => status !== 'accepted').length;
const warned = killed - mutants.filter(killedByFailure).length;
const blamed = falsePositives === 0 ? 'none is' : `${falsePositives} are`;
const audited = publishedClients().mutants;
const blamedClients = audited.filter(({ status }) => status === 'failure' || status === 'warning').length;
const count = (number: number): string => number.toLocaleString('en-US');
const proof = `A mutant is the mock with one bug. The suite kills one by reporting the requirement that it violates. It kills ${count(killed)} of ${count(mutants.length)}; for the ${warned} that violate only advice, a warning counts. A variant behaves differently from the mock and still conforms: of ${variants.length}, ${blamed} blamed. The audit kills ${count(blamedClients)} of ${count(audited.length)} mutants of a client.${standardMutants()}`;

const worldTable = [
  '| World | What happens | Why a correct service may behave that way |',
  '|---|---|---|',
  ...allWorlds.map(({ id, title, because }) => `| \`${id}\` | ${title} | ${because} |`),
].join('\n');

const variableTable = [
  '| Variable | For `--env` | What it holds |',
  '|---|---|---|',
  ...Object.entries(placeholders).map(([name, [variable, what]]) => `| \`${variable}\` | \`${name}\` | ${what} |`),
].join('\n');

const yes = (is: unknown): string => (is ? 'yes' : '');
const code = (texts: readonly string[] = []): string => texts.map((text) => `\`${text}\``).join(', ');
const clientTable = [
  '| Client | Secret | Redirect URIs | For users | Refresh tokens | For itself |',
  '|---|---|---|---|---|---|',
  ...Object.entries(builtInFixtures().clients()).map(
    ([id, { secret, redirectUris, scopes, refresh, credentialScopes }]) => {
      const secretText = secret === null ? 'none: it is public' : code([secret]);
      const parts = [
        code([id]),
        secretText,
        code(redirectUris),
        yes(scopes?.length),
        yes(refresh),
        yes(credentialScopes?.length),
      ];
      return `| ${parts.join(' | ')} |`;
    },
  ),
].join('\n');

/** The beginning of what `npm start` prints, as far as it is the same every time. */
async function started(): Promise<string> {
  await using mock = await startMock();
  const facts = await gatherFacts(mock, { version: packageVersion(), edition: 'extended', flags: new Set() });
  const [, ...rest] = firstScreen(facts, { strong: String, faint: String }).split('\n\n');
  const text = [`Game Data mock ${facts.version}, edition ${facts.edition}, seed ${facts.seed}`, rest[0], '  …'];
  return `\`\`\`text\n${text.join('\n').replaceAll(mock.url, 'http://127.0.0.1:4010')}\n\`\`\``;
}

/** The prose of the contract, figures filled in, as a page that reads well where there is no Redoc: its open points have one. */
function referenceOf(description: string): string {
  const [prose] = description.split('\n# Gaps and contradictions');
  const linked = prose!.replaceAll(/\]\(#\/section\/(?:[^)]*\/)?([^)/]+)\)/g, '](#$1)').replaceAll(/^#/gm, '##');
  return `# Reference\n\n<!-- Written by npm run readme from openapi/info.md. -->\n\n${linked}`;
}

/** Puts a text between two marks of a file, or says that it is not there. */
async function keep(
  file: string,
  [open, close]: readonly [string, string],
  content: string,
  what: string,
): Promise<void> {
  const text = await readFile(file, 'utf8');
  const start = text.indexOf(open) + open.length;
  const whole = `${text.slice(0, start)}\n\n${content}\n\n${text.slice(text.indexOf(close))}`;
  await keepWhole(file, text, await formatted(file, whole), what);
}

/** Writes a file, or says that it is not what is wanted. */
async function keepWhole(file: string, text: string, wanted: string, what: string): Promise<void> {
  if (!check) return writeFile(file, wanted);
  if (wanted === text) return;
  console.error(`${relative(root, file)}: ${what} is not current; npm run readme writes it`);
  process.exitCode = 1;
}

await keep(join(root, 'docs', 'operations.md'), [open, close], table, 'the table of operations');
const reference = join(root, 'docs', 'reference.md');
await keepWhole(
  reference,
  await readFile(reference, 'utf8').catch(() => ''),
  await formatted(reference, referenceOf(contract.info.description)),
  'the prose of the reference',
);
const picture = join(root, 'docs', 'images', 'operations.svg');
await keepWhole(
  picture,
  await readFile(picture, 'utf8').catch(() => ''),
  operationsPicture(logical),
  'the picture of the operations',
);
await keep(readme, ['<!-- proof -->', '<!-- /proof -->'], proof, 'the sentence on the proof');
await keep(readme, ['<!-- start -->', '<!-- /start -->'], await started(), 'what npm start prints');
await keep(
  join(root, 'docs', 'mock.md'),
  ['<!-- clients -->', '<!-- /clients -->'],
  clientTable,
  'the table of clients',
);
const auditPage = join(root, 'conformance', 'audit', 'README.md');
await keep(auditPage, ['<!-- worlds -->', '<!-- /worlds -->'], worldTable, 'the table of worlds');
await keep(auditPage, ['<!-- variables -->', '<!-- /variables -->'], variableTable, 'the table of variables');
for (const [name, content] of Object.entries(languageParts())) {
  await keep(
    join(root, 'research', 'languages', 'README.md'),
    [`<!-- ${name} -->`, `<!-- /${name} -->`],
    content,
    `the part ${name}`,
  );
}
