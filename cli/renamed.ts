/** Of every command that takes a target's settings. */
const ofTarget = { '--edition': '--flag <name=on|off|any>' };

/** Options that there were, by their command, and what takes their place. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mock: {
    '--target': '--write-target [file]',
    '--list-switches': 'gamedata mock switches',
  },
  verify: {
    '--list': 'gamedata verify list',
    '--print-baseline': '--write-baseline <file> (- prints it)',
    ...ofTarget,
  },
  doctor: ofTarget,
  replay: ofTarget,
  check: ofTarget,
  audit: {
    '--runs': '--stop-after <seconds>',
  },
  target: {
    '--init': 'gamedata target init',
    '--schema': 'gamedata target schema',
  },
  tree: {
    '--pipe': 'gamedata tree pipe',
  },
};

/** What to write in place of an option that there was, or undefined where `args` have none. */
export function replacementOf([command = '', ...args]: readonly string[]): string | undefined {
  if (!Object.hasOwn(renamed, command)) return undefined;
  const now = renamed[command] ?? {};
  const end = args.indexOf('--');
  const given = (end < 0 ? args : args.slice(0, end)).map((arg) => arg.split('=')[0] ?? '');
  const option = given.find((name) => Object.hasOwn(now, name));
  return option === undefined ? undefined : `${option} is no longer an option; use ${now[option]}`;
}
