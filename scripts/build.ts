/**
 * `npm run build`: the published code. Types come from tsc, file by file; the code is bundled into a few chunks, with
 * the packages that it runs on, because finding and loading 300 modules one by one is half of the time that the mock
 * takes to start.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { BuildOptions, Plugin } from 'esbuild';

import { prepare, preparedFile } from '../src/world/fixtures/files.js';
import { prune } from './declarations.js';
import { root } from './generate/document.js';
import { writeSchemas } from './schemas.js';

for (const folder of ['src', 'cli', 'conformance'])
  rmSync(join(root, 'dist', folder), { recursive: true, force: true });
execFileSync(
  process.execPath,
  [join(root, 'node_modules', 'typescript-newest', 'bin', 'tsc'), '-p', 'tsconfig.build.json'],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};
prune(
  join(root, 'dist'),
  Object.values(entries).flatMap((entry) => (typeof entry === 'string' ? [] : [join(root, entry.types)])),
);

/**
 * Packages that stay packages: one whose types ours name, one that is loaded only where there are replicas, and the
 * caller's own vitest.
 */
const external = ['@redis/client', 'openapi-fetch', 'vitest'];

/** What `npm run docs` copies into the package. */
const copied = ['node_modules/swagger-ui-dist/swagger-ui-bundle.js'];

/** npm installs these three times below Express; where the versions are equal, one copy is bundled. */
const oneCopy: Plugin = {
  name: 'one copy',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^mime-(db|types)$/ }, ({ path, importer }) => {
      const own = createRequire(importer);
      const ofExpress = createRequire(createRequire(import.meta.url).resolve('express'));
      const version = (from: NodeJS.Require): string =>
        (from(`${path}/package.json`) as { readonly version: string }).version;
      return { path: (version(own) === version(ofExpress) ? ofExpress : own).resolve(path) };
    }),
};

/** Half a megabyte that the mock never asks for: it reads bodies as bytes, and decodes UTF-8 itself. */
const noEncodings: Plugin = {
  name: 'no encodings',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/]iconv-lite[/]encodings[/]index[.]js$/ }, () => ({
      contents: "throw new Error('no encodings are bundled: read bodies with express.raw')",
    })),
};

/** The mock names its media types itself. Express looks up a few, and a thousand others take time to read. */
const endings = ['bin', 'html', 'json', 'txt'];
const fewMediaTypes: Plugin = {
  name: 'few media types',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/]mime-db[/]db[.]json$/ }, ({ path }) => {
      const all = JSON.parse(readFileSync(path, 'utf8')) as Readonly<
        Record<string, { readonly extensions?: string[] }>
      >;
      const few = Object.entries(all).filter(([, { extensions }]) => extensions?.some((one) => endings.includes(one)));
      return { contents: JSON.stringify(Object.fromEntries(few)), loader: 'json' };
    }),
};

/**
 * Node's own modules by `require`, each name that is used for itself: an ES import reads every name of a module, and some
 * are loaded when they are read (of `node:http` a WebSocket, which takes as long as half of the mock).
 */
const builtIn: Plugin = {
  name: 'built in',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^node:/ }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace: 'built in', sideEffects: false } : { external: true },
    );
    onLoad({ filter: /^/, namespace: 'built in' }, ({ path }) => {
      const names = Object.keys(createRequire(import.meta.url)(path) as object).filter((name) => name !== 'default');
      const lines = [
        `const $all = require('${path}');`,
        'const $read = (name) => $all[name];',
        'export default $all;',
        ...names.map((name) => `export const ${name} = /* @__PURE__ */ $read('${name}');`),
      ];
      return { contents: lines.join('\n') };
    });
  },
};

const shared: BuildOptions = {
  absWorkingDir: root,
  outdir: 'dist',
  outbase: '.',
  bundle: true,
  format: 'esm',
  // Names stay, so that a stack can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  // Node prints the line that threw.
  lineLimit: 160,
  legalComments: 'none',
  target: 'node20.19',
  external,
};
// The client runs in browsers, so that nothing of Node may come near it; the other entries load this very build of it.
await build({ ...shared, entryPoints: ['src/client/index.ts'], platform: 'neutral' });

/** What judges replies is half of the code, and asked for by few: every entry loads one build of it. */
const judges: Plugin = {
  name: 'judges',
  setup: ({ onResolve }) => onResolve({ filter: /[/]judges[.]gen[.]js$/ }, () => ({ path: '#judges', external: true })),
};
// The handler runs in workers too, and has all that it needs.
const portable: BuildOptions = {
  ...shared,
  platform: 'neutral',
  mainFields: ['module', 'main'],
  external: [],
  minify: true,
  metafile: true,
};
const { metafile: ofJudges } = await build({ ...portable, entryPoints: ['src/contract/judges.gen.ts'] });
const { metafile: ofHandler } = await build({ ...portable, entryPoints: ['src/handler/index.ts'], plugins: [judges] });
const { metafile } = await build({
  ...shared,
  entryPoints: ['src/index.ts', 'cli/main.ts', 'conformance/vitest.ts', 'conformance/proxy/relay-thread.ts'],
  chunkNames: 'src/chunks/[name]-[hash]',
  splitting: true,
  platform: 'node',
  metafile: true,
  // What is bundled and no ES module asks for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
  },
  plugins: [
    builtIn,
    oneCopy,
    noEncodings,
    fewMediaTypes,
    judges,
    {
      name: 'client',
      setup: ({ onResolve }) =>
        onResolve({ filter: /[/]client[/]index[.]js$/ }, () => ({ path: 'game-data-contract/client', external: true })),
    },
  ],
});
writeFileSync(
  join(root, 'dist', 'licenses.txt'),
  licensesOf([...[metafile, ofJudges, ofHandler].flatMap((one) => Object.keys(one?.inputs ?? {})), ...copied]),
);

writeSchemas(join(root, 'dist', 'schemas'));

writeFileSync(join(root, preparedFile), prepare());

/** The licenses of the packages that files belong to. */
function licensesOf(files: readonly string[]): string {
  const packages = new Set(files.flatMap((file) => /^.*node_modules[/](?:@[^/]+[/])?[^/]+/.exec(file) ?? []));
  const texts = [...packages].toSorted().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
    };
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${folder} has no license file: leave it out of the bundle`);
    return `${name} ${version}\n\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
  });
  return `The code of this package contains parts of these.\n\n${texts.join('\n---\n\n')}`;
}
