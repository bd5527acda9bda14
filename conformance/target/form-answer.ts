import { MissingCapability, PrerequisiteFailed } from '../verdict.js';
import type { ConsentRequest } from './hooks.js';
import type { Control, Form } from './html-form.js';

/** What is sent when a form is filled in and submitted. */
export interface Submission {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly action: string | undefined;
  readonly method: 'GET' | 'POST';
}

/** Words that mean the account on a page: its key in the target, and the name that the server has for it. */
export type AccountWords = readonly string[];

const offers = (form: Form, name: string): boolean => form.controls.some((control) => control.name === name);

/** Whether the form asks for the decision, and not merely for a login. */
export const asksDecision = (form: Form): boolean => offers(form, 'decision');

/** Whether the account can be picked in the form. */
export const asksAccount = (form: Form): boolean => offers(form, 'account');

/**
 * The one form on a page that a user would answer: the one that asks for a decision or an account where there are
 * several.
 */
export function formToAnswer(forms: readonly Form[]): Form | undefined {
  const asking = forms.filter((form) => asksDecision(form) || asksAccount(form));
  const [form, another] = asking.length > 0 ? asking : forms;
  if (another)
    throw new PrerequisiteFailed(
      `consent: form: the page has ${(asking.length > 0 ? asking : forms).length} forms; the right one needs fields named account and decision`,
    );
  return form;
}

/** Fills a form in as the user would who is told the account, the decision and the scopes. */
export function answered(
  form: Form,
  { decision, scope }: Pick<ConsentRequest, 'decision' | 'scope'>,
  account: AccountWords,
): Submission {
  const submitter = pressed(form, decision, account);
  const scopes = scope?.split(' ').filter((word) => word !== '');
  if (scopes && asksDecision(form) && !form.controls.some(isScopeChoice))
    throw new MissingCapability('a choice of scopes', 'the consent page has no checkboxes named scope');
  const fields: [string, string][] = [];
  for (const group of grouped(form.controls)) {
    if (group.name === '') continue;
    if (group.name === 'account') fields.push(...accountField(group.controls, account, submitter));
    else if (group.name === 'decision') continue;
    else if (scopes && group.name === 'scope' && group.controls.some(isScopeChoice)) {
      fields.push(...scopeFields(group.controls, scopes));
    } else fields.push(...group.controls.filter((control) => sent(control, submitter)).map(fieldOf));
  }
  fields.push(['decision', decision]);
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
  control.kind === 'submit' ? control === submitter : control.chosen;

/** The button that means the decision or the account, else the first one. */
function pressed({ controls }: Form, decision: string, account: AccountWords): Control | undefined {
  const buttons = controls.filter(({ kind }) => kind === 'submit');
  return (
    buttons.find(({ name, value }) => name === 'decision' && value === decision) ??
    buttons.find((button) => button.name === 'account' && means(button, account)) ??
    buttons.find(({ name }) => name !== 'decision' && name !== 'account')
  );
}

const means = ({ value, label }: Control, account: AccountWords): boolean =>
  account.includes(value) || account.includes(label);

function accountField(
  controls: readonly Control[],
  account: AccountWords,
  submitter: Control | undefined,
): [string, string][] {
  // The words in their order, so that a key that is another account's name on the page does not win over this one's.
  const choices = controls.filter(({ kind }) => kind !== 'text');
  const picked =
    account.map((word) => choices.find(({ value }) => value === word)).find((control) => control !== undefined) ??
    choices.find((control) => means(control, account));
  if (picked) return picked.kind === 'submit' && picked !== submitter ? [] : [fieldOf(picked)];
  if (controls.some(({ kind }) => kind === 'text')) return [['account', account[0] ?? '']];
  const offered = controls.map(({ value }) => value).join(', ');
  throw new PrerequisiteFailed(
    `consent: form: the page offers the accounts ${offered}, not ${account.join(' or ')}; use the names of the page in accounts`,
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
