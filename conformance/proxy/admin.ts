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

/** Serves the report of what has passed so far: the page at `/`, and every format by the name of its file. */
export function createAdmin(report: () => RunReport): Server {
  return createServer((req, res) => {
    const [path = ''] = (req.url ?? '').split('?', 1);
    const name = path === '/' ? 'report.html' : path.slice(1);
    const refusal = refusalOf(req, { origin: 'http://localhost', names: [], via: 'no proxy' });
    const [status, type, text] = refusal
      ? [refusal.status, 'text/plain', `${refusal.why}.\n`]
      : req.method !== 'GET' && req.method !== 'HEAD'
        ? [405, 'text/plain', 'Only GET is answered here.\n']
        : Object.hasOwn(formats, name)
          ? [200, types[extname(name)] ?? 'text/plain', formats[name]!(report())]
          : [404, 'text/plain', `There are ${Object.keys(formats).join(', ')}, and the page at /.\n`];
    res.writeHead(status, {
      'content-type': type,
      'cache-control': 'no-store',
      ...(status === 405 && { allow: 'GET' }),
    });
    res.end(text);
  });
}
