import * as z from 'zod';

import { audit } from '../../conformance/audit/audit.js';
import { commandClient } from '../../conformance/audit/client.js';
import { rowsNamed } from '../../conformance/audit/ledger.js';
import { worldsNamed } from '../../conformance/audit/worlds.js';
import type { RowResult, RunReport } from '../../conformance/result.js';
import { count, line } from '../../conformance/text.js';
import { quoted } from '../quoted.js';
import { packageVersion } from '../version.js';
import type { ToolCall } from './tool.js';
import { tool } from './tool.js';

/** Findings that a result shows; the others are named by their ids. */
const most = { failures: 8, warnings: 5 };

const input = {
  command: z
    .array(z.string())
    .min(1)
    .describe(
      'the client and its arguments, such as ["npm", "test"]; it gets GAMEDATA_… variables, and a browser that consents',
    ),
  cwd: z.string().optional().describe('the folder to start it in'),
  worlds: z
    .array(z.string())
    .optional()
    .describe(
      'worlds to run it in, in addition to calm, of the resource gamedata://worlds; [] is calm alone, in seconds; default: all, in a minute or more',
    ),
  only: z
    .array(z.string())
    .optional()
    .describe('requirements, or their beginnings up to a dash, such as REFRESH or PACE-RETRY-001'),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe('names of the client for what the mock gives, such as {"API_URL": "base_url", "TOKEN": "token"}'),
  time_limit: z.int().min(1).max(3600).optional().describe('seconds that a start may take; default 60'),
};

type Input = z.infer<z.ZodObject<typeof input>>;

export const auditTool = tool({
  name: 'audit_client',
  description:
    'Run a client (a command) against mocks of its own and judge it by its requests: in the calm world, and in worlds where tokens expire, limits are met and replies are lost.',
  input,
  run: (given, session, call) =>
    session.run(call.signal, async (signal) => {
      const { command, cwd, worlds, only = [], env = {}, time_limit: timeLimit = 60 } = given;
      rowsNamed(only); // before anything starts
      const names = worlds?.length === 0 ? ['calm'] : worlds;
      worldsNamed(names ?? []);
      const { client, apart, close } = commandClient({ words: command, names: env, ...(cwd !== undefined && { cwd }) });
      try {
        const { report } = await audit({
          client,
          apart,
          name: command.map(quoted).join(' '),
          version: packageVersion(),
          timeLimit,
          signal,
          only,
          replay: (row, world) => callText(given, row, world),
          ...(names && { worlds: names }),
          onWorld: ({ world }, done, total) => void progress(call, done, total, world.id),
        });
        return { text: reportText(report), next: nextOf(report, given) };
      } finally {
        await close();
      }
    }),
});

/** Where the caller asked for it: each world that is done. It also keeps the call from timing out. */
async function progress(call: ToolCall, done: number, total: number, world: string): Promise<void> {
  // oxlint-disable-next-line no-underscore-dangle -- the protocol's name
  const progressToken = call._meta?.progressToken;
  if (progressToken === undefined) return;
  const params = { progressToken, progress: done, total, message: world };
  await call.sendNotification({ method: 'notifications/progress', params }).catch(() => {}); // the caller may be gone
}

/** The arguments that run one requirement in one world again. */
const callText = ({ command, cwd, env, time_limit }: Input, row: string, world: string): string =>
  JSON.stringify({
    command,
    ...(cwd !== undefined && { cwd }),
    worlds: world === 'calm' ? [] : [world],
    only: [row],
    ...(env && { env }),
    ...(time_limit !== undefined && { time_limit }),
  });

function reportText({ summary, rows, problems }: RunReport): string {
  const at = (verdict: string): readonly RowResult[] => rows.filter((row) => row.verdict === verdict);
  const [failures, warnings] = [at('fail'), at('warn')];
  return [
    summary,
    ...problems,
    ...listed('Violations', failures, most.failures),
    ...listed('Warnings', warnings, most.warnings),
  ].join('\n');
}

function listed(title: string, rows: readonly RowResult[], shown: number): string[] {
  if (rows.length === 0) return [];
  const rest = rows.slice(shown).map(({ id }) => id);
  return [
    '',
    `${title}:`,
    ...rows
      .slice(0, shown)
      .flatMap(({ id, level, statement, failure }, index) => [
        `${index + 1}. ${id} ${level}: ${statement}`,
        `   expected: ${line(failure?.expected ?? '', 240)}`,
        `   got: ${line(failure?.got ?? '', 240)}`,
      ]),
    ...(rest.length === 0 ? [] : [`and ${count(rest.length, 'more', 'more')}: ${rest.join(', ')}`]),
  ];
}

function nextOf({ outcome, rows }: RunReport, { worlds }: Input): string {
  const first = rows.find(({ verdict }) => verdict === 'fail') ?? rows.find(({ verdict }) => verdict === 'warn');
  if (outcome === 'configuration error') return 'correct what the first line names, then call audit_client again.';
  if (first?.failure)
    return `explain_requirement {"id": "${first.id}"} says what it asks. Correct it, then audit_client ${first.failure.replay}`;
  if (outcome === 'incomplete') return 'read the first line: the client did not get far enough to be judged.';
  return worlds === undefined
    ? 'nothing to correct in what was judged.'
    : 'nothing to correct here; call audit_client without worlds to judge the client in all of them.';
}
