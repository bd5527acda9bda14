import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';

import { visible } from '../../conformance/text.js';
import { wordsOf } from '../crash.js';
import type { Session } from './session.js';

/** The call that a tool serves: its cancellation, and where progress is told. */
export type ToolCall = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Puts a tool on a server. */
export type Register = (server: McpServer, session: Session) => void;

interface Tool<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly description: string;
  /** Its arguments; others are refused. */
  readonly input: Shape;
  /** What it found, and the next step. */
  readonly run: (args: z.infer<z.ZodObject<Shape>>, session: Session, call: ToolCall) => Promise<Answer> | Answer;
}

interface Answer {
  /** What the tool found, in a few lines. */
  readonly text: string;
  /** What to do next, in a sentence. */
  readonly next: string;
}

/** Errors whose message tells the caller what to change. */
const ours = new Set(['UsageError', 'SetupError', 'TreeLinkError', 'FixtureError', 'MockCallError']);

/** A tool whose result is short and ends in the next step. What the caller can fix comes back as an error with the remedy. */
export function tool<Shape extends z.ZodRawShape>({ name, description, input, run }: Tool<Shape>): Register {
  return (server, session) =>
    void server.registerTool<z.ZodRawShape, z.ZodObject>(
      name,
      { description, inputSchema: z.strictObject(input) },
      async (args, call): Promise<CallToolResult> => {
        try {
          const { text, next } = await run(args as z.infer<z.ZodObject<Shape>>, session, call);
          return { content: [{ type: 'text', text: visible(`${text}\n\nNext: ${next}`) }] };
        } catch (error) {
          const isOurs = error instanceof Error && ours.has(error.name);
          const text = isOurs ? error.message : `${name} crashed (${wordsOf(error)}); please report it`;
          return { content: [{ type: 'text', text: visible(text) }], isError: true };
        }
      },
    );
}
