import { htmlTokens } from '../../target/html.js';

/** Elements that a reader does not see. */
const unseen = new Set(['script', 'style', 'template', 'noscript', 'head', 'svg']);
/** Elements within a sentence; every other one ends it. */
const inline = new Set([
  'a',
  'b',
  'strong',
  'em',
  'i',
  'u',
  'code',
  'span',
  'small',
  'abbr',
  'mark',
  'kbd',
  'q',
  'cite',
]);
/** Elements that may do without an end tag. */
const open = new Set(['p', 'li', 'dt', 'dd', 'option', 'td', 'th', 'tr']);
const empty = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);

/** What a reader sees of an HTML page, a sentence or label each, in lower case. */
export function sentencesOf(page: string): readonly string[] {
  let text = '';
  /** The element that hides what is in it, and how many of its name are open within. */
  let hidden: { readonly name: string; depth: number } | undefined;
  for (const token of htmlTokens(page)) {
    if (token.kind === 'text') {
      if (!hidden) text += token.text;
      continue;
    }
    if (hidden && token.name === hidden.name) hidden.depth += token.kind === 'start' ? 1 : -1;
    // A paragraph ends where the next block starts, with an end tag or without.
    if (hidden?.depth === 0 || (hidden && open.has(hidden.name) && token.kind === 'start' && !inline.has(token.name))) {
      hidden = undefined;
      if (token.kind === 'end') continue;
    }
    if (hidden) continue;
    if (!inline.has(token.name)) text += '\n';
    if (token.kind === 'end') continue;
    if (isUnseen(token) && !empty.has(token.name)) hidden = { name: token.name, depth: 1 };
    else if (!isUnseen(token)) text += ` ${token.attributes.get('alt') ?? token.attributes.get('aria-label') ?? ''} `;
  }
  return text
    .split(/\n\s*\n|[.!?。！？](?=\s|$)|\n/)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((sentence) => sentence !== '');
}

function isUnseen({ name, attributes }: { name: string; attributes: ReadonlyMap<string, string> }): boolean {
  return (
    unseen.has(name) ||
    attributes.has('hidden') ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.get('style') ?? '') ||
    /(^|\s)(hidden|d-none|invisible)(\s|$)/.test(attributes.get('class') ?? '')
  );
}

const wordsOf = (sentence: string): ReadonlySet<string> => new Set(sentence.split(/[^\p{L}\p{N}]+/u).filter(Boolean));

/** Whether two sentences say the same of different applications: at least two of five words are common to both. */
function alike(one: string, other: string): boolean {
  const [mine, theirs] = [wordsOf(one), wordsOf(other)];
  const common = [...mine].filter((word) => theirs.has(word)).length;
  return one === other || common >= 0.4 * (mine.size + theirs.size - common);
}

/** Words that deny, in some languages: of two sentences that are alike one may say the contrary of the other. */
const denial =
  /(?<!\p{L})(?:not|cannot|never|no|nobody|unable|without|un\p{L}{3,}ed|nicht|kein\p{L}*|nie|niemand|pas|non|aucun\p{L}*|sin|ning[uú]n\p{L}*|não|nem|niet|geen|inte|ikke|не|нет|nelze)(?!\p{L})|n['’]t(?!\p{L})|[不未無没]|ない|ません|없|않/u;

/** Whether a sentence says what another one does. */
const saysSame = (one: string, other: string): boolean =>
  alike(one, other) && (denial.test(other) || !denial.test(one));

/** Whether a sentence is more than a name or a label. */
const isStatement = (sentence: string): boolean =>
  wordsOf(sentence).size > 3 || /[^\p{ASCII}]{8}/u.test(sentence) || denial.test(sentence) || namesTopic(sentence);

/** The sentences of a page that another page has nothing like. Names and labels of a few words are left out. */
export const onlyIn = (page: readonly string[], other: readonly string[]): readonly string[] =>
  page.filter((sentence) => isStatement(sentence) && !other.some((one) => saysSame(sentence, one)));

/** Words of a warning that the authenticity of a request cannot be verified. */
const topic =
  /authentic|verif|genuin|legitim|vouch|guarant|imperson|warning|caution|beware|careful|spoof|phish|pretend|fake|forge|identit|trust|unknown|unsafe|risk/;
/** Such a warning in full: that something cannot be verified, in one way or another of saying so. */
const statement =
  /\b(?:cannot|can['’]t|can not|could not|couldn['’]t|unable to|not|never|no way to|nobody|impossible to)\b.{0,60}?\b(?:verif|confirm|authentic|guarant|prov|vouch|establish)\w*|\bunverif\w*|\b(?:authentic|genuin|legitim)\w*\b.{0,80}?\b(?:cannot|can['’]t|not|unable)\b/;

export const namesTopic = (sentence: string): boolean => topic.test(sentence);

/** The part of a sentence that says that something cannot be verified; undefined where it says no such thing. */
export const statementIn = (sentence: string): string | undefined => statement.exec(sentence)?.[0];

/** Whether a sentence says that authenticity cannot be verified, and not merely that something cannot be guaranteed. */
export const isWarning = (sentence: string): boolean =>
  statementIn(sentence) !== undefined && /authentic|verif|genuin|legitim/.test(sentence);
