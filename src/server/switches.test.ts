import { describe, expect, it } from 'vitest';

import { switchTable } from '../contract/index.js';
import { startTestMock } from './mock.fixture.js';
import { oauthReadings } from './readings-oauth.fixture.js';
import { wireReadings } from './readings-wire.fixture.js';
import { worldReadings } from './readings-world.fixture.js';
import type { Readings } from './readings.fixture.js';
import { readSwitches } from './switches.js';

const readings: Readings = { ...oauthReadings, ...wireReadings, ...worldReadings };

describe('every switch', () => {
  it('has a reading, and every reading a switch', () => {
    expect(Object.keys(readings).sort()).toEqual(switchTable.map(({ name }) => name).sort());
  });

  it.each(switchTable)('$name shows, under each of its values', async ({ name, type, values, default: usual }) => {
    const reading = readings[name];
    if (!reading) throw new Error(`no reading of ${name}`);
    const tried = reading.sees.map(([value]) => value);
    expect(tried).toEqual(expect.arrayContaining(type === 'boolean' ? [true, false] : [...(values ?? []), usual]));
    expect(tried.length).toBeGreaterThan(1);
    for (const [value, seen] of reading.sees) {
      const mock = await startTestMock({ switches: { ...reading.beside, [name]: value } });
      expect([value, await reading.look(mock)]).toEqual([value, seen]);
      await mock.close();
    }
  });
});

describe('a setting', () => {
  it('is read from text as well as from values', () => {
    expect(
      readSwitches({ 'lookup.nullStatus': '404', 'cx.skipQuiet': 'true', 'cx.retentionHours': '5' }),
    ).toMatchObject({
      'lookup.nullStatus': 404,
      'cx.skipQuiet': true,
      'cx.retentionHours': 5,
    });
  });

  it.each([
    ['cx.skipquiet', 'true', 'cx.skipQuiet'],
    ['cx.skipQuiet', 'yes', 'true, false'],
    ['lookup.nullStatus', 500, '200, 404'],
    ['cx.retentionHours', '-1', 'whole number'],
    ['cx.retentionHours', 1.5, 'whole number'],
    ['names.game2', '', 'a text'],
    ['__proto__', 'x', 'gamedata mock switches'],
  ])('%s=%s is refused with the remedy', (name, value, remedy) => {
    expect(() => readSwitches(Object.fromEntries([[name, value]]))).toThrow(remedy);
  });
});
