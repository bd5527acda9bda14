import { Command } from 'commander';

const closing = `
A coding agent starts this command and speaks the Model Context Protocol with it. When its input ends, it stops what it
started. skills/gamedata/SKILL.md of the package tells an agent how to work with the tools.

Example:
  gamedata mcp     what the configuration of an agent starts: { "command": "npx", "args": ["gamedata", "mcp"] }`;

/** `gamedata mcp`. The server is loaded when it is started. */
export function mcpCommand(): Command {
  return new Command('mcp').addHelpText('after', closing).action(async () => {
    const { serveAgents } = await import('./mcp/serve.js');
    await serveAgents();
  });
}
