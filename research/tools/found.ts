/** The failures of a run, a line each. */
export type Failures = readonly string[];

/** What a run reports that no baseline run does. */
export function newIn(failures: Failures, baselines: readonly Failures[]): Failures {
  const known = new Set(baselines.flat());
  return [...new Set(failures)].filter((failure) => !known.has(failure)).sort();
}

/** Baseline runs that would count as found by the same rule, judged by the others: how much of a count is chance. */
export function noisy(baselines: readonly Failures[]): number {
  const others = (at: number): readonly Failures[] => baselines.filter((_, other) => other !== at);
  return baselines.length < 2 ? 0 : baselines.filter((own, at) => newIn(own, others(at)).length > 0).length;
}
