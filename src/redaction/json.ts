import type { Mark } from './marks.js';

const token =
  /\[redacted [0-9a-f]+\]|\s+|[{}[\]:,]|"(?:[^"\\]|\\[^])*(?:"|$|\\$)|-?[0-9][0-9.eE+-]*|true|false|null|[a-z]{1,5}$/y;

/** How a text of JSON is redacted. */
export interface JsonRule {
  /** Members whose values are kept, as far as `hide` does; values of all others are marked, with all that is in them. */
  readonly isOpen: (name: string) => boolean;
  /** A text without the secrets in it. */
  readonly hide: (text: string) => string;
  readonly mark: Mark;
}

/**
 * JSON as it was written, with marks in the place of secrets: it may be cut short. It stays valid if it was; from where it
 * is none, one mark stands for the rest, and so for each name before it that is not open. Where a secret reaches over more
 * than one string or name, one mark stands for all. Truth values and null stay. Linear in the text.
 */
export function redactedJson(text: string, rule: JsonRule): string {
  const { mark, hide } = rule;
  const shown = partsOf(text, rule).join('');
  return hide(shown) === shown ? shown : mark(text);
}

function partsOf(text: string, { isOpen, hide, mark }: JsonRule): readonly string[] {
  const parts: string[] = [];
  const grammar = new Grammar();
  /** Names that are not open, and which part each is. */
  const strange: [at: number, name: string][] = [];
  /** Whether what comes is marked, by the members around it; what is in no member has no name. */
  const around: boolean[] = [];
  let marked = !isOpen('');
  let objects = 0;
  const shownText = (found: string, isName: boolean): string => {
    const value = textOf(found);
    if (isName) {
      const open = isOpen(value ?? '');
      marked = (around.at(-1) ?? false) || !open;
      if (!open) strange.push([parts.length, value ?? found]);
    }
    if (value === '') return found;
    if (value === undefined || (marked && !isName)) return quoted(mark(value ?? found));
    return replaced(found, value, hide(value));
  };
  const shown = (found: string, isName: boolean): string => {
    if (isMark(found)) return found;
    if (found === '{') around.push(objects++ > 0 && marked);
    else if (found === '[') around.push(marked);
    else if (found === '}' || found === ']') {
      around.pop();
      if (found === '}') objects -= 1;
    } else if (found === ',') marked = around.at(-1) ?? false;
    else if (found.startsWith('"')) return shownText(found, isName);
    else if (/^[-0-9]/.test(found)) return marked || hide(found) !== found ? quoted(mark(found)) : found;
    return found;
  };
  let end = 0;
  token.lastIndex = 0;
  for (let found = token.exec(text); found && end < text.length; found = token.exec(text)) {
    const isName = grammar.wantsName;
    if (!grammar.takes(found[0])) break;
    parts.push(shown(found[0], isName));
    end = token.lastIndex;
  }
  if (end < text.length) parts.push(mark(text.slice(end)));
  // What is no JSON has no names: a credential may look like one.
  if (end < text.length || !grammar.isDone) for (const [at, name] of strange) parts[at] = quoted(mark(name));
  return parts;
}

/** What may come next in JSON. */
class Grammar {
  readonly #open: string[] = [];
  #wants: 'value' | 'name' | ':' | ',' = 'value';
  /** Whether an object or array has just begun, and may end. */
  #begun = false;

  /** Whether a whole value has been taken. */
  get isDone(): boolean {
    return this.#open.length === 0 && this.#wants === ',';
  }

  get wantsName(): boolean {
    return this.#wants === 'name';
  }

  /** Takes a part, if it may come now. */
  takes(part: string): boolean {
    if (/^\s/.test(part) || isMark(part)) return true;
    const wants = this.#wants;
    const begun = this.#begun;
    this.#begun = part === '{' || part === '[';
    if (part === '}' || part === ']') {
      const isFitting = this.#open.pop() === part;
      this.#wants = ',';
      return isFitting && (wants === ',' || begun);
    }
    if (part === ':' || part === ',') {
      this.#wants = part === ':' || this.#open.at(-1) === ']' ? 'value' : 'name';
      return wants === part && this.#open.length > 0;
    }
    if (wants === 'name') {
      this.#wants = ':';
      return part.startsWith('"');
    }
    if (this.#begun) this.#open.push(part === '{' ? '}' : ']');
    this.#wants = part === '{' ? 'name' : part === '[' ? 'value' : ',';
    return wants === 'value';
  }
}

const isMark = (part: string): boolean => part.length > 1 && part.startsWith('[');

const quoted = (text: string): string => JSON.stringify(text);

/** What stays as it was is left as it was written. */
const replaced = (found: string, value: string, shown: string): string =>
  shown === value ? found : quoted(shown).slice(0, isWhole(found) ? undefined : -1);

const isWhole = (found: string): boolean => {
  try {
    return typeof JSON.parse(found) === 'string';
  } catch {
    return false;
  }
};

/** The text that a string stands for; undefined for what is none. The last one of a text may be cut short. */
function textOf(found: string): string | undefined {
  for (const form of [found, `${found}"`, `${found.replace(/\\u?[0-9a-fA-F]{0,3}$/, '')}"`]) {
    try {
      return JSON.parse(form) as string;
    } catch {
      // The next form.
    }
  }
  return undefined;
}
