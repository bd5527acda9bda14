import type { Standing } from '../../conformance/standing.js';

/** A requirement as a release had it. */
export interface ReleasedRequirement {
  readonly level: string;
  readonly sentence: string;
}

/** What the last release asked: of servers, and of clients. */
export interface Release {
  readonly version: string;
  readonly server: Readonly<Record<string, ReleasedRequirement>>;
  readonly client: Readonly<Record<string, ReleasedRequirement>>;
}

/** A requirement whose level or sentence is another one on purpose since the release, and why. */
export interface Restated {
  readonly of: 'server' | 'client';
  readonly id: string;
  readonly reason: string;
}

const sides = ['server', 'client'] as const;

/** What a release asked and this version no longer does, or asks otherwise without saying so: a line each. */
export function statementProblems(
  released: Release,
  now: Pick<Release, 'server' | 'client'>,
  restated: readonly Restated[],
): readonly string[] {
  const changed = sides.flatMap((of) =>
    Object.entries(released[of]).flatMap(([id, was]) => {
      const is = now[of][id];
      if (!is) return [`${id} (of ${of}s) is gone; exclude it with a reason in place of taking it away`];
      if (is.level === was.level && is.sentence === was.sentence) return [];
      if (restated.some((one) => one.of === of && one.id === id)) return [];
      const what = is.level === was.level ? `said "${was.sentence}"` : `was ${was.level}, and is ${is.level}`;
      return [
        `${id} (of ${of}s) ${what}; take a new id where it means something else, or say why in conformance/requirements/restated.yaml`,
      ];
    }),
  );
  const stale = restated.flatMap(({ of, id, reason }) => {
    const [was, is] = [released[of][id], now[of][id]];
    if (reason.trim() === '') return [`restated.yaml: ${id} has no reason; say why it is another one`];
    return was && is && (is.level !== was.level || is.sentence !== was.sentence)
      ? []
      : [`restated.yaml: ${id} (of ${of}s) is as it was released; remove the entry`];
  });
  return [...changed, ...stale];
}

/** Requirements that the mock fails, and released ones that a run against it no longer judges: a line each. */
export function standingProblems(
  released: Release,
  standings: ReadonlyMap<string, { readonly standing: Standing; readonly got: string }>,
): readonly string[] {
  const failed = [...standings]
    .filter(([, { standing }]) => standing === 'fail')
    .map(([id, { got }]) => `${id}: the mock fails it: ${got}`);
  const unjudged = Object.keys(released.server).flatMap((id) => {
    const { standing = 'gone' } = standings.get(id) ?? {};
    return standing === 'could not run' || standing === 'gone'
      ? [`${id}: a run against the mock no longer judges it (${standing})`]
      : [];
  });
  return [...failed, ...unjudged];
}
