import type { components } from '../contract/index.js';

/** The contract's types by the names that schemas have. */
export type Schemas = components['schemas'];

/** An instant as the interface writes it: ISO 8601 in UTC, whole seconds. */
export function dateTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Where pictures lie, and where the game's own pages do. Nothing answers there. */
export const IMAGES = 'https://images.example';
export const SITE = 'https://game.example';
