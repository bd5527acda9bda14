import type { Making } from './making.js';

export function makeProjector(_flags: Readonly<Record<string, boolean>>): Pick<Making, 'project' | 'projectAll'> {
  return { project: (value) => value, projectAll: (values) => values };
}
