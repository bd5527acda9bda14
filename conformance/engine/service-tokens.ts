import type { RowId } from '../ledger.gen.js';
import type { Role } from '../target/target.js';
import { MissingCapability } from '../verdict.js';
import { member } from '../wire/answer.js';
import type { Answer, Asked, Sent } from '../wire/answer.js';
import type { Wire } from '../wire/wire.js';
import type { Run } from './run.js';
import { workAtOnce } from './work-at-once.js';

/** The row that asks for two tokens of a service client beside each other. */
export const serviceCoexistence: RowId = 'TOK-CC-014';

interface Known {
  readonly client: string;
  /** What it was asked for with. */
  readonly sent: Sent;
  readonly asked: Asked;
}

/**
 * Tokens by client credentials. With most servers a client can have several, but no sentence says so (TOK-CC-014). Where a
 * second one ends the first, a request with the first is sent with one that was asked for anew, in the same way.
 */
export class ServiceTokens {
  /** How many tokens of a client work at once, where a later one ends the first. */
  #atOnce: number | undefined;
  #isPlain = false;
  readonly #known = new Map<string, Known>();
  /** The last token of each client. */
  readonly #last = new Map<string, string>();
  readonly #renewed = new Map<string, string>();
  /** Those that were revoked: it is to be seen that they are. */
  readonly #final = new Set<string>();

  get isSingle(): boolean {
    return this.#atOnce !== undefined;
  }

  /** Asks the server, while nobody else does, whether one of `most` later tokens ends the first. */
  async learn(run: Run, most: number): Promise<void> {
    for (const role of ['service', 'service_account', 'operations'] as const)
      this.#atOnce ??= await tokensAtOnce(run, role, most).catch(() => undefined);
  }

  /** What to know of the server, where nothing warns of it. */
  observations(): readonly string[] {
    return this.#atOnce !== undefined && this.#atOnce > 1
      ? [
          `Only ${this.#atOnce} tokens by client credentials of one client work at once: later ones end the oldest. No sentence forbids that.`,
        ]
      : [];
  }

  /** Whatever the server answered. */
  see({ asked, request, status, json }: Answer): void {
    if (asked.grant !== 'client_credentials' || status !== 200) return;
    const text = member(json, 'access_token');
    if (typeof text !== 'string' || this.#final.has(text)) return;
    const client = clientOf(request);
    this.#known.set(text, { client, sent: request, asked });
    this.#last.set(client, text);
  }

  /** The application has revoked the tokens of a client. */
  revoked(id: string): void {
    for (const [text, { client }] of this.#known) if (client === id) this.#final.add(text);
  }

  /** Runs an action that sends every token as it is. */
  async plainly<T>(action: () => Promise<T>): Promise<T> {
    this.#isPlain = true;
    try {
      return await action();
    } finally {
      this.#isPlain = false;
    }
  }

  /** Sends a request; where a later token has ended one in it, with another. */
  async send(wire: Wire, sent: Sent, asked: Asked): Promise<Answer> {
    const { body, headers } = sent;
    const credential = headers['authorization'] ?? '';
    const begin = credential.indexOf(' ') + 1;
    const [scheme, bearer] = [credential.slice(0, begin), credential.slice(begin)];
    const form = asked.server === 'authorization' ? new URLSearchParams(body) : undefined;
    const named = form?.get('token') ?? '';
    const isOurs = this.#known.has(bearer) || this.#known.has(named) || asked.grant === 'client_credentials';
    if (!this.isSingle || this.#isPlain || !isOurs) return wire.send(sent, asked);
    return wire.alone(async () => {
      const target = await this.#current(wire, named);
      const by = await this.#current(wire, bearer);
      if (form && target !== named) form.set('token', target);
      const answer = await wire.send(
        {
          ...sent,
          headers: by === bearer ? headers : { ...headers, authorization: `${scheme}${by}` },
          ...(form && target !== named && { body: form.toString() }),
        },
        asked,
      );
      if (asked.operation === 'revokeToken' && answer.status === 200 && this.#known.has(target))
        this.#final.add(target);
      return answer;
    });
  }

  /** The token that stands for this one now. */
  async #current(wire: Wire, text: string): Promise<string> {
    let now = text;
    for (let next = this.#renewed.get(now); next !== undefined; next = this.#renewed.get(now)) now = next;
    const known = this.#known.get(now);
    if (!known || this.#last.get(known.client) === now) return now;
    if (this.#final.has(now))
      throw new MissingCapability(
        'two tokens by client credentials of one client side by side',
        `here the second one ends the first, so nothing shows what a revocation did to it; no sentence forbids that, and ${serviceCoexistence} warns of it`,
      );
    const again = member((await wire.send(known.sent, known.asked)).json, 'access_token');
    if (typeof again !== 'string' || again === now) return now;
    this.#renewed.set(now, again);
    return again;
  }
}

/** The client of a token request, which may authenticate by Basic. */
function clientOf({ headers, body }: Sent): string {
  const [, basic = ''] = /^Basic (.*)$/i.exec(headers['authorization'] ?? '') ?? [];
  const [id = ''] = Buffer.from(basic, 'base64').toString().split(':');
  return new URLSearchParams(body).get('client_id') ?? new URLSearchParams(`id=${id}`).get('id')!;
}

/** How many tokens of a client work at once, if that is no more than are tried. */
const tokensAtOnce = ({ oauth }: Run, role: Role, most: number): Promise<number | undefined> =>
  workAtOnce({ oauth }, () => oauth.clientCredentials(role), most);
