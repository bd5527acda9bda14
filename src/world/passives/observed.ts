import type { Schemas } from '../wire.js';

/** What live services leave out of the nodes of `skill_overrides`. */
const notInOverrides = ['out', 'in', 'skill', 'recipe', 'ascendancyName', 'isMultipleChoice'] as const;

/**
 * Passives as live services answer them, for each flag of what live data shows. Changed in place: they are freshly made.
 */
export function asObserved(
  passives: Schemas['Passives'],
  flags: Readonly<Record<string, boolean>>,
): Schemas['Passives'] {
  if (flags['F-OBS-OVERRIDE']) {
    for (const override of Object.values(passives.skill_overrides))
      for (const name of notInOverrides) delete override[name];
  }
  for (const { subgraph } of Object.values(passives.jewel_data)) {
    for (const node of Object.values(subgraph?.nodes ?? {})) {
      if (flags['F-OBS-SKILL'] && typeof node.skill === 'number') node.skill = String(node.skill);
      const socket = flags['F-OBS-EXPANSION'] && node.expansionJewel;
      if (!socket) continue;
      if (typeof socket.proxy === 'number') socket.proxy = String(socket.proxy);
      if (typeof socket.parent === 'number') socket.parent = String(socket.parent);
    }
    // The projector takes isProxy away.
    for (const [key, group] of Object.entries(subgraph?.groups ?? {}))
      if (flags['F-OBS-PROXY']) group.proxy ??= key.replace(/\D/g, '');
  }
  return passives;
}
