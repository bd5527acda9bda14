import type { RunReport } from '../result.js';
import { jsonText } from '../text.js';

/** report.json, after report.schema.json. Lone surrogates, which other languages' parsers refuse, become U+FFFD. */
export const json = (report: RunReport): string => `${jsonText(report, 2).replaceAll(loneSurrogate, '$1\ufffd')}\n`;

/** As JSON.stringify writes it; a backslash that is itself escaped does not begin one. */
const loneSurrogate = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;
