import type { Answer, Request, Response } from '../http.js';
import type { Capacity } from '../../store/memory.js';
import { Refusal } from '../refusal.js';
import { Service } from '../service.js';
import { inNamespace } from '../target.js';
import { turnOf } from '../turn.js';
import { boundedStore } from './bounded-store.js';

/** How many there are at most, and how long one stays that nobody uses, ms of real time. */
export const bounds = { namespaces: 50, idle: 60 * 60_000 };

/** What the store of a namespace keeps of each client: with ten clients well below two megabytes in all. */
const capacity: Capacity = { codes: 20, tokens: 50, endedTokens: 20 };

interface Namespace {
  readonly service: Service;
  readonly answer: Answer;
  /** Real time of the last request, ms. */
  used: number;
}

/** A namespace as the control protocol tells of it. */
interface Info {
  readonly name: string;
  readonly url: string;
  readonly control_url: string;
}

/**
 * Namespaces of a mock: mocks of their own under `/ns/<name>`, with the world, the switches and the port of this one.
 * Nothing that a request changes is shared: tokens, filters, clock, journal, faults and snapshots are each one's own.
 */
export class Namespaces {
  readonly #byName = new Map<string, Namespace>();

  /** @param appOf makes what answers the requests to a service */
  constructor(
    private readonly root: Service,
    private readonly answerOf: (service: Service) => Answer,
  ) {}

  list(): Info[] {
    // A look at the list must not change what other replicas do not see change.
    if (!this.root.options.replicated) this.#sweep();
    return [...this.#byName].map(([name, { service }]) => infoOf(name, service));
  }

  /** Those that there are, idle ones included, in order. */
  all(): { readonly name: string; readonly service: Service; readonly used: number }[] {
    return [...this.#byName].map(([name, { service, used }]) => ({ name, service, used }));
  }

  /** The namespace that a request target names. */
  find(target: string): { readonly service: Service; readonly used: number } | undefined {
    return this.#byName.size === 0 ? undefined : this.#byName.get(inNamespace(target)?.name ?? '');
  }

  /** One as it was made, last used at an instant, ms of real time. */
  restore(name: string, used: number): Service {
    const { service, answer } = this.#made();
    this.#keep(name, { service, answer, used });
    return service;
  }

  /**
   * Makes a namespace, or finds the one of that name. `snapshot` names one of the root's to begin with.
   * @throws Refusal 409 where there are too many, 404 where there is no such snapshot
   */
  create(name: string, snapshot?: string): { readonly made: boolean; readonly info: Info } {
    this.#sweep();
    const known = this.#byName.get(name);
    if (known) return { made: false, info: infoOf(name, known.service) };
    if (this.#byName.size >= bounds.namespaces)
      throw new Refusal(409, `there are ${bounds.namespaces} namespaces; remove one that is no longer used`);
    const file = snapshot === undefined ? undefined : this.root.snapshots.export(snapshot);
    const namespace = this.#made();
    if (file) namespace.service.snapshots.begin(file);
    this.#keep(name, namespace);
    return { made: true, info: infoOf(name, namespace.service) };
  }

  #made(): Namespace {
    const service = new Service({
      ...this.root.options,
      parent: this.root,
      store: (notify) => boundedStore({ ...capacity, onDropped: notify }),
    });
    return { service, answer: this.answerOf(service), used: this.#now() };
  }

  #keep(name: string, namespace: Namespace): void {
    const { service } = namespace;
    service.base = `${this.root.base}/ns/${name}`;
    this.root.children.add(service);
    this.#byName.set(name, namespace);
  }

  /** One that is not there is no error. */
  remove(name: string): void {
    const found = this.#byName.get(name);
    if (!found) return;
    found.service.journal.close();
    this.root.children.delete(found.service);
    this.#byName.delete(name);
  }

  /**
   * Hands a request below `/ns/<name>` to its namespace, as if that were the whole address.
   * @returns false for any other request
   */
  dispatch(req: Request, res: Response): boolean {
    const found = inNamespace(req.url);
    const namespace = found && this.#byName.get(found.name);
    if (!namespace) return false;
    // Only what all replicas see may decide when a namespace has been idle.
    if (!this.root.options.replicated || turnOf(res)) namespace.used = this.#now();
    req.url = found.rest;
    req.originalUrl = found.rest;
    namespace.answer(req, res);
    return true;
  }

  /** Refuses a request to a namespace that is not there. @throws Refusal 404 */
  refuse({ url }: Request): void {
    const found = inNamespace(url);
    if (found) throw new Refusal(404, `there is no namespace ${found.name}; POST /__control/namespaces makes one`);
  }

  #now(): number {
    return this.root.options.realTime();
  }

  #sweep(): void {
    const earliest = this.#now() - bounds.idle;
    for (const [name, { used }] of this.#byName) if (used < earliest) this.remove(name);
  }
}

const infoOf = (name: string, { issuer }: Service): Info => ({ name, url: issuer, control_url: `${issuer}/__control` });
