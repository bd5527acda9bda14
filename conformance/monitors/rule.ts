import type { JsonObject } from '../json.js';
import type { LogicalOperation } from '../../src/contract/index.js';
import type { Refusal } from '../engine/monitors.js';
import type { Fields, Redirect, Situation } from '../engine/run.js';
import type { RowId } from '../ledger.gen.js';
import type { Requirement } from '../requirement.js';
import type { FlagState, Role, Target } from '../target/target.js';
import type { Answer } from '../wire/answer.js';
import type { Departure, DepartureKind } from './departure.js';
import { fieldsAt } from './places.js';
import type { Reply } from './reply.js';
import type { Field, Shapes } from './shape.js';
import type { Findings } from './findings.js';
import type { Cursor } from './cursor.js';

/** What the rules of a run know. */
export interface RuleContext {
  readonly target: Target;
  readonly shapes: Shapes;
  flag(flag: string): FlagState;
  /** Something worth reading that is no violation. */
  observe(text: string): void;
}

/** The request that a redirect answers. */
export interface AuthorizationAsked {
  readonly fields: Fields;
  readonly role?: Role;
  /** What shows it. */
  readonly answer?: Answer;
}

/** A rule at work in one run: what it wants to be told. */
export interface Listener {
  /** Every answer of the data API and the authorization server. */
  answer?(answer: Answer, findings: Findings): void;
  /** Every reply to a request of the contract: status 2xx and a JSON object. */
  reply?(reply: Reply, findings: Findings): void;
  /** Every object of these schemas, wherever it is in a reply of the data API. */
  readonly objects?: Readonly<Record<string, (value: JsonObject, at: Cursor, findings: Findings) => void>>;
  /** Departures from the contract; only those of `fields`, where they are given. */
  departure?(departure: Departure, findings: Findings): void;
  readonly fields?: readonly Field[];
  /** Every outcome of the authorization endpoint. */
  redirect?(redirect: Redirect, asked: AuthorizationAsked, findings: Findings): void;
  /** Every refusal that a check has brought about, with what it should say. */
  refused?(refusal: Refusal, situation: Situation & { readonly by: RowId }, findings: Findings): void;
  /** How often the case came up, beside the looks on the findings. */
  exercised?(): number;
  /** Why the rule does not hold for this target. */
  readonly idle?: string;
}

/** A row's rule. It keeps its state of a run in the listener that it makes. */
export type Rule = (setting: RuleContext) => Listener;

/** A requirement that monitors watch, and its rule. */
export type MonitorRow = Requirement & { readonly rule: Rule };

/** Rules of rows that stand elsewhere: beside a check. */
export type Rules = Readonly<Partial<Record<RowId, Rule>>>;

/** A rule about every answer. */
export const answers =
  (judge: (answer: Answer, findings: Findings, context: RuleContext) => void): Rule =>
  (context) => ({ answer: (answer, findings) => judge(answer, findings, context) });

/** A rule about every object of a schema, wherever it is. */
export const objects =
  (schema: string, judge: (value: JsonObject, at: Cursor, findings: Findings, context: RuleContext) => void): Rule =>
  (context) => ({ objects: { [schema]: (value, at, findings) => judge(value, at, findings, context) } });

/** A rule about the replies of some operations. */
export const replies =
  (
    operations: readonly LogicalOperation[],
    judge: (reply: Reply, findings: Findings, context: RuleContext) => void,
  ): Rule =>
  (context) => ({
    reply(reply, findings) {
      if (operations.includes(reply.operation)) judge(reply, findings, context);
    },
  });

/** Departures that only a declared edition makes: the rows of editions own them. */
const byEdition: ReadonlySet<DepartureKind> = new Set(['edition', 'gated', 'restricted']);

export interface Narrow {
  readonly kinds?: readonly DepartureKind[];
  readonly operations?: readonly LogicalOperation[];
}

/** A rule that some fields are as the contract describes them. */
export const asDescribed =
  (places: readonly string[], { kinds, operations }: Narrow = {}): Rule =>
  ({ shapes }) => {
    const fields = places.flatMap((place) => fieldsAt(shapes, place));
    return {
      fields,
      departure({ kind, expected, got, at }, findings) {
        if (kinds ? !kinds.includes(kind) : byEdition.has(kind)) return;
        if (operations && !operations.includes(at.reply.operation)) return;
        findings.fail(expected, got, at);
      },
      exercised: () => fields.reduce((sum, field) => sum + timesShown(field), 0),
    };
  };

/** How often the data gave the case of a field: `true` for a flag, the object for a required field, else a value. */
export function timesShown({ flag, required, requiredIn, place, owner }: Field): number {
  if (flag) return place.trues;
  if (required) return owner.met.g1 + owner.met.g2 + owner.met.either;
  return requiredIn ? owner.met[requiredIn] : place.seen;
}

/** A rule that a field which one operation alone may have is in no reply of these. */
export const notShownIn =
  (operations: readonly LogicalOperation[], schema: string, name: string): Rule =>
  () => ({
    objects: {
      [schema]: (_value, { reply }, findings) => {
        if (operations.includes(reply.operation)) findings.look();
      },
    },
    departure({ kind, field, expected, got, at }, findings) {
      if (kind === 'only' && field?.place.id === `${schema}.${name}` && operations.includes(at.reply.operation))
        findings.fail(expected, got, at);
    },
  });
