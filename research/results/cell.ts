import type { Cell, Kind, Run } from './run.js';

/** How a cell stands: without a violation, with warnings alone, with violations, or with nothing judged. */
export type Standing = 'good' | 'fair' | 'bad' | 'none';

export function standingOf({ text, passed, failed = [], warned = [] }: Cell): Standing {
  if (text !== undefined) return text === 'yes' ? 'good' : text === 'no' || text === 'not reached' ? 'bad' : 'none';
  if (failed.length > 0) return 'bad';
  if (warned.length > 0) return 'fair';
  // What passed is not told apart from what never came up.
  return passed === undefined || passed.length === 0 ? 'none' : 'good';
}

/** What a cell shows: `12 of 14` passed, or `2 failed, 1 warned` where what passed was not kept. */
export function textOf(cell: Cell): string {
  const { text, passed, failed = [], warned = [] } = cell;
  if (text !== undefined) return text;
  if (passed) {
    const judged = passed.length + failed.length + warned.length;
    return judged === 0 ? 'not judged' : `${passed.length} of ${judged}`;
  }
  const parts = [
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(warned.length > 0 ? [`${warned.length} warned`] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'no finding';
}

/** The name of a cell, which its command takes: `server/oidc-provider/TOK-RESP`. */
export const cellName = ({ kind, subject }: Pick<Run, 'kind' | 'subject'>, column: string): string =>
  `${kind}/${subject.id}/${column}`;

/** The command that rebuilds a cell and compares it, in a clean clone. */
export const cellCommand = (run: Pick<Run, 'kind' | 'subject'>, column: string): string => {
  const name = cellName(run, column);
  return `npm run results -- --rebuild ${name.includes(' ') ? `'${name}'` : name}`;
};

/** The requirements of a run by where they stand. */
export function rowsOf(
  { cells }: Pick<Run, 'cells'>,
  list: 'passed' | 'failed' | 'warned' | 'unjudged',
): readonly string[] {
  return Object.values(cells).flatMap((cell) => cell[list] ?? []);
}

/** What changed from one run to the next: a line each. */
export function changesOf(before: Run, after: Run): readonly string[] {
  const version =
    before.subject.version === after.subject.version
      ? []
      : [`version ${before.subject.version} -> ${after.subject.version}`];
  const columns = new Set([...Object.keys(before.cells), ...Object.keys(after.cells)]);
  const cells = [...columns].flatMap((column) => {
    const [was, is] = [before.cells[column], after.cells[column]];
    const difference = was && is ? differenceOf(was, is) : was ? ['is gone'] : ['is new'];
    return difference.map((one) => `${column}: ${one}`);
  });
  return [...version, ...cells];
}

/** How two cells differ: a clause each, none where they are equal. */
export function differenceOf(was: Cell, is: Cell): readonly string[] {
  if (was.text !== is.text) return [`${textOf(was)} -> ${textOf(is)}`];
  const standings = (cell: Cell): ReadonlyMap<string, string> =>
    new Map(
      (['passed', 'failed', 'warned', 'unjudged'] as const).flatMap((list) =>
        (cell[list] ?? []).map((row): [string, string] => [row, list]),
      ),
    );
  const [before, after] = [standings(was), standings(is)];
  // Where one of the two does not name what passed, what is not named did.
  const other = was.passed && is.passed ? 'gone' : 'passed';
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((row) => {
    const [one, two] = [before.get(row) ?? other, after.get(row) ?? other];
    return one === two ? [] : [`${row} ${one} -> ${two}`];
  });
}

export const titles: Readonly<Record<Kind, string>> = {
  server: 'Servers',
  machine: 'Machines of servers',
  client: 'Clients',
  library: 'Generators and libraries',
};
