import { mix, type Chance } from './chance.js';

/** A one-to-one mapping of [0, size) onto itself, computed either way without a table. */
export interface Permutation {
  at(index: number): number;
  /** The inverse: `indexOf(at(i)) === i`. */
  indexOf(value: number): number;
}

const ROUNDS = 4;

/**
 * A Feistel network over the smallest even number of bits that holds `size`, walked until it lands inside: fewer than
 * four steps on average.
 */
export function permutation(size: number, chance: Chance): Permutation {
  const half = Math.max(1, Math.ceil(Math.ceil(Math.log2(Math.max(2, size))) / 2));
  const modulus = 2 ** half;
  const keys = Array.from({ length: ROUNDS }, () => chance.word());

  const forward = (value: number): number => {
    let left = Math.floor(value / modulus);
    let right = value % modulus;
    for (const key of keys) [left, right] = [right, (left ^ mix(right ^ key)) & (modulus - 1)];
    return left * modulus + right;
  };
  const backward = (value: number): number => {
    let left = Math.floor(value / modulus);
    let right = value % modulus;
    for (let round = ROUNDS - 1; round >= 0; round -= 1) {
      [left, right] = [(right ^ mix(left ^ (keys[round] ?? 0))) & (modulus - 1), left];
    }
    return left * modulus + right;
  };
  const walk = (step: (value: number) => number) => (start: number) => {
    let value = step(start);
    while (value >= size) value = step(value);
    return value;
  };
  return { at: walk(forward), indexOf: walk(backward) };
}
