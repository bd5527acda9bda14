import { describe, expect, it } from 'vitest';

import { contractMachine, noLives } from '../machine/contract.js';
import { proveByEnumeration } from '../machine/faults.js';
import { classesOf, minimal } from '../machine/machine.js';
import { completeSuite, identifiers } from '../machine/suite.js';
import { described, machineOf, violations } from '../machine/certificate.js';
import { mermaidOf, svgOf } from '../machine/draw.js';
import { publishedFaults } from './enumeration.js';

describe('the machine of the contract', () => {
  it('is minimal, keeps the model, and survives being written', async () => {
    const machine = await contractMachine();
    expect(new Set(classesOf(machine)).size).toBe(machine.states.length);
    expect(violations(machine, noLives)).toEqual([]);
    expect(machineOf(described(machine))).toEqual(machine);
  });

  it('tells its states apart by words that every two have in common', async () => {
    const machine = minimal(await contractMachine());
    for (const words of identifiers(machine)) expect(words.length).toBeGreaterThan(0);
    expect(completeSuite(machine, 1).words.length).toBeGreaterThan(completeSuite(machine, 0).words.length);
  });

  it('is drawn without a script or a style', async () => {
    const machine = described(await contractMachine());
    const svg = svgOf(machine, 'a <title>');
    expect(svg).not.toMatch(/<script|style|<title>a </);
    expect(svg.match(/<rect/g)).toHaveLength(machine.states.length);
    expect(mermaidOf(machine)).toContain('s0 --> s1: exchange / tokens');
  });
});

describe('the proof by enumeration', () => {
  it('finds every fault at the k that promises it, as published', async () => {
    const proof = await proveByEnumeration(0.02);
    const { faults, suites, timed } = proof;
    const [, whole, least, more] = suites;
    for (const { killed } of [whole!, least!, more!]) {
      expect(killed.output).toBe(faults.output);
      expect(killed.transfer).toBe(faults.transfer);
    }
    expect(more!.killed['one state more']).toBe(faults['one state more']);
    for (const { killed } of timed.suites) expect(killed).toEqual(timed.faults);
    const published = publishedFaults();
    expect(published.timed).toEqual(timed);
    expect(published.faults).toMatchObject({ output: faults.output, transfer: faults.transfer });
    expect(published.suites[3]!.killed).toEqual(published.faults);
    expect(published.suites.map(({ suite, words, steps }) => [suite, words, steps])).toEqual(
      suites.map(({ suite, words, steps }) => [suite, words, steps]),
    );
  });
});
