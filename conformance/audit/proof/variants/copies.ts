import { copies as copyWorlds } from '../../worlds/copies.js';
import { storing, storingVariants } from '../copies/storing.js';
import type { Design, Storing, Steps } from '../copies/storing.js';

const everywhere = (design: Design, steps: Steps = {}): Storing =>
  storing(design, steps, ...copyWorlds.map(({ id }) => id));

const perCopy: Steps = { path: "(c, name = 'tokens.json') => original.path(`${process.env.GAMEDATA_COPY}-${name}`)" };

/** Conforming clients whose copies run at once. */
export const copies = storingVariants({
  'file-adopts: has no lock, and adopts what another copy stored when its refresh is refused': everywhere('file'),
  'file-lock: refreshes under a lock, and reads its store again there': everywhere('lock'),
  'keyring: keeps an entry of a keyring, under a lock': everywhere('keyring'),
  'table: inserts a row for each login, one copy at a time': everywhere('table'),
  'daemon: has one process that gives access tokens to all copies': everywhere('daemon'),
  'login-per-copy: has a login for each copy': everywhere('lock', perCopy),
  'login-per-copy-file: has a file for each copy, without a lock': everywhere('file', perCopy),
  'whole-run-lock: runs one copy at a time': everywhere('lock', {
    run: '(c) => c.locked(() => { c.locked = (work) => work(); return original.run(); })',
  }),
  'one-wins: ends with a message where another copy is at work': everywhere('lock', { lockWait: '() => 300' }),
  'in-place: writes its file in place, and takes a part of it for no login': everywhere('lock', {
    save: '(c, tokens) => fs.writeFileSync(c.path(), JSON.stringify(tokens), { mode: 0o600 })',
  }),
  'says-so: ends with a message when its login has ended, and leaves the store alone': everywhere('lock', {
    refused: "(c, held) => { c.forget(held); throw new Error('log in again'); }",
  }),
  'early: refreshes an hour before the end': everywhere('lock', {
    isEnding: '(c, { ends }) => Date.now() > ends - 3_600_000',
  }),
  'patient: waits longer for what another copy stores': everywhere('file', {
    adopt: '(c, held) => original.adopt(held, 80)',
  }),
  'closed-folder: writes its file as files are written, into a folder that is closed to others': storing('file', {
    path: '(c, ...given) => (fs.mkdirSync(`${process.env.GAMEDATA_STATE}/own`, { recursive: true, mode: 0o700 }), original.path(...given).replace(/([^/]+)$/, "own/$1"))',
    save: '(c, tokens) => fs.writeFileSync(c.path(), JSON.stringify(tokens))',
  }),
  'reads-twice: looks at its store before each request': everywhere('keyring', {
    tokens: 'async (c) => (c.load(), original.tokens())',
  }),
  'tries-twice: sends a refused refresh token once more before it gives up': everywhere('file', {
    refused:
      "async (c, held) => { await c.sleep(200); await c.tokenRequest({ grant_type: 'refresh_token', refresh_token: held.refresh_token }); return original.refused(held); }",
  }),
  'daemon-says-so: has a helper process that does not log in by itself when its login has ended': everywhere('daemon', {
    refused: "(c, held) => { c.forget(held); throw new Error('log in again'); }",
  }),
});
