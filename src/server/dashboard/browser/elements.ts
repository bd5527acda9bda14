/** The element of the page with that id; the page is made together with this script. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found as T;
}

/** An element with children; texts become text and never HTML. */
export function make(tag: string, className: string, ...children: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** A button that says in its label, for those who do not see where it stands, what it acts on. */
export function button(text: string, label: string, act: () => void): HTMLElement {
  const element = make('button', '', text) as HTMLButtonElement;
  element.type = 'button';
  element.ariaLabel = label;
  element.addEventListener('click', act);
  return element;
}

const shown = new WeakMap<Element, string>();

/**
 * Puts rows into a list where what they show has changed. The focus stays on the button of the same label; where that is
 * gone, the heading of the panel takes it.
 */
export function fill(list: HTMLElement, data: unknown, rows: () => readonly Node[], empty: string): void {
  const text = JSON.stringify(data);
  if (shown.get(list) === text) return;
  shown.set(list, text);
  const focused = list.contains(document.activeElement) ? document.activeElement?.ariaLabel : undefined;
  const made = rows();
  list.replaceChildren(...(made.length > 0 ? made : [make('li', 'note', empty)]));
  if (focused === undefined) return;
  const same = [...list.querySelectorAll('button')].find(({ ariaLabel }) => ariaLabel === focused);
  (same ?? list.closest('section')?.querySelector('h2'))?.focus();
}

/** An instant as people read it. */
export function time(instant: string): HTMLElement {
  const element = make('time', '', `${instant.slice(0, 19).replace('T', ' ')} UTC`) as HTMLTimeElement;
  element.dateTime = instant;
  return element;
}
