import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { fileURLToPath } from 'node:url';

import { command } from '../../src/command.fixture.js';
import { cleanEnvironment } from '../verify.fixture.js';

interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** A coding agent that is connected to `gamedata mcp` over stdio. */
export interface Agent extends AsyncDisposable {
  readonly client: Client;
  /** Process id of the server. */
  readonly pid: number;
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
}

/** Starts the server in this folder, so that a client in it has a short name. */
export async function connectAgent(): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...command, 'mcp'],
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: cleanEnvironment(),
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test agent', version: '1' });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (name, args = {}) => {
      const { content, isError = false } = (await client.callTool({ name, arguments: args }, undefined, {
        timeout: 100_000,
      })) as CallToolResult;
      return { text: content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n'), isError };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
