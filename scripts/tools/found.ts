/** A line of failures that differs only in numbers of runs, such as ports and durations, is brought to one form by its tool. */
export type Failures = readonly string[];

/** What a run reports that no baseline run does. */
export function newIn(failures: Failures, baselines: readonly Failures[]): Failures {
  const known = new Set(baselines.flat());
  return [...new Set(failures)].filter((failure) => !known.has(failure)).sort();
}

/** Baseline runs that would count as found by the same rule, judged by the others: how much of a count is chance. */
export const noisy = (baselines: readonly Failures[]): number =>
  baselines.filter(
    (own) =>
      newIn(
        own,
        baselines.filter((other) => other !== own),
      ).length > 0,
  ).length;
