/**
 * Text from outside, made fit to be shown, the one way that it comes to a terminal, a log or a report. Control characters
 * become their pictures (ESC is `␛`), marks that turn the direction of writing become `\u{202E}`, and what no encoding can
 * carry becomes U+FFFD. What a CI system takes for a command is broken up: `::` at the beginning of a word (GitHub; folded,
 * any word may begin a line) becomes `\u{3A}:`, `##[` and `##vso[` become `#\u{23}[`. Line feeds and tabs stay.
 */
export function visible(text: string): string {
  return text.replace(actsAt, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    return code >= 0xd800 && (code < 0xe000 || code >= 0xfffe) ? '\ufffd' : `\\u{${code.toString(16).toUpperCase()}}`;
  });
}

const acting = String.raw`[\x7F-\x9F\u061C\u200E\u200F\u2028-\u202E\u2066-\u206F\uFEFF\uFFFE\uFFFF]`;
/** The first sign of what a CI system obeys: GitHub at the beginning of a line, `##` of GitHub, Azure and TeamCity anywhere. */
const hash = String.raw`(?<=#)#(?=\[|vso\[|teamcity\[)`;
/** Where a text acts on whoever looks at it. */
export const actsAt = new RegExp(String.raw`[\0-\x08\x0B-\x1F]|${acting}|\p{Surrogate}|(?<!\S):(?=:)|${hash}`, 'gu');

/**
 * JSON that acts on nobody's screen: what `visible` would show otherwise is written as an escape, which changes no value.
 */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replaceAll(
    actingJson,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const actingJson = new RegExp(`${acting}|${hash}`, 'g');

/** At most so many characters, the last of them `…` where some had to go. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, Math.max(0, most - 1));
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

/** Shown on one line of at most so many characters. */
export const line = (text: string, most = Number.POSITIVE_INFINITY): string =>
  clip(
    visible(text.slice(0, most * 2))
      .replaceAll(/\s+/g, ' ')
      .trim(),
    most,
  );

/** Shown as it is, lines and all, but bounded. */
export const block = (text: string, most: number): string => clip(visible(text.slice(0, most + 1)), most);

/** Prose of ours without the backticks that set code off in Markdown. */
export const unticked = (text: string): string => text.replaceAll(/`([^`\n]+)`/g, '$1');

/** Folds words into lines of at most so many columns; a longer word stands alone. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** `1 request`, `12,345 requests`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;

/** `48 s`, `3 min 5 s`, `1 h 2 min`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${seconds > 0 && seconds < 10 ? Number(seconds.toFixed(1)) : whole} s`;
  const minutes = Math.floor(whole / 60);
  const parts = whole < 3600 ? [minutes, 'min', whole % 60, 's'] : [Math.floor(minutes / 60), 'h', minutes % 60, 'min'];
  return (parts[2] === 0 ? parts.slice(0, 2) : parts).join(' ');
}

/** The address, where it is one that a reader can follow without harm and every format can hold (RFC 3986). */
export function webAddress(link: string): string | undefined {
  if (link.length > 2000 || !URL.canParse(link)) return undefined;
  const { href } = new URL(link);
  return plainAddress.test(href) ? href : undefined;
}

const plainAddress =
  /^https?:\/\/(?:[\w.~:@!$&'()*+,;=/?-]|%[\dA-F]{2})+(?:#(?:[\w.~:@!$&'()*+,;=/?-]|%[\dA-F]{2})*)?$/i;
