import type { Audited, CachingClient, FalseAlarm, Found } from './client.js';
import type { Mutated, Tried } from './mutants/mutate.js';
import { seed } from './mutants/mutate.js';
import { table } from '../foreign/page.js';
import { keyOf } from '../mutate/mutant.js';
import { explained } from '../mutate/reasons.js';
import type { Survivor, Survivors } from '../mutate/reasons.js';

const rowsOf = ({ results }: Audited, verdict: string): readonly string[] =>
  Object.entries(results.rows).flatMap(([id, own]) => (own === verdict ? [id] : []));

/** README.md of the folder, before it is formatted. */
export const pageOf = (
  all: readonly Audited[],
  copies: readonly Audited<CachingClient>[],
  { falseAlarms, misses }: Found,
  mutated: readonly Mutated[],
  survivors: Survivors,
): string => `# Third-party clients

\`npm run clients\` audits ${all.length} clients around public OAuth libraries in all worlds; \`npm run clients -- arctic\` audits
one. Each is a short program that does what the documentation of its library shows: a login with PKCE, a refresh, a few
data requests. It adds no care of its own. The libraries are pinned in the folder of their language and installed below
\`dist/clients\`; a language that the machine lacks is named and left out. This page is written by that command.

A finding is a **library**'s where the library does it. It is the **example**'s where the library leaves it to its caller, and
the example of its documentation does not do it. The places are
those of the pinned sources; for Java, Rust and Go most were checked by the names of files and methods, not read line by line. What was neither was a false alarm of
the audit, and is fixed.

${table(
  ['Client', 'Version', 'Language', 'Judged', 'Failed', 'Warned', 'Requests', 'Seconds'],
  all.map((one) => [
    one.client.package,
    one.client.version,
    one.language,
    one.results.judged,
    rowsOf(one, 'fail').join(', ') || '0',
    rowsOf(one, 'warn').length,
    one.results.requests,
    one.results.seconds,
  ]),
)}

## False alarms

${table(['Row', 'Shown by', 'The audit was wrong', 'Kept by'], falseAlarms.map(alarmOf))}

## Misses

${table(['Row', 'Shown by', 'The audit let pass', 'Kept by'], misses.map(alarmOf))}

${all.map((one) => sectionOf(one)).join('\n\n')}

${copiesOf(copies)}

${mutantsOf(mutated, survivors)}
`;

const alarmOf = ({ rows, client, why, kept }: FalseAlarm): readonly string[] => [rows.join(', '), client, why, kept];

const sectionOf = ({ client, language, results }: Audited, level = '##'): string => `${level} ${client.package}

${client.package} ${client.version}, ${language}, from ${client.registry}${client.confidential ? '; a client with a secret' : ''}.

${table(
  ['Rows', 'Verdict', 'Whose', 'What it does, and where'],
  client.causes.map(({ rows, class: kind, why }) => [
    rows.join(', '),
    [...new Set(rows.flatMap((row) => results.rows[row] ?? []))].join(', '),
    kind,
    why,
  ]),
)}`;

const copiesOf = (all: readonly Audited<CachingClient>[]): string => `## Several copies of one client

\`npm run clients -- --copies 3\` audits ${all.length} of these libraries, and clients with a cache of their own, in [the worlds
of several copies](../../conformance/audit/README.md#several-copies-at-once): each keeps its tokens as its
documentation shows, and runs in three processes at once. None of their libraries promises more than one process; what is
blamed here is what a user of two windows meets.

${table(
  ['Client', 'Version', 'What keeps its tokens', 'Failed', 'Warned', 'Seconds'],
  all.map((one) => [
    one.client.package,
    one.client.version,
    one.client.cache,
    rowsOf(one, 'fail').join(', ') || '0',
    rowsOf(one, 'warn').join(', ') || '0',
    one.results.seconds,
  ]),
)}

${all.map((one) => sectionOf(one, '###')).join('\n\n')}`;

/** How many ended in each way. Of the rest: killed, of those that a request can show and that are not free. */
const ends = ['Tried', 'Stopped', 'Killed', 'Not observable', 'Free', 'Missed', 'Of the rest'];

function counts(results: readonly Tried[], why: readonly Survivor[]): readonly (number | string)[] {
  const keys = new Set(results.map(keyOf));
  const of = (end: Tried['end']): number => results.filter((one) => one.end === end).length;
  const left = (kind: Survivor['class']): number =>
    why.filter((one) => one.class === kind && keys.has(keyOf(one))).length;
  const [killed, missed] = [of('killed'), left('missed')];
  const rest = `${killed} of ${killed + missed}`;
  return [results.length, of('no start'), killed, left('not observable'), left('free'), missed, rest];
}

function mutantsOf(mutated: readonly Mutated[], survivors: Survivors): string {
  if (mutated.length === 0) return '';
  const results = mutated.flatMap((one) => one.results);
  const why = explained(results, survivors);
  const operators = [...new Set(results.map(({ operator }) => operator))].toSorted();
  const reasons = [...new Set(why.map(({ reason }) => reason))];
  return `## Their mutants

\`npm run clients -- --mutants 60\` changes these programs and the OAuth source of their libraries, and the reference client that
the audit's own proof changes by hand, by the standard operators of [the mutants of the mock](../mutate/README.md). It audits
a sample (seed ${seed}) of those whose code is reached, in every world, until a row blames the client twice that does not blame it
without the mutant: such a mutant is killed. Stopped: the client does not get through the calm world, and the audit says so
in place of a verdict. Each survivor has its reason below.

${table(
  ['Client', 'Mutants', 'Reached', ...ends],
  [...mutated, { name: 'All', all: sum(mutated, 'all'), reached: sum(mutated, 'reached'), results }].map((one) => [
    one.name,
    one.all,
    one.reached,
    ...counts(one.results, why),
  ]),
)}

${table(
  ['Operator', ...ends],
  operators.map((name) => [
    name,
    ...counts(
      results.filter(({ operator }) => operator === name),
      why,
    ),
  ]),
)}

${table(
  ['Row', 'Killed'],
  [...new Set(results.flatMap(({ row }) => row ?? []))]
    .map((row) => [row, results.filter((one) => one.row === row).length] as const)
    .toSorted(([, one], [, other]) => other - one),
)}

### Survivors

${reasons.map((reason) => reasonOf(reason, why)).join('\n\n')}`;
}

const sum = (mutated: readonly Mutated[], field: 'all' | 'reached'): number =>
  mutated.reduce((total, one) => total + one[field], 0);

const kinds = { free: 'Free', 'not observable': 'Not observable', missed: 'Missed' };

function reasonOf(reason: string, all: readonly Survivor[]): string {
  const own = all.filter((one) => one.reason === reason);
  return `${kinds[own[0]!.class]}: ${reason}\n\n${own.map((one) => `- ${code(keyOf(one))}`).join('\n')}`;
}

/** Code in Markdown, whatever backticks it has. */
function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  return fence.length > 1 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
