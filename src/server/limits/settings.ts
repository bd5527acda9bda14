import type { LimitChoice, LimitHead, LimitPolicy, LimitSettings } from '../../client/index.js';
import { operationList } from '../../contract/index.js';
import { instead } from '../../input/nearest.js';
import { complaintOf, SettingProblem } from '../setting.js';
import type { Pointer } from '../setting.js';
import { mostBuckets } from './meter.js';
import { observed } from './observed.js';
import { realistic } from './realistic.js';

const operations: ReadonlySet<string> = new Set(operationList.flatMap(({ id, logical }) => [id, logical]));

const sets: Readonly<Record<string, LimitSettings>> = { observed, realistic };

/** What limits may be called, in words. */
const namesOfLimits = `${Object.keys(sets).join(', ')} or off`;

/** The limits that somebody asks for; null for none. @throws SettingProblem */
export function readLimits(given: unknown): LimitSettings | null {
  if (given === 'off') return null;
  const named = typeof given === 'string' && Object.hasOwn(sets, given) ? sets[given] : undefined;
  if (named) return named;
  if (typeof given === 'string')
    refuse([], `${JSON.stringify(given)} is not a name of limits; write ${namesOfLimits}, or give policies`);
  const complaint = complaintOf('Limits', given);
  if (complaint) refuse(complaint.pointer, complaint.rule);
  const settings = given as Exclude<LimitChoice, string>;
  const names = new Map<string, number>();
  settings.policies.forEach(({ name }, index) => {
    const earlier = names.get(name);
    if (earlier !== undefined) refuse(['policies', index, 'name'], `policies[${earlier}] has the name ${name} already`);
    names.set(name, index);
  });
  settings.policies.forEach((policy, index) => checkPolicy(policy, ['policies', index]));
  checkOverlap(settings.policies);
  checkHead(settings.head ?? []);
  return settings;
}

function checkOperations(named: LimitPolicy['operations'], place: Pointer): void {
  if (named === '*') return;
  named.forEach((name, index) => {
    if (!operations.has(name)) refuse([...place, 'operations', index], none(name));
  });
}

/** An operation has one entry. */
function checkHead(head: readonly LimitHead[]): void {
  const taken = new Map<string, number>();
  head.forEach(({ operations: named }, index) => {
    checkOperations(named, ['head', index]);
    for (const operation of named === '*' ? ['*'] : named.flatMap(formsOf)) {
      const other = taken.get(operation);
      if (other !== undefined)
        refuse(['head', index, 'operations'], `head[${other}] has ${operation} already; leave it out of one`);
      taken.set(operation, index);
    }
  });
}

function checkPolicy({ operations: named, rules }: LimitPolicy, place: Pointer): void {
  checkOperations(named, place);
  rules.forEach(({ rule, shown, windows }, index) => {
    const earlier = rules.findIndex((other) => other.rule === rule);
    if (earlier < index) refuse([...place, 'rules', index, 'rule'], `rules[${earlier}] is the rule ${rule} already`);
    if (shown !== undefined && shown.toLowerCase() !== rule)
      refuse([...place, 'rules', index, 'shown'], `${shown} is not ${rule} in other letter case`);
    windows.forEach(({ period, bucket = 1 }, at) => {
      if (windows.findIndex((other) => other.period === period) < at)
        refuse([...place, 'rules', index, 'windows', at, 'period'], `another window has ${period} s already`);
      if (bucket > period || period / bucket > mostBuckets)
        refuse(
          [...place, 'rules', index, 'windows', at],
          `a period of ${period} s in buckets of ${bucket} s; take buckets of at least ${Math.ceil(period / mostBuckets)} s, and of the period at most`,
        );
    });
  });
}

/** An operation has one policy that counts requests, and one that counts invalid ones. */
function checkOverlap(policies: readonly LimitPolicy[]): void {
  const taken = new Map<string, string>();
  policies.forEach(({ name, counts = 'requests', operations: named }, index) => {
    for (const operation of named === '*' ? ['*'] : named.flatMap(formsOf)) {
      const key = `${counts} ${operation}`;
      const other = taken.get(key);
      if (other !== undefined && other !== name)
        refuse(['policies', index, 'operations'], `the policy ${other} has ${operation} already; leave it out of one`);
      taken.set(key, name);
    }
  });
}

/** The entry that names an operation, else the one for all that none names. */
export const entryOf = <T extends Pick<LimitPolicy, 'operations'>>(entries: readonly T[], id: string): T | undefined =>
  entries.find(({ operations: named }) => named !== '*' && named.flatMap(formsOf).includes(id)) ??
  entries.find(({ operations: named }) => named === '*');

/** The ids that a name of an operation stands for. */
const formsOf = (name: string): string[] =>
  operationList.filter(({ id, logical }) => id === name || logical === name).map(({ id }) => id);

const none = (name: string): string =>
  `there is no operation ${JSON.stringify(name)}; ${instead(name, operations, new Set(operationList.map(({ logical }) => logical)))}`;

function refuse(pointer: Pointer, rule: string): never {
  throw new SettingProblem('limits', pointer, rule);
}
