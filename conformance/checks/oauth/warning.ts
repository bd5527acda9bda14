import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { MissingCapability } from '../../verdict.js';
import { ofAccount } from '../../model/scopes.js';
import { formsIn } from '../../target/html-form.js';
import type { Role } from '../../target/target.js';
import { isWarning, namesTopic, onlyIn, sentencesOf, statementIn } from './page-text.js';

/** The scopes that both clients may ask for, so that their pages differ in nothing but the clients. */
function commonScopes(run: Run) {
  const [first = [], ...others] = (['confidential', 'public'] as const).flatMap((role) => {
    const client = run.facts.target.clients[role];
    return client ? [client.scopes.filter(ofAccount)] : [];
  });
  const common = first.filter((scope) => others.every((scopes) => scopes.includes(scope)));
  return common.length > 0 ? common : undefined;
}

/** What the consent page for a client says, a sentence each; undefined where the target has no such client. */
async function consentPage(run: Run, role: Role): Promise<readonly string[] | undefined> {
  if (!run.facts.target.clients[role]) return undefined;
  const { fields } = run.oauth.authorizationRequest(role, { scopes: commonScopes(run) });
  const { status, text } = run.facts.hooks.page
    ? await run.facts.hooks.page({
        url: run.oauth.authorizationAddress(fields),
        account: Object.keys(run.facts.target.accounts)[0]!,
      })
    : await run.oauth.bareAuthorize(fields);
  if (status !== 200 || !asksConsent(text, fields.find(([name]) => name === 'scope')![1])) {
    throw new MissingCapability(
      run.facts.hooks.page
        ? `the consent page: what ${Object.keys(run.facts.target.accounts)[0]} gets shows none (status ${status}); a server that remembers a consent asks no more`
        : 'the consent page: GET /oauth/authorize shows none to a browser without a session; set consent to form, or export page from the adapter, to pass a login',
    );
  }
  return sentencesOf(text);
}

/** Whether a page is the one that asks for consent, and not a login before it. */
function asksConsent(page: string, scope: string): boolean {
  const controls = formsIn(page).flatMap((form) => form.controls);
  if (/<input\b[^<>]*\stype\s*=\s*["']?password/i.test(page)) return false;
  const text = sentencesOf(page).join(' ');
  return controls.some(({ name }) => name === 'decision') || scope.split(' ').some((word) => text.includes(word));
}

/**
 * AUTH-WARN: the warning on the page of a public client (interface 4.1, 5.4). Its words are the server's own, so the
 * pages of the two kinds of client are compared: only what is missing, or the same on both, is held against a server.
 */
export const warningChecks: readonly DefinedCheck[] = [
  check({
    id: 'AUTH-WARN-001',
    level: 'MUST',
    sentence: 'The consent page of a public client warns that its authenticity cannot be verified.',
    source: '4.1,5.4',
    needs: ['client:public', 'page'],
    judge: async (run) => {
      const page = (await consentPage(run, 'public'))!;
      const normal = await consentPage(run, 'confidential');
      const more = normal && onlyIn(page, normal);
      const shown =
        page.some(isWarning) || (more ?? page).some((one) => statementIn(one) !== undefined || namesTopic(one));
      if (!shown && more?.length !== 0) {
        run.expect.note('The page of a public client was not understood.');
        return run.expect.warn(
          more
            ? `no warning was recognised in what the page of a public client has more: ${more[0]}`
            : 'no warning was recognised on the page of a public client',
        );
      }
      run.expect.that(
        shown,
        'a warning that the authenticity of the request cannot be verified',
        'a page that says nothing but what the page of a confidential client says',
      );
    },
  }),

  check({
    id: 'AUTH-WARN-002',
    level: 'MUST',
    sentence: 'The consent page of a confidential client does not show that warning.',
    source: '5.4',
    needs: ['client:confidential', 'page'],
    judge: async (run) => {
      const page = (await consentPage(run, 'confidential'))!;
      const publicPage = await consentPage(run, 'public');
      const stated = page.filter(isWarning);
      if (!publicPage) {
        if (stated.length === 0) return run.expect.that(true, 'no warning', stated);
        run.expect.note('There is no page of a public client to compare with.');
        return run.expect.warn(`the page of a confidential client says: ${stated[0]}`);
      }
      // What stands on both pages is the warning only where the public client's has no other.
      const own = onlyIn(publicPage, page).some(namesTopic);
      const misplaced = own ? onlyIn(page, publicPage).find(isWarning) : stated[0];
      if (!own && misplaced === undefined && !publicPage.some(isWarning)) {
        return run.expect.notExercised('no warning was recognised on either page');
      }
      run.expect.that(misplaced === undefined, 'no warning on the page of a confidential client', misplaced);
    },
  }),
];
