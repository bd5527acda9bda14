import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { Verifier } from '../../conformance/engine/verifier.js';
import { createMonitors } from '../../conformance/monitors/monitors.js';
import { selectionOf } from '../../conformance/proof/selection.js';
import { startStage } from '../../conformance/proof/stage.js';
import type { Answer } from '../../conformance/wire/answer.js';
import { root } from '../../scripts/generate/document.js';
import { freePort } from '../../src/input/listen.js';
import { mockSetup } from './subject.js';
import type { Tool } from './tool.js';

const manifest = createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json');
const program = join(dirname(manifest), 'dist', 'index.js');
const contract = join(root, 'dist', 'openapi', 'openapi.json');

export const prism: Tool = {
  id: 'prism',
  name: 'Prism proxy',
  version: (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version,
  needs: [],
  command: 'prism proxy openapi.json URL --errors --validate-request=false',
  settings:
    'Between the suite and the mock, fed with the requests of the checks that kill the mutant in the proof, and of their neighbours. Requests are not validated: the suite sends wrong ones on purpose, which Prism would keep from the mock.',
  blind:
    'a wrong value of the right form, a request that should have been refused or granted, and what only several responses together show',
  baselines: 1,
  guided: true,
  async run({ rows, exercise, setup, mutation, seed, timeout }) {
    const stage = await startStage(mockSetup(setup, mutation));
    const proxy = await startProxy(stage.target.base_url);
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort('the time is over'), timeout);
    const failures = new Set<string>();
    try {
      const target = { ...stage.target, base_url: proxy.url, auth_url: proxy.url };
      const monitors = createMonitors(target);
      const verifier = await Verifier.open({
        target,
        monitors: {
          ...monitors,
          answer(answer) {
            for (const failure of violationsIn(answer)) failures.add(failure);
            monitors.answer(answer);
          },
        },
        plan: selectionOf({ rows, ...(exercise && { exercise }) }),
        seed,
        runs: 100,
        wait: false,
        budget: 0,
        signal: stop.signal,
        replay: () => '',
        open: stage.open,
      });
      await verifier.run(() => {});
    } catch (error) {
      // A mutant may keep the suite from its beginning; what was reported until then counts.
      if (failures.size === 0) throw error;
    } finally {
      clearTimeout(timer);
      proxy.child.kill('SIGKILL');
      await stage.close();
    }
    return { failures: [...failures], late: stop.signal.aborted };
  },
};

/** What Prism says of a response: method, operation, status, and the place and rule of each violation. */
function violationsIn({ headers, asked, request, status }: Answer): readonly string[] {
  const said = headers['sl-violations'];
  if (asked.server === 'control' || said === undefined) return [];
  const violations = JSON.parse(String(said)) as readonly { location?: readonly string[]; code?: string | number }[];
  const call = `${request.method} ${asked.operation ?? new URL(request.url).pathname}`;
  return violations
    .filter(({ location }) => location?.[0] !== 'request')
    .map(({ location = [], code }) => {
      const place = location.map((part) => (/^\d+$/.test(part) ? '[]' : part)).join('.');
      return `${call} ${status}: ${place} ${code}`;
    });
}

async function startProxy(upstream: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const port = await freePort();
  const args = ['proxy', contract, upstream, '--errors', '--validate-request=false'];
  const child = spawn(process.execPath, [program, ...args, '--port', String(port), '--host', '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise<void>((done, fail) => {
    let output = '';
    const read = (part: Buffer): void => {
      output += part.toString();
      if (output.includes('Prism is listening')) done();
      // What follows is the log of every exchange.
      output = output.slice(-2000);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => fail(new Error(`prism proxy ended with ${code}: ${output}`)));
  });
  return { url: `http://127.0.0.1:${port}`, child };
}
