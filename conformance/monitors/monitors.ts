import type { MonitorResult, Monitors } from '../engine/monitors.js';
import type { RowId } from '../ledger.gen.js';
import type { Target } from '../target/target.js';
import { bounds } from '../wire/bounds.js';
import { Statistics } from './statistics.js';
import { isFree } from './general.js';
import { Dispatcher } from './dispatcher.js';
import { replyOf } from './reply.js';
import type { Reply } from './reply.js';
import type { Rule } from './rule.js';
import { rules } from './rules.js';
import { Shapes } from './shape.js';
import { FlagEvidence } from './flag-evidence.js';
import { Cursor } from './cursor.js';
import { isGrant } from './token-answers.js';
import { ShapeWalk } from './walk.js';

/** The monitors of one run against a target; `watched` are the rules that are held, all of them by default. */
export function createMonitors(target: Target, watched: ReadonlyMap<RowId, Rule> = rules): Monitors {
  const shapes = new Shapes(target.names);
  const dispatcher = new Dispatcher();
  const statistics = new Statistics(target.names);
  const evidence = new FlagEvidence();
  const flag = (name: string): 'on' | 'off' | 'any' => target.edition[name] ?? 'any';
  const setting = {
    target,
    shapes,
    flag,
    observe: (text: string) => statistics.observe(text),
  };
  for (const [row, rule] of watched) dispatcher.add(row, rule, setting);
  const walk = new ShapeWalk({
    flag,
    object: ({ name }, value, at) => dispatcher.object(name, value, at),
    departure: (departure) => dispatcher.departure(departure),
    undocumented: ({ name }, member) => statistics.undocumented(name, member),
    unsafe: (at) => statistics.unsafe(at.here()),
    sign: (name, state) => evidence.add(name, state),
  });
  let results: Map<RowId, MonitorResult> | undefined;

  return {
    answer(answer) {
      if (answer.asked.server === 'control') return;
      results = undefined;
      dispatcher.answer(answer);
      evidence.answer(answer);
      statistics.answer(answer);
      if (answer.pruned) statistics.observe(tooDeep);
      const reply = replyOf(answer, target.names);
      if (!reply) return;
      dispatcher.reply(reply);
      const slot = shapes.reply(reply.operation, answer.status);
      if (slot && isWalked(reply)) walk.value(reply.body, slot, new Cursor(reply));
    },
    redirect(redirect, request) {
      results = undefined;
      dispatcher.redirect(redirect, request);
    },
    refused(refusal, situation) {
      results = undefined;
      dispatcher.refused(refusal, situation);
    },
    results: () => (results ??= resultsOf(dispatcher)),
    observations: () => statistics.sentences(),
    edition: () => evidence.byFlag(),
  };
}

const tooDeep = `Some JSON is nested more than ${bounds.depth} levels deep: what lies below is read as null.`;

/** Whether the contract gives the body of a reply a schema that it has to follow. */
const isWalked = (reply: Reply): boolean =>
  reply.answer.asked.server === 'data' ? !isFree(reply) : isGrant(reply.answer);

const resultsOf = ({ byRow }: Dispatcher): Map<RowId, MonitorResult> =>
  new Map(
    [...byRow].map(([row, { listener, findings }]) => [
      row,
      {
        exercised: findings.looks + (listener.exercised?.() ?? 0),
        violations: findings.violations,
        count: findings.count,
        warnings: findings.warnings,
        applicable: listener.idle === undefined,
        ...(listener.idle !== undefined && { reason: listener.idle }),
      },
    ]),
  );
