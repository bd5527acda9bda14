import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { extname } from 'node:path';

import { formats } from '../report/write.js';
import type { RunReport } from '../result.js';
import { refusalOf } from './refusal.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.sarif': 'application/json',
  '.xml': 'application/xml',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Serves reports of what has passed so far by their folders: the page at `/`, and every format by the name of its file.
 */
export function createAdmin(reports: Readonly<Record<string, () => RunReport>>): Server {
  return createServer((req, res) => {
    const [path = ''] = (req.url ?? '').split('?', 1);
    const [, folder = '', file = ''] = /^(\/(?:[^/]*\/)?)([^/]*)$/.exec(path) ?? [];
    const name = file === '' ? 'report.html' : file;
    const report = Object.hasOwn(reports, folder) ? reports[folder] : undefined;
    const refusal = refusalOf(req, { origin: 'http://localhost', names: [], via: 'no proxy' });
    const [status, type, text] = refusal
      ? [refusal.status, 'text/plain', `${refusal.why}.\n`]
      : req.method !== 'GET' && req.method !== 'HEAD'
        ? [405, 'text/plain', 'Only GET is answered here.\n']
        : report && Object.hasOwn(formats, name)
          ? [200, types[extname(name)] ?? 'text/plain', formats[name]!(report())]
          : [
              404,
              'text/plain',
              `There are ${Object.keys(formats).join(', ')}, below ${Object.keys(reports).join(' and ')}.\n`,
            ];
    res.writeHead(status, {
      'content-type': type,
      'cache-control': 'no-store',
      ...(status === 405 && { allow: 'GET' }),
    });
    res.end(text);
  });
}
