import { createHmac } from 'node:crypto';
import { createClient } from '@redis/client';

import { readAddress } from './address.js';
import { appending, beginning, keeping, sharing } from './lua.js';
import { StoreTrouble } from './trouble.js';

/** An entry of the log that all replicas share. */
export interface LogEntry {
  /** Its place, and its instant by the engine's clock: `<ms>-<number>`. */
  readonly id: string;
  /** The one batch of the one replica that it is. */
  readonly from: string;
  readonly batch: string;
  /** What a replica of this mock marks it with. */
  readonly mark: string;
}

export type Place = Pick<LogEntry, 'id' | 'from'>;

/** A state and the place in the log that it holds for, with what was counted up to there. */
export interface Checkpoint extends Place {
  readonly requests: number;
  readonly bytes: number;
  readonly state: string;
}

/** What is appended, and whether even to a full engine: what is carried out then gives room. */
export interface Appended {
  readonly from: string;
  readonly text: string;
  readonly frees: boolean;
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

/** A connection to Redis or Valkey. What is asked while there is none is refused at once. */
export class Engine {
  /** The address without its password. */
  readonly address: string;
  readonly #url: string;
  readonly #keys: Readonly<Record<'secret' | 'begin' | 'log' | 'snapshot', string>>;
  #client: ReturnType<typeof connection>;
  #reason = '';
  #secret = '';

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
      throw new StoreTrouble(address, ...hinted(error));
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
  async exchange(batch: Appended | null, after: string): Promise<Exchange> {
    const client = this.#client;
    const [added, entries, now] = await Promise.allSettled([
      batch && this.#append(batch),
      client.xRange(this.#keys.log, after, '+', { COUNT: mostEntries + 1 }),
      client.time(),
    ]);
    if (entries.status === 'rejected') throw this.#trouble(entries.reason);
    if (now.status === 'rejected') throw this.#trouble(now.reason);
    const refused = added.status === 'rejected' ? asError(added.reason) : null;
    // An error that is no reply leaves open what became of the batch.
    if (refused && !isReply(refused)) throw this.#trouble(refused);
    const [seconds, microseconds] = now.value;
    return {
      refused,
      isMissing: batch !== null && added.status === 'fulfilled' && added.value === null,
      entries: (entries.value ?? []).map(({ id, message: { from = '', batch: text = '', mark = '' } }) => ({
        id,
        from,
        batch: text,
        mark,
      })),
      now: Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000),
    };
  }

  /** @throws StoreTrouble for an entry of the log that no replica of this mock has appended */
  checkEntry({ id, from, batch, mark }: LogEntry): void {
    if (mark !== this.#markOf(from, batch)) throw this.#foreign(`the entry ${id} of the log`);
  }

  /**
   * The secret that all replicas share: the one given, unless there is one already. From here on what is written is marked
   * with it. @throws StoreTrouble where there is something else in its place, or another secret than this replica began with
   */
  async secret(own: string): Promise<string> {
    const shared = await this.#asked(this.#client.eval(sharing, { keys: [this.#keys.secret], arguments: [own] }));
    if (typeof shared !== 'string' || !/^[0-9a-f]{64}$/.test(shared)) throw this.#foreign(this.#keys.secret);
    if (this.#secret !== '' && this.#secret !== shared)
      throw new StoreTrouble(this.address, 'the mock there has been begun anew', 'start this replica anew too', true);
    this.#secret = shared;
    return shared;
  }

  /** Where the log begins, and the settings of who began it: those given, unless there is a log already. */
  async begin(settings: string): Promise<{ readonly id: string; readonly settings: string; readonly isNew: boolean }> {
    const { begin, log, snapshot } = this.#keys;
    const reply = await this.#asked(
      this.#client.eval(beginning, { keys: [begin, log, snapshot], arguments: [settings] }),
    );
    const [id = '', known, made = ''] = reply as (string | null)[];
    if (id === null || !isPlace(id) || !isObject(known)) throw this.#foreign(begin);
    return { id, settings: known, isNew: made !== '' };
  }

  /** @throws StoreTrouble for a snapshot that no replica of this mock has kept */
  async kept(): Promise<Checkpoint | null> {
    const { snapshot } = this.#keys;
    const held = await this.#asked(this.#client.hGetAll(snapshot));
    if (Object.keys(held).length === 0) return null;
    const { id = '', from = '', requests = '', bytes = '', state = '', mark } = held;
    if (mark !== this.#markOf(id, from, requests, bytes, state)) throw this.#foreign(snapshot);
    return { id, from, requests: Number(requests), bytes: Number(bytes), state };
  }

  /** `whole` trims the log up to the snapshot, so that replicas that are behind begin again from it. */
  async keep({ id, from, requests, bytes, state }: Checkpoint, whole: boolean): Promise<void> {
    const { snapshot, log } = this.#keys;
    const texts = [id, from, String(requests), String(bytes), state];
    await this.#asked(
      this.#client.eval(keeping, {
        keys: [snapshot, log],
        arguments: [...texts, this.#markOf(...texts), whole ? 'whole' : ''],
      }),
    );
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

  #append({ from, text, frees }: Appended): Promise<unknown> {
    const { log } = this.#keys;
    const mark = this.#markOf(from, text);
    return frees
      ? this.#client.eval(appending, { keys: [log], arguments: [from, text, mark] })
      : this.#client.xAddNoMkStream(log, '*', { from, batch: text, mark });
  }

  #markOf(...texts: readonly string[]): string {
    const hash = createHmac('sha256', this.#secret);
    for (const text of texts) hash.update(`${text.length} `).update(text);
    return hash.digest('base64url');
  }

  async #asked<R>(question: Promise<R>): Promise<R> {
    try {
      return await question;
    } catch (error) {
      throw this.#trouble(error);
    }
  }

  #trouble(error: unknown): StoreTrouble {
    if (/WRONGTYPE/.test(wordsOf(error))) return this.#foreign('one of its keys (WRONGTYPE)');
    return new StoreTrouble(this.address, ...hinted(error));
  }

  #foreign(what: string): StoreTrouble {
    const { begin } = this.#keys;
    const reason = `${what} is not what a replica of this mock has written`;
    const remedy = `choose another name (?name=...), or delete the keys ${begin.replace(/begin$/, '*')} to begin anew`;
    return new StoreTrouble(this.address, reason, remedy, true);
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

const isPlace = (id: string): boolean => /^\d+-\d+$/.test(id);

function isObject(text: string | null | undefined): text is string {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

/** Whether an error is the engine's own word: in capitals, as `OOM` or `NOAUTH`. */
const isReply = ({ message }: Error): boolean => /^[A-Z]{3,} /.test(message);

const wordsOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code ?? message) || String(error);
};

/** What is wrong with an engine by its error, and the remedy. */
function hinted(error: unknown): [reason: string, remedy: string] {
  const words = wordsOf(error);
  if (/WRONGPASS|NOAUTH|NOPERM/.test(words))
    return [`refuses this user or password (${words})`, 'write them as redis://user:password@host'];
  if (words.startsWith('OOM')) return [`is full (${words})`, 'give it more memory (maxmemory)'];
  if (isReply(asError(error))) return [`refuses this (${words})`, 'see that it is Redis 7 or Valkey, and writable'];
  return [`cannot be reached (${words})`, 'start Redis or Valkey there, or give another address'];
}
