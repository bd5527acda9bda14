import * as compiled from '../contract/control.gen.js';
import { kindOf } from '../input/kind.js';
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
  readonly params: Readonly<Record<string, unknown>>;
  /** The schema of the object or value that it is about. */
  readonly parentSchema?: { readonly properties?: object; readonly description?: string };
}
type Validator = ((value: unknown) => boolean) & { errors?: readonly Complaint[] | null };

/** What is wrong with a value by a schema of openapi/control.yaml; undefined where nothing is. */
export function complaintOf(schema: string, value: unknown): { pointer: Pointer; rule: string } | undefined {
  const validate = (compiled as unknown as Readonly<Record<string, Validator>>)[schema];
  if (validate?.(value)) return undefined;
  const errors = validate?.errors ?? [];
  const whole = errors.at(-1);
  // Of a value that has several forms, the first error is about one of them.
  const first = whole?.keyword === 'anyOf' && whole.parentSchema?.description !== undefined ? whole : errors[0];
  if (!first) return { pointer: [], rule: 'is not valid' };
  const pointer = first.instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
  return { pointer, rule: ruleOf(first, pointer.reduce(memberOf, value)) };
}

const memberOf = (value: unknown, step: string | number): unknown => (value as Record<string, unknown>)[step];

const entries = (count: unknown): string => `${String(count)} ${count === 1 ? 'entry' : 'entries'}`;

const lowered = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`.replace(/\.$/, '');

function ruleOf({ keyword, params, parentSchema }: Complaint, value: unknown): string {
  if (keyword === 'additionalProperties') {
    const stranger = String(params.additionalProperty);
    const names = Object.keys(parentSchema?.properties ?? {});
    const hint = meant(stranger, names);
    const remedy = hint === '' && names.length > 0 ? `it takes ${names.join(', ')}` : `leave it out${hint}`;
    return `does not take ${JSON.stringify(stranger)}; ${remedy}`;
  }
  if (keyword === 'enum') {
    const allowed = (params.allowedValues as unknown[]).map(String);
    return `must be one of ${allowed.join(', ')}${typeof value === 'string' ? meant(value, allowed) : ''}`;
  }
  if (keyword === 'required') return `lacks the member ${String(params.missingProperty)}; add it`;
  if (keyword === 'minProperties' || keyword === 'maxProperties') {
    const names = Object.keys(parentSchema?.properties ?? {}).join(', ');
    if (params.limit === 1 && names !== '')
      return `${keyword === 'minProperties' ? 'needs' : 'takes only'} one of ${names}`;
  }
  const about = parentSchema?.description === undefined ? '' : ` (${lowered(parentSchema.description)})`;
  if (keyword === 'type') {
    const types = [params.type].flat();
    return `must be ${types.map(kindOf).join(' or ')}${types.some((type) => type === 'number' || type === 'integer') ? about : ''}`;
  }
  if (keyword === 'minimum') return `must be ${String(params.limit)} or more${about}`;
  if (keyword === 'maximum') return `must be ${String(params.limit)} or less${about}`;
  if (keyword === 'format' && params.format === 'date-time') return 'must be a date-time such as 2026-01-31T12:00:00Z';
  if (keyword === 'minItems') return `needs at least ${entries(params.limit)}`;
  if (keyword === 'maxItems') return `takes at most ${entries(params.limit)}`;
  if (keyword === 'uniqueItems') return 'has an entry twice; remove one';
  if (keyword === 'minLength') return `is empty; write it${about}`;
  if (keyword === 'const') return `must be ${String(params.allowedValue)}${about}`;
  return `has the wrong form${about}`;
}
