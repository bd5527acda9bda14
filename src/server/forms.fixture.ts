/** Reads and fills an HTML form as a browser does, for tests that have no browser: enough of HTML for pages of our own. */
export interface FilledForm {
  readonly method: string;
  /** Absolute. */
  readonly action: string;
  /** Names and values that would be sent, in order, without a button's. */
  readonly fields: readonly Field[];
  readonly buttons: readonly Button[];
}

interface Field {
  readonly name: string;
  readonly value: string;
}

interface Button extends Field {
  readonly text: string;
}

/** The forms of a page, filled in as it came. */
export function readForms(html: string, pageUrl: string): FilledForm[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, tag = '', content = '']) => {
    const { method = 'get', action = pageUrl } = attributes(tag);
    return {
      method: method.toUpperCase(),
      action: new URL(action, pageUrl).href,
      fields: readFields(content),
      buttons: readButtons(content),
    };
  });
}

/** The request that a press of the button with that text sends. Redirects are not followed. */
export function press({ method, action, fields, buttons }: FilledForm, text: string): Promise<Response> {
  const button = buttons.find((candidate) => candidate.text === text);
  if (!button)
    throw new Error(`the form has no button ${text}; it has ${buttons.map((candidate) => candidate.text).join(', ')}`);
  const sent = [...fields, ...(button.name === '' ? [] : [button])].map(
    ({ name, value }) => [name, value] as [string, string],
  );
  const body = new URLSearchParams(sent);
  if (method === 'GET') return fetch(`${action.split('?')[0] ?? ''}?${body.toString()}`, { redirect: 'manual' });
  return fetch(action, { method, body, redirect: 'manual' });
}

/** The form with one choice of a select, or one text of an input, changed. */
export const choose = (form: FilledForm, name: string, value: string): FilledForm => ({
  ...form,
  fields: form.fields.map((field) => (field.name === name ? { name, value } : field)),
});

/** The form with one tick taken away. */
export const untick = (form: FilledForm, name: string, value: string): FilledForm => ({
  ...form,
  fields: form.fields.filter((field) => field.name !== name || field.value !== value),
});

/** Inputs and selects that would be sent: ticked boxes, the option that is selected or the first. */
function readFields(content: string): Field[] {
  return [...content.matchAll(/<input\b([^>]*)>|<select\b([^>]*)>(.*?)<\/select>/gs)].flatMap(
    ([, input, select, options = '']) => {
      if (input === undefined) return [{ name: attributes(select ?? '').name ?? '', value: selected(options) }];
      const { type, name = '', value = 'on', checked } = attributes(input);
      return type === 'checkbox' && checked === undefined ? [] : [{ name, value }];
    },
  );
}

function selected(content: string): string {
  const options = [...content.matchAll(/<option\b([^>]*)>/g)].map(([, tag = '']) => attributes(tag));
  return (options.find((option) => option.selected !== undefined) ?? options[0])?.value ?? '';
}

const readButtons = (content: string): Button[] =>
  [...content.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)].map(([, tag = '', text = '']) => {
    const { name = '', value = '' } = attributes(tag);
    return { name, value, text };
  });

const attributes = (tag: string): Partial<Record<string, string>> =>
  Object.fromEntries(
    [...tag.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, unescape(value)]),
  );

const unescape = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
