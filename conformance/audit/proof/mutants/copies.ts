import { storing, storingMutants } from '../copies/storing.js';
import type { Design, Steps } from '../copies/storing.js';

/** Designs in which each copy refreshes by itself. */
const each = ['file', 'lock', 'keyring', 'table'] as const satisfies readonly Design[];

const unlocked: Steps = { locked: '(c, work) => work()' };
const again = "c.tokenRequest({ grant_type: 'refresh_token', refresh_token: before.refresh_token })";

/** The mistakes that every design can have, by the row that must blame them. */
const mistakes: Readonly<Record<`COPY-${string}`, readonly [steps: Steps, ...worlds: readonly string[]]>> = {
  'COPY-CONSENT-001 asks: asks the user as soon as a refresh is refused': [
    { ...unlocked, refused: '(c) => c.login()' },
    'two-at-once',
  ],
  'COPY-STORED-001 logs-out: takes a refusal for the end, and throws the login of all copies away': [
    { ...unlocked, refused: "(c) => { c.forget(c.load() ?? {}); throw new Error('you are logged out'); }" },
    'two-at-once',
  ],
  'COPY-USED-001 sends-again: sends the used refresh token once more at its end': [
    { run: `async (c) => { const before = c.load(); await original.run(); if (before) await ${again}; }` },
    'two-at-once',
  ],
  'COPY-NEED-001 each-in-turn: refreshes in each copy, one after the other': [
    {
      renew: '(c) => c.sleep(Number(process.env.GAMEDATA_COPY) * 900).then(() => c.locked(() => c.refresh(c.load())))',
    },
    'two-at-once',
  ],
  'COPY-STORM-001 loops: sends the refused refresh token nine times': [
    {
      ...unlocked,
      refused: `async (c, before) => { for (let n = 0; n < 9; n += 1) await ${again}; throw new Error('try again'); }`,
    },
    'two-at-once',
  ],
  'COPY-THROUGH-001 silent: ends without a word when its refresh is refused': [
    { ...unlocked, refused: '() => process.exit(1)' },
    'two-at-once',
  ],
  'COPY-THROUGH-001 crashes: does not expect a refusal': [
    { ...unlocked, refused: '() => undefined.access_token' },
    'woken-together',
  ],
};

const writesBack: Steps = {
  run: '(c) => { const held = c.load(); return original.run().then(() => held && c.save(held)); }',
};

const common = each.flatMap((design) =>
  storingMutants(
    Object.fromEntries(
      Object.entries(mistakes).map(([text, [steps, ...worlds]]) => {
        const [row = '', id = '', ...does] = text.split(' ');
        return [`${row} ${design}-${id} ${does.join(' ')} (${design})`, storing(design, steps, ...worlds)];
      }),
    ),
  ),
);

const inPlace: Steps = { save: '(c, tokens) => fs.writeFileSync(c.path(), JSON.stringify(tokens))' };
const strict: Steps = {
  ...inPlace,
  load: "(c) => (fs.existsSync(c.path()) ? JSON.parse(fs.readFileSync(c.path(), 'utf8')) : undefined)",
};
const readsFirst: Steps = { renew: '(c) => { const held = c.load(); return c.locked(() => c.refresh(held)); }' };

/** Several copies of a client at once, each a process, over five designs of storage. */
export const copies = [
  ...common,
  ...storingMutants({
    'COPY-STORED-001 file-writes-back: stores at its end what it had read at its start (file)': storing(
      'file',
      writesBack,
      'two-at-once',
    ),
    'COPY-USED-001 lock-writes-back: stores at its end what it had read at its start (lock)': storing(
      'lock',
      writesBack,
      'two-at-once',
    ),
    'COPY-USED-001 keyring-writes-back: stores at its end what it had read at its start (keyring)': storing(
      'keyring',
      writesBack,
      'two-at-once',
    ),
    'COPY-USED-001 table-writes-back: stores at its end what it had read at its start (table)': storing(
      'table',
      writesBack,
      'two-at-once',
    ),
    'COPY-THROUGH-001 torn-crash: writes its file in place, and crashes on a part of it': storing(
      'file',
      strict,
      'torn-store',
    ),
    'COPY-STORED-001 torn-for-ever: writes its file in place, and never gets over a part of it': storing(
      'lock',
      strict,
      'torn-store',
    ),
    'COPY-CONSENT-001 late-asks: asks the user while the reply of another copy is on its way': storing(
      'file',
      {
        adopt: '(c, held) => original.adopt(held, 3)',
        refused: '(c, held) => c.adopt(held).then((next) => next ?? c.login())',
      },
      'one-refreshes-late',
    ),
    'COPY-STORED-001 stale-lock: does not take the lock of a process that was killed': storing(
      'lock',
      { isStale: '() => false', lockWait: '() => 2500' },
      'killed-between',
    ),
    'COPY-CONSENT-001 lock-reads-first: reads its login before it has the lock': storing(
      'lock',
      readsFirst,
      'woken-together',
    ),
    'COPY-CONSENT-001 keyring-reads-first: reads its entry before it has the lock': storing(
      'keyring',
      readsFirst,
      'woken-together',
    ),
    'COPY-CONSENT-001 table-reads-first: reads its row before its transaction': storing(
      'table',
      readsFirst,
      'woken-together',
    ),
    'COPY-USED-001 table-first-row: reads the row of its first login': storing(
      'table',
      { load: "(c) => (c.newest() ? JSON.parse(fs.readFileSync(c.path('row-1'))) : undefined)" },
      'two-at-once',
    ),
    'COPY-CONSENT-001 all-ask: asks in each copy when the grant has ended': storing(
      'lock',
      { refused: '(c, held) => c.login()', ...readsFirst },
      'second-login',
    ),
    'COPY-NEED-001 daemon-each: refreshes for each copy that was refused': storing(
      'daemon',
      { grant: '(c, rejected) => (rejected ? c.refresh(c.load()) : c.load() ?? c.login())' },
      'woken-together',
    ),
    'COPY-STORED-001 daemon-memory: keeps its login in memory': storing(
      'daemon',
      { save: '(c, tokens) => void (c.held = tokens)', load: '(c) => c.held' },
      'two-at-once',
    ),
    'COPY-USED-001 daemon-old: stores its first login alone': storing(
      'daemon',
      {
        save: '(c, tokens) => { if (!fs.existsSync(c.path())) original.save(tokens); c.held = tokens; }',
        load: '(c) => c.held ?? original.load()',
      },
      'two-at-once',
    ),
    'COPY-STORM-001 daemon-storm: tries a refused refresh token again and again': storing(
      'daemon',
      { refused: `async (c, before) => { for (let n = 0; n < 9; n += 1) await ${again}; return c.login(); }` },
      'second-login',
    ),
    'COPY-THROUGH-001 daemon-silent: says nothing when its helper process has gone': storing(
      'daemon',
      {
        grant: '(c, rejected) => (rejected ? process.exit() : c.load() ?? c.login())',
        ask: '(c, rejected) => original.ask(rejected).catch(() => process.exit(1))',
      },
      'two-at-once',
    ),
  }),
];
