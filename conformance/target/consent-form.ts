import { PrerequisiteFailed } from '../verdict.js';
import { headerValues, redirectOf } from './answers.js';
import type { PlainAnswer } from './answers.js';
import { CookieJar } from './cookies.js';
import { answered, asksAccount, asksDecision, formToAnswer } from './form-answer.js';
import type { AccountWords, Submission } from './form-answer.js';
import { authorizationOrigins } from './endpoints.js';
import type { ConsentOutcome, ConsentRequest, Hooks, Transport } from './hooks.js';
import { formsIn } from './html-form.js';
import type { Target } from './target.js';

/** Pages and redirects on the way to the outcome; a login, a choice of account and a consent page need about six. */
const mostSteps = 12;

/**
 * Consent on an ordinary HTML page (control protocol, section 1, `consent: form`): a browser without scripts, with
 * cookies of its own for every consent, that answers the forms it meets and stops at the first redirect that leaves
 * the authorization server.
 */
export function formConsent(
  target: Pick<Target, 'auth_url' | 'paths' | 'accounts'>,
  transport: Transport,
): Required<Pick<Hooks, 'consent' | 'page'>> {
  return {
    consent: (request) => new ConsentBrowser(target, transport, request).decide(),
    page: ({ url, account }) => new ConsentBrowser(target, transport, { url, account, decision: 'approve' }).page(),
  };
}

/** Somewhere on the authorization server. */
interface VisitedPage {
  readonly url: URL;
  readonly answer: PlainAnswer;
}

/** One browser on its way from the authorization URL to the outcome. */
class ConsentBrowser {
  private readonly jar = new CookieJar();
  private steps = 0;
  private readonly words: AccountWords;
  private readonly origins: ReadonlySet<string>;

  constructor(
    private readonly target: Pick<Target, 'auth_url' | 'paths' | 'accounts'>,
    private readonly transport: Transport,
    private readonly request: ConsentRequest,
  ) {
    this.origins = authorizationOrigins(target);
    const { account } = request;
    const username = Object.hasOwn(target.accounts, account) ? target.accounts[account]?.username : undefined;
    this.words = username === undefined || username === account ? [account] : [account, username];
  }

  async decide(): Promise<ConsentOutcome> {
    const { place, form, picked } = await this.toDecision();
    if (form) {
      if (!picked && !asksAccount(form)) this.mustBeFirst();
      return outcome(await this.follow(await this.submit(place, answered(form, this.request, this.words))));
    }
    const { location, ...rest } = outcome(place);
    if (!picked && location !== null && urlOf(location, place.url)?.searchParams.has('code')) this.mustBeFirst();
    return { location, ...rest };
  }

  /** Where no page asks for the account, the server takes somebody: the first account, as far as anyone can tell. */
  private mustBeFirst(): void {
    const { account } = this.request;
    if (account !== Object.keys(this.target.accounts)[0])
      throw new PrerequisiteFailed(`consent: form: no page has a field named account, so ${account} cannot be chosen`);
  }

  async page(): Promise<{ status: number; text: string }> {
    const { place, page } = await this.toDecision();
    const { status, text } = (redirectOf(place.answer) === undefined ? place : page).answer;
    return { status, text };
  }

  /** Through logins to the page that asks for the decision, or to where there is nothing to answer. */
  private async toDecision() {
    let place = await this.follow(await this.send('GET', new URL(this.request.url)));
    let page = place;
    let picked = false;
    for (;;) {
      const form = isPage(place.answer) ? formToAnswer(formsIn(place.answer.text)) : undefined;
      if (form) page = place;
      if (!form || asksDecision(form)) return { place, form, picked, page };
      picked ||= asksAccount(form);
      place = await this.follow(await this.submit(place, answered(form, this.request, this.words)));
    }
  }

  /** Follows redirects for as long as they stay on the authorization server. */
  private async follow(place: VisitedPage): Promise<VisitedPage> {
    let here = place;
    for (;;) {
      const location = redirectOf(here.answer);
      const next = location === undefined ? undefined : this.within(location, here.url);
      if (!next) return here;
      here = await this.send('GET', next);
    }
  }

  /** Where a redirect leads on this server; undefined where it leaves it, which is the outcome. */
  private within(location: string, from: URL): URL | undefined {
    const next = urlOf(location, from);
    if (!next || !this.origins.has(next.origin)) return undefined;
    const back = urlOf(new URL(this.request.url).searchParams.get('redirect_uri') ?? '', undefined);
    const home = back?.origin === next.origin && back.pathname === next.pathname;
    return home ? undefined : next;
  }

  private async submit(from: VisitedPage, { fields, action, method }: Submission): Promise<VisitedPage> {
    const url = urlOf(action ?? from.url.href, from.url);
    if (!url || !this.origins.has(url.origin))
      throw new PrerequisiteFailed(`consent: form: the form submits to ${action ?? ''}, which is not below auth_url`);
    const body = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString();
    if (method === 'POST') return this.send('POST', url, from.url, body);
    url.search = body;
    return this.send('GET', url, from.url);
  }

  private async send(method: 'GET' | 'POST', url: URL, referrer?: URL, body?: string): Promise<VisitedPage> {
    this.steps += 1;
    if (this.steps > mostSteps)
      throw new PrerequisiteFailed(
        `consent: form: no decision after ${mostSteps} pages and redirects, the last at ${url.pathname}; the consent page needs fields named account and decision`,
      );
    const cookie = this.jar.header(url);
    const answer = await this.transport({
      method,
      url: url.href,
      headers: {
        accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
        ...(cookie !== undefined && { cookie }),
        ...(referrer && { referer: referrer.href }),
        ...(body !== undefined && { origin: url.origin, 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body !== undefined && { body }),
    }).catch((error: Error) => {
      if (error.name === 'Stopped') throw error;
      throw new PrerequisiteFailed(`consent: form: ${method} ${url.pathname}: no response (${error.message})`);
    });
    this.jar.take(url, headerValues(answer, 'set-cookie'));
    return { url, answer };
  }
}

const isPage = (answer: PlainAnswer): boolean =>
  redirectOf(answer) === undefined &&
  /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(headerValues(answer, 'content-type')[0] ?? '');

function outcome({ answer }: VisitedPage): ConsentOutcome {
  const location = redirectOf(answer);
  return location === undefined
    ? { status: answer.status, location: null, body: answer.text }
    : { status: answer.status, location };
}

function urlOf(text: string, base: URL | undefined): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
