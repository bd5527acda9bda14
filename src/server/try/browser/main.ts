import { connectMock } from '../../../client/mock.js';
import { forThis } from './contract.js';
import type { Contract } from './contract.js';

/** The script of /try: the contract as it stands, at this mock, with a token for every kind of operation in place. */
const place = document.getElementById('try')!;
const { base = '', root = '', account = '', client = '' } = place.dataset;
const mock = connectMock(location.origin + base);

interface Ui {
  readonly authActions: { authorizeOauth2(given: { readonly auth: object; readonly token: object }): void };
  initOAuth(options: object): void;
}
interface Scheme {
  readonly flows?: Readonly<Record<string, { readonly scopes: object }>>;
}
declare const SwaggerUIBundle: (options: object) => Ui;

const said = (text: string): void => void (document.getElementById('tokens')!.textContent = text);

/** Swagger UI has dark colours, and leaves it to the page to ask for them. */
function follow(scheme: MediaQueryList): void {
  const apply = (): void => void document.documentElement.classList.toggle('dark-mode', scheme.matches);
  scheme.addEventListener('change', apply);
  apply();
}

/** Each form in the dialog of Swagger UI takes the focus, and the last one scrolls the dialog to its end. */
function openAtBeginning(): void {
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    const dialog = added.find((node): node is Element => node instanceof Element && node.matches('.dialog-ux'));
    dialog?.querySelector<HTMLElement>('.close-modal')?.focus();
    dialog?.querySelector('.modal-ux-content')?.scrollTo(0, 0);
  }).observe(place, { childList: true, subtree: true });
}

async function start(): Promise<void> {
  follow(matchMedia('(prefers-color-scheme: dark)'));
  openAtBeginning();
  if (!('SwaggerUIBundle' in globalThis))
    return said(
      'Swagger UI is not there. In a clone, npm run docs makes it; a handler reads it from its option files.',
    );
  const contract = forThis((await (await fetch(`${root}/openapi.json`)).json()) as Contract, location.origin + base);
  const ui = await new Promise<Ui>((ready) => {
    const made: Ui = SwaggerUIBundle({
      spec: contract,
      domNode: place,
      deepLinking: true,
      displayRequestDuration: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: -1,
      tryItOutEnabled: true,
      filter: true,
      validatorUrl: null,
      oauth2RedirectUrl: `${location.origin}${root}/try/redirect`,
      onComplete: () => queueMicrotask(() => ready(made)),
    });
  });
  ui.initOAuth({ clientId: client, usePkceWithAuthorizationCodeGrant: true });
  await placeTokens(ui, contract);
}

/** Puts a token in place for each way to get one. Where the page may not control the mock, the user gets one by hand. */
async function placeTokens(ui: Ui, { components: { securitySchemes } }: Contract): Promise<void> {
  const ofKind = (kind: string): string[] => [
    ...new Set(
      Object.values(securitySchemes as Readonly<Record<string, Scheme>>)
        .flatMap(({ flows = {} }) => Object.values(flows))
        .flatMap(({ scopes }) => Object.keys(scopes))
        .filter((scope) => scope.startsWith(kind)),
    ),
  ];
  const own = 'Use Authorize to get one: authorizationCode with the public client is filled in.';
  try {
    const [ofAccount, ofService] = await Promise.all([
      mock.issueToken({ account, scopes: ofKind('account:') }),
      mock.issueToken({ scopes: ofKind('service:') }),
    ]);
    const given = { account: ofAccount, service: ofService };
    for (const [name, token] of Object.entries(given))
      ui.authActions.authorizeOauth2({ auth: { name, schema: securitySchemes[name] }, token });
    said(
      `A token of ${account} with every account scope, and one with every service scope, are set. Use Authorize to remove or replace them.`,
    );
  } catch (error) {
    said(`No token is in place (${error instanceof Error ? error.message : String(error)}). ${own}`);
  }
}

void start().catch((error: unknown) => said(`The page could not start: ${String(error)}`));
