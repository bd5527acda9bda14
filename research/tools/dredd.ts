import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { shell } from '../../scripts/machine.js';
import { contract, filled, formsOf, knownIds, recorded } from './contract.js';
import { startSubject } from './subject.js';
import type { Tool } from './tool.js';
import { folder, workshop } from './tool.js';

const place = join(workshop, 'dredd');
const program = join(place, 'node_modules', '.bin', 'dredd');

const manifest = JSON.parse(readFileSync(join(folder, 'dredd', 'package.json'), 'utf8')) as {
  dependencies: { dredd: string };
};

export const dredd: Tool = {
  id: 'dredd',
  name: 'Dredd',
  version: manifest.dependencies.dredd,
  needs: ['npm'],
  command: "dredd contract.3.0.json URL --header 'Authorization: Bearer TOKEN' --hookfiles hooks.cjs",
  settings:
    'The 3.0 form of the contract, as it reads no 3.1. For OpenAPI 3 it compares bodies with examples, not with schemas: the examples of responses are replies of the unchanged mock. Its hooks (`dredd/hooks.cjs`) leave out refusals, whose requests the contract does not hold, add the charset to content types and write the forms of OAuth. It is no longer maintained.',
  blind:
    'refusals, wrong values (of a wrong type too, where they are neither object nor list), and what one call of each operation does not show',
  baselines: 2,
  async install() {
    mkdirSync(place, { recursive: true });
    cpSync(join(folder, 'dredd'), place, { recursive: true });
    if (existsSync(program)) return;
    const { code, output } = await shell('npm install --no-audit --no-fund', place);
    if (code !== 0) throw new Error(`npm could not install it: ${output.trim().split('\n').at(-1)}`);
  },
  async run({ setup, mutation, timeout }) {
    const ids = await knownIds();
    const document = contract('openapi.3.0.json');
    const replies = await recorded(document, ids, setup);
    const subject = await startSubject(setup, mutation);
    try {
      const file = join(place, 'contract.3.0.json');
      writeFileSync(file, JSON.stringify(filled(document, ids, subject, replies)));
      const { late } = await shell(
        `exec ${program} ${file} ${subject.url} --header "Authorization: Bearer $TOKEN" --hookfiles hooks.cjs ` +
          '--no-color --loglevel=error > dredd.log 2>&1',
        place,
        { TOKEN: subject.token, FORMS: JSON.stringify(formsOf(subject)) },
        timeout,
      );
      // Its exit cuts off what a pipe has not taken yet.
      const output = readFileSync(join(place, 'dredd.log'), 'utf8');
      const ended = late || output.includes('complete: Tests took');
      return { late, failures: [...failuresIn(output), ...(ended ? [] : ['ended without a result'])] };
    } finally {
      await subject.stage.close();
    }
  },
};

/** Failures in what it prints: the call, and each line that says what is wrong with it. */
function failuresIn(output: string): readonly string[] {
  let [call, open] = ['', false];
  return output.split('\n').flatMap((line) => {
    const [, kind, text = ''] = /^(fail|error|pass|skip): (.*)$/.exec(line) ?? [];
    const [, named] = /^([A-Z]+ \(\d+\) .*?)(?: duration: \d+ms)?$/.exec(text) ?? [];
    if (kind && named !== undefined) {
      call = named;
      open = false;
      return kind === 'error' ? [`${call}: no response`] : [];
    }
    if (kind === 'fail' || kind === 'error') open = true;
    else if (line.trim() === '') open = false;
    return open ? [`${call}: ${(text || line).trim()}`] : [];
  });
}
