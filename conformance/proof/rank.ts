/** Spreads whole numbers over 32 bits: neighbours get ranks that have nothing in common. */
function spread(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  const twice = Math.imul(once ^ (once >>> 16), 0x45d9f3b);
  return (twice ^ (twice >>> 16)) >>> 0;
}

/** An order that the seed decides, so that run after run all of it comes up. */
export const rankBy = (seed: number): ((index: number) => number) => {
  const start = spread(seed);
  return (index) => spread(start + index);
};
