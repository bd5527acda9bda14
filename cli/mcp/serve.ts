import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

import { complain } from '../output.js';
import { packageVersion } from '../version.js';
import { auditTool } from './audit-tool.js';
import { explainTool } from './explain.js';
import { linkTool } from './link-tool.js';
import { mockTools } from './mock-tools.js';
import { registerResources } from './resources.js';
import { Session } from './session.js';

const instructions = `Develop clients of the Game Data Developer Interface (OAuth 2.0 and a JSON API of a game).
start_mock serves it on this machine; audit_client runs a client against it and names the requirements it violates;
explain_requirement says what each of them asks. The resource gamedata://contract is the OpenAPI description.`;

/**
 * Serves coding agents over standard input and output until the input ends, nobody reads the output or a signal comes;
 * then stops what the tools started. Standard output belongs to the protocol.
 */
export async function serveAgents(): Promise<void> {
  const session = new Session();
  const server = new McpServer({ name: 'gamedata', version: packageVersion() }, { instructions });
  for (const register of [...mockTools, auditTool, explainTool, linkTool]) register(server, session);
  registerResources(server);
  // oxlint-disable-next-line prefer-add-event-listener -- the only way that the SDK has
  server.server.onerror = ({ message }) => complain(`mcp: ${message.split('\n', 1)[0]}`);
  const ended = new Promise<void>((done) => {
    const stop = (): void => done();
    process.stdin.once('end', stop).once('close', stop).once('error', stop);
    process.stdout.once('error', stop);
    process.once('SIGINT', stop).once('SIGTERM', stop);
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await session.close();
  await server.close();
}
