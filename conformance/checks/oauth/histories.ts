import type { Arbitrary } from 'fast-check';

import { check, group } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gPlan } from '../../histories/callers.js';
import type { Plan, Step } from '../../histories/callers.js';
import type { Core } from '../../histories/history.js';
import { Recorder } from '../../histories/recorder.js';
import { tryOut } from '../../histories/trial.js';
import type { Trial } from '../../histories/trial.js';
import { judge } from '../../histories/verdict.js';
import { ms } from '../../histories/words.js';
import { callersOf, stepsOn } from '../../model/callers.js';
import { bothKinds } from '../../model/probe.js';
import { isTold } from '../../model/used-twice.js';
import { serverWithPage } from '../../model/run-server.js';
import type { Party, TokenServer } from '../../model/token-server.js';
import type { Role } from '../../target/target.js';
import { attempt, MissingCapability, NotExercised, PrerequisiteFailed } from '../../verdict.js';
import { explored } from './lifecycle.js';

/** Milliseconds after which what a server does not promise otherwise is lost, and no longer late. */
const longest = 5000;
/** How often that is waited for. */
const waits = 3;

/** What one caller does alone: where that has no explanation, a race shows nothing. */
const one: readonly Step[] = [
  'exchange',
  'use',
  'introspect',
  'refresh',
  'use',
  'introspect',
  'refresh',
  'revoke access',
  'use',
  'introspect',
  'revoke refresh',
  'refresh',
];

/** Several callers of one grant, and which of what they see concerns a row. */
interface Races {
  readonly plans: (offered: readonly Step[]) => Arbitrary<Plan>;
  readonly examples: readonly Plan[];
  readonly share: number;
  readonly concerns: (core: Core) => boolean;
}

const isAsked = ({ calls }: Core): boolean => calls.some(({ verb }) => verb === 'introspect');

const together = (count: number, ...steps: readonly Step[]): Plan['callers'] =>
  Array.from({ length: count }, () => steps);

/** Callers that refresh, revoke and use what one of them was given before. */
const refreshing: Races = {
  plans: (offered) => gPlan(without(offered, 'exchange'), { before: [['exchange'], ['exchange', 'refresh']] }),
  examples: [
    { before: ['exchange'], callers: together(2, 'refresh', 'use') },
    { before: ['exchange', 'refresh'], callers: together(8, 'refresh') },
    { before: ['exchange'], callers: [['refresh', 'use'], ['revoke access'], ['introspect'], ['use']] },
  ],
  share: 0.12,
  concerns: (core) => !isAsked(core),
};

/** The same, for what introspection says. */
const introspecting: Races = {
  ...refreshing,
  examples: [
    { before: ['exchange'], callers: [['introspect'], ['introspect'], ['revoke access'], ['introspect']] },
    { before: ['exchange'], callers: [...together(3, 'introspect', 'introspect'), ['use', 'revoke access']] },
  ],
  concerns: isAsked,
};

/** Callers that exchange one code. */
const exchanging: Races = {
  plans: (offered) =>
    gPlan(without(offered, 'refresh', 'refresh old', 'revoke refresh', 'introspect refresh', 'end'), {
      before: [[]],
    }).filter(({ callers }) => callers.flat().includes('exchange')),
  examples: [
    { before: [], callers: together(4, 'exchange', 'use') },
    { before: [], callers: together(8, 'exchange') },
  ],
  share: 0.06,
  concerns: (core) => !isAsked(core),
};

const without = (offered: readonly Step[], ...steps: readonly Step[]): readonly Step[] =>
  offered.filter((step) => !steps.includes(step));

/** Plays races on grants of a client's user, and holds that every history has an explanation. */
async function explained(run: Run, role: Role, { plans, examples, share, concerns }: Races): Promise<void> {
  const account =
    run.facts.target.consent === 'auto' || !Object.hasOwn(run.facts.target.accounts, 'alice') ? '' : 'alice';
  const party = { client: role, account };
  const server = await serverWithPage(run, [party]);
  const offered = stepsOn(server, party);
  const can = (plan: Plan): boolean => [...plan.before, ...plan.callers.flat()].every((step) => offered.includes(step));
  const trials = new Trials(run, server, party);
  const alone = await trials.play({ before: one.filter((step) => offered.includes(step)), callers: [] });
  if (alone.verdict.kind === 'impossible')
    throw new PrerequisiteFailed('what one caller sees alone has no explanation (LIFE-009)');
  let told = false;
  await run.expect.property(
    'callers of one grant',
    plans(offered),
    { share, examples: examples.filter(can) },
    async (plan) => {
      const trial = await trials.play(plan);
      if (trial.verdict.kind === 'undecided') throw new NotExercised('the replies have too many orders to try');
      const found = trial.verdict.kind === 'impossible' ? trial.core : undefined;
      const core = found && concerns(found) ? found : undefined;
      if (core && isTold(run, core)) return void (told = true);
      if (core) await showsRace(run, trials, plan);
      run.expect.explained(core, trials.expected(trial));
    },
  );
  if (told)
    throw new PrerequisiteFailed('several calls at once succeed with one credential (AUTH-CODE-010, TOK-REFRESH-019)');
  if (trials.worst > 0 && trials.allowed === undefined)
    run.expect.warn(
      `client ${role}: there is an explanation only if reads, refusals and revocations may be ${ms(trials.worst)} late, as RFC 7009 2.2 lets them; propagation_ms in the target sets a limit`,
    );
}

/**
 * @throws PrerequisiteFailed where one caller sees it as well, who does the same steps one after the other, and the rows of
 *   such sequences say so: it is no race. What they do not find, this row tells.
 */
async function showsRace(run: Run, trials: Trials, { before, callers }: Plan): Promise<void> {
  const longestList = Math.max(...callers.map((steps) => steps.length));
  const turns = Array.from({ length: longestList }, (_, turn) => callers.flatMap((steps) => steps[turn] ?? []));
  const { verdict } = await trials.play({ before: [...before, ...turns.flat()], callers: [] });
  if (verdict.kind !== 'impossible') return;
  const { value: sequences } = await attempt(() => explored(run), [MissingCapability, PrerequisiteFailed]);
  if (sequences !== undefined && sequences.findings.length > 0)
    throw new PrerequisiteFailed('what several callers see at once, one caller alone sees as well (LIFE-009)');
}

/** Plays plans, and waits for what is late as often as there is time for it. */
class Trials {
  /** The longest lag that was needed, milliseconds. */
  worst = 0;
  #waited = 0;

  constructor(
    readonly run: Run,
    readonly server: TokenServer,
    readonly party: Party,
  ) {}

  /** Milliseconds, as the target declares them. */
  get allowed(): number | undefined {
    return this.run.facts.target.propagation_ms;
  }

  async play(plan: Plan): Promise<Trial> {
    const { send, sendAtOnce, rethrow } = callersOf(this.server, this.party);
    const recorder = new Recorder(send, undefined, sendAtOnce);
    const settle = async (): Promise<void> => {
      this.#waited += 1;
      await new Promise((done) => setTimeout(done, this.allowed ?? longest));
    };
    const trial = await this.run.http.together(() =>
      tryOut(plan, recorder, {
        ...(this.allowed !== undefined && { allowed: this.allowed }),
        introspects: this.server.offers(this.party).introspect,
        ...(this.#waited < waits && { settle }),
      }),
    );
    rethrow();
    if (recorder.access.length === 0) throw new NotExercised('no caller was given an access token');
    if (trial.verdict.kind === 'stale') this.worst = Math.max(this.worst, trial.verdict.lag);
    return trial;
  }

  expected({ history }: Trial): string {
    const any = 'an order of the calls that explains every reply';
    return this.allowed === undefined || judge(history).kind === 'impossible'
      ? any
      : `${any}, with none more than ${this.allowed} ms late, as propagation_ms declares (the declaration is violated, not the interface)`;
  }
}

/** Histories: what several callers of one grant see has an explanation (conformance/histories). */
export default group('oauth/histories', { inOrder: true }, [
  check({
    id: 'LIFE-016',
    level: 'MUST',
    sentence:
      'Whatever several callers do with one grant at the same time, some order of their refreshes, revocations and uses explains every reply.',
    source: '3',
    needs: ['refresh:confidential', 'consent'],
    phase: 'alone',
    judge: (run) =>
      run.expect.each('client %s', bothKinds(run, { refresh: true }), (role) => explained(run, role, refreshing)),
  }),

  check({
    id: 'LIFE-017',
    level: 'MUST-RFC',
    sentence:
      'When several callers exchange one code at the same time, and use and revoke what it gives, some order of their calls explains every reply.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    phase: 'alone',
    judge: (run) => run.expect.each('client %s', bothKinds(run), (role) => explained(run, role, exchanging)),
  }),

  check({
    id: 'INTRO-022',
    level: 'INFER',
    sentence: 'What introspection says while several callers use a grant is explained by some order of the calls.',
    source: '3',
    entailed: '3, 5.3: introspection tells whether a token works, whoever else asks at the same time',
    needs: ['introspect', 'refresh:confidential', 'consent'],
    phase: 'alone',
    judge: (run) => explained(run, 'confidential', introspecting),
  }),
]);
