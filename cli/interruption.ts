/** Ctrl-C ends a run, which then reports on what ran; a second one ends the process, after `release`. */
export function interruption(release: () => void = () => {}): {
  readonly signal: AbortSignal;
  readonly ignore: () => void;
} {
  const stop = new AbortController();
  const interrupt = (): void => {
    if (stop.signal.aborted) {
      release();
      process.exit(3);
    }
    stop.abort('the run was interrupted');
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return { signal: stop.signal, ignore: () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt) };
}
