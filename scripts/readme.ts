/** `npm run readme`: writes the table of operations into README.md; with --check only says whether it is current. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

import { ledger } from '../conformance/ledger.gen.js';
import { operationList } from '../src/contract/index.js';
import { handlers } from '../src/game/index.js';
import { root } from './generate/document.js';

const file = join(root, 'README.md');
const [open, close] = ['<!-- operations: npm run readme -->', '<!-- /operations -->'];

const logical = operationList.filter(({ id, logical: name }) => id === name);
const rows = logical.map(({ logical: name, method, path, scope, server }) => {
  const forms = operationList.filter((operation) => operation.logical === name).length;
  const mocked = server === 'authorization' || name in handlers ? 'yes' : 'no';
  const place = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  const checked = ledger.filter(({ how, pointer }) => how !== 'excluded' && pointer?.startsWith(place)).length;
  return `| \`${method} ${path}\` | ${scope ? `\`${scope}\`` : ''} | ${forms} | ${mocked} | ${checked} |`;
});
const general = ledger.filter(({ how, pointer }) => how !== 'excluded' && !pointer?.startsWith('/paths/')).length;
const table = [
  '| Operation | Scope | Forms described | Mocked | Requirements checked |',
  '|---|---|---|---|---|',
  ...rows,
  `| every operation, every field | | | | ${general} |`,
].join('\n');

const text = await readFile(file, 'utf8');
const start = text.indexOf(open) + open.length;
const whole = `${text.slice(0, start)}\n\n${table}\n\n${text.slice(text.indexOf(close))}`;
const wanted = await format(whole, { ...(await resolveConfig(file)), parser: 'markdown' });
if (!process.argv.includes('--check')) await writeFile(file, wanted);
else if (wanted !== text) {
  console.error('README.md: the table of operations is not current; npm run readme writes it');
  process.exitCode = 1;
}
