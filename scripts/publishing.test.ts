import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const { version, repository, homepage, bugs, publishConfig } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
  readonly repository: { readonly url: string };
  readonly homepage: string;
  readonly bugs: { readonly url: string };
  readonly publishConfig: object;
};
const [, address = '', slug = ''] = /^git[+](https:\/\/[^/]+\/(.+))[.]git$/.exec(repository.url) ?? [];

/** Pages that show how to use the actions. */
const actionPages = ['conformance/README.md', 'conformance/audit/README.md'];

it('says once where the project lives: everything else follows the repository of package.json', () => {
  expect(slug).toMatch(/^[\w-]+\/game-data-contract$/);
  expect(homepage).toBe(`${address}#readme`);
  expect(bugs.url).toBe(`${address}/issues`);
  for (const page of actionPages) {
    const [, used] = /uses: ([^@\s]+\/game-data-contract)[@/]/.exec(readFileSync(page, 'utf8')) ?? [];
    expect(used, page).toBe(slug);
  }
});

it('names the version of package.json wherever a page pins one', () => {
  for (const page of actionPages) {
    const pinned = [...readFileSync(page, 'utf8').matchAll(/game-data-contract(?:\/\w+)?@v?([\d.]+\d)/g)];
    expect(
      pinned.map(([, one]) => one),
      page,
    ).toEqual(pinned.map(() => version));
    expect(pinned, page).not.toHaveLength(0);
  }
});

it('has the placeholder of the owner where it follows package.json, and explains it once', () => {
  const found = execFileSync('git', ['grep', '-lw', 'OWNER', '--', ':!scripts/publishing.test.ts'], {
    encoding: 'utf8',
  });
  const allowed = ['CONTRIBUTING.md', ...actionPages, 'package.json'];
  expect(slug.startsWith('OWNER/') ? allowed : []).toEqual(found.trim().split('\n').filter(Boolean).toSorted());
});

it('publishes with provenance, from a workflow that may sign', () => {
  expect(publishConfig).toEqual({ access: 'public', provenance: true });
  const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as {
    readonly jobs: Readonly<Record<string, { readonly permissions: Readonly<Record<string, string>> }>>;
  };
  expect(jobs.publish?.permissions['id-token']).toBe('write');
});
