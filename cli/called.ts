import { basename, relative, sep } from 'node:path';

/**
 * The program as a shell finds it where this process was started, for commands that a user copies.
 *
 * @param script the path that Node was given: the link that npm made, or the script of a clone
 */
export function called(script: string | undefined = process.argv[1], folder: string = process.cwd()): string {
  const folders = script?.split(sep) ?? [];
  // `npx --package` keeps packages of its own: of the short name, npm knows another package.
  if (folders.includes('_npx')) return 'npx --package game-data-contract gamedata';
  if (folders.includes('node_modules')) return 'npx gamedata';
  return script !== undefined && basename(script) === 'main.js' ? `node ${relative(folder, script)}` : 'gamedata';
}
