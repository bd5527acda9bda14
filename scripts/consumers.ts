import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root } from './generate/document.js';

/** Compilers that programs with this package are compiled by: the oldest that its types are for, and the newest. */
const compilers = ['typescript', 'typescript-newest'];

const resolutions = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

/** A program that uses each export that has types, in a project that has nothing but this package. */
const program = `
import { createGameClient, decodeTree, startAudit, startMock, SetupError } from 'game-data-contract';
import type { AuditVerdict, ExchangeRecord, components } from 'game-data-contract';
import { authorizationUrl, connectMock } from 'game-data-contract/client';
import { createHandler } from 'game-data-contract/handler';
import type { Handler, HandlerOptions } from 'game-data-contract/handler';

const mock = await startMock({ port: 0 });
mock.exchanges.subscribe(({ reply }: ExchangeRecord) => reply?.status.toFixed());
const game = createGameClient({ baseUrl: mock.url, token: 'x' });
const { data } = await game.GET('/profile');
export const name: string | undefined = data?.name;
type Schemas = components['schemas'];
const inLeague = { params: { path: { league: 'Standard' } } };
export const league: Schemas['League'] | null | undefined = (await game.GET('/league/{league}', inLeague)).data?.league;
export const characters: Schemas['Character'][] | undefined = (await game.GET('/character')).data?.characters;
export const tabs: Schemas['StashTab'][] | undefined = (await game.GET('/stash/{league}', inLeague)).data?.stashes;
export const changes: Schemas['PublicStashChange'][] | undefined = (await game.GET('/public-stash-tabs')).data?.stashes;
const filter: Schemas['ItemFilterCreate'] = { filter_name: 'Mine', realm: 'pc', filter: 'Show' };
export const created: Schemas['ItemFilter'] | null | undefined = (await game.POST('/item-filter', { body: filter })).data?.filter;
export const version: number = decodeTree('AAAABgYXARI0AavNAavNEjQ').version;
export const verdict: AuditVerdict = await (await startAudit()).verdict();
export type Item = components['schemas']['Item'];
const options: HandlerOptions = { seed: 7, address: (request) => request.headers.get('x-address') ?? '' };
const handler: Handler = createHandler(options);
export const status: number = (await handler(new Request('https://api.example/profile'))).status;
export { authorizationUrl, connectMock, SetupError };
`;

/** The same for the entry that needs vitest, whose own types are not ours to check. */
const suite = `
import { startAudit } from 'game-data-contract/vitest';
export const conformant: boolean = (await (await startAudit()).verdict()).conformant;
`;

/**
 * Puts this package into empty projects and compiles them as strictly as TypeScript can, declaration files of packages
 * included.
 *
 * @param folder where the projects are made, and where the package is
 * @param packed the name of what `npm pack` wrote
 * @returns what the compilers complain of
 */
export function consumerProblems(folder: string, packed: string): string[] {
  const own = join(folder, 'node_modules', 'game-data-contract');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, packed), '-C', own, '--strip-components=1']);
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys(dependencies)) link(folder, name);
  const alone = compiled(folder, 'program', program, {});
  link(folder, 'vitest');
  return [...alone, ...compiled(folder, 'suite', suite, { skipLibCheck: true })];
}

function link(folder: string, name: string): void {
  const place = join(folder, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), place);
}

function compiled(folder: string, name: string, text: string, options: object): string[] {
  writeFileSync(join(folder, `${name}.mts`), text);
  return Object.entries(resolutions).flatMap(([resolution, resolved]) => {
    const config = join(folder, `${name}.${resolution}.json`);
    // Declarations of packages are checked; TypeScript's own, a third of the time, are not ours.
    const checked = { strict: true, skipDefaultLibCheck: true, ...options };
    const compilerOptions = { target: 'es2022', noEmit: true, types: [], ...resolved, ...checked };
    writeFileSync(config, JSON.stringify({ compilerOptions, files: [`${name}.mts`] }));
    return compilers.flatMap((compiler) => {
      const tsc = join(root, 'node_modules', compiler, 'bin', 'tsc');
      const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8' });
      return status === 0 ? [] : [`${compiler}, ${resolution}: ${name} does not compile\n${stdout.trim()}`];
    });
  });
}
