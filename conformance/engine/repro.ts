import type { TraceStep } from '../result.js';
import { actsAt, line } from '../text.js';
import { describeTarget } from '../target/describe.js';
import { formsIn } from '../target/html-form.js';
import type { Target } from '../target/target.js';
import type { Answer } from '../wire/answer.js';
import { byHand, notesOf } from './beside.js';
import type { Issued } from './issued.js';
import { basicHalves, hidden, pieces, settingsOf, shellName, toldBy, unescaped } from './secrets.js';
import type { SecretReference, Secret } from './secrets.js';
import { functions } from './shell-functions.js';

/** The exchanges that a failure is shown by, and what they must not show. */
export interface Evidence {
  readonly answers: readonly Answer[];
  readonly target: Target;
  /** What the server gave to others in the run. */
  readonly issued: Pick<Issued, 'has' | 'near' | 'hide'>;
  /** The one of them that deviates, where it is one. */
  readonly judged?: Answer | undefined;
}

/** Where an answer tells a secret: shell that cuts it out of the answer on standard input. */
interface FoundSecret extends Secret {
  readonly kind: string;
  readonly cut: string;
}

interface ReproStep {
  readonly answer: Answer;
  readonly found: readonly FoundSecret[];
  /** What was known when the request was sent, longest first. */
  readonly known: readonly Secret[];
  /** The same when it was answered. */
  readonly after: readonly Secret[];
}

const cuts: Readonly<Record<string, string>> = {
  access_token: `sed -n 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/p'`,
  refresh_token: `sed -n 's/.*"refresh_token" *: *"\\([^"]*\\)".*/\\1/p'`,
  code: `sed -n 's/.*[?&#]code=\\([^&"#[:space:]]*\\).*/\\1/p'`,
};

/** Each exchange with the secrets that it may hold. */
function walk({ answers, target, issued }: Evidence): ReproStep[] {
  const counts = new Map<string, number>();
  const nameOf = (kind: string): string => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return `${shellName(kind)}_${counts.get(kind)}`;
  };
  let known: Secret[] = [];
  const learn = (secrets: readonly Secret[]): void => {
    known = [...known, ...secrets].sort((a, b) => b.value.length - a.value.length);
  };
  const isKnown = (value: string): boolean => known.some((secret) => secret.value === value);
  learn(settingsOf(target));
  const settings = JSON.stringify(describeTarget(target));
  return answers.map((answer, index) => {
    for (const value of credentialsIn(answer)) {
      if (isKnown(value)) continue;
      const isNear = (): boolean => pieces(`token=${value}`, known).length > 1;
      const earlier = issued.has(value) ? value : isNear() ? undefined : issued.near(value);
      if (earlier !== undefined && !isKnown(earlier))
        learn([{ value: earlier, name: nameOf('earlier_token'), from: 'a token or code that the server gave' }]);
    }
    const before = known;
    const found: FoundSecret[] = [];
    for (const { kind, value, written } of toldBy(answer)) {
      // A token response may give the server's own address as well, or the name of the user.
      if (isKnown(value) || (kind === 'token' && settings.includes(value))) continue;
      const one = { value, name: nameOf(kind) };
      if (written === undefined) learn([{ ...one, from: `the ${kind} that answer ${index + 1} gives` }]);
      else {
        found.push({ ...one, kind, cut: cuts[kind]!, ...(written !== value && { encoded: true }) });
        learn(found.slice(-1));
      }
    }
    for (const one of fieldsOf(answer, answers.slice(index + 1))) {
      if (isKnown(one.value)) continue;
      found.push({ ...one, name: nameOf(one.name) });
      learn(found.slice(-1));
    }
    return { answer, found, known: before, after: known };
  });
}

/** A value that a server makes for one form: nothing that is a text of people, or an address. */
const madeValue = /^[\w.~+/=:-]{8,200}$/;

/** The hidden fields of a page that a later request submits, such as those against forged requests. */
function fieldsOf({ text, headers, request }: Answer, later: readonly Answer[]): FoundSecret[] {
  if (!/html/i.test(String(headers['content-type'] ?? ''))) return [];
  const hiddenFields = formsIn(text)
    .flatMap(({ controls }) => controls)
    .filter(({ type, name, value }) => type === 'hidden' && /^[\w-]+$/.test(name) && madeValue.test(value));
  return hiddenFields
    .filter(({ name, value }) => {
      const submits = later.some(({ request: { body = '' } }) =>
        new URLSearchParams(body).getAll(name).includes(value),
      );
      return submits && !request.url.includes(encodeURIComponent(value));
    })
    .map(({ name, value }) => ({
      value,
      name: shellName(name),
      kind: `field ${name}`,
      cut: `tr '>' '\\n' | sed -n '/name=["'"'"']\\{0,1\\}${name}["'"'"' ]/s/.*value=["'"'"']\\{0,1\\}\\([^"'"'"' ]*\\).*/\\1/p'`,
    }));
}

/** What a request shows as a credential: what its Authorization has, and fields of forms and queries. */
function credentialsIn({ request: { url, headers, body = '' } }: Answer): string[] {
  const { authorization = '' } = headers;
  const [, bearer = ''] = /^[A-Za-z]+ (.+)$/is.exec(authorization) ?? [];
  const [, inQuotes = ''] = /"([^"]*)"/.exec(bearer) ?? [];
  const basic = basicOf('authorization', authorization)?.split(':') ?? [];
  const fields = [url.replace(/^[^?]*\??/s, ''), body].flatMap((text) =>
    ['code', 'token', 'access_token', 'refresh_token'].flatMap((name) => new URLSearchParams(text).getAll(name)),
  );
  return [authorization, bearer, inQuotes, ...basic, ...fields].filter((value) => value !== '');
}

/** What HTTP Basic says, decoded (RFC 7617); undefined for other headers. */
function basicOf(name: string, value: string): string | undefined {
  const [, encoded] = name.toLowerCase() === 'authorization' ? (/^Basic (\S+)$/i.exec(value) ?? []) : [];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}

type Hide = (text: string, near?: RegExp) => string;

function shownHeader(name: string, value: string, hide: Hide): string {
  if (/^set-cookie$/i.test(name)) return value.replace(/=[^;]*/, '=…');
  if (/^cookie$/i.test(name)) return value.replace(/=[^;]*/g, '=…');
  const basic = basicOf(name, value);
  const inner = basic === undefined ? undefined : hide(basic, basicHalves);
  return inner === basic ? hide(value) : `Basic base64(${inner})`;
}

const shownHeaders = (
  headers: Readonly<Record<string, string | readonly string[]>>,
  hide: Hide,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      hide(name),
      [value]
        .flat()
        .map((one) => shownHeader(name, one, hide))
        .join(', '),
    ]),
  );

/** The exchanges for a report, secrets replaced by the variables of the script. */
export function stepsOf(evidence: Evidence): TraceStep[] {
  const notes = notesOf(evidence.answers);
  return walk(evidence).map(({ answer: { asked, request, status, headers, text }, after }, index) => {
    const note = notes[index];
    const hide: Hide = (shown, near) => evidence.issued.hide(hidden(shown, after, near));
    return {
      method: request.method,
      url: hide(request.url),
      headers: shownHeaders(request.headers, hide),
      ...(request.body !== undefined && { body: hide(request.body) }),
      status,
      responseHeaders: shownHeaders(headers, hide),
      responseBody: hide(text),
      ...(asked.hook && { by: asked.hook.by }),
      ...(note !== undefined && { note: hide(note) }),
    };
  });
}

/** In quotes, and what would act on whoever looks at the script by its bytes, or broken up by quotes that add nothing. */
function literal(text: string): string {
  const written = text.replaceAll("'", `'\\''`).replace(actsAt, (sign) => {
    if (sign === ':' || sign === '#') return `''${sign}`;
    const octal = [...Buffer.from(sign)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
    return `'"$(printf '${octal}')"'`;
  });
  return `'${written}'`;
}

interface Quoting {
  /** What has variables. */
  readonly known?: readonly Secret[];
  /** The text is percent-encoded. */
  readonly form?: boolean;
  /** Where values are that may miss a secret narrowly; fields of forms and bearer tokens where left out. */
  readonly near?: RegExp;
  /** Leaves out the secrets that have no variables. */
  readonly hide?: Hide;
}

/** A word for the shell: everything literal but the variables of secrets. */
export function quoted(
  text: string,
  { known = [], form = false, near, hide = (shown) => shown }: Quoting = {},
): string {
  const words = pieces(text, known, near).map((piece) =>
    typeof piece === 'string' ? literal(hide(piece)) : valueOf(piece, form),
  );
  return words.join('') || "''";
}

function valueOf(
  { secret: { value, name, encoded }, part, reversed, percent }: SecretReference,
  form: boolean,
): string {
  const variable = `"$${name}"`;
  const cut = reversed ? 'rev' : part && `cut -c ${part[0] + 1}-${part[0] + part[1]}`;
  const text = cut === undefined ? variable : `"$(printf %s ${variable} | ${cut})"`;
  // What needs no encoding now may need it next time.
  const encodes = percent ?? (form && encodeURIComponent(value) === value);
  return encodes && !encoded ? `"$(encode ${text})"` : text;
}

/**
 * A POSIX shell script that sends the same requests with curl: tokens and codes are taken from the answers as they
 * come, secrets of the target from the environment. What a hook did, it asks for at the terminal.
 */
export function scriptOf(
  evidence: Evidence,
  { title, expected, got }: { readonly title: string; readonly expected: string; readonly got: string },
): string {
  const steps = walk(evidence);
  const { answers, issued } = evidence;
  const hide: Hide = (text) => issued.hide(text);
  const cookies = answers.some(({ request }) => Object.keys(request.headers).some((name) => /^cookie$/i.test(name)));
  const requests = steps.map(({ answer, known }) =>
    answer.asked.hook
      ? byHand(answer, (text) => quoted(text, { known, hide }))
      : curl(answer, { known, hide }, cookies),
  );
  const body = stepLines(steps, requests, { notes: notesOf(answers), hide, judged: evidence.judged });
  const needed = Object.keys(functions).filter((name) =>
    [...requests, ...body].some((line) => new RegExp(`(?:^|[(| ])${name}(?: |$|\\))`).test(line)),
  );
  const folder = cookies || steps.some(isRaced);
  return `${[
    '#!/bin/sh',
    `# ${line(hide(title))}`,
    `# expected: ${line(hide(expected))}`,
    `# got:      ${line(hide(got))}`,
    'set -eu',
    ...[...outsideOf(steps)]
      .filter(([name]) => uses(requests, name))
      .map(([name, from]) => `: "\${${name}:?set ${name} to ${from}}"`),
    ...(folder ? ['folder=$(mktemp -d)', `trap 'rm -rf "$folder"' EXIT`] : []),
    ...needed.map((name) => functions[name]!),
    ...body,
  ].join('\n')}\n`;
}

/** The secrets that whoever runs the script has to set, and where each comes from. */
const outsideOf = (steps: readonly ReproStep[]): ReadonlyMap<string, string> =>
  new Map(
    steps.flatMap(({ known }) =>
      known.flatMap(({ name, from }) => (from === undefined ? [] : [[name, from] as const])),
    ),
  );

const uses = (requests: readonly string[], name: string): boolean =>
  requests.some((line) => new RegExp(`\\$${name}\\b`).test(line));

/** Each request, races as one: what it shows, the request, what later ones take from its answer, and the answer. */
function stepLines(
  steps: readonly ReproStep[],
  requests: readonly string[],
  {
    notes,
    hide,
    judged,
  }: { readonly notes: ReturnType<typeof notesOf>; readonly hide: Hide; readonly judged: Evidence['judged'] },
): readonly string[] {
  const escapes = steps.some(({ answer, found }) => found.length > 0 && unescaped(answer.text) !== answer.text);
  const body: string[] = [];
  for (let index = 0; index < steps.length;) {
    const group = groupAt(steps, index);
    const next = index + group.length;
    const said = group.map(
      ({ answer }, place) =>
        `${index + place + 1}. ${line(hide(outcomeOf(answer, notes[index + place])))}${answer === judged ? '  <- judged' : ''}`,
    );
    body.push('', `# ${said.join(', ')}`);
    if (group.length === 1 && !isRaced(group[0])) body.push(`answer=$(${requests[index]})`);
    else {
      body.push(...group.map((_, place) => `${requests[index + place]} >"$folder/${index + place + 1}" &`), 'wait');
      body.push(`answer=$(cd "$folder" && cat ${group.map((_, place) => index + place + 1).join(' ')})`);
    }
    const all = next === steps.length || group.length > 1 || group.some(({ answer }) => answer === judged);
    body.push(all ? `printf '%s\\n' "$answer"` : `printf '%s\\n' "$answer" | head -n 1`);
    body.push(...cutLines(group, requests.slice(next), escapes));
    index = next;
  }
  return body;
}

/** Takes the tokens and codes out of an answer that later requests use. */
function cutLines(group: readonly ReproStep[], later: readonly string[], escapes: boolean): readonly string[] {
  const ordinals = new Map<string, number>();
  return group
    .flatMap(({ found }) => found)
    .flatMap(({ kind, name, cut }) => {
      const ordinal = (ordinals.get(kind) ?? 0) + 1;
      ordinals.set(kind, ordinal);
      if (!uses(later, name)) return [];
      const text = `printf '%s\\n' "$answer"${escapes ? ' | unescape' : ''}`;
      return [
        `${name}=$(${text} | ${cut} | sed -n ${ordinal}p)`,
        `: "\${${name}:?there is no such ${kind} in the answer this time}"`,
      ];
    });
}

const isRaced = (step: ReproStep | undefined): boolean => step?.answer.asked.race === true;

/** A race from its first request to its last, or a request by itself. */
function groupAt(steps: readonly ReproStep[], index: number): readonly ReproStep[] {
  let end = index + 1;
  while (isRaced(steps[index]) && isRaced(steps[end])) end += 1;
  return steps.slice(index, end);
}

function outcomeOf({ asked, status }: Answer, note: string | undefined): string {
  const ended = status > 0 ? `answered ${status}` : asked.hook ? 'done' : 'not answered';
  return `${ended}${asked.hook ? ` (${asked.hook.by})` : ''}${note === undefined ? '' : `: ${note}`}`;
}

function curl({ request }: Answer, quoting: Quoting, cookies: boolean): string {
  const { method, url, body } = request;
  const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const form = /urlencoded/.test(headers.get('content-type') ?? '');
  if (cookies) headers.delete('cookie');
  // What curl would add of its own.
  const bare = ['accept', ...(body === undefined ? [] : ['content-type'])].filter((name) => !headers.has(name));
  return [
    'request',
    method === 'HEAD' ? '-I' : `-X ${quoted(method)}`,
    ...(cookies ? ['-b "$folder/cookies" -c "$folder/cookies"'] : []),
    ...[...headers].map(([name, value]) => `-H ${headerWord(name, value, quoting)}`),
    ...bare.map((name) => `-H '${name}:'`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body, { ...quoting, form })}`]),
    quoted(url.replace(/#.*$/s, ''), { ...quoting, form: true }),
  ].join(' ');
}

function headerWord(name: string, value: string, quoting: Quoting): string {
  // An empty value is said by a semicolon; a colon would leave the header out.
  if (value === '') return literal(`${name};`);
  const basic = basicOf(name, value);
  if (basic === undefined || hidden(basic, quoting.known ?? [], basicHalves) === basic)
    return quoted(`${name}: ${value}`, quoting);
  const credentials = quoted(basic, { ...quoting, form: true, near: basicHalves });
  return `${literal(`${name}: Basic `)}"$(printf %s ${credentials} | base64 | tr -d '\\n')"`;
}
