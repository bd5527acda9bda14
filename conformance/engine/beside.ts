import { objectOf } from '../json.js';
import type { Answer } from '../wire/answer.js';

/** What exchanges do not say themselves: who decided, and by how much the clock has moved so far. */
export function notesOf(answers: readonly Answer[]): (string | undefined)[] {
  let total = 0;
  return answers.map((answer) => {
    const seconds = secondsMoved(answer);
    total += seconds;
    if (seconds > 0) return `the clock moves ${seconds} s forward, ${total} s in this trace`;
    const { name, input } = answer.asked.hook ?? {};
    if (name !== 'consent') return undefined;
    const { account, decision } = objectOf(input);
    return `${String(account)} ${decision === 'deny' ? 'denies' : 'approves'}`;
  });
}

/** Seconds by which a call of the control protocol or of the adapter moves the server's clock; 0 for any other. */
function secondsMoved({ asked, request, status }: Answer): number {
  const { server, hook } = asked;
  const isMove = hook
    ? hook.name === 'clock' && !hook.failed
    : server === 'control' &&
      request.method === 'POST' &&
      request.url.endsWith('/clock') &&
      status >= 200 &&
      status < 300;
  if (!isMove) return 0;
  const { advance } = objectOf(hook ? hook.input : parsed(request.body));
  return typeof advance === 'number' ? advance : 0;
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The line of a script for what a hook did, which it asks for; `quote` makes a word for the shell. */
export function byHand({ asked, request }: Answer, quote: (text: string) => string): string {
  const { name = '', input } = asked.hook ?? {};
  const { account, decision, advance } = objectOf(input);
  const words =
    name === 'consent' && request.method === 'GET'
      ? [
          `Open this URL as ${String(account)} and ${decision === 'deny' ? 'deny' : 'approve'}.`,
          request.url,
          'Enter the URL that it redirects to:',
        ]
      : name === 'clock'
        ? [`Move the clock of the server ${String(advance)} seconds forward, then press Enter.`]
        : [`Do what the hook ${name} of the adapter does with this input, then press Enter.`, request.body ?? ''];
  return `by_hand ${words
    .filter((word) => word !== '')
    .map(quote)
    .join(' ')}`;
}
