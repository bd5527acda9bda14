import type { Lives, Readings } from '../model/grant.js';
import { formatWord, isIssue, isWait } from '../model/inputs.js';
import type { Input, Output, Word } from '../model/inputs.js';
import type { Disagreement } from '../model/judge.js';
import type { Certificate, MachineDescription } from '../result.js';
import type { Learned } from './learner.js';
import { minimal, run, stepOf } from './machine.js';
import type { Machine } from './machine.js';
import { judgeWord } from './player.js';
import { readingsOf } from './readings.js';

/** What the newest tokens of a state are good for, in a few words. */
function nameOf(machine: Machine, state: number): string {
  const output = (input: Input): Output =>
    machine.inputs.includes(input) ? stepOf(machine, state, input).output : 'nothing';
  if (machine.inputs.length === 0) return 'code not asked';
  if (isIssue(output('exchange'))) return 'code good';
  if (output('exchange') === 'unknown' && output('use access') === 'nothing') return 'code not asked';
  if (output('use access') === 'nothing') return machine.inputs.some(isWait) ? 'code ended' : 'code used up';
  const good = (input: Input): string => {
    if (output(input) === 'unknown') return 'not asked';
    return output(input) === 'works' || isIssue(output(input)) ? 'works' : 'ended';
  };
  return [
    output('use first') === 'nothing'
      ? `access ${good('use access')}`
      : `access ${good('use access')}, first ${good('use first')}`,
    ...(output('refresh') === 'nothing' ? [] : [`refresh ${good('refresh')}`]),
  ].join(', ');
}

/** A machine as data, for reports and files. */
export const described = (machine: Machine): MachineDescription => ({
  inputs: machine.inputs,
  states: machine.states.map(({ access, steps }, state) => ({
    name: nameOf(machine, state),
    access,
    steps: Object.fromEntries(machine.inputs.map((input, index) => [input, steps[index]!])),
  })),
});

/** The machine that data describe. */
export const machineOf = ({ inputs, states }: MachineDescription): Machine => ({
  inputs: inputs as readonly Input[],
  states: states.map(({ access, steps }) => ({
    access: access as Word,
    steps: inputs.map((input) => steps[input] as { output: Output; next: number }),
  })),
});

/** A word that a machine answers otherwise than the model lets it. */
export interface Violation {
  readonly word: Word;
  readonly outputs: readonly Output[];
  readonly disagreement: Disagreement;
}

/**
 * The shortest words, of any length, that a machine answers otherwise than the model lets it, one for each input and
 * expectation. Machine and model are walked together: both are finite for what the inputs can reach.
 */
export function violations(machine: Machine, lives: Lives, readings: Readings = {}): readonly Violation[] {
  const found = new Map<string, Violation>();
  const met = new Set<string>();
  const queue: Word[] = [[]];
  for (const word of queue) {
    for (const input of machine.inputs) {
      const longer = [...word, input];
      const { outputs, state } = run(machine, longer);
      if (outputs.at(-1) === 'nothing' || outputs.at(-1) === 'unknown') continue;
      const { model, now, disagreement } = judgeWord(longer, { outputs, after: [] }, { lives, readings });
      if (disagreement) {
        const key = `${input} ${disagreement.aspect}`;
        if (!found.has(key)) found.set(key, { word: longer, outputs, disagreement });
        continue;
      }
      const { code, access, refresh } = model;
      const seen = [code, access[0], access.at(-1), refresh.at(-2), refresh.at(-1)];
      const tokens = seen.map((token) => token && [token.verdict, token.used]);
      const key = JSON.stringify([state, Math.min(access.length, 3), tokens, model.leftAt(now)]);
      if (met.has(key)) continue;
      met.add(key);
      queue.push(longer);
    }
  }
  return [...found.values()];
}

/** What was learned of a server, as a certificate; `disagrees` says what keeps it from being one. */
export function certificateOf(
  { machine: whole, observed, broken, proved }: Learned,
  { client, lives, disagrees }: { readonly client: string; readonly lives: Lives; readonly disagrees?: string },
): Certificate {
  const machine = minimal(whole);
  const { words, steps } = observed;
  const isBroken = broken !== undefined && proved === undefined;
  const [wrong] = isBroken || disagrees !== undefined ? [] : violations(machine, lives);
  const withheld =
    (isBroken ? brokenBecause(broken) : undefined) ??
    disagrees ??
    (wrong && `after ${formatWord(wrong.word)} the machine needs ${wrong.disagreement.expected}`);
  const states = machine.states.length;
  const extra = proved ?? 0;
  return {
    ...(withheld !== undefined && { withheld }),
    client,
    states,
    inputs: machine.inputs.length,
    extra,
    words,
    steps,
    readings: readingsOf(machine, lives),
    ...(withheld === undefined && {
      sentence: `Any server with at most ${states + extra} states that answers these ${words.toLocaleString('en-US')} sequences as this one did keeps to the states of section 3, as far as these inputs show them, for every sequence of these ${machine.inputs.length} inputs on one grant, however long.${broken ? ` For a state more it was not asked to the end: ${brokenBecause(broken)}.` : ''}`,
      assumption: `The server is deterministic: it answers a sequence in the same way each time. ${machine.inputs.some(isWait) ? 'Time passes only as far as these inputs wait.' : 'None of these inputs lets time pass.'}`,
    }),
    machine: described(machine),
  };
}

/** Why nothing is proved, in a line. */
export function brokenBecause(broken: NonNullable<Learned['broken']>): string {
  switch (broken.why) {
    case 'contradiction': {
      const { word, before, now } = broken.contradiction;
      return `the server is not deterministic here: ${formatWord(word)} was answered ${before.join(', ')}, and another time ${now.join(', ')}`;
    }
    case 'too many states':
      return `the server showed more than ${broken.states - 1} states`;
    case 'unreachable':
      return `the server could not be asked to the end: ${broken.error.message}`;
  }
}
