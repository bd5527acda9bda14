import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';

import { auditLedger } from '../../conformance/audit/ledger.js';
import { ledger } from '../../conformance/ledger.gen.js';
import { nearest } from '../../src/input/nearest.js';
import { operationList } from '../../src/contract/index.js';
import { textFile } from '../../src/input/file.js';
import { packageFile } from '../../src/input/package.js';
import { listWorlds } from '../audit-run.js';

/** Parts of the contract, by operation and by schema: the whole is large. */
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

const contractFile = (name: string): string => textFile(packageFile('dist', 'openapi', name), 'the contract');

const contract = (): Contract => JSON.parse(contractFile('openapi.json')) as Contract;

const lines = (rows: readonly { readonly id: string; readonly level: string; readonly text: string }[]): string =>
  rows.map(({ id, level, text }) => `${id} ${level}: ${text}\n`).join('');

/** The contract, whole and in parts, and the requirements of clients and servers. */
export function registerResources(server: McpServer): void {
  const text = (name: string, uri: string, mimeType: string, description: string, read: () => string): void =>
    void server.registerResource(name, uri, { mimeType, description }, () => ({
      contents: [{ uri, mimeType, text: read() }],
    }));
  text('contract', 'gamedata://contract', 'application/yaml', 'The OpenAPI 3.1 description, whole: 350 KB.', () =>
    contractFile('openapi.yaml'),
  );
  text('client requirements', 'gamedata://requirements/client', 'text/plain', 'What a client is judged by.', () =>
    lines(auditLedger.map(({ sentence, ...row }) => ({ ...row, text: sentence }))),
  );
  text('server requirements', 'gamedata://requirements/server', 'text/plain', 'What a server is judged by.', () =>
    lines(ledger.map(({ statement, ...row }) => ({ ...row, text: statement }))),
  );
  text('worlds', 'gamedata://worlds', 'text/plain', 'The worlds that audit_client runs a client in.', listWorlds);
  const operations = operationList.map(({ id }) => id as string);
  part(server, 'operation', 'gamedata://contract/operations/{name}', operations, (name) => {
    const { method, path } = operationList.find(({ id }) => id === name)!;
    return { [path]: { [method.toLowerCase()]: contract().paths[path]?.[method.toLowerCase()] } };
  });
  const schemas = Object.keys(contract().components.schemas);
  part(server, 'schema', 'gamedata://contract/schemas/{name}', schemas, (name) => ({
    [name]: contract().components.schemas[name],
  }));
}

function part(
  server: McpServer,
  what: string,
  template: string,
  names: readonly string[],
  read: (name: string) => unknown,
): void {
  const mimeType = 'application/json';
  const complete = { name: (begin: string) => names.filter((name) => name.startsWith(begin)) };
  server.registerResource(
    what,
    new ResourceTemplate(template, { list: undefined, complete }),
    { mimeType, description: `One ${what} of the contract.` },
    (uri, variables) => {
      const name = String(variables['name']);
      if (!names.includes(name)) {
        const near = nearest(name, names);
        const remedy = near === undefined ? 'the resource gamedata://contract has them all' : `did you mean ${near}?`;
        throw new McpError(ErrorCode.InvalidParams, `no ${what} ${name}; ${remedy}`);
      }
      return { contents: [{ uri: uri.href, mimeType, text: JSON.stringify(read(name), undefined, 2) }] };
    },
  );
}
