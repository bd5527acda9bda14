import { htmlTokens } from './html.js';

/** A control of a form that a submission may carry. */
export interface Control {
  readonly name: string;
  /** `text` is every one-line or hidden input, text area and whatever else has a text. */
  readonly kind: 'text' | 'checkbox' | 'radio' | 'select' | 'submit';
  /** The type of an input. */
  readonly type?: string;
  readonly value: string;
  /** Checked, or selected within its list. */
  readonly chosen: boolean;
  /** What the page calls it: the text of an option, button or label. */
  readonly label: string;
  /** `formaction` and `formmethod` of a button. */
  readonly action?: string | undefined;
  readonly method?: string | undefined;
}

export interface Form {
  /** As written; undefined where the page's own address is meant. */
  readonly action: string | undefined;
  readonly method: 'GET' | 'POST';
  /** In the order of the page. Options of a list are a control each, under the list's name. */
  readonly controls: readonly Control[];
}

interface Draft {
  readonly id: string | undefined;
  readonly attributes: ReadonlyMap<string, string>;
  readonly controls: Control[];
}

interface List {
  readonly name: string;
  readonly form: Draft | undefined;
  readonly disabled: boolean;
  readonly options: { value: string | undefined; label: string; chosen: boolean; disabled: boolean }[];
  readonly multiple: boolean;
}

/** The forms of an HTML page, with all that a browser without scripts would send. */
export function formsIn(page: string): Form[] {
  const reader = new Reader();
  for (const token of htmlTokens(page)) {
    if (token.kind === 'text') reader.text(token.text);
    else if (token.kind === 'start') reader.start(token.name, token.attributes);
    else reader.end(token.name);
  }
  return reader.forms();
}

type HtmlAttributes = ReadonlyMap<string, string>;

/** Follows the tags of a page and gathers forms and their controls. */
class Reader {
  private readonly drafts: Draft[] = [];
  /** Controls outside of a form's tags that name it by `form`. */
  private readonly strays: { readonly id: string; readonly control: Control }[] = [];
  private form: Draft | undefined;
  private list: List | undefined;
  /** A text area or button that is open: its text is its value, or what the page calls it. */
  private open: { readonly tag: string; readonly attributes: HtmlAttributes; text: string } | undefined;
  /** Depth of field sets, and the depth from which they are disabled. */
  private fieldsets: boolean[] = [];

  text(text: string): void {
    if (this.open) this.open.text += text;
    const option = this.list?.options.at(-1);
    if (option) option.label += text;
  }

  start(tag: string, attributes: HtmlAttributes): void {
    if (tag === 'form') this.startForm(attributes);
    else if (tag === 'fieldset') this.fieldsets.push(attributes.has('disabled'));
    else if (tag === 'input') this.input(attributes);
    else if (tag === 'button' || tag === 'textarea') this.startText(tag, attributes);
    else if (tag === 'select') this.startList(attributes);
    else if (tag === 'option') this.option(attributes);
  }

  end(tag: string): void {
    if (tag === 'form') this.endForm();
    else if (tag === 'fieldset') this.fieldsets.pop();
    else if (tag === 'select') this.endList();
    else if (this.open?.tag === tag) this.close();
  }

  forms(): Form[] {
    if (this.open) this.close();
    if (this.list) this.endList();
    for (const { id, control } of this.strays) this.drafts.find((draft) => draft.id === id)?.controls.push(control);
    return this.drafts.map(({ attributes, controls }) => ({
      action: attributes.get('action')?.trim() || undefined,
      method: attributes.get('method')?.trim().toUpperCase() === 'POST' ? 'POST' : 'GET',
      controls,
    }));
  }

  private startForm(attributes: HtmlAttributes): void {
    if (this.form) return; // forms do not nest
    this.form = { id: attributes.get('id'), attributes, controls: [] };
    this.drafts.push(this.form);
  }

  private endForm(): void {
    if (this.open) this.close();
    this.form = undefined;
  }

  private startText(tag: string, attributes: HtmlAttributes): void {
    if (this.open) this.close();
    this.open = { tag, attributes, text: '' };
  }

  private add(attributes: HtmlAttributes, control: Omit<Control, 'name'>): void {
    if (attributes.has('disabled') || this.fieldsets.includes(true)) return;
    const named = { name: attributes.get('name') ?? '', ...control };
    const id = attributes.get('form');
    if (id !== undefined) this.strays.push({ id, control: named });
    else this.form?.controls.push(named);
  }

  private input(attributes: HtmlAttributes): void {
    const type = attributes.get('type')?.trim().toLowerCase() ?? 'text';
    const value = attributes.get('value');
    if (type === 'reset' || type === 'button' || type === 'file') return;
    if (type === 'submit' || type === 'image') {
      const { action, method } = elsewhere(attributes);
      this.add(attributes, { kind: 'submit', value: value ?? '', chosen: false, label: value ?? '', action, method });
    } else if (type === 'checkbox' || type === 'radio') {
      this.add(attributes, { kind: type, value: value ?? 'on', chosen: attributes.has('checked'), label: value ?? '' });
    } else {
      this.add(attributes, { kind: 'text', type, value: value ?? '', chosen: true, label: '' });
    }
  }

  private close(): void {
    const { tag, attributes, text } = this.open!;
    this.open = undefined;
    if (tag === 'textarea') {
      this.add(attributes, { kind: 'text', value: text.replace(/^\r?\n/, ''), chosen: true, label: '' });
    } else if (!/^(button|reset)$/i.test(attributes.get('type')?.trim() ?? '')) {
      const value = attributes.get('value') ?? '';
      this.add(attributes, { kind: 'submit', value, chosen: false, label: tidy(text), ...elsewhere(attributes) });
    }
  }

  private startList(attributes: HtmlAttributes): void {
    if (this.list) this.endList();
    const id = attributes.get('form');
    this.list = {
      name: attributes.get('name') ?? '',
      form: id === undefined ? this.form : this.drafts.find((draft) => draft.id === id),
      disabled: attributes.has('disabled') || this.fieldsets.includes(true),
      options: [],
      multiple: attributes.has('multiple'),
    };
  }

  private option(attributes: HtmlAttributes): void {
    this.list?.options.push({
      value: attributes.get('value'),
      label: '',
      chosen: attributes.has('selected'),
      disabled: attributes.has('disabled'),
    });
  }

  private endList(): void {
    const { name, form, disabled, options, multiple } = this.list!;
    this.list = undefined;
    if (disabled || !form) return;
    const usable = options.filter((option) => !option.disabled);
    // A drop-down list always shows one: the last that is marked, else the first.
    const shownOne = usable.findLast(({ chosen }) => chosen) ?? usable[0];
    for (const option of usable) {
      const label = tidy(option.label);
      const chosen = multiple ? option.chosen : option === shownOne;
      form.controls.push({ name, kind: 'select', value: option.value ?? label, chosen, label });
    }
  }
}

const tidy = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const elsewhere = (attributes: HtmlAttributes): Pick<Control, 'action' | 'method'> => ({
  action: attributes.get('formaction')?.trim() || undefined,
  method: attributes.get('formmethod')?.trim().toUpperCase(),
});
