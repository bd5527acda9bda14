/** What HTTP libraries and the platforms below them call themselves where nobody tells them otherwise. */
const names = [
  'node|undici|node-fetch|axios|got|node-superagent|superagent|deno|bun|dart|php|guzzlehttp|symfony httpclient',
  'python-requests|python-urllib3?|python-httpx|python|aiohttp|ruby|faraday|http\\.rb|rest-client|typhoeus',
  'go-http-client|go-resty|fasthttp|colly|reqwest|ureq|isahc|hyper|restsharp|libwww-perl',
  'openid-client|oauth4webapi|google-api-nodejs-client|google-http-java-client|authlib',
  'java|java-http-client|okhttp|apache-http(?:async)?client|jersey|reactornetty|unirest-java|ktor[ -]client',
  'curl|libcurl|wget|httpie|postmanruntime|insomnia',
]
  .flatMap((line) => line.split('|'))
  // The longest first: node-fetch is more than node.
  .toSorted((a, b) => b.length - a.length)
  .join('|');

/** One of them, with its version, and a word that tells which kind. */
const product = new RegExp(`(?:${names})(?:/[\\w.+-]*| v?\\d[\\d.]*)?`, 'iy');
/** Addresses under which such a library is published. */
const homes =
  /^\+?https?:\/\/(?:www\.)?(?:github\.com\/(?:sindresorhus\/got|panva\/(?:openid-client|oauth4webapi)|bitinn\/node-fetch|node-fetch\/node-fetch|go-resty\/resty|gocolly\/colly|typhoeus\/typhoeus)|axios-http\.com|(?:www\.)?authlib\.org)[\w./-]*$/i;

/**
 * Whether a `User-Agent` is missing, or the bare default of an HTTP library. One that adds an address, a contact or a product
 * of its own identifies an application, whatever library it names first.
 */
export function isNameless(agent: string | undefined): boolean {
  let rest = (agent ?? '').trim();
  while (rest !== '') {
    const shorter = withoutProduct(rest) ?? withoutComment(rest);
    if (shorter === undefined) return false;
    rest = shorter.replace(/^[ ,;-]+/, '');
  }
  return true;
}

/** What follows the product of a library, or its home; undefined where something else stands first. */
function withoutProduct(text: string): string | undefined {
  const [word = ''] = text.split(' ', 1);
  if (homes.test(word)) return text.slice(word.length);
  product.lastIndex = 0;
  const [found] = product.exec(text) ?? [];
  if (found === undefined) return undefined;
  const rest = text.slice(found.length);
  return rest === '' || /^[ (,;]/.test(rest) ? rest : undefined;
}

/** What follows a comment that tells of the platform; undefined where it has an address or a contact. */
function withoutComment(text: string): string | undefined {
  const end = text.indexOf(')');
  if (!text.startsWith('(') || end < 0) return undefined;
  const inner = text.slice(1, end);
  const words = inner.split(/[ ;,]/).filter((word) => word !== '');
  const tells = words.some((word) => word.includes('@') || (/^\+?https?:/i.test(word) && !homes.test(word)));
  return tells || /\b(contact|app|bot)\b/i.test(inner) ? undefined : text.slice(end + 1);
}
