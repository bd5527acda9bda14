/** The cookies of one browser on one server. */
export class CookieJar {
  private readonly cookies = new Map<
    string,
    { readonly name: string; readonly value: string; readonly path: string }
  >();

  /** Takes Set-Cookie headers of an answer from `url` (RFC 6265 5.3). Life times count only where they end a cookie. */
  take(url: URL, headers: readonly string[]): void {
    for (const header of headers) {
      const [pair = '', ...attributes] = header.split(';');
      const sign = pair.indexOf('=');
      const name = pair.slice(0, sign).trim();
      if (sign < 0 || name === '') continue;
      const read = new Map(attributes.map((attribute) => pairOf(attribute)));
      const given = read.get('path');
      const path = given?.startsWith('/') ? given : defaultPath(url.pathname);
      const key = `${name};${path}`;
      if (ended(read)) this.cookies.delete(key);
      else this.cookies.set(key, { name, value: pair.slice(sign + 1).trim(), path });
    }
  }

  /** The Cookie header for `url`, longer paths first; undefined where there is none. */
  header({ pathname }: URL): string | undefined {
    const fitting = [...this.cookies.values()].filter(
      ({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`),
    );
    const texts = fitting
      .toSorted((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => `${name}=${value}`);
    return texts.length > 0 ? texts.join('; ') : undefined;
  }
}

function pairOf(attribute: string): [string, string] {
  const sign = attribute.indexOf('=');
  return sign < 0
    ? [attribute.trim().toLowerCase(), '']
    : [attribute.slice(0, sign).trim().toLowerCase(), attribute.slice(sign + 1).trim()];
}

/** Servers take a cookie back with an age of nothing, or a date in the first years of Unix time. */
function ended(attributes: ReadonlyMap<string, string>): boolean {
  const age = attributes.get('max-age');
  if (age !== undefined && /^-?\d+$/.test(age)) return Number(age) <= 0;
  const year = /\b(\d{4})\b/.exec(attributes.get('expires') ?? '')?.[1];
  return year !== undefined && Number(year) <= 1990;
}

function defaultPath(pathname: string): string {
  const slash = pathname.lastIndexOf('/');
  return slash <= 0 ? '/' : pathname.slice(0, slash);
}
