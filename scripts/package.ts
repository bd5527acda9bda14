/** `npm run check:package`: what would be published is whole, nothing more, and compiles in the projects of others. */
import { execFileSync } from 'node:child_process';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

import { consumerProblems } from './consumers.js';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
const { messages } = await publint({ strict: true });
const problems = messages.map((message) => formatMessage(message, manifest) ?? message.code);

/** Folders of the package and the least they hold. Anything packed beside them is a mistake. */
const expected: Record<string, string[]> = {
  '': [
    'package.json',
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'dist/fixtures.json',
    'dist/licenses.txt',
  ],
  docs: ['mock.md', 'images/dashboard-light.webp'],
  'dist/openapi': [
    'openapi.yaml',
    'openapi.json',
    'openapi.3.0.yaml',
    'openapi.3.0.json',
    'openapi.base.yaml',
    'openapi.extended.yaml',
    'control.yaml',
  ],
  'dist/docs': [
    'index.html',
    'start.html',
    'search.html',
    'minisearch.LICENSE.txt',
    'redoc.LICENSE.txt',
    'redoc.NOTICES.txt',
    'try/index.html',
    'try/swagger-ui-bundle.js',
    'try/swagger-ui-bundle.js.LICENSE.txt',
    'try/LICENSE',
    'try/NOTICE',
  ],
  'dist/src': [
    'index.js',
    'index.d.ts',
    'client/index.js',
    'contract/types.gen.d.ts',
    'contract/judges.gen.js',
    'handler/index.js',
    'server/mock.d.ts',
  ],
  'dist/cli': ['main.js'],
  'dist/conformance': ['vitest.js', 'vitest.d.ts'],
  'dist/schemas': ['target.schema.json', 'client-plan.schema.json', 'report.schema.json'],
  skills: ['gamedata/SKILL.md'],
  fixtures: ['accounts.yaml', 'clients.yaml', 'trees.yaml'],
};
/** Characters of a line of code: Node prints the line that threw with every error that nobody catches. */
const mostOfLine = 4000;
const folder = mkdtempSync(join(tmpdir(), 'gamedata-package-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as [{ readonly filename: string; readonly files: readonly { readonly path: string }[]; readonly size: number }];
const files = new Set(packed.files.map(({ path }) => path));
for (const [folder, names] of Object.entries(expected)) {
  for (const name of names) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (!files.has(path)) problems.push(`${path} is not packed`);
  }
}
const tracked = new Set(execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n'));
for (const path of files) {
  const isOwn = Object.keys(expected).some((name) => name.startsWith('dist/') && path.startsWith(`${name}/`));
  if (!isOwn && !tracked.has(path) && !expected['']?.includes(path))
    problems.push(`${path} is packed and has no business there`);
  if (/[.]test[.]|[.]fixture[.]/.test(path)) problems.push(`${path} is a test and is packed`);
  if (/^dist[/](?:src|cli|conformance)[/].*[.]js$/.test(path)) {
    const longest = Math.max(
      ...readFileSync(path, 'utf8')
        .split('\n')
        .map(({ length }) => length),
    );
    if (longest > mostOfLine)
      problems.push(`${path} has a line of ${longest} characters, which Node prints with an error`);
  }
  if (path.endsWith('.md') && !path.startsWith('dist/'))
    problems.push(...deadLinks(path, /(?:\]\(|src="|srcset=")([^)#"\s]+)/g));
  if (path.endsWith('.html')) problems.push(...deadLinks(path, / (?:href|src|srcset)="([^#?"\s]+)/g));
}
problems.push(...consumerProblems(folder, packed.filename));
for (const problem of problems) console.error(problem);
console.log(`package: ${files.size} files, ${Math.round(packed.size / 1024)} KiB packed, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Links of a packed page to what is not packed. A link may lead to a folder that holds something. */
function deadLinks(page: string, form: RegExp): string[] {
  const links = [...readFileSync(page, 'utf8').matchAll(form)].map(([, link = '']) => link);
  return [...new Set(links)]
    .filter((link) => /[./]/.test(link) && !/^[a-z]+:/.test(link))
    .filter((link) => {
      const place = normalize(join(dirname(page), link)).replace(/[/]$/, '');
      return !files.has(place) && ![...files].some((path) => path.startsWith(`${place}/`));
    })
    .map((link) => `${page}: ${link} is not packed, so its link is dead`);
}
