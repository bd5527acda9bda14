import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

import { formatted } from '../../scripts/formatted.js';
import type { Agent } from './mcp.fixture.js';
import { connectAgent } from './mcp.fixture.js';

const page = fileURLToPath(new URL('../../docs/agent-session.md', import.meta.url));

const head = `# A recorded session

A coding agent audits a client that has three bugs, with the tools of \`gamedata mcp\` alone
([how to add them](agents.md)). The client is [careless.mjs](../cli/mcp/careless.mjs): it logs in, and
reads the profile and the characters of an account. \`vitest run cli/mcp/session.test.ts -u\` records this page anew; the
test fails if it is not what the tools answer.
`;

/** What differs from run to run, and with each new requirement: what was not exercised, how soon a request was repeated, and which of two worlds ended first. */
const settled = (text: string): string =>
  text
    .replaceAll(/Not judged: \d+ not/g, 'Not judged: … not')
    .replaceAll(/the same request 0\.\d+ s after/g, 'the same request 0.0 s after')
    .replaceAll(/\((calm(?:, [a-z-]+)*)\)/g, (_, names: string) => `(${names.split(', ').toSorted().join(', ')})`);

/** An agent, and a page of what it asked and was answered. */
function recording(agent: Agent) {
  const parts = [head];
  return {
    call: async (why: string, name: string, args: Record<string, unknown>) => {
      const { text, isError } = await agent.call(name, args);
      const request = `\`\`\`json\n${JSON.stringify({ name, arguments: args })}\n\`\`\``;
      parts.push(`## ${parts.length}. ${why}\n\n${request}\n\n\`\`\`text\n${settled(text)}\n\`\`\`\n`);
      expect(isError, text).toBe(false);
      return text;
    },
    page: async () => formatted(page, parts.join('\n')),
  };
}

const client = ['node', 'careless.mjs'];
const worlds = ['forged-callback', 'restricted-once'];

it('finds three bugs of a client, explains them, and accepts the corrected client', async () => {
  await using agent = await connectAgent();
  const { call, page: written } = recording(agent);
  const calm = await call('Audit the client where nothing is out of the ordinary', 'audit_client', {
    command: client,
    worlds: [],
  });
  expect(calm).toMatch(/^Conformant/);
  const found = await call('Audit it with a forged callback and a rate limit', 'audit_client', {
    command: client,
    worlds,
  });
  const ids = [...found.matchAll(/^\d+\. (\S+) (?:MUST|MUST-RFC|SHOULD-RFC):/gm)].map(([, id = '']) => id);
  expect(ids.toSorted()).toEqual(['AUTH-PKCE-005', 'AUTH-STATE-003', 'PACE-RETRY-001']);
  for (const id of ids) expect(await call(`Ask what ${id} means`, 'explain_requirement', { id })).toContain(id);
  const corrected = await call('Audit the corrected client', 'audit_client', {
    command: [...client, '--corrected'],
    worlds,
  });
  expect(corrected).toMatch(/^Conformant/);
  await expect(await written()).toMatchFileSnapshot(page);
});
