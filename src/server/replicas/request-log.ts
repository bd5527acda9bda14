import type { Request } from '../http.js';
import { hasObstacles } from '../obstacles.js';
import type { Namespaces } from '../namespaces/namespaces.js';
import type { Service } from '../service.js';
import { inNamespace, isControl, splitTarget } from '../target.js';
import type { ReadFailure } from '../turn.js';

/** A request as it stands in the log. It holds secrets: target, headers and body are as they came. */
export interface Logged {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly address: string;
  /** Base64. */
  readonly body?: string;
  readonly unread?: ReadFailure;
  /** Real ms from its arrival until it was appended. */
  readonly elapsed: number;
}
/** What a request is to the log. */
export interface Meaning {
  /** Whether it may change anything: of those that only read, where limits, faults or the journal look at them. */
  readonly changes: boolean;
  /** Whether it copies all that a mock holds. */
  readonly copies: boolean;
  /** Whether it leaves less to hold than there was. */
  readonly frees: boolean;
  /** Whether it may bring a snapshot, the largest of all bodies. */
  readonly imports: boolean;
}

const copying = new Set(['/snapshots', '/snapshots/forks', '/snapshots/imports', '/namespaces']);
const freeing = new Set(['/reset', '/snapshots/removals', '/namespaces/removals', '/journal/clear']);
const nothing: Meaning = { changes: false, copies: false, frees: false, imports: false };

/** What a request with a target in origin form is: the one place that tells a change from what only reads. */
export function meaningOf(
  { method, url }: Pick<Request, 'method' | 'url'>,
  { service, namespaces, now }: { service: Service; namespaces: Namespaces | undefined; now: number },
): Meaning {
  const { path } = splitTarget(inNamespace(url)?.rest ?? url);
  const call = isControl(path) ? path.slice('/__control'.length) : undefined;
  if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) {
    const called = (names: ReadonlySet<string>): boolean => method === 'POST' && call !== undefined && names.has(call);
    const imports = method === 'POST' && call === '/snapshots/imports';
    return { changes: true, copies: called(copying), frees: called(freeing), imports };
  }
  if (call !== undefined) return nothing;
  const namespace = namespaces?.find(url);
  const asked = namespace?.service ?? service;
  const changes =
    path === '/oauth/authorize' ||
    hasObstacles(asked) ||
    asked.exchanges.recording ||
    // That a namespace is used is noted now and then: it ends when it has been idle.
    (namespace !== undefined && now - namespace.used > 60_000);
  return { ...nothing, changes };
}
