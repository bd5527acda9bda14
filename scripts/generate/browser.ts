import { build } from 'esbuild';

import { root } from './document.js';

/**
 * The script for browsers of a page of the mock, such as `dashboard`, as a module of one text: it stands in the page
 * itself, so that a hash allows it.
 */
export async function browserModule(page: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [`src/server/${page}/browser/main.ts`],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    charset: 'ascii',
    write: false,
  });
  const code = outputFiles[0]?.text.trim() ?? '';
  if (/<[/]script|<!--/i.test(code)) throw new Error('the script has a text that would end it inside a page');
  return `// Generated from src/server/${page}/browser/ by \`npm run generate\`. Do not edit.\nexport const script = ${JSON.stringify(code)};\n`;
}
