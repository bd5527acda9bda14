import { build } from 'esbuild';

import { root } from '../../generate/document.js';

/** The name of the worker, beside the pages: it answers for its folder and what is below. */
export const workerFile = 'mock-worker.js';

/** The service worker as one file. */
export async function workerScript(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['scripts/docs/worker/main.ts'],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** Starts the worker and goes on to the page that it answers with; both lie in the folder above. */
const script = `const said = (text) => void (document.querySelector('p').textContent = text);
const elsewhere = 'Run gamedata mock, and open /try at its address.';
if (!navigator.serviceWorker) said('The mock runs in a service worker, which this browser allows on https and localhost only. ' + elsewhere);
else navigator.serviceWorker.register('../${workerFile}').then(() => navigator.serviceWorker.ready)
  .then(() => navigator.serviceWorker.controller || new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true })))
  .then(() => location.replace('../try'), (error) => said('The mock could not be started here (' + error.message + '). ' + elsewhere));`;

/** The page at `try/`, for whoever comes before the worker does. */
export const startPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try the Game Data mock</title><link rel="icon" href="data:,"></head>
<body><main><h1>Try the operations</h1><p role="status">The mock starts in your browser…</p>
<noscript>The page needs scripts. The <a href="../start.html">documentation</a> can be read without.</noscript></main>
<script>${script}</script></body></html>
`;
