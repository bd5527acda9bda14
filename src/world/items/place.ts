import type { Item } from './trait.js';

/** Puts items on a grid in rows, left to right, and says which container they lie in. */
export function place(items: readonly Item[], width: number, inventoryId: string): void {
  let x = 0;
  let y = 0;
  let tallest = 0;
  for (const item of items) {
    if (x + item.w > width) {
      x = 0;
      y += tallest;
      tallest = 0;
    }
    item.x = x;
    item.y = y;
    item.inventoryId = inventoryId;
    x += item.w;
    tallest = Math.max(tallest, item.h);
  }
}
