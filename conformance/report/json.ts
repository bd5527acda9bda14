import type { RunReport } from '../result.js';

/**
 * report.json, after report.schema.json. Lone surrogates, which other languages' parsers refuse, become U+FFFD; what
 * would act on a reader's screen is written as an escape, which changes no value.
 */
export const json = (report: RunReport): string =>
  `${JSON.stringify(report, undefined, 2)
    .replaceAll(loneSurrogate, '$1\ufffd')
    .replaceAll(acting, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;

/** As JSON.stringify writes it; a backslash that is itself escaped does not begin one. */
const loneSurrogate = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** Controls and marks of direction that JSON.stringify leaves as they are. */
const acting = /[\x7F-\x9F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]/g;
