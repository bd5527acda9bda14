import type { MonitorResult, Monitors } from '../engine/monitors.js';
import type { RowId } from '../ledger.gen.js';
import type { Target } from '../target/target.js';
import { bounds } from '../wire/bounds.js';
import { Census } from './census.js';
import { isFree } from './general.js';
import { Posts } from './posts.js';
import { replyOf } from './reply.js';
import type { Reply } from './reply.js';
import type { Rule } from './rule.js';
import { rules } from './rules.js';
import { Shapes } from './shape.js';
import { Signs } from './signs.js';
import { Spot } from './spot.js';
import { isGrant } from './token-answers.js';
import { Walk } from './walk.js';

/** The monitors of one run against a target; `watched` are the rules that are held, all of them by default. */
export function createMonitors(target: Target, watched: ReadonlyMap<RowId, Rule> = rules): Monitors {
  const shapes = new Shapes(target.names);
  const posts = new Posts();
  const census = new Census(target.names);
  const signs = new Signs();
  const flag = (name: string): 'on' | 'off' | 'any' => target.edition[name] ?? 'any';
  const setting = {
    target,
    shapes,
    flag,
    observe: (text: string) => census.observe(text),
  };
  for (const [row, rule] of watched) posts.add(row, rule, setting);
  const walk = new Walk({
    flag,
    object: ({ name }, value, at) => posts.object(name, value, at),
    finding: (finding) => posts.finding(finding),
    undocumented: ({ name }, member) => census.undocumented(name, member),
    unsafe: (at) => census.unsafe(at.here()),
    sign: (name, state) => signs.add(name, state),
  });
  let results: Map<RowId, MonitorResult> | undefined;

  const isWalked = (reply: Reply): boolean =>
    reply.answer.asked.server === 'data' ? !isFree(reply) : isGrant(reply.answer);

  return {
    answer(answer) {
      if (answer.asked.server === 'control') return;
      results = undefined;
      posts.answer(answer);
      signs.answer(answer);
      census.answer(answer);
      if (answer.pruned)
        census.observe(`Some JSON is nested more than ${bounds.depth} levels deep: what lies below is read as null.`);
      const reply = replyOf(answer, target.names);
      if (!reply) return;
      posts.reply(reply);
      const slot = shapes.reply(reply.operation, answer.status);
      if (slot && isWalked(reply)) walk.value(reply.body, slot, new Spot(reply));
    },
    redirect(redirect, request) {
      results = undefined;
      posts.redirect(redirect, request);
    },
    results() {
      results ??= new Map(
        [...posts.byRow].map(([row, { listener, sheet }]) => [
          row,
          {
            exercised: sheet.looks + (listener.exercised?.() ?? 0),
            violations: sheet.violations,
            count: sheet.count,
            warnings: sheet.warnings,
            applicable: listener.idle === undefined,
            ...(listener.idle !== undefined && { reason: listener.idle }),
          },
        ]),
      );
      return results;
    },
    observations: () => census.sentences(),
    edition: () => signs.byFlag(),
  };
}
