import { createHash } from 'node:crypto';

import type { Markup } from './escape.js';
import { markup } from './escape.js';

/**
 * One self-contained page. Its content security policy allows this style and this script by hash, and no request.
 * `body` is trusted: `markup` has escaped what others wrote.
 */
export function page(title: string, body: Markup, { style, script }: { style: string; script?: string }): string {
  const scripts = script === undefined ? '' : ` script-src '${hash(script)}';`;
  const policy = `default-src 'none'; style-src '${hash(style)}';${scripts} img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${markup`${title}`.markup}</title><link rel="icon" href="data:,">
<style>${style}</style></head>
<body>
${body.markup}
${script === undefined ? '' : `<script>${script}</script>\n`}</body></html>
`;
}

const hash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
