import type { Call, History, Reply, Verb } from './history.js';

/** A call with the text of the code or token that it presents. */
export interface Asked {
  readonly verb: Verb;
  readonly text?: string;
}

/** What a reply said, with the texts that it gave: a code, or an access token and a refresh token. */
export type Answered = Exclude<Reply, object> | { readonly issued: readonly string[] };

/** Sends a call. Undefined, or a rejection: nobody knows whether it was done. */
export type Send = (asked: Asked, caller: number) => Promise<Answered | undefined>;

/** Sends calls so that the server has all of them whole at the same moment. */
export type SendAtOnce = (asked: readonly Asked[]) => Promise<readonly (Answered | undefined)[]>;

/**
 * Records what callers see of one grant, by one clock: a call from before it is sent until its reply is complete. Codes and
 * tokens are called by names, so that a history holds no secret.
 */
export class Recorder {
  readonly #calls: Call[] = [];
  readonly #names = new Map<string, string>();
  /** Texts of tokens, oldest first. */
  readonly access: string[] = [];
  readonly refresh: string[] = [];
  code: string | undefined;

  constructor(
    readonly send: Send,
    /** Milliseconds. */
    readonly clock: () => number = () => performance.now(),
    readonly sendAtOnce?: SendAtOnce,
  ) {}

  /** What was recorded so far. Calls that are under way are not in it. */
  get history(): History {
    return { calls: [...this.#calls] };
  }

  async call(caller: number, asked: Asked, { settled = false } = {}): Promise<Answered | undefined> {
    const sent = this.clock();
    const answered = await this.send(asked, caller).catch(() => undefined);
    this.take({ caller, sent, ended: this.clock(), settled }, asked, answered);
    return answered;
  }

  /** Calls of all callers, by their places, at the same moment; each by itself where nothing sends so. */
  async callAtOnce(asked: readonly Asked[]): Promise<void> {
    if (!this.sendAtOnce) {
      await Promise.all(asked.map((one, caller) => this.call(caller, one)));
      return;
    }
    const sent = this.clock();
    const answered = await this.sendAtOnce(asked).catch((): readonly undefined[] => []);
    const ended = this.clock();
    for (const [caller, one] of asked.entries()) this.take({ caller, sent, ended }, one, answered[caller]);
  }

  /** Notes a call that was sent otherwise. */
  take(
    { settled = false, ...at }: Pick<Call, 'caller' | 'sent' | 'ended'> & { readonly settled?: boolean },
    { verb, text }: Asked,
    answered: Answered | undefined,
  ): void {
    const token = text === undefined ? undefined : this.#nameOf(text);
    const reply = typeof answered === 'object' ? { issued: this.#issued(verb, answered.issued) } : answered;
    this.#calls.push({
      ...at,
      verb,
      ...(token !== undefined && { token }),
      ...(reply !== undefined && { reply }),
      ...(settled && { settled }),
    });
  }

  #issued(verb: Verb, texts: readonly string[]): readonly string[] {
    if (verb === 'consent') {
      this.code = texts[0];
      return texts.map((text) => this.#named(text, 'code'));
    }
    return texts.map((text, index) => {
      const [kind, held] = index === 0 ? (['a', this.access] as const) : (['r', this.refresh] as const);
      if (!held.includes(text)) held.push(text);
      return this.#named(text, `${kind}${held.length}`);
    });
  }

  #named(text: string, name: string): string {
    if (!this.#names.has(text)) this.#names.set(text, name);
    return this.#names.get(text)!;
  }

  /** What nobody was seen to be given has a name too. */
  #nameOf(text: string): string {
    return this.#named(text, `x${this.#names.size}`);
  }
}
