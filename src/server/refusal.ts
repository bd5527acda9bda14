import { operationList } from '../contract/index.js';
import { nearest } from '../input/nearest.js';

/** A request that goes no further: status, words for the client, and headers that the status calls for. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** A path that is none of the mock's. */
export const noSuchPath = (path: string): Refusal =>
  new Refusal(404, `there is no ${path.slice(0, 200)} here; ${hintFor(path)}`);

/** The remedy that a path suggests (K-021). */
const hintFor = (path: string): string =>
  path.split('/').includes('pc')
    ? 'pc is no path realm: leave the segment out'
    : (likely(path) ?? 'paths are case-sensitive and end without a slash');

const places: ReadonlySet<string> = new Set(operationList.map((operation) => operation.path.split('/')[1]!));

function likely(path: string): string | undefined {
  const [, place = ''] = path.split('/');
  const near = places.has(place) ? undefined : nearest(place, places);
  return near === undefined ? undefined : `did you mean /${near}?`;
}
