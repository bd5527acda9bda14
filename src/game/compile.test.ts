import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const preamble = `
import type { GameOperation } from '../contract/index.js';
import type { Handler } from './game.js';
import { fault } from './errors.js';
import { handlers } from './index.js';
type Handlers = { [K in GameOperation]: Handler<K> };
const { getProfile, ...rest } = handlers;
`;

/** What has to compile, and what must not: each would be a server that departs from the contract. */
const sources = {
  whole: 'export default { getProfile, ...rest } satisfies Handlers;',
  missing: 'export default { ...rest } satisfies Handlers;',
  stray: 'export default { getProfile, ...rest, getWeather: getProfile } satisfies Handlers;',
  undocumented: "export const teapot: Handler<'getProfile'> = () => ({ status: 418, body: {} });",
  switched: "export const gone: Handler<'getLeagueLadder'> = () => fault('notFound', 'no such league');",
  elsewhere: "export const gone: Handler<'getLeague'> = () => fault('notFound', 'no such league');",
  misshapen: "export const nameless: Handler<'getProfile'> = () => ({ status: 200, body: { uuid: 'u' } });",
};

function compile(): Record<string, string[]> {
  const fileOf = (name: string): string => join(import.meta.dirname, `compile-${name}.ts`);
  const texts = new Map(Object.entries(sources).map(([name, source]) => [fileOf(name), preamble + source]));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  const program = ts.createProgram([...texts.keys()], options, host);
  return Object.fromEntries(
    Object.keys(sources).map((name) => {
      const found = program.getSemanticDiagnostics(program.getSourceFile(fileOf(name)));
      return [name, found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))];
    }),
  );
}

describe('the handlers', { timeout: 60_000 }, () => {
  it('do not compile with one missing, one too many, a status that neither the contract nor a switch knows, or another body', () => {
    expect(compile()).toEqual({
      whole: [],
      missing: [expect.stringContaining("'getProfile' is missing")],
      stray: [expect.stringContaining("'getWeather' does not exist")],
      undocumented: [expect.stringMatching(/418/)],
      switched: [],
      elsewhere: [expect.stringMatching(/404/)],
      misshapen: [expect.stringMatching(/name/)],
    });
  });
});
