import * as compiled from '../contract/control.gen.js';
import { meant } from '../input/nearest.js';
import { SetupError } from '../input/setup-error.js';

/** Where in a setting something is: `[0, 'kind']`. */
export type Pointer = readonly (string | number)[];

/** Something wrong in rules that somebody wrote: for a call, an option or a file. */
export class SettingProblem extends SetupError {
  constructor(
    /** What was being read: `faults`, `limits`. */
    readonly part: string,
    readonly pointer: Pointer,
    /** What is wrong there, and the remedy. */
    readonly rule: string,
  ) {
    super(`${placeOf(part, pointer)}: ${rule}`);
  }
}

const placeOf = (part: string, pointer: Pointer): string =>
  part + pointer.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');

/** What a compiled validator leaves behind; only the parts that a message is made from. */
interface Complaint {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}
type Validator = ((value: unknown) => boolean) & { errors?: readonly Complaint[] | null };

/** What is wrong with a value by a schema of openapi/control.yaml; undefined where nothing is. */
export function complaintOf(schema: string, value: unknown): { pointer: Pointer; rule: string } | undefined {
  const validate = (compiled as unknown as Readonly<Record<string, Validator>>)[schema];
  if (validate?.(value)) return undefined;
  const [first] = validate?.errors ?? [];
  if (!first) return { pointer: [], rule: 'is not valid' };
  const pointer = first.instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
  return { pointer, rule: ruleOf(first, pointer.reduce(memberOf, value)) };
}

const memberOf = (value: unknown, step: string | number): unknown => (value as Record<string, unknown>)[step];

function ruleOf({ keyword, message, params }: Complaint, value: unknown): string {
  if (keyword === 'additionalProperties')
    return `there is no member ${JSON.stringify(params.additionalProperty)} here; leave it out`;
  if (keyword === 'enum') {
    const allowed = (params.allowedValues as unknown[]).map(String);
    return `must be one of ${allowed.join(', ')}${typeof value === 'string' ? meant(value, allowed) : ''}`;
  }
  if (keyword === 'required') return `the member ${String(params.missingProperty)} is missing; add it`;
  return message ?? 'is not valid';
}
