/**
 * Keeps the `limit` results used last, so that what is asked for again and again is the same object. What is not
 * `worth` it is made anew each time, and pushes nothing out.
 */
export function recent<T extends object>(
  limit: number,
  worth: (value: T) => boolean = () => true,
): (key: string, make: () => T) => T {
  const kept = new Map<string, T>();
  return (key, make) => {
    const known = kept.get(key);
    const value = known ?? make();
    if (known !== undefined) kept.delete(key);
    if (worth(value)) kept.set(key, value);
    if (kept.size > limit) kept.delete(kept.keys().next().value ?? '');
    return value;
  };
}
