import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Makes a folder and those around it. One level after the other, because Node's recursive mkdir never ends where a file
 * system denies that there is a parent, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(resolve(path));
  if (parent !== resolve(path)) await makeFolder(parent);
  await mkdir(path).catch(async (error: unknown) => {
    if (!(await isFolder(path))) throw error;
  });
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/**
 * Makes the folder of the reports and tries it: a file can be written there, and what the reports replace or need can be
 * written too. Gives what cannot, in a line with the path and the remedy.
 */
export async function tryFolder(
  folder: string,
  { files, folders }: { readonly files: readonly string[]; readonly folders: readonly string[] },
): Promise<string | undefined> {
  const trial = join(folder, `.${randomUUID()}`);
  const steps: readonly (readonly [path: string, act: () => Promise<void>])[] = [
    [folder, () => makeFolder(folder)],
    [folder, () => opened(trial, 'wx', 'trial').finally(() => rm(trial, { force: true }))],
    ...files.map((name) => [join(folder, name), () => unlessMissing(opened(join(folder, name), 'r+'))] as const),
    ...folders.map((name) => [join(folder, name), () => unlessMissing(readdir(join(folder, name)))] as const),
  ];
  for (const [path, act] of steps) {
    const error = await act().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    if (error) return unwritable(folder, path, error);
  }
  return undefined;
}

async function opened(path: string, flags: string, text?: string): Promise<void> {
  const file = await open(path, flags);
  try {
    if (text !== undefined) await file.writeFile(text);
  } finally {
    await file.close();
  }
}

async function unlessMissing(act: Promise<unknown>): Promise<void> {
  await act.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Why a path below the folder of the reports cannot be written, and the remedy. */
export function unwritable(folder: string, path: string, error: NodeJS.ErrnoException): string {
  const code = error.code ?? error.message;
  if (path === folder && (code === 'EEXIST' || code === 'ENOTDIR'))
    return `--report ${folder}: not a folder; name a writable folder`;
  return `--report ${folder}: ${path} cannot be written (${code}); ${remedies[code] ?? (error.code ? 'name another folder' : 'please report this')}`;
}

const inTheWay = 'something else has that name; move it, or name another folder';
const closed = 'name a folder that you can write to';
const full = 'free space on that disk, or name a folder on another disk';

const remedies: Readonly<Record<string, string>> = {
  EEXIST: inTheWay,
  ENOTDIR: inTheWay,
  EISDIR: inTheWay,
  ENOENT: 'no folder can be created there; name another one',
  EACCES: closed,
  EPERM: closed,
  EROFS: closed,
  ENOSPC: full,
  EDQUOT: full,
};
