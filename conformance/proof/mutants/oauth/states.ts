import type { OldMutant as Mutant } from '../../mutant.js';
import { parameterOf, withParameter } from './planting.js';

/** Changes `state` in redirects, where `which` says so. */
const stateAs =
  (change: (state: string) => string | null, which: (location: string) => boolean = () => true): Mutant['plant'] =>
  (seam) =>
    seam.redirect((location) => {
      const state = parameterOf(location, 'state');
      return location === null || state === null || !which(location)
        ? location
        : withParameter(location, 'state', change(state));
    });

const isError = (location: string): boolean => location.includes('error=');

const isSuccess = (location: string): boolean => location.includes('code=');

/** Requests whose state is taken for none. */
const notAState =
  (isNone: (state: string) => boolean): Mutant['plant'] =>
  (seam) =>
    seam.authorization((query) => {
      const state = query.get('state');
      if (state !== null && state !== '' && isNone(state)) query.delete('state');
    });

const decodedTwice = (state: string): string => {
  try {
    return decodeURIComponent(state);
  } catch {
    return state;
  }
};

const escaped = (state: string): string =>
  state.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export const states: readonly Mutant[] = [
  {
    id: 'N-AUTH-STATE-001-long',
    bug: 'a state is cut after 128 characters',
    rows: ['AUTH-STATE-001'],
    plant: stateAs((state) => state.slice(0, 128)),
  },
  {
    id: 'N-AUTH-STATE-001-column',
    bug: 'a state is cut after 255 characters',
    rows: ['AUTH-STATE-001'],
    plant: stateAs((state) => state.slice(0, 255)),
  },
  {
    id: 'N-AUTH-STATE-001-twice',
    bug: 'a state is decoded twice',
    rows: ['AUTH-STATE-001'],
    plant: stateAs(decodedTwice),
  },
  {
    id: 'N-AUTH-STATE-001-html',
    bug: 'a state is escaped for HTML',
    rows: ['AUTH-STATE-001'],
    plant: stateAs(escaped),
  },
  {
    id: 'N-AUTH-STATE-001-number',
    bug: 'a state of digits is read as a number',
    rows: ['AUTH-STATE-001'],
    plant: stateAs((state) => (/^\d+$/.test(state) ? String(Number(state)) : state)),
  },
  {
    id: 'N-AUTH-STATE-001-json',
    bug: 'a state that is JSON is read and written anew',
    rows: ['AUTH-STATE-001'],
    plant: stateAs((state) => {
      try {
        return JSON.stringify(JSON.parse(state));
      } catch {
        return state;
      }
    }),
  },
  {
    id: 'N-AUTH-STATE-001-quote',
    bug: 'a quotation mark in a state gets a backslash',
    rows: ['AUTH-STATE-001'],
    plant: stateAs((state) => state.replaceAll(/["']/g, String.raw`\$&`)),
  },
  {
    id: 'N-AUTH-STATE-001-words',
    bug: 'the words null, undefined, false and 0 are no state',
    rows: ['AUTH-STATE-001'],
    plant: notAState((state) => ['null', 'undefined', 'false', '0'].includes(state)),
  },
  {
    id: 'N-AUTH-STATE-001-blank',
    bug: 'a state of spaces is no state',
    rows: ['AUTH-STATE-001'],
    plant: notAState((state) => state.trim() === ''),
  },
  {
    id: 'N-AUTH-STATE-001-short',
    bug: 'a state of fewer than 8 characters is refused',
    rows: ['AUTH-STATE-001'],
    plant: notAState((state) => state.length < 8),
  },
  {
    id: 'N-AUTH-STATE-001-percent',
    bug: 'a percent sign in a state is not encoded',
    rows: ['AUTH-STATE-001'],
    plant: (seam) => seam.redirect((location) => location?.replaceAll('%25', '%')),
  },
  {
    id: 'N-AUTH-STATE-001-first',
    bug: "a user's second authorization comes back with the state of the first",
    rows: ['AUTH-STATE-001'],
    plant(seam) {
      const first = new Map<string, string>();
      seam.redirect((location, { query }) => {
        const state = parameterOf(location, 'state');
        const id = query.get('client_id') ?? '';
        if (location === null || state === null || !isSuccess(location)) return location;
        if (!first.has(id)) first.set(id, state);
        return withParameter(location, 'state', first.get(id)!);
      });
    },
  },
  {
    id: 'N-AUTH-STATE-002-encoded',
    bug: 'a redirected error carries the state as it was encoded',
    rows: ['AUTH-STATE-002'],
    plant: stateAs(encodeURIComponent, isError),
  },
  {
    id: 'N-AUTH-STATE-002-scope',
    bug: 'a refused scope is told without state',
    rows: ['AUTH-STATE-002'],
    plant: stateAs(
      () => null,
      (location) => location.includes('error=invalid_scope'),
    ),
  },
  {
    id: 'N-AUTH-STATE-002-type',
    bug: 'a refused response_type is told without state',
    rows: ['AUTH-STATE-002'],
    plant: stateAs(
      () => null,
      (location) => location.includes('error=unsupported_response_type'),
    ),
  },
  {
    id: 'N-AUTH-DENY-001-state',
    bug: 'a denial is told without state',
    rows: ['AUTH-DENY-001', 'AUTH-STATE-002'],
    plant: stateAs(
      () => null,
      (location) => location.includes('error=access_denied'),
    ),
  },
  {
    id: 'N-AUTH-STATE-003',
    bug: 'state comes twice in the redirect',
    rows: ['AUTH-STATE-003'],
    beside: ['AUTH-REQ-001'],
    plant: (seam) =>
      seam.redirect((location) => {
        const state = parameterOf(location, 'state');
        return location === null || state === null ? location : `${location}&state=${encodeURIComponent(state)}`;
      }),
  },
];
