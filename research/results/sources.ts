import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse } from 'yaml';

import type { Listed, Results as ClientResults } from '../clients/client.js';
import type { Results as ServerResults, Server } from '../foreign/server.js';
import type { StoredMachine } from '../foreign/machines.js';
import type { Results as LanguageResults } from '../languages/results.js';
import type { Tool } from '../languages/tools.js';
import { listed } from '../clients/client.js';
import { testedRows } from '../foreign/page.js';
import type { Cell, Kind, Run, RunCause } from './run.js';
import { grouped } from './run.js';
import type { Tree } from './tree.js';

/** Where a subject's results are published, and how they come about. */
export interface Source {
  readonly kind: Kind;
  readonly id: string;
  /** The published file. */
  readonly file: string;
  /** Runs the subject and publishes what came of it. */
  readonly command: readonly string[];
  /** Folders of the code that judges. */
  readonly judges: readonly string[];
  /** Folders and files of the subject, where its results were published at `path`. */
  target(path: string): readonly string[];
  /** The run in a published text; undefined where it does not have the subject. `path` is where it was published. */
  run(text: string, path: string, tree: Tree): Published | undefined;
}

export type Published = Pick<Run, 'subject' | 'seconds' | 'requests' | 'cells' | 'causes'>;

const [foreign, clients, languages] = ['research/foreign/servers', 'research/clients', 'research/languages'];

const folders = (path: string): readonly string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** Every subject whose results somebody published. */
export const sources = (): readonly Source[] => [
  ...folders(foreign).flatMap((id) => [serverSource(id), machineSource(id)]),
  ...readdirSync(`${clients}/results`).flatMap((name) =>
    name.endsWith('.json') ? clientSource(name.slice(0, -5)) : [],
  ),
  ...folders(languages).map(librarySource),
];

const serverOf = (path: string, tree: Tree): Server =>
  parse(tree.read(`${dirname(path)}/server.yaml`) ?? '{}') as Server;

const subjectOf = (id: string, { package: name, version, language }: Server): Run['subject'] => ({
  id,
  name,
  version,
  language,
});

/** A group is the id without its number. */
const groupOf = (row: string): string => row.replace(/-\d+$/, '');

const serverSource = (id: string): Source => ({
  kind: 'server',
  id,
  file: `${foreign}/${id}/results.json`,
  command: ['npm', 'run', 'foreign', '--', id],
  judges: ['conformance/checks/oauth', 'conformance/monitors', 'conformance/model'],
  target: (path) => [dirname(path)],
  run(text, path, tree) {
    const { seconds, requests, passed, rows } = JSON.parse(text) as ServerResults;
    const server = serverOf(path, tree);
    const known = Object.keys(JSON.parse(tree.read('conformance/requirements/snapshot.json') ?? '{}') as object);
    // The rows that passed are counted, not named: they are known where the count is that of all others.
    const all = known.filter((row) => testedRows.includes(row) || row in rows);
    const others = all.filter((row) => !(row in rows));
    const isWhole = others.length === passed;
    const cells = [...grouped(isWhole ? all : Object.keys(rows), groupOf)].map(([group, own]): [string, Cell] => {
      const of = (...verdicts: readonly string[]): readonly string[] =>
        own.filter((row) => verdicts.includes(rows[row] ?? 'pass'));
      return [
        group,
        {
          ...(isWhole && { passed: of('pass') }),
          failed: of('fail'),
          warned: of('warn'),
          unjudged: of('could not run', 'not exercised', 'not applicable', 'suite error'),
        },
      ];
    });
    return {
      subject: subjectOf(id, server),
      seconds,
      requests,
      cells: Object.fromEntries(cells),
      causes: causesOf(server.causes),
    };
  },
});

const machineSource = (id: string): Source => ({
  kind: 'machine',
  id,
  file: `${foreign}/${id}/machine.json`,
  command: ['npm', 'run', 'foreign', '--', '--machine', id],
  judges: ['conformance/machine', 'conformance/model'],
  target: (path) => [dirname(path)],
  run(text, path, tree) {
    const stored = JSON.parse(text) as StoredMachine;
    const cells: Record<string, Cell> = {
      States: { text: String(stored.states) },
      Inputs: { text: String(stored.inputs) },
      Complete: { text: stored.complete ? `up to ${stored.extra ?? 0} more` : 'no' },
      Differences: { text: String(stored.differences.length) },
    };
    const { seconds, requests } = stored;
    return { subject: subjectOf(id, serverOf(path, tree)), seconds: Math.round(seconds), requests, cells, causes: [] };
  },
});

const clientSource = (id: string): Source => ({
  kind: 'client',
  id,
  file: `${clients}/results/${id}.json`,
  command: ['npm', 'run', 'clients', '--', id],
  judges: ['conformance/audit'],
  target: (path) => [`${dirname(dirname(path))}/${listed().clients[id]?.folder ?? ''}`],
  run(text, path, tree) {
    const { seconds, requests, rows } = JSON.parse(text) as ClientResults;
    const { clients: all, languages: named } = parse(
      tree.read(`${dirname(dirname(path))}/clients.yaml`) ?? '',
    ) as Listed;
    const client = all[id];
    if (!client) return undefined;
    const of = (group: string, verdict: string): readonly string[] =>
      Object.keys(rows).filter((row) => row.startsWith(`${group}-`) && rows[row] === verdict);
    const cells = clientGroups.map((group): [string, Cell] => [
      group,
      { failed: of(group, 'fail'), warned: of(group, 'warn') },
    ]);
    const { package: name, version, folder: language, causes } = client;
    const subject = { id, name, version, language: named[language]?.name ?? language };
    return { subject, seconds, requests, cells: Object.fromEntries(cells), causes: causesOf(causes) };
  },
});

/** What the requirements of clients are about, by how their ids begin. */
const clientGroups = ['AUTH', 'TOK', 'REFRESH', 'PACE', 'STREAM', 'EXCHANGE', 'ADDR', 'FILTER', 'READ', 'COPY'];

const librarySource = (id: string): Source => ({
  kind: 'library',
  id,
  file: `${languages}/results.json`,
  command: ['npm', 'run', 'languages', '--', '--record', id],
  judges: [],
  target: (path) => [`${dirname(path)}/${id}`],
  run(text, path, tree) {
    // The first of these files had another form.
    const attempt = (JSON.parse(text) as Partial<LanguageResults>).attempts?.find(({ tool }) => tool === id);
    const described = tree.read(`${dirname(path)}/${id}/tool.json`);
    if (!attempt || attempt.skipped !== undefined || described === undefined) return undefined;
    const { name, language, kind } = JSON.parse(described) as Tool;
    const prefix = kind === 'oauth' ? 'log in: ' : '';
    const cells = Object.entries(attempt.cells).map(([step, answer]): [string, Cell] => [
      `${prefix}${step}`,
      { text: answer },
    ]);
    const subject = { id, name, version: attempt.version, language };
    return { subject, seconds: attempt.seconds, cells: Object.fromEntries(cells), causes: [] };
  },
});

const causesOf = (causes: readonly RunCause[] = []): readonly RunCause[] =>
  causes.map(({ rows, class: kind, why, varies }) => ({
    rows,
    class: kind,
    why: why.trim(),
    ...(varies && { varies }),
  }));
