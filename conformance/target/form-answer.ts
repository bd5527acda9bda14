import { MissingCapability, PrerequisiteFailed } from '../verdict.js';
import type { ConsentRequest } from './hooks.js';
import type { Control, Form } from './html-form.js';
import type { Target } from './target.js';

/** What is sent when a form is filled in and submitted. */
export interface Submission {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly action: string | undefined;
  readonly method: 'GET' | 'POST';
}

/** Who answers the pages: an account of the target. */
export interface User {
  /** Words that mean the account on a page: its key in the target, its login, and the name that the server has for it. */
  readonly words: readonly string[];
  /** What is typed in. */
  readonly login: string;
  readonly password: string | undefined;
}

/** What the target says of the fields and buttons of its pages. */
export type FieldNames = Target['form'];

type Decision = ConsentRequest['decision'];

/** How buttons for each decision usually begin, where the target names none. */
const usualButtons: Readonly<Record<Decision, RegExp>> = {
  approve: /^(?:approve|allow|authori[sz]e|accept|grant|agree|yes)\b/i,
  deny: /^(?:deny|decline|cancel|reject|refuse|disallow|disagree|no)\b/i,
};

const isButton = ({ kind }: Control): boolean => kind === 'submit';

/** The button for a decision: by its name, value or text as the target has it, else by what is usual. */
function buttonFor({ controls }: Form, decision: Decision, names: FieldNames): Control | undefined {
  const buttons = controls.filter(isButton);
  const own = names[decision]?.toLowerCase();
  if (own !== undefined)
    return buttons.find(({ name, value, label }) => [name, value, label].some((word) => word.toLowerCase() === own));
  return (
    buttons.find(({ name, value }) => name === 'decision' && value === decision) ??
    buttons.find((button) => button.name !== 'account' && usualButtons[decision].test(button.label || button.value))
  );
}

/** Whether the form has the usual button for a decision, and not the one that the target names. */
export const lacksNamedButton = (form: Form, decision: Decision, names: FieldNames): boolean =>
  buttonFor(form, decision, names) === undefined && buttonFor(form, decision, {}) !== undefined;

const passwordOf = ({ controls }: Form, names: FieldNames): Control | undefined =>
  controls.find(({ type, name }) => type === 'password' || (name !== '' && name === names.password));

/** Whether the form is a login. */
export const asksPassword = (form: Form, names: FieldNames): boolean => passwordOf(form, names) !== undefined;

/** Whether the form asks for the decision, and not merely for a login. */
export const asksDecision = (form: Form, names: FieldNames): boolean =>
  form.controls.some(({ name }) => name === 'decision') || buttonFor(form, 'approve', names) !== undefined;

/** The name of the field that takes the account: on a login page the one before the password, where the target names none. */
function accountFieldOf(form: Form, names: FieldNames): string | undefined {
  const wanted = names.account ?? 'account';
  if (form.controls.some(({ name }) => name === wanted)) return wanted;
  const password = passwordOf(form, names);
  if (!password || names.account !== undefined) return undefined;
  const before = form.controls.slice(0, form.controls.indexOf(password));
  return before.findLast(({ kind, type, name }) => kind === 'text' && type !== 'hidden' && name !== '')?.name;
}

/** Whether the account can be picked in the form. */
export const asksAccount = (form: Form, names: FieldNames): boolean => accountFieldOf(form, names) !== undefined;

/** Whether the form only wants to be sent on: nothing to fill in, one button. */
export const isContinuation = ({ controls }: Form): boolean =>
  controls.filter(isButton).length === 1 && controls.every((one) => isButton(one) || one.type === 'hidden');

/**
 * The one form on a page that a user would answer: a login, else the one with the button for the decision, else the one
 * that asks for the account, else the only one.
 *
 * @param page what the page is called, for the error
 * @param status of its answer: an error may have nothing to answer
 * @throws PrerequisiteFailed where none of several stands out
 */
export function formToAnswer(
  forms: readonly Form[],
  decision: Decision,
  names: FieldNames,
  page: string,
  status = 200,
): Form | undefined {
  const decisions = forms.filter((form) => asksDecision(form, names));
  const found =
    forms.find((form) => asksPassword(form, names)) ??
    (decisions.length > 0 ? forms.find((form) => buttonFor(form, decision, names)) : undefined) ??
    decisions[0] ??
    forms.find((form) => asksAccount(form, names));
  if (found || forms.length <= 1) return found ?? forms[0];
  // What stands on every page of a site, such as a search, stands on that of an error too.
  if (status >= 400) return undefined;
  throw new PrerequisiteFailed(
    `consent: form: ${page} has ${forms.length} forms (${forms.map(described).join('; ')}), and none is known to take the decision; ` +
      'set form.approve and form.deny in the target to the name, value or text of their buttons',
  );
}

/** A form by what can be filled in and pressed. */
export function described({ controls }: Form): string {
  const fields = [
    ...new Set(controls.filter((one) => !isButton(one) && one.type !== 'hidden').map(({ name }) => name)),
  ];
  const buttons = controls.filter(isButton).map(({ label, value, name }) => label || value || name);
  return `fields: ${fields.join(', ') || 'none'}, buttons: ${buttons.join(', ') || 'none'}`;
}

/** Fills a form in as the user would who is told the account, the decision and the scopes. */
export function answered(
  form: Form,
  { decision, scope }: Pick<ConsentRequest, 'decision' | 'scope'>,
  user: User,
  names: FieldNames,
): Submission {
  const isLogin = asksPassword(form, names);
  const decides = !isLogin && asksDecision(form, names);
  const account = accountFieldOf(form, names);
  const submitter = pressed(form, decides ? decision : undefined, user, names);
  const scopes = scope?.split(' ').filter((word) => word !== '');
  if (scopes && decides && !form.controls.some(isScopeChoice))
    throw new MissingCapability('a choice of scopes', 'the consent page has no checkboxes named scope');
  const fields: [string, string][] = [];
  for (const group of grouped(form.controls)) {
    if (group.name === '') continue;
    if (group.name === account) fields.push(...accountField(group.name, group.controls, user, submitter));
    else if (group.controls.includes(passwordOf(form, names)!)) fields.push([group.name, user.password ?? '']);
    else if (group.name === 'decision') continue;
    else if (scopes && group.name === 'scope' && group.controls.some(isScopeChoice)) {
      fields.push(...scopeFields(group.controls, scopes));
    } else fields.push(...group.controls.filter((control) => sent(control, submitter)).map(fieldOf));
  }
  if (form.controls.some(({ name }) => name === 'decision')) fields.push(['decision', decision]);
  return {
    fields,
    action: submitter?.action ?? form.action,
    method: submitter?.method === undefined ? form.method : submitter.method === 'POST' ? 'POST' : 'GET',
  };
}

const fieldOf = ({ name, value }: Control): [string, string] => [name, value];

const isScopeChoice = ({ name, kind }: Control): boolean =>
  name === 'scope' && (kind === 'checkbox' || kind === 'select' || kind === 'radio');

/** A button goes along only where it was the one that was pressed. */
const sent = (control: Control, submitter: Control | undefined): boolean =>
  isButton(control) ? control === submitter : control.chosen;

/**
 * The button for the decision or the account, else the first one.
 *
 * @throws MissingCapability where the page has buttons and none denies
 */
function pressed(form: Form, decision: Decision | undefined, user: User, names: FieldNames): Control | undefined {
  const buttons = form.controls.filter(isButton);
  const own = decision && buttonFor(form, decision, names);
  if (own) return own;
  const takesDecision = form.controls.some(({ name }) => name === 'decision');
  if (decision === 'deny' && !takesDecision)
    throw new MissingCapability(
      'denial',
      `no button denies (${described(form)}); set form.deny in the target to its text`,
    );
  const accountName = names.account ?? 'account';
  return (
    buttons.find((button) => button.name === accountName && means(button, user)) ??
    buttons.find(({ name }) => name !== 'decision' && name !== accountName)
  );
}

const means = ({ value, label }: Control, { words }: User): boolean => words.includes(value) || words.includes(label);

function accountField(
  name: string,
  controls: readonly Control[],
  user: User,
  submitter: Control | undefined,
): [string, string][] {
  // The words in their order, so that a key that is another account's name on the page does not win over this one's.
  const choices = controls.filter(({ kind }) => kind !== 'text');
  const picked =
    user.words.map((word) => choices.find(({ value }) => value === word)).find((control) => control !== undefined) ??
    choices.find((control) => means(control, user));
  if (picked) return isButton(picked) && picked !== submitter ? [] : [fieldOf(picked)];
  if (controls.some(({ kind }) => kind === 'text')) return [[name, user.login]];
  const offered = controls.map(({ value }) => value).join(', ');
  throw new PrerequisiteFailed(
    `consent: form: the page offers the accounts ${offered}, not ${user.words.join(' or ')}; use the names of the page in accounts`,
  );
}

function scopeFields(controls: readonly Control[], scopes: readonly string[]): [string, string][] {
  const absent = scopes.filter((word) => !controls.some(({ value }) => value === word));
  if (absent.length > 0)
    throw new PrerequisiteFailed(`consent: form: the page does not offer the scope ${absent.join(', ')}`);
  return controls.filter(({ value }) => scopes.includes(value)).map(fieldOf);
}

/** Controls of one name belong together; groups stay in the order of their first control. */
function grouped(controls: readonly Control[]): { name: string; controls: Control[] }[] {
  const groups = new Map<string, Control[]>();
  for (const control of controls) {
    const group = groups.get(control.name);
    if (group) group.push(control);
    else groups.set(control.name, [control]);
  }
  return [...groups].map(([name, controls]) => ({ name, controls }));
}
