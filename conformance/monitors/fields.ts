import { fieldPlaces } from '../fields.gen.js';
import type { RowId } from '../ledger.gen.js';
import { fieldsAt } from './places.js';
import { asDescribed } from './rule.js';
import type { Rule } from './rule.js';
import type { Field, Shapes } from './shape.js';

/** That a field is as the contract describes it, where the edition has it. */
const field =
  (place: string): Rule =>
  (setting) => {
    const fields = fieldsAt(setting.shapes, place);
    const missing = fields.flatMap(({ edition }) => (edition && !edition.effect ? [edition] : []));
    const off = missing.find(({ flag, state }) => setting.flag(flag) === (state === 'off' ? 'on' : 'off'));
    const idle =
      off && missing.length === fields.length
        ? `${off.flag} is declared ${setting.flag(off.flag)}`
        : place.startsWith('getCurrencyExchange') && setting.flag('F-CX') === 'off'
          ? 'F-CX is declared off'
          : undefined;
    return { ...asDescribed([place])(setting), ...(idle !== undefined && { idle }) };
  };

/** The rules of the field rows, made from the places that the ledger has. */
export const fieldRules: ReadonlyMap<RowId, Rule> = new Map(fieldPlaces.map(({ id, place }) => [id, field(place)]));

/** The row that each field has of its own. */
export const rowsOfFields = (shapes: Shapes): ReadonlyMap<Field, RowId> =>
  new Map(fieldPlaces.flatMap(({ id, place }) => fieldsAt(shapes, place).map((one) => [one, id] as const)));
