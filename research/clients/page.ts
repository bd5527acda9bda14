import type { Audited, CachingClient, FalseAlarm, Found } from './client.js';
import type { Mutated, Tried } from './mutants.js';
import { seed, worlds } from './mutants.js';
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
): string => `# Clients of others

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
of several copies](../../conformance/audit/README.md#does-my-client-survive-itself): each keeps its tokens as its
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

/** How many ended in each way. */
const counts = (results: readonly Tried[]): readonly number[] =>
  [
    results,
    ...(['killed', 'no start', 'survived'] as const).map((wanted) => results.filter(({ end }) => end === wanted)),
  ].map(({ length }) => length);

const ends = ['Tried', 'Killed', 'Stopped', 'Survived'];

function mutantsOf(mutated: readonly Mutated[], survivors: Survivors): string {
  if (mutated.length === 0) return '';
  const results = mutated.flatMap((one) => one.results);
  const why = explained(results, survivors);
  const operators = [...new Set(results.map(({ operator }) => operator))].toSorted();
  const reasons = [...new Set(why.map(({ reason }) => reason))];
  return `## Their mutants

\`npm run clients -- --mutants 25 ${mutated.map(({ name }) => name).join(' ')}\` changes these programs and the OAuth source of their
libraries by the standard operators of [the mutants of the mock](../mutate/README.md), and audits a sample (seed ${seed}) of
those whose code is reached, in the calm world and in ${worlds.join(', ')}. Killed: a row fails or warns that does not without
the mutant. Stopped: the client does not get through the calm world, and the audit says so in place of a verdict. Each
survivor has its reason below; one of them is a gap of the worlds, and says so.

${table(
  ['Client', 'Mutants', 'Reached', ...ends],
  mutated.map((one) => [one.name, one.all, one.reached, ...counts(one.results)]),
)}

${table(
  ['Operator', ...ends],
  operators.map((name) => [name, ...counts(results.filter(({ operator }) => operator === name))]),
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

function reasonOf(reason: string, all: readonly Survivor[]): string {
  const own = all.filter((one) => one.reason === reason);
  return `${own[0]!.class === 'free' ? 'Free' : 'Not observable'}: ${reason}\n\n${own.map((one) => `- ${code(keyOf(one))}`).join('\n')}`;
}

/** Code in Markdown, whatever backticks it has. */
function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  return fence.length > 1 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
