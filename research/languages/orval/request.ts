const { GAME_URL = 'http://127.0.0.1:4010' } = process.env;

/** What generated functions send by: the address before the path, and an error for every status but 2xx. */
export async function request<T>(path: string, options: RequestInit): Promise<T> {
  const response = await fetch(GAME_URL + path, options);
  const data: unknown = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(data)}`);
  return { status: response.status, headers: response.headers, data } as T;
}
