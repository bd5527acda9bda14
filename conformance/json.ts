/** A JSON object, as opposed to an array or null. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value where it is an object, else an object without members. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The object that a text is as JSON; one without members where it is none. */
export function objectIn(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}
