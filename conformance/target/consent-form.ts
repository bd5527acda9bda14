import { MissingCapability, PrerequisiteFailed } from '../verdict.js';
import { headerValues, redirectOf } from './answers.js';
import type { PlainAnswer } from './answers.js';
import { CookieJar } from './cookies.js';
import {
  answered,
  asksAccount,
  asksDecision,
  asksPassword,
  described,
  formToAnswer,
  isContinuation,
  lacksNamedButton,
} from './form-answer.js';
import type { Submission, User } from './form-answer.js';
import { authorizationOrigins } from './endpoints.js';
import type { ConsentOutcome, ConsentRequest, Hooks, Transport } from './hooks.js';
import { formsIn } from './html-form.js';
import type { Form } from './html-form.js';
import { headingOf } from './html.js';
import type { Target } from './target.js';

/** Pages and redirects on the way to the outcome; a login, a choice of account and a consent page need about six. */
const mostSteps = 12;

type FormTarget = Pick<Target, 'auth_url' | 'paths' | 'accounts' | 'form'>;

/**
 * Consent on ordinary HTML pages (control protocol, section 1, `consent: form`): a browser without scripts that answers
 * the forms it meets, and stops at the first redirect that leaves the authorization server. Each consent has cookies of its
 * own: where the tokens of one login end together, those of other checks would end with it.
 */
export function formConsent(target: FormTarget, transport: Transport): Required<Pick<Hooks, 'consent' | 'page'>> {
  const browse = (request: ConsentRequest): ConsentBrowser => new ConsentBrowser(target, transport, request);
  return {
    consent: (request) => browse(request).decide(),
    page: ({ url, account }) => browse({ url, account, decision: 'approve' }).page(),
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
  private readonly user: User;
  private readonly origins: ReadonlySet<string>;
  private steps = 0;
  /** The last page that was answered, for the error. */
  private last = '';
  /** A page that was answered without the button that the target names, and the usual one is there. */
  private misnamed: string | undefined;
  /** Whether a page asked for the account. */
  private picked = false;

  constructor(
    private readonly target: FormTarget,
    private readonly transport: Transport,
    private readonly request: ConsentRequest,
  ) {
    const { account } = request;
    this.origins = authorizationOrigins(target);
    const {
      username,
      login = account,
      password,
    } = (Object.hasOwn(target.accounts, account) && target.accounts[account]) || {};
    const words = [...new Set([account, login, username ?? account])];
    this.user = { words, login, password };
  }

  async decide(): Promise<ConsentOutcome> {
    const { place, form } = await this.toDecision();
    if (!form) {
      this.mustHaveBeenNamed();
      return this.undecided(place);
    }
    if (!this.picked && !asksAccount(form, this.target.form)) this.mustBeFirst();
    let next = await this.answer(place, form);
    this.mustHaveBeenNamed();
    for (let more = this.continuation(next); more; more = this.continuation(next)) next = await this.answer(next, more);
    return outcome(next);
  }

  /** Where no page asked: a refusal, or a server that approves by itself. */
  private undecided(place: VisitedPage): ConsentOutcome {
    const { location, ...rest } = outcome(place);
    if (location !== null && urlOf(location, place.url)?.searchParams.has('code')) {
      if (!this.picked) this.mustBeFirst();
      const { account, decision, scope } = this.request;
      const memory = `no page asks ${account}: the server approves by itself, or remembers the consent`;
      if (decision === 'deny') throw new MissingCapability('denial', memory);
      if (scope !== undefined) throw new MissingCapability('a choice of scopes', memory);
    }
    return { location, ...rest };
  }

  /** Where no page asks for the account, the server takes somebody: the first account, as far as anyone can tell. */
  private mustBeFirst(): void {
    const { account } = this.request;
    if (account !== Object.keys(this.target.accounts)[0])
      throw new PrerequisiteFailed(
        `consent: form: no page has a field named ${this.target.form.account ?? 'account'}, so ${account} cannot be chosen; ` +
          'set form.account in the target to the name of the field',
      );
  }

  /** @throws PrerequisiteFailed where the target names a button that the page does not have */
  private mustHaveBeenNamed(): void {
    const { decision } = this.request;
    if (this.misnamed !== undefined)
      throw new PrerequisiteFailed(
        `consent: form: form.${decision} is ${JSON.stringify(this.target.form[decision])}, and no button of ${this.misnamed} is called so; correct form.${decision} in the target`,
      );
  }

  async page(): Promise<{ status: number; text: string }> {
    const { place, page } = await this.toDecision();
    const { status, text } = (redirectOf(place.answer) === undefined ? place : page).answer;
    return { status, text };
  }

  /** Through logins to the page that asks for the decision, or to where there is nothing to answer. */
  private async toDecision() {
    const names = this.target.form;
    let place = await this.follow(await this.send('GET', new URL(this.request.url)));
    let page = place;
    let logins = 0;
    for (;;) {
      const form = isPage(place.answer)
        ? formToAnswer(formsIn(place.answer.text), this.request.decision, names, pageName(place), place.answer.status)
        : undefined;
      if (form) page = place;
      const isLogin = form !== undefined && asksPassword(form, names);
      if (!form || (asksDecision(form, names) && !isLogin)) return { place, form, page };
      if (isLogin && (logins += 1) > 1) this.refuseLogin(place, form);
      this.picked ||= asksAccount(form, names);
      place = await this.answer(place, form);
    }
  }

  private refuseLogin(place: VisitedPage, form: Form): never {
    const { account } = this.request;
    const remedy =
      this.user.password === undefined
        ? `set accounts.${account}.password in the target`
        : `correct accounts.${account}.login and accounts.${account}.password`;
    throw new PrerequisiteFailed(
      `consent: form: ${pageName(place)} asks ${account} for a password again (${described(form)}); ${remedy}`,
    );
  }

  /** The form of a page after the decision that only wants to be sent on. */
  private continuation({ answer }: VisitedPage): Form | undefined {
    if (!isPage(answer) || answer.status !== 200) return undefined;
    const [form, another] = formsIn(answer.text);
    return form && !another && isContinuation(form) && !asksDecision(form, this.target.form) ? form : undefined;
  }

  private async answer(place: VisitedPage, form: Form): Promise<VisitedPage> {
    const { decision } = this.request;
    const names = this.target.form;
    const isMisnamed =
      names[decision] !== undefined && !asksPassword(form, names) && lacksNamedButton(form, decision, names);
    this.misnamed = isMisnamed ? `${pageName(place)} (${described(form)})` : undefined;
    const filled = answered(form, this.request, this.user, names);
    return this.follow(await this.submit(place, filled, form));
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

  private async submit(from: VisitedPage, { fields, action, method }: Submission, form: Form): Promise<VisitedPage> {
    const url = urlOf(action ?? from.url.href, from.url);
    if (!url || !this.origins.has(url.origin))
      throw new PrerequisiteFailed(`consent: form: the form submits to ${action ?? ''}, which is not below auth_url`);
    const body = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString();
    this.last = `${pageName(from)} (${described(form)})`;
    if (method === 'POST') return this.send('POST', url, from.url, body);
    url.search = body;
    return this.send('GET', url, from.url);
  }

  private async send(method: 'GET' | 'POST', url: URL, referrer?: URL, body?: string): Promise<VisitedPage> {
    this.steps += 1;
    if (this.steps > mostSteps)
      throw new PrerequisiteFailed(
        `consent: form: no decision after ${mostSteps} pages and redirects, the last at ${url.pathname}${this.last && `, after ${this.last}`}; ` +
          'set form.account, form.approve and form.deny in the target to what the pages call them',
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

/** A page as people call it: by its title, and where it is. */
function pageName({ url, answer }: VisitedPage): string {
  const heading = headingOf(answer.text);
  return heading === '' ? `the page at ${url.pathname}` : `the page "${heading}" at ${url.pathname}`;
}

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
