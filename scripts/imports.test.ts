import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { IConfiguration, ICruiseResult } from 'dependency-cruiser';
import { cruise } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const rules = JSON.parse(readFileSync('.dependency-cruiser.json', 'utf8')) as IConfiguration;

/** For each rule a pair of files that breaks it: importer -> imported. */
const offences: Record<string, [string, string]> = {
  'contract-is-a-leaf': ['src/contract/a.ts', 'src/game/b.ts'],
  'passive-tree-is-a-leaf': ['src/passive-tree/a.ts', 'src/contract/b.ts'],
  'input-is-a-leaf': ['src/input/a.ts', 'src/server/b.ts'],
  'redaction-is-a-leaf': ['src/redaction/a.ts', 'src/contract/b.ts'],
  'rules-know-no-server': ['src/oauth/a.ts', 'src/server/b.ts'],
  'rules-know-no-sockets': ['src/game/a.ts', 'node:http'],
  'world-is-data': ['src/world/a.ts', 'src/game/b.ts'],
  'store-is-state': ['src/store/a.ts', 'src/world/b.ts'],
  'client-knows-the-contract': ['src/client/a.ts', 'src/server/b.ts'],
  'command-line-is-on-top': ['conformance/a.ts', 'cli/b.ts'],
  'mock-knows-no-judge': ['src/server/a.ts', 'conformance/b.ts'],
  'product-needs-no-research': ['conformance/a.ts', 'research/b.ts'],
  'only-the-server-imports-express': ['cli/a.ts', 'node_modules/express/index.js'],
  'judge-shares-only-the-law': ['conformance/a.ts', 'src/server/b.ts'],
  'wire-is-the-ground-floor': ['conformance/wire/a.ts', 'conformance/target/b.ts'],
  'target-is-below-the-engine': ['conformance/target/a.ts', 'conformance/engine/b.ts'],
  'engine-is-given-its-checks': ['conformance/engine/a.ts', 'conformance/checks/b.ts'],
  'model-is-below-monitors-and-checks': ['conformance/model/a.ts', 'conformance/checks/b.ts'],
  'histories-know-no-server': ['conformance/histories/a.ts', 'conformance/engine/b.ts'],
  'monitors-are-beside-checks': ['conformance/monitors/a.ts', 'conformance/checks/b.ts'],
  'checks-are-below-reports': ['conformance/checks/a.ts', 'conformance/report/b.ts'],
  'reports-render-results': ['conformance/report/a.ts', 'conformance/engine/b.ts'],
  'audit-judges-clients': ['conformance/engine/a.ts', 'conformance/audit/b.ts'],
  'rows-judge-records': ['conformance/audit/rows/a.ts', 'conformance/audit/stage.ts'],
  'nobody-imports-the-proof': ['conformance/verify.ts', 'conformance/proof/b.ts'],
  'bytes-is-a-leaf': ['src/bytes/a.ts', 'src/contract/b.ts'],
  'handler-needs-no-node': ['src/handler/a.ts', 'node:fs'],
  'no-cycles': ['src/game/a.ts', 'src/game/a.ts'],
  'no-orphans': ['src/game/alone.ts', ''],
};

describe('import rules', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'imports-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  const violations = async (name: string): Promise<string[]> => {
    const base = join(folder, name);
    const [importer, imported] = offences[name] ?? ['', ''];
    const write = (file: string, text: string): void => {
      mkdirSync(dirname(join(base, file)), { recursive: true });
      writeFileSync(join(base, file), text);
    };
    const up = '../'.repeat(importer.split('/').length - 1) || './';
    const target = imported.startsWith('node:') ? imported : `${up}${imported.replace(/[.]ts$/, '.js')}`;
    if (imported.endsWith('.js') || (imported.endsWith('.ts') && imported !== importer))
      write(imported, 'export const b = 1;\n');
    write(
      importer,
      imported === '' ? 'export const a = 1;\n' : `import * as b from '${target}';\nexport const a = b;\n`,
    );
    const { output } = await cruise([importer.split('/')[0] ?? 'src'], {
      ...rules.options,
      tsConfig: undefined,
      ruleSet: { forbidden: rules.forbidden },
      validate: true,
      baseDir: base,
    });
    return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
  };

  it.each(rules.forbidden?.map(({ name }) => name ?? '') ?? [])('%s can fail', async (name) => {
    expect(offences, `${name} has a case`).toHaveProperty(name);
    expect(await violations(name)).toContain(name);
  });
});
