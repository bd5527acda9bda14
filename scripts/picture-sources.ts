import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { html } from '../conformance/report/html.js';
import { sampleReport } from '../conformance/report/sample.fixture.js';
import { packageVersion } from '../cli/version.js';
import { authorizationUrl, challengeOf } from '../src/client/index.js';
import { startMock } from '../src/server/mock.js';
import { root } from './generate/document.js';
import { terminalPicture } from './terminal-picture.js';

export const images = join(root, 'docs', 'images');

/** Where `npm run pictures` writes what the pictures were drawn from. */
export const sourcesFile = join(images, 'drawn-from.json');

/** What the mock of the pictures is started with. */
export const pictured = { epoch: '2026-01-01T00:00:00Z', journal: true };

/** The page that asks the user of the pictures for consent. */
export const consentUrl = async (authUrl: string): Promise<string> =>
  authorizationUrl({
    authUrl,
    clientId: 'example-web',
    redirectUri: 'https://app.example/callback',
    scopes: ['account:profile', 'account:characters', 'account:stashes'],
    state: 'abcdefghijklmnopqrstuv',
    challenge: await challengeOf('a-verifier-of-forty-three-characters-or-more'),
  });

/**
 * A digest of the page of each picture: its markup with styles and scripts, without what differs from run to run. It is the
 * same on every machine, where fonts and the browser make pictures differ.
 */
export async function pictureSources(): Promise<Record<string, string>> {
  await using mock = await startMock(pictured);
  const page = async (url: string): Promise<string> => {
    const text = await (await fetch(url)).text();
    return text
      .replaceAll(mock.url, 'http://mock')
      .replaceAll(packageVersion(), 'version')
      .replaceAll(/\b[0-9a-f]{40}\b|(?<=value=")[\w-]{20,}(?=")/g, 'random');
  };
  const report = html(sampleReport());
  const pages = {
    dashboard: await page(mock.url),
    consent: await page(await consentUrl(mock.url)),
    try: await page(`${mock.url}/try`),
    verify: report,
    'audit-report': report,
    audit: terminalPicture('FAIL\n  source\nended well\nany other', 'light'),
  };
  return Object.fromEntries(
    Object.entries(pages).map(([name, text]) => [name, createHash('sha256').update(text).digest('hex').slice(0, 16)]),
  );
}
