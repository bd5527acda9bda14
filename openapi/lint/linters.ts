import SwaggerParser from '@apidevtools/swagger-parser';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

import { runRedocly } from '../../scripts/generate/document.js';

/** A rule of Spectral that a document need not pass. */
export interface Exception {
  readonly rule: string;
  /** The documents that it is not asked of. */
  readonly documents: RegExp;
  readonly because: string;
}

/** Redocly's `recommended-strict` on some files, in one process: errors and warnings alike are problems. By file. */
export async function byRedocly(files: readonly string[], ...options: string[]): Promise<string[][]> {
  // A report of each file, one after the other.
  const reports = await runRedocly('lint', ...files, '--format', 'json', ...options);
  const each = JSON.parse(`[${reports.replaceAll(/^\}\{$/gm, '},{')}]`) as {
    problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
  }[];
  if (each.length !== files.length) throw new Error(`Redocly wrote ${each.length} reports of ${files.join(', ')}`);
  return each.map(({ problems }) =>
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? '?'}`),
  );
}

/** All of Spectral's rules for OpenAPI, not the recommended ones alone. An exception that excuses nothing is a problem too. */
export async function bySpectral(name: string, document: object, exceptions: readonly Exception[]): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'all']] });
  const found = await spectral.run(JSON.stringify(document));
  const excused = exceptions.filter(({ documents }) => documents.test(name)).map(({ rule }) => rule);
  return [
    ...found
      .filter(({ code }) => !excused.includes(String(code)))
      .map(({ code, message, path }) => `${code}: ${message} at ${path.join('/')}`),
    ...excused
      .filter((rule) => !found.some(({ code }) => code === rule))
      .map((rule) => `${rule}: passes, so that its exception in openapi/lint/exceptions.ts can go`),
  ];
}

/** @apidevtools/swagger-parser: the schema of the OpenAPI version, and every reference. */
export async function bySwaggerParser(document: object): Promise<string[]> {
  try {
    // A copy, as it resolves references in place; of no type, as what it is handed is what it has to judge.
    await SwaggerParser.validate(structuredClone(document) as never);
    return [];
  } catch (error) {
    return [`swagger-parser: ${(error as Error).message}`];
  }
}
