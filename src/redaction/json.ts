import type { Mark } from './places.js';

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
 * is none, one mark stands for the rest. Truth values and null stay. Linear in the text.
 */
export function redactedJson(text: string, { isOpen, hide, mark }: JsonRule): string {
  const parts: string[] = [];
  /** Of each object or array around: whether it is an object, and whether what is in it is marked. */
  const around: { readonly isObject: boolean; readonly marked: boolean }[] = [];
  let [isName, marked] = [false, false];
  const change = (found: string): string => {
    if (found.length > 1 && found.startsWith('[')) return found;
    const here = around.at(-1);
    switch (found[0]) {
      case '{':
      case '[':
        around.push({ isObject: found === '{', marked });
        isName = found === '{';
        return found;
      case '}':
      case ']':
        around.pop();
        return found;
      case ',':
        isName = here?.isObject ?? false;
        marked = here?.marked ?? false;
        return found;
      case ':':
        isName = false;
        return found;
      case '"': {
        const value = textOf(found);
        if (isName) {
          marked = (here?.marked ?? false) || !isOpen(value ?? '');
          return value === undefined ? quoted(mark(found)) : replaced(found, value, hide(value));
        }
        if (value === '') return found;
        if (value === undefined || marked) return quoted(mark(value ?? found));
        return replaced(found, value, hide(value));
      }
      default:
        if (!/^[-0-9]/.test(found)) return found;
        return marked || hide(found) !== found ? quoted(mark(found)) : found;
    }
  };
  let end = 0;
  token.lastIndex = 0;
  for (let found = token.exec(text); found && end < text.length; found = token.exec(text)) {
    parts.push(change(found[0]));
    end = token.lastIndex;
  }
  if (end < text.length) parts.push(mark(text.slice(end)));
  return parts.join('');
}

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
