import type { Certificate, RunReport } from '../result.js';
import { count, line } from '../text.js';
import type { Verdict } from '../verdict.js';

/** The certificate of the token lifecycle, as lines: what is proved, of what, and what the server was found to do. */
export function certificateLines({ lifecycle, rows }: RunReport): readonly string[] {
  const given = lifecycle?.certificate;
  if (!given) {
    const row = rows.find(({ id }) => id === 'LIFE-009');
    return row && row.verdict !== 'pass'
      ? [`No certificate of the token lifecycle: LIFE-009 ${became[row.verdict]}.`]
      : [];
  }
  return [
    given.sentence === undefined
      ? `No certificate of the token lifecycle: ${line(given.withheld ?? '', 400)}.`
      : `${line(given.sentence, 400)} ${line(given.assumption ?? '', 200)}`,
    extentOf(given),
    ...(given.readings.length > 0
      ? [`Where the interface is open: ${given.readings.map((one) => line(readingText(one), 120)).join('; ')}.`]
      : []),
  ];
}

const became: Readonly<Record<Exclude<Verdict, 'pass'>, string>> = {
  fail: 'failed',
  warn: 'passed with a warning',
  'not applicable': 'does not apply to this server',
  'could not run': 'could not run',
  'not exercised': 'was not exercised',
  'suite error': 'ended with a suite error',
};

const extentOf = ({ client, states, inputs, extra, words, steps }: Certificate): string =>
  `Machine of client ${line(client, 60)}: ${count(states, 'state')}, ${count(inputs, 'input')}, k = ${extra}; ${count(words, 'sequence')} of ${count(steps, 'step')}.`;

/** A reading as found, with its entry of gaps.yaml. */
export function readingText({ reading, gap, answer }: Certificate['readings'][number]): string {
  const said = answer === 'depends' ? 'depends on the state' : answer;
  return `${reading}: ${said} (${gap})`;
}
