/** Keeps the `limit` results used last, so that what is asked for again and again is the same object. */
export function recent<T>(limit: number): (key: string, make: () => T) => T {
  const kept = new Map<string, T>();
  return (key, make) => {
    const known = kept.get(key);
    const value = known ?? make();
    if (known !== undefined) kept.delete(key);
    kept.set(key, value);
    if (kept.size > limit) kept.delete(kept.keys().next().value ?? '');
    return value;
  };
}
