/** `npm run readme`: writes the table of operations and the figures of the proof into README.md; with --check only says whether it is current. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

import { ledger } from '../conformance/ledger.gen.js';
import { publishedMatrix } from '../conformance/proof/matrix.js';
import { operationList } from '../src/contract/index.js';
import { handlers } from '../src/game/index.js';
import { root } from './generate/document.js';

const file = join(root, 'README.md');
const [open, close] = ['<!-- operations: npm run readme -->', '<!-- /operations -->'];

const pointers = new Map<string, string | undefined>(ledger.map(({ id, pointer }) => [id, pointer]));
const { mutants, variants } = publishedMatrix();

/** Requirements at places of the contract, and the planted mutants that their checks notice. */
function judged(at: (pointer: string | undefined) => boolean): string {
  const rows = ledger.filter(({ how, pointer }) => how !== 'excluded' && at(pointer)).length;
  const noticed = mutants.filter(({ by }) => by.some((row) => at(pointers.get(row)))).length;
  return `${rows} | ${noticed}`;
}

const logical = operationList.filter(({ id, logical: name }) => id === name);
const rows = logical.map(({ logical: name, method, path, scope, server }) => {
  const forms = operationList.filter((operation) => operation.logical === name).length;
  const mocked = server === 'authorization' || name in handlers ? 'yes' : 'no';
  const place = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  const counts = judged((pointer) => pointer?.startsWith(place) ?? false);
  return `| \`${method} ${path}\` | ${scope ? `\`${scope}\`` : ''} | ${forms} | ${mocked} | ${counts} |`;
});
const table = [
  '| Operation | Scope | Forms described | Mocked | Requirements checked | Planted mutants noticed |',
  '|---|---|---|---|---|---|',
  ...rows,
  `| every operation, every field | | | | ${judged((pointer) => !pointer?.startsWith('/paths/'))} |`,
].join('\n');

const text = await readFile(file, 'utf8');
const start = text.indexOf(open) + open.length;
const noticed = mutants.filter(({ status }) => status === 'killed').length;
const blamed = variants.filter(({ status }) => status !== 'accepted').length;
const proof = `Of ${mutants.length} mutants planted into the mock one at a time the suite notices ${noticed}, each by the check that must; of ${variants.length} other right ways to answer it blames ${blamed === 0 ? 'none' : blamed}.`;
const whole = `${text.slice(0, start)}\n\n${table}\n\n${proof}\n\n${text.slice(text.indexOf(close))}`;
const wanted = await format(whole, { ...(await resolveConfig(file)), parser: 'markdown' });
if (!process.argv.includes('--check')) await writeFile(file, wanted);
else if (wanted !== text) {
  console.error('README.md: the table of operations is not current; npm run readme writes it');
  process.exitCode = 1;
}
