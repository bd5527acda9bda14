import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** What a native engineer would not write, each with what to write instead. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\bwaits so long\b/i, 'waits at least that long'],
  [/\bthere is an end of it\b|\bwider and wider\b/i, 'the client stops; each wait longer than the one before'],
  [/\b(?:is|are|be) let pass\b/i, 'is allowed'],
  [/\bmend(?:ed|s)?\b/i, 'fix'],
  [/\bwhoever uses\b/i, 'any client that connects'],
  [/\bmay be so\b/i, 'may behave that way'],
  [/\bno process of it\b/i, 'it leaves no process running'],
  [/\bso-manieth\b/i, 'nth'],
  [/\bone half twice\b/i, 'both halves are the same'],
  [/\bleaves the contract \(/i, '1 contract violation'],
  [/\bstruck \d+ of\b|: struck /i, 'applied 0 times'],
  [/\bwhat a key takes\b/i, 'allowed values'],
  [/\banswer that leaves them out\b/i, 'a response without them'],
  [/\bin words\b/i, 'as a clear message'],
];

const listed = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], { encoding: 'utf8' })
    .trim()
    .split('\n');

const problemsOf = (place: string, text: string): string[] =>
  words.flatMap(([pattern, better]) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`${place}: "${found}"; write: ${better}`];
  });

/** The texts of a program that may reach a person: its literals, not its comments. */
function literalsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

it.each(listed('*.md', 'openapi/*.yaml', 'conformance/requirements/*.yaml'))(
  '%s has no phrase that is translated, not written',
  (file) => {
    expect(problemsOf(file, readFileSync(file, 'utf8'))).toEqual([]);
  },
);

it.each(['cli', 'src', 'conformance'])('no text of %s is translated, not written', (folder) => {
  const files = listed(`${folder}/*.ts`).filter((file) => !/[.](?:test|fixture|gen)[.]ts$/.test(file));
  expect(files.length).toBeGreaterThan(10);
  expect(files.flatMap((file) => literalsOf(file).flatMap((text) => problemsOf(file, text)))).toEqual([]);
});
