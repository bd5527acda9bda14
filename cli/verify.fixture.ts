import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { command } from '../src/command.fixture.js';

export interface Ending {
  readonly code: number | null;
  /** The signal that ended the process, where one did. */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment without settings of ours, of CI or of the test runner. */
export const cleanEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => !/^(GAMEDATA_|GITHUB_|VITEST|NODE_ENV|NODE_OPTIONS|TEST)/.test(entry[0]),
    ),
  );

/** The command line in a process of its own and in that environment. `output` is a file to print to. */
export function gamedata(
  args: readonly string[],
  env: Record<string, string> = {},
  started?: (child: ChildProcess) => void,
  output?: string,
): Promise<Ending> {
  const file = output === undefined ? undefined : openSync(output, 'w');
  const child = spawn(process.execPath, [...command, ...args], {
    stdio: ['ignore', file ?? 'pipe', 'pipe'],
    env: { ...cleanEnvironment(), ...env },
  });
  if (file !== undefined) closeSync(file);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr?.on('data', (part: Buffer) => (stderr += part.toString()));
  started?.(child);
  return new Promise((done) => {
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
}

export interface Server {
  readonly url: string;
  close(): Promise<void>;
}

async function listening(
  answer: (path: string, method: string, body: string, headers: Record<string, string>, reply: ServerResponse) => void,
): Promise<Server> {
  const server = createServer((request, reply) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
      answer(
        request.url ?? '/',
        request.method ?? '',
        body,
        headers,
        reply.on('error', () => {}),
      );
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** An address at which no server is: a port that was freed may be another's by now. */
export const nobody = 'http://127.0.0.1:1';

/** A server that answers everything in one way. */
export const always = (answer: (path: string, reply: ServerResponse) => void): Promise<Server> =>
  listening((path, _, __, ___, reply) => answer(path, reply));

/** Another server with its replies changed on their way. */
export const tampering = (
  behind: string,
  change: (path: string, reply: Reply) => Reply | Promise<Reply>,
): Promise<Server> =>
  listening((path, method, body, headers, reply) => {
    const relay = async (): Promise<void> => {
      const { 'content-length': _, ...rest } = headers;
      const answer = await fetch(behind + path, {
        method,
        headers: rest,
        redirect: 'manual',
        ...(body !== '' && { body }),
      });
      const kept = [...answer.headers].filter(
        ([name]) => !/^(content-length|transfer-encoding|connection|keep-alive)$/.test(name),
      );
      const changed = await change(path, {
        status: answer.status,
        headers: Object.fromEntries(kept),
        body: await answer.text(),
      });
      reply.writeHead(changed.status, changed.headers).end(changed.body);
    };
    relay().catch(() => reply.destroy());
  });
