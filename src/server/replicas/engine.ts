import { createClient } from '@redis/client';

import { SetupError } from '../../input/setup-error.js';

/** An entry of the log that all replicas share. */
export interface LogEntry {
  /** Its place, and its instant by the engine's clock: `<ms>-<number>`. */
  readonly id: string;
  /** The one batch of the one replica that it is. */
  readonly from: string;
  readonly batch: string;
}

export type Place = Pick<LogEntry, 'id' | 'from'>;

/** A state and the place in the log that it holds for, with what was counted up to there. */
export interface Kept extends Place {
  readonly requests: number;
  readonly bytes: number;
  readonly state: string;
}

export interface Exchange {
  /** Why the batch was not appended, if it was not. */
  readonly refused: Error | null;
  /** There was no log to append it to. */
  readonly isMissing: boolean;
  /** The entries from a place on, the entry of the place itself first, as long as the log has it. */
  readonly entries: readonly LogEntry[];
  /** The engine's clock, ms. */
  readonly now: number;
}

/** How many entries are read at a time. */
export const mostEntries = 200;

/** Begins a log unless there is one that can be read on from its snapshot, or from its start. */
const beginning = `
local begun = redis.call('HMGET', KEYS[1], 'id', 'settings')
local anchor = redis.call('HGET', KEYS[3], 'id') or begun[1]
if begun[1] and anchor and #redis.call('XRANGE', KEYS[2], anchor, anchor) == 1 then return { begun[1], begun[2], '' } end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
local id = redis.call('XADD', KEYS[2], '*', 'from', 'begin', 'batch', '')
redis.call('HSET', KEYS[1], 'id', id, 'settings', ARGV[1])
return { id, ARGV[1], 'new' }`;

/** Keeps a snapshot unless there is a later one, and trims the log before the one that it replaces. */
const keeping = `
local known = redis.call('HMGET', KEYS[1], 'requests', 'id')
if known[1] and tonumber(known[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'from', ARGV[2], 'requests', ARGV[3], 'bytes', ARGV[4], 'state', ARGV[5])
if known[2] then redis.call('XTRIM', KEYS[2], 'MINID', known[2]) end
return 1`;

/** A connection to Redis or Valkey. What is asked while there is none is refused at once. */
export class Engine {
  /** The address without its password. */
  readonly address: string;
  readonly #url: string;
  readonly #keys: Readonly<Record<'secret' | 'begin' | 'log' | 'snapshot', string>>;
  #client: ReturnType<typeof connection>;
  #reason = '';

  private constructor(url: string, address: string, name: string) {
    this.#url = url;
    this.address = address;
    const key = (part: string): string => `gamedata:{${name}}:${part}`;
    this.#keys = { secret: key('secret'), begin: key('begin'), log: key('log'), snapshot: key('snapshot') };
    this.#client = this.#open(false);
  }

  /** @throws SetupError for what is no address, and for an engine that does not answer there */
  static async connect(given: string): Promise<Engine> {
    const { url, address, name } = readAddress(given);
    const engine = new Engine(url, address, name);
    try {
      await engine.#client.connect();
      await engine.#client.ping();
    } catch (error) {
      engine.close();
      throw new SetupError(`store ${address}: ${hinted(error)}`);
    }
    engine.#client.destroy();
    engine.#client = engine.#open(true);
    await engine.#client.connect();
    return engine;
  }

  /** Whether there is a connection. */
  get isOpen(): boolean {
    return this.#client.isReady;
  }

  /** Why the last connection was lost. */
  get reason(): string {
    return this.#reason;
  }

  /** Ends what is under way, and connects anew. */
  reconnect(): void {
    this.#reason = 'it does not answer';
    if (this.#client.isOpen) this.#client.destroy();
    this.#client = this.#open(true);
    this.#client.connect().catch(() => {});
  }

  /**
   * In one round trip: appends a batch, if there is one, and reads the log from a place on.
   * @throws Error where the engine does not answer, or not to the reading; what was appended then is not known
   */
  async exchange(batch: { readonly from: string; readonly text: string } | null, after: string): Promise<Exchange> {
    const client = this.#client;
    const [added, entries, now] = await Promise.allSettled([
      batch && client.xAddNoMkStream(this.#keys.log, '*', { from: batch.from, batch: batch.text }),
      client.xRange(this.#keys.log, after, '+', { COUNT: mostEntries + 1 }),
      client.time(),
    ]);
    if (entries.status === 'rejected') throw asError(entries.reason);
    if (now.status === 'rejected') throw asError(now.reason);
    const refused = added.status === 'rejected' ? asError(added.reason) : null;
    // An error that is no reply leaves open what became of the batch.
    if (refused && !isReply(refused)) throw refused;
    const [seconds, microseconds] = now.value;
    return {
      refused,
      isMissing: batch !== null && added.status === 'fulfilled' && added.value === null,
      entries: (entries.value ?? []).map(({ id, message: { from = '', batch: text = '' } }) => ({
        id,
        from,
        batch: text,
      })),
      now: Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000),
    };
  }

  /** The secret that all replicas share: the one given, unless there is one already. */
  async secret(own: string): Promise<string> {
    await this.#client.set(this.#keys.secret, own, { condition: 'NX' });
    return (await this.#client.get(this.#keys.secret)) ?? own;
  }

  /** Where the log begins, and the settings of who began it: those given, unless there is a log already. */
  async begin(settings: string): Promise<{ readonly id: string; readonly settings: string; readonly isNew: boolean }> {
    const { begin, log, snapshot } = this.#keys;
    const reply = await this.#client.eval(beginning, { keys: [begin, log, snapshot], arguments: [settings] });
    const [id = '', known = '', made = ''] = reply as string[];
    return { id, settings: known, isNew: made !== '' };
  }

  async kept(): Promise<Kept | null> {
    const { id, from, requests, bytes, state } = await this.#client.hGetAll(this.#keys.snapshot);
    if (id === undefined || from === undefined || state === undefined) return null;
    return { id, from, requests: Number(requests), bytes: Number(bytes), state };
  }

  async keep({ id, from, requests, bytes, state }: Kept): Promise<void> {
    const { snapshot, log } = this.#keys;
    await this.#client.eval(keeping, {
      keys: [snapshot, log],
      arguments: [id, from, String(requests), String(bytes), state],
    });
  }

  /** In what the engine may lose what it was told, in words. Nothing where it says nothing of it. */
  async risks(): Promise<string[]> {
    const info = await this.#client.info().catch(() => '');
    const read = (name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
    const risks: string[] = [];
    if (read('aof_enabled') === '0')
      risks.push('keeps no append-only file: what it was told is lost when it ends (appendonly yes keeps it)');
    const policy = read('maxmemory_policy');
    if (policy.startsWith('allkeys') && read('maxmemory') !== '0')
      risks.push(
        `evicts keys when it is full (maxmemory-policy ${policy}): tokens may be lost (noeviction keeps them)`,
      );
    return risks;
  }

  close(): void {
    if (this.#client.isOpen) this.#client.destroy();
  }

  #open(persistent: boolean): ReturnType<typeof connection> {
    const client = connection(this.#url, persistent);
    client.on('error', (error: unknown) => (this.#reason = wordsOf(error)));
    return client;
  }
}

const connection = (url: string, persistent: boolean) =>
  createClient({
    url,
    disableOfflineQueue: true,
    // How long the engine may take is for the order to say, which connects anew: its own timers cost reads a tenth.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: 5000,
      reconnectStrategy: (retries) => (persistent ? Math.min(50 * 2 ** Math.min(retries, 5), 1000) : false),
    },
  });

function readAddress(given: string): { url: string; address: string; name: string } {
  const form = 'write it like redis://127.0.0.1:6379, with ?name=... for one of several mocks on an engine';
  // An address may have a password in it, and one that cannot be parsed has it who knows where: it is not repeated.
  if (!URL.canParse(given)) throw new SetupError(`store: what was given is not a URL; ${form}`);
  const url = new URL(given);
  const name = url.searchParams.get('name') ?? 'mock';
  const stray = [...url.searchParams.keys()].find((key) => key !== 'name');
  if (!['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '' || !/^(\/\d*)?$/.test(url.pathname) || stray)
    throw new SetupError(`store: this is no address of Redis or Valkey; ${form}`);
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name))
    throw new SetupError('store: name takes letters, digits, _ . and -, 64 at most');
  url.search = '';
  const whole = url.toString();
  url.username = url.password = '';
  return { url: whole, address: url.toString(), name };
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

/** Whether an error is the engine's own word: in capitals, as `OOM` or `NOAUTH`. */
const isReply = ({ message }: Error): boolean => /^[A-Z]{3,} /.test(message);

const wordsOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code ?? message) || String(error);
};

function hinted(error: unknown): string {
  const words = wordsOf(error);
  if (/WRONGPASS|NOAUTH|NOPERM/.test(words))
    return `refuses this user or password (${words}); write them as redis://user:password@host`;
  return `cannot be reached (${words}); start Redis or Valkey there, or give another address`;
}
