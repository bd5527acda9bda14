/** Names and values in turn, as Node's `rawHeaders`: as they were written, in their order. */
export type RawHeaders = readonly string[];

/**
 * Headers of one connection, which no intermediary passes on (RFC 9110 7.6.1). Transfer-Encoding is not among them: the
 * body goes on in the coding that it came in.
 */
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade', 'http2-settings']);

/** Whoever names these in Connection would change where a message ends, or whom it is for. */
const never = new Set(['content-length', 'transfer-encoding', 'host', 'via']);

export function* pairsOf(raw: RawHeaders): Generator<[name: string, value: string]> {
  for (let index = 0; index + 1 < raw.length; index += 2) yield [raw[index]!, raw[index + 1]!];
}

/** The members of every header of that name. */
export const listOf = (raw: RawHeaders, wanted: string): string[] =>
  [...pairsOf(raw)]
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value.split(','))
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== '');

/** What goes on to the other side; `change` gives another value, or undefined for a header that stays behind. */
export function passedOn(
  raw: RawHeaders,
  change: (name: string, value: string) => string | undefined = (_, value) => value,
): string[] {
  const named = new Set(listOf(raw, 'connection').filter((name) => !never.has(name)));
  return [...pairsOf(raw)].flatMap(([name, value]) => {
    const key = name.toLowerCase();
    const shown = ofConnection.has(key) || named.has(key) ? undefined : change(key, value);
    return shown === undefined ? [] : [name, shown];
  });
}
