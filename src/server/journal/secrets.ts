import { operationList, parameterTable, scopes } from '../../contract/index.js';
import { KnownSecrets } from '../../redaction/known.js';
import type { Store } from '../../store/store.js';
import type { World } from '../../world/world.js';

/** Who holds secrets: a mock, or a namespace of one. */
interface Holder {
  readonly store: Store;
  readonly world: World;
  readonly journal: { settle(): void };
}

/** So many secrets at least are known before those that nobody holds any more are forgotten. */
const fewest = 20_000;

const words = [
  ...Object.keys(scopes),
  ...operationList.flatMap(({ id, logical, path }) => [id, logical, path]),
  ...Object.values(parameterTable).flatMap((table) => Object.keys(table)),
  'application/x-www-form-urlencoded; charset=utf-8',
  'www-authenticate authorization content-encoding transfer-encoding access-control-allow-headers if-none-match',
  'authorization_code client_credentials token_type_hint invalid_client invalid_grant unauthorized_client',
];

/**
 * The client secrets, tokens and codes of a mock and its namespaces, those that ended or were forgotten since among them,
 * and its control token. Until a journal is started it knows none, and costs nothing.
 */
export class MockSecrets {
  readonly #holders: () => Iterable<Holder>;
  readonly #known = new KnownSecrets();
  readonly #texts = new Set<string>();
  #own: readonly string[] = [];
  #active = false;
  #most = fewest;

  constructor(holders: () => Iterable<Holder>) {
    this.#holders = holders;
    for (const word of words) this.#known.open(word);
  }

  /** A secret that nobody holds: the control token. */
  keep(secret: string): void {
    this.#own = [...this.#own, secret];
    this.add(secret);
  }

  /** Knows from now on what there is, and what will be. */
  start(): void {
    if (this.#active) return;
    this.#active = true;
    this.#gather();
  }

  add(secret: string): void {
    if (!this.#active || this.#texts.has(secret)) return;
    this.#texts.add(secret);
    this.#known.add(secret);
    if (this.#texts.size > this.#most) this.#forget();
  }

  /** A text with marks in the place of secrets. */
  hide(text: string, mark: (found: string) => string): string {
    return this.#known.hide(text, mark);
  }

  /** What is recorded with secrets in it is redacted first: afterwards nobody would know them. */
  #forget(): void {
    for (const { journal } of this.#holders()) journal.settle();
    this.#texts.clear();
    this.#known.clear();
    this.#most = Infinity;
    this.#gather();
    this.#most = Math.max(fewest, 2 * this.#texts.size);
  }

  #gather(): void {
    for (const secret of this.#own) this.add(secret);
    for (const { store, world } of this.#holders()) {
      this.addClients(world);
      for (const secret of textsOf(store)) this.add(secret);
    }
  }

  /** The clients of a world: their ids are no secrets, whatever their secrets have in common with them. */
  addClients({ clients }: World): void {
    for (const { id, name } of clients) for (const text of [id, name]) this.#known.open(text);
    for (const { secret } of clients) if (secret) this.add(secret);
  }

  /** The store, telling of every code and token that comes into it. */
  watch(store: Store): Store {
    return {
      ...store,
      addCode: (code) => {
        store.addCode(code);
        this.add(code.text);
      },
      addToken: (token) => {
        store.addToken(token);
        this.add(token.text);
      },
      restore: (image) => {
        store.restore(image);
        if (this.#active) for (const secret of textsOf(store)) this.add(secret);
      },
    };
  }
}

function* textsOf(store: Store): Generator<string> {
  for (const { text } of store.codes()) yield text;
  for (const { text } of store.tokens()) yield text;
}
