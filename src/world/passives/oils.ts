import type { Schemas } from '../wire.js';

type Oil = NonNullable<Schemas['PassiveNode']['recipe']>[number];

const OILS: readonly Oil[] = [
  'ClearOil',
  'SepiaOil',
  'AmberOil',
  'VerdantOil',
  'TealOil',
  'AzureOil',
  'IndigoOil',
  'VioletOil',
  'CrimsonOil',
  'BlackOil',
  'OpalescentOil',
  'SilverOil',
  'GoldenOil',
  'PrismaticOil',
];

/** Recipes of three oils, so that all oils come round. */
export class Oils {
  private used = 0;

  next(): Oil[] {
    return [0, 1, 2].flatMap(() => {
      const oil = OILS[this.used % OILS.length];
      this.used += 1;
      return oil === undefined ? [] : [oil];
    });
  }
}
