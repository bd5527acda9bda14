import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  closeSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, relative, sep } from 'node:path';

/** Names under which programs look for a browser. */
const names = [
  'xdg-open',
  'open',
  'sensible-browser',
  'x-www-browser',
  'www-browser',
  'gnome-open',
  'kde-open',
  'wslview',
];

/** Characters of an address: what desktop browsers take is shorter. */
const mostOfUrl = 64 * 1024;

/** A browser for a command: a script that hands the address to us and ends at once, as desktop launchers do. */
export interface BrowserCommand {
  /** `BROWSER` and `PATH`, and a folder of its own for what the client stores. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the client has stored something. */
  stored(): boolean;
  /** The files below that folder in which one of these texts stands. */
  holding(texts: readonly string[]): readonly string[];
  /** Whether a file below that folder can be read by every user who gets as far as the folder. */
  isOpen(file: string): boolean;
  close(): Promise<void>;
}

const script = (port: number): string => `#!${process.execPath}
const url = process.argv.slice(2).find((word) => /^https?:/.test(word));
const headers = { 'x-copy': process.env.GAMEDATA_COPY ?? '' };
const request = require('node:http').request({ host: '127.0.0.1', port: ${port}, method: 'POST', headers });
request.on('error', () => process.exit(1)).on('response', (answer) => answer.resume().on('end', () => process.exit(0)));
request.end(url ?? '');
`;

/** Removes a folder, whatever a client has made in it: also folders that nobody may read, and files as they come. */
export function removeFolder(folder: string): void {
  const again = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 };
  try {
    rmSync(folder, again);
  } catch {
    openFolders(folder);
    rmSync(folder, again);
  }
}

function openFolders(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
}

/** Makes the scripts and listens for what they hand over: an address, and the copy of the client that opens it. */
export async function browserCommand(open: (url: string, copy: number | undefined) => void): Promise<BrowserCommand> {
  const folder = mkdtempSync(join(tmpdir(), 'gamedata-audit-'));
  const state = join(folder, 'state');
  mkdirSync(state);
  const server = createServer((req, res) => {
    let url = '';
    req.setEncoding('utf8').on('data', (part: string) => {
      if (url.length <= mostOfUrl) url += part;
    });
    req.on('end', () => {
      res.end();
      const copy = Number(req.headers['x-copy']);
      if (url !== '' && url.length <= mostOfUrl) open(url, copy > 0 ? copy : undefined);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  for (const name of names) {
    // A folder with a package.json that says "module" would have the script read as one.
    writeFileSync(join(folder, name), script(port));
    chmodSync(join(folder, name), 0o755);
  }
  return {
    environment: {
      BROWSER: join(folder, 'xdg-open'),
      PATH: `${folder}${delimiter}${process.env.PATH ?? ''}`,
      DISPLAY: process.env.DISPLAY ?? ':0',
      GAMEDATA_STATE: state,
    },
    stored: () => readdirSync(state).length > 0,
    holding: (texts) =>
      filesIn(state)
        .filter(({ content }) => texts.some((text) => content.includes(text)))
        .map(({ path }) => relative(state, path)),
    isOpen: (file) => isOpen(state, file),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      removeFolder(folder);
    },
  };
}

/** Whether others may read a file, and enter each folder on the way to it. */
function isOpen(folder: string, file: string): boolean {
  const others = (path: string): number => statSync(path).mode & 0o007;
  try {
    const names = file.split(sep).slice(0, -1);
    const folders = names.map((_, index) => join(folder, ...names.slice(0, index + 1)));
    return (others(join(folder, file)) & 0o4) !== 0 && [folder, ...folders].every((one) => (others(one) & 0o1) !== 0);
  } catch {
    return false;
  }
}

/** What is read of what a client stores: so many files, and none of more bytes. */
const bounds = { files: 64, bytes: 1024 * 1024 };

/** The files below a folder, without those that are large or cannot be read. */
function filesIn(folder: string): { path: string; content: Buffer }[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.slice(0, bounds.files).flatMap(({ parentPath, name }) => {
    const path = join(parentPath, name);
    try {
      const { size } = statSync(path);
      if (size > bounds.bytes) return [];
      const file = openSync(path, 'r');
      try {
        const content = Buffer.alloc(size);
        return [{ path, content: content.subarray(0, readSync(file, content)) }];
      } finally {
        closeSync(file);
      }
    } catch {
      return [];
    }
  });
}
