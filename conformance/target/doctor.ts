import { isDeepStrictEqual } from 'node:util';

import type { TargetCapabilities } from './capabilities.js';
import { openCodec } from './codec.js';
import { shown } from './control.js';
import { clientFindings } from './doctor-clients.js';
import { factFindings } from './doctor-facts.js';
import type { GivenToken } from './doctor-facts.js';
import { reachFindings } from './doctor-reach.js';
import { leagueFindings } from './doctor-leagues.js';
import { absenceFinding, absentOperations, tokenFindings } from './doctor-tokens.js';
import { note, ok, problem } from './diagnosis.js';
import type { Diagnosis } from './diagnosis.js';
import type { Hooks, Transport, Tree } from './hooks.js';
import { lacksOf } from './offers.js';
import type { NeedyRow } from './offers.js';
import { openHooks } from './open-hooks.js';
import { SetupError } from '../../src/input/setup-error.js';
import type { Target } from './target.js';

export type { Diagnosis } from './diagnosis.js';

export interface DoctorOptions {
  readonly transport: Transport;
  /** Milliseconds since 1970, by our clock. */
  readonly now: () => number;
  /** Random bytes as base64url. */
  readonly random: (bytes: number) => string;
  readonly wait: boolean;
  /** The rows of the ledger. */
  readonly rows: readonly NeedyRow[];
  /** Called with each finding as it is made. */
  readonly onFinding?: (finding: Diagnosis) => void;
}

export interface DoctorReport {
  /** Whether a run may start: no finding is a problem. */
  readonly ready: boolean;
  readonly findings: readonly Diagnosis[];
  /** Checks that can run, of those that apply, and what would enable more, the most rows first. */
  readonly coverage: {
    readonly runnable: number;
    readonly checks: number;
    /** Rules that are evaluated on every response. */
    readonly monitors: number;
    readonly unlocks: readonly { readonly need: string; readonly rows: number; readonly remedy: string }[];
  };
}

/** Checks the configuration of a target before a run: addresses, hooks, clock, clients, codec, and which checks can run. */
export async function doctor(target: Target, options: DoctorOptions): Promise<DoctorReport> {
  const findings: Diagnosis[] = [];
  const tell = (...found: readonly Diagnosis[]): void => {
    for (const finding of found) {
      findings.push(finding);
      options.onFinding?.(finding);
    }
  };
  const { transport, now, random, wait, rows } = options;
  const reach = await reachFindings(target, transport, now);
  tell(...reach.findings);
  // What is down is told once, and not of everything that is there.
  const isDown = reach.down !== undefined && isAt(target.control_url, reach.down);
  const { hooks, findings: surface, unopened } = isDown ? down : await opened(target, transport);
  tell(...surface);
  if (unopened === undefined) tell(await clockFinding(hooks, reach.date, now));
  const tokens: GivenToken[] = [...target.tokens];
  const onToken = (one: GivenToken): unknown => tokens.push(one);
  const probe = { target, hooks, unopened, transport, random, data: reach.data, onToken };
  if (reach.authorization) tell(...(await clientFindings(probe)));
  if (reach.data) {
    tell(...(await tokenFindings(target, transport)), ...(await leagueFindings(target, transport)));
    const gone = await absentOperations(target, transport, tokens);
    if (gone.length > 0) tell(absenceFinding(gone));
    const not_offered = [...target.not_offered, ...gone.map(({ id }) => id)];
    tell(...(await factFindings({ ...target, not_offered }, transport, tokens)));
  }
  if (unopened === undefined || target.tree_codec !== undefined) tell(await codecFinding(target, hooks));

  const coverage = coverageOf(rows, { target, hooks, wait });
  return { ready: findings.every(({ state }) => state !== 'problem'), findings, coverage };
}

const isAt = (url: string | undefined, origin: string): boolean => url !== undefined && new URL(url).origin === origin;

interface Opened {
  readonly hooks: Hooks;
  readonly findings: readonly Diagnosis[];
  /** The key that has to be right before it is known which hooks there are: nothing is said of those that are missing. */
  readonly unopened?: string;
}

/** Nothing is asked of a control surface on a server that is down. */
const down: Opened = { hooks: {}, findings: [], unopened: 'control_url' };

/** The hooks that the suite has by itself: what `consent` in the target says brings them. */
const bySuite: Readonly<Partial<Record<Target['consent'], readonly string[]>>> = {
  auto: ['consent'],
  form: ['consent', 'page'],
};

async function opened(target: Target, transport: Transport): Promise<Opened> {
  const about = (['control_url', 'adapter'] as const).filter((key) => target[key] !== undefined).join(', ');
  try {
    const hooks = await openHooks(target, transport);
    const own = bySuite[target.consent] ?? [];
    const consent = own.length > 0 ? `; consent by ${target.consent}` : '';
    if (about === '')
      return {
        hooks,
        findings: [
          note(
            'hooks',
            `none: no control_url and no adapter${consent}`,
            'add one to enable the checks of lifetimes and revocations',
          ),
        ],
      };
    const offered = Object.keys(hooks).filter((name) => !own.includes(name));
    const met = `offers ${offered.length > 0 ? offered.join(', ') : 'nothing'}${consent}`;
    const asked = (target.consent === 'control' || target.consent === 'adapter') && !hooks.consent;
    const lack = asked
      ? [
          problem(
            'consent',
            `is ${target.consent}, which offers no consent hook`,
            'set consent to adapter, form, auto or none',
          ),
        ]
      : [];
    return { hooks, findings: [ok(about, met), ...lack] };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    const findings = error.problems.map((words) => brokenHooks(words));
    return { hooks: {}, findings, unopened: findings[0]?.about ?? about };
  }
}

/** The parts of a SetupError's message: place, problem, remedy. */
function brokenHooks(words: string): Diagnosis {
  const [, about = 'hooks', met = words, remedy = 'correct it'] =
    /^(control_url|adapter) (.*); ([^;]*)$/s.exec(words) ?? [];
  return problem(about, met, remedy);
}

async function clockFinding({ clock }: Hooks, date: string | undefined, now: () => number): Promise<Diagnosis> {
  if (!clock) {
    const read = date === undefined ? Number.NaN : Date.parse(date);
    if (Number.isNaN(read)) return note('clock', 'cannot be read: no clock hook and no Date header');
    return note('clock', `cannot be advanced; its Date header is ${apart(read - now())}`, 'add a clock hook');
  }
  try {
    return ok('clock', `can be advanced; it is ${apart((await clock.now()).getTime() - now())}`);
  } catch (error) {
    return problem('clock', (error as Error).message, 'correct the clock hook');
  }
}

/** How far a clock is from ours. */
function apart(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  if (seconds < 2) return 'the same as ours';
  const [amount, unit] =
    seconds < 120
      ? [seconds, 'seconds']
      : seconds < 7200
        ? [seconds / 60, 'minutes']
        : seconds < 172_800
          ? [seconds / 3600, 'hours']
          : [seconds / 86_400, 'days'];
  return `${Math.round(amount)} ${unit} ${ms > 0 ? 'ahead of' : 'behind'} ours`;
}

/** A link of version 6 and its tree (interface 2, "Serialised passive tree"). */
const golden: { readonly link: string; readonly tree: Tree } = {
  link: 'AAAABgECAwABAQL__wAA',
  tree: { version: 6, class: 1, ascendancy: 2, bloodline: 0, hashes: [1, 258, 65535], extended: [], mastery: [] },
};

async function codecFinding(target: Target, hooks: Hooks): Promise<Diagnosis> {
  const about = target.tree_codec === undefined ? 'adapter.tree' : 'tree_codec';
  if (target.tree_codec === undefined && !hooks.tree)
    return note('tree_codec', 'none', 'to test a codec, name its command, or export tree from an adapter');
  const codec = await openCodec(target, hooks);
  try {
    const answer = await codec.decode(golden.link);
    if ('error' in answer)
      return note(about, `rejects a valid link: ${shown(answer.error)}`, 'a run reports the details');
    return isDeepStrictEqual(answer.tree, golden.tree)
      ? ok(about, 'decodes a known link')
      : note(about, `decodes a known link to ${shown(answer.tree)}`, 'a run reports the details');
  } catch (error) {
    return problem(about, (error as Error).message.replace(/^tree_codec: /, ''), 'run the command by hand and fix it');
  } finally {
    await codec.close();
  }
}

function coverageOf(rows: DoctorOptions['rows'], facts: TargetCapabilities): DoctorReport['coverage'] {
  const unlocks = new Map<string, { need: string; rows: number; remedy: string }>();
  let runnable = 0;
  let checks = 0;
  for (const row of rows) {
    const lacks = row.how === 'check' ? lacksOf(row, facts) : undefined;
    if (!lacks || lacks.some((lack) => !lack.applicable)) continue;
    checks += 1;
    if (lacks.length === 0) runnable += 1;
    for (const { need, remedy } of lacks) {
      const entry = unlocks.get(need) ?? { need, rows: 0, remedy };
      entry.rows += 1;
      unlocks.set(need, entry);
    }
  }
  return {
    runnable,
    checks,
    monitors: rows.filter(({ how }) => how === 'monitor').length,
    unlocks: [...unlocks.values()].toSorted((a, b) => b.rows - a.rows),
  };
}
