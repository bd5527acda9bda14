import type { MockControl, TokenWish } from '../../../client/mock.js';
import { button, byId, make } from './elements.js';
import type { Act } from './panels.js';

const copy = (text: string, act: Act): void => act('Copied.', () => navigator.clipboard.writeText(text));

/** Buttons that copy what the page names, and those that mint a token. */
export function wireReady(
  act: Act,
  { account, scopes }: { readonly account: string; readonly scopes: readonly string[] },
): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-copy]'))
    element.addEventListener('click', () => copy(element.dataset.copy ?? '', act));
  const offer = (id: string, what: string, wish: TokenWish): void =>
    byId(id).addEventListener('click', () =>
      act(`A new ${what} is ready.`, async (mock: MockControl) => {
        const { access_token: token } = await mock.issueToken(wish);
        const shown = make('span', 'grow', `${what}: `, make('code', '', token));
        byId('ready-tokens').prepend(
          make(
            'li',
            'line',
            shown,
            button('Copy', `Copy ${what}`, () => copy(token, act)),
          ),
        );
      }),
    );
  const named = (prefix: string): readonly string[] => scopes.filter((scope) => scope.startsWith(prefix));
  offer('token-account', `token of ${account}`, { account, scopes: named('account:') });
  offer('token-service', 'token of a service', { scopes: named('service:') });
}
