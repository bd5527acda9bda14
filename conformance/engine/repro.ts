import type { TraceStep } from '../report/report.js';
import type { Target } from '../target/target.js';
import type { Answer } from '../wire/answer.js';

/** A text that must not be shown, and the shell variable that stands for it. */
interface Secret {
  readonly value: string;
  readonly name: string;
}

/** Where an answer of the server tells a secret: shell that cuts it out of `$answer`, and the value. */
interface Told extends Secret {
  readonly cut: string;
}

const shellName = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();

/** Secrets of the target file, by the environment variables that a script takes them from. */
function settingsOf({ clients, control_token }: Target): Secret[] {
  return [
    ...Object.entries(clients).flatMap(([role, { client_secret: value } = {} as { client_secret?: string }]) =>
      value ? [{ value, name: `${shellName(role)}_SECRET` }] : [],
    ),
    ...(control_token ? [{ value: control_token, name: 'CONTROL_TOKEN' }] : []),
  ];
}

/** Tokens and codes that an answer gives: they are other ones every time. */
function toldBy(text: string, location: string | undefined, count: (kind: string) => number): Told[] {
  const found: Told[] = [];
  for (const name of ['access_token', 'refresh_token']) {
    const value = new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]+)"`).exec(text)?.[1];
    if (value !== undefined) {
      const cut = `sed -n 's/.*"${name}" *: *"\\([^"]*\\)".*/\\1/p' | head -n 1`;
      found.push({ value, name: `${shellName(name)}_${count(name)}`, cut });
    }
  }
  const code = /[?&]code=([^&"#\s\\]+)/.exec(location ?? text)?.[1];
  if (code !== undefined) {
    found.push({
      value: code,
      name: `CODE_${count('code')}`,
      cut: `sed -n 's/.*[?&]code=\\([^&"#[:space:]]*\\).*/\\1/p' | head -n 1`,
    });
  }
  return found;
}

interface Step {
  readonly answer: Answer;
  readonly told: readonly Told[];
  /** What was known when the request was sent, longest first. */
  readonly known: readonly Secret[];
}

/** Each exchange with the secrets that it may hold. A secret is known under its forms in URLs, forms and JSON. */
function walk(answers: readonly Answer[], target: Target): Step[] {
  const counts = new Map<string, number>();
  const count = (kind: string): number => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts.get(kind)!;
  };
  let known: Secret[] = [];
  const learn = (secrets: readonly Secret[]): void => {
    known = [...known, ...secrets].sort((a, b) => b.value.length - a.value.length);
  };
  learn(settingsOf(target));
  return answers.map((answer) => {
    const before = known;
    const location = answer.headers['location'];
    const told = toldBy(answer.text, typeof location === 'string' ? location : undefined, count).filter(
      ({ value }) => !known.some((secret) => secret.value === value),
    );
    learn(told);
    return { answer, told, known: before };
  });
}

/** A secret as it stands in a URL or form: percent-encoded there, in the shell as well. */
const forms = ({ value }: Secret): readonly string[] => [...new Set([value, encodeURIComponent(value)])];

function hidden(text: string, secrets: readonly Secret[]): string {
  let result = text;
  for (const secret of secrets) {
    for (const form of forms(secret)) result = result.replaceAll(form, `\${${secret.name}}`);
  }
  return result;
}

/** The exchanges for a report, secrets replaced by the variables of the script. */
export function stepsOf(answers: readonly Answer[], target: Target): TraceStep[] {
  return walk(answers, target).map(({ answer, told, known }) => {
    const secrets = [...told, ...known];
    const { request } = answer;
    return {
      method: request.method,
      url: hidden(request.url, secrets),
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, hidden(value, secrets)]),
      ),
      ...(request.body !== undefined && { body: hidden(request.body, secrets) }),
      status: answer.status,
      responseHeaders: Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, hidden(String(value), secrets)]),
      ),
      responseBody: hidden(answer.text, secrets),
    };
  });
}

/** A word for the shell: everything literal but the variables of secrets, which are percent-encoded where `form` says so. */
export function quoted(text: string, secrets: readonly Secret[] = [], form = false): string {
  let parts: (string | Secret)[] = [text];
  for (const secret of secrets) {
    for (const shape of forms(secret)) {
      parts = parts.flatMap((part) =>
        typeof part === 'string'
          ? part.split(shape).flatMap((piece, index) => (index === 0 ? [piece] : [secret, piece]))
          : [part],
      );
    }
  }
  const words = parts
    .filter((part) => part !== '')
    .map((part) =>
      typeof part === 'string'
        ? `'${part.replaceAll("'", `'\\''`)}'`
        : form
          ? `"$(encode "$${part.name}")"`
          : `"$${part.name}"`,
    );
  return words.join('') || "''";
}

/**
 * A POSIX shell script that sends the same requests with curl: tokens and codes are taken from the answers as they
 * come, secrets of the target from the environment.
 */
export function scriptOf(
  answers: readonly Answer[],
  target: Target,
  { title, expected, got }: { readonly title: string; readonly expected: string; readonly got: string },
): string {
  const steps = walk(answers, target);
  const used = settingsOf(target).filter((secret) =>
    answers.some(({ request }) =>
      [request.url, request.body ?? '', ...Object.values(request.headers)].some((text) =>
        forms(secret).some((form) => text.includes(form)),
      ),
    ),
  );
  const comment = (text: string): string => text.replace(/[\r\n]+/g, ' ');
  const lines = [
    '#!/bin/sh',
    `# ${title}`,
    `# expected: ${comment(expected)}`,
    `# got:      ${comment(got)}`,
    'set -eu',
    ...used.map(({ name }) => `: "\${${name}:?set ${name} to the secret of the target file}"`),
    `encode() { printf %s "$1" | od -An -v -tx1 | tr -d ' \\n' | sed 's/../%&/g'; }`,
  ];
  for (let index = 0; index < steps.length; index += 1) {
    const { answer, told, known } = steps[index]!;
    const together = answer.asked.race === true;
    const last = index === steps.length - 1;
    lines.push('', `# ${index + 1}. answered ${answer.status}`);
    if (together) {
      lines.push(`${curl(answer, known)} &`);
      if (steps[index + 1]?.answer.asked.race !== true) lines.push('wait');
      continue;
    }
    lines.push(`answer=$(${curl(answer, known)})`);
    for (const { name, cut } of told) lines.push(`${name}=$(printf '%s' "$answer" | ${cut})`);
    lines.push(last ? `printf '%s\\n' "$answer"` : `printf '%s\\n' "$answer" | head -n 1`);
  }
  return `${lines.join('\n')}\n`;
}

function curl({ request }: Answer, known: readonly Secret[]): string {
  const form = /urlencoded/.test(request.headers['content-type'] ?? '');
  return [
    `curl -sS -i --path-as-is -X ${quoted(request.method)}`,
    ...Object.entries(request.headers).map(
      ([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`, known)}`,
    ),
    ...(request.body !== undefined ? [`--data-raw ${quoted(request.body, known, form)}`] : []),
    quoted(request.url.replace(/#.*$/s, ''), known, true),
  ].join(' ');
}
