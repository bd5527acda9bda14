import { describe, expect, it } from 'vitest';

import { junit } from './junit.js';
import { canaryReport, hostileReport, sampleReport, withRows } from './sample.fixture.js';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** What XML is made of as far as the report needs it. Throws where it is not well formed (XML 1.0, 2.1). */
function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const body = xml.replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/, '');
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u.test(body))
    throw new Error('a character that XML forbids');
  for (const [token] of body.matchAll(/<[^>]*>|[^<]+/g)) {
    const top = open.at(-1)!;
    if (!token.startsWith('<')) {
      if (/&(?!(amp|lt|gt|quot);)|]]>/.test(token)) throw new Error(`unescaped: ${token.slice(0, 80)}`);
      top.text += token;
    } else if (token.startsWith('</')) {
      if (`</${top.name}>` !== token) throw new Error(`${token} ends ${top.name}`);
      open.pop();
    } else {
      const [, name, written, empty] = /^<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>$/.exec(token) ?? [];
      if (name === undefined || written === undefined) throw new Error(`no tag: ${token.slice(0, 80)}`);
      const pairs = [...written.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!] as const);
      if (pairs.some(([, value]) => /&(?!(amp|lt|gt|quot);)/.test(value))) throw new Error(`unescaped: ${token}`);
      if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`twice: ${token}`);
      const element: Element = { name, attributes: Object.fromEntries(pairs), children: [], text: '' };
      top.children.push(element);
      if (!empty) open.push(element);
    }
  }
  if (open.length > 1 || root.children.length !== 1) throw new Error('not one element');
  return root.children[0]!;
}

/** The rules that Jenkins' schema has for what we write: children, required attributes, other attributes. */
const rules: Readonly<Record<string, readonly [children: string, required: string, optional: string]>> = {
  testsuites: ['testsuite', '', 'name time tests failures errors'],
  testsuite: ['properties testcase', 'name tests failures errors', 'skipped time timestamp'],
  properties: ['property', '', ''],
  property: ['', 'name value', ''],
  testcase: ['skipped error failure system-out', 'name', 'time classname'],
  skipped: ['', '', 'type message'],
  error: ['', '', 'type message'],
  failure: ['', '', 'type message'],
  'system-out': ['', '', ''],
};

function faults({ name, attributes, children, text }: Element): string[] {
  const [within = '', required = '', optional = ''] = rules[name] ?? [];
  const names = Object.keys(attributes);
  const mayHaveText = ['failure', 'system-out'].includes(name);
  return [
    ...(name in rules ? [] : [`unknown ${name}`]),
    ...required
      .split(' ')
      .filter((each) => each && !names.includes(each))
      .map((each) => `${name} without ${each}`),
    ...names
      .filter((each) => !`${required} ${optional}`.split(' ').includes(each))
      .map((each) => `${name} with ${each}`),
    ...children.filter((each) => !within.split(' ').includes(each.name)).map((each) => `${each.name} in ${name}`),
    ...(!mayHaveText && text.trim() ? [`text in ${name}`] : []),
    ...(attributes.time !== undefined && !/^\d+\.\d{3}$/.test(attributes.time) ? [`time ${attributes.time}`] : []),
    ...children.flatMap(faults),
  ];
}

const all = (element: Element, name: string): Element[] => [
  ...(element.name === name ? [element] : []),
  ...element.children.flatMap((child) => all(child, name)),
];

describe('junit.xml', () => {
  it.each([
    ['a full ledger', sampleReport(980)],
    ['a server that answers 500 to everything', canaryReport()],
    ['hostile text everywhere', hostileReport()],
    ['no row at all', withRows([])],
  ])('is well formed and as the schema has it: %s', (_, report) => {
    expect(faults(parse(junit(report)))).toEqual([]);
  });

  it('counts what it has, in every suite and in all', () => {
    const root = parse(junit(sampleReport(980)));
    for (const suite of [root, ...all(root, 'testsuite')]) {
      expect(suite.attributes).toMatchObject({
        tests: String(all(suite, 'testcase').length),
        failures: String(all(suite, 'failure').length),
        errors: String(all(suite, 'error').length),
      });
      if (suite !== root) expect(suite.attributes.skipped).toBe(String(all(suite, 'skipped').length));
    }
    expect(all(root, 'testcase')).toHaveLength(979);
    expect(all(root, 'testsuite').map(({ attributes }) => attributes.name)).toContain('TOK-REFRESH');
  });

  it('has a child for what is not pass, with the reason', () => {
    const cases = all(parse(junit(sampleReport())), 'testcase');
    const child = (id: string): Element | undefined =>
      cases.find(({ attributes }) => attributes.name?.startsWith(`[${id} `))?.children[0];
    expect(child('TOK-REFRESH-004')).toMatchObject({
      name: 'failure',
      attributes: {
        type: 'MUST',
        message: 'expected status 400, error invalid_grant; got status 200 with a new access token',
      },
      text: expect.stringContaining('replay: gamedata') as string,
    });
    expect(child('REV-011')).toMatchObject({ name: 'error', attributes: { type: 'suite error' } });
    expect(child('LIFE-003')).toMatchObject({ name: 'skipped', attributes: { type: 'could not run' } });
    expect(child('PVP-STATE-002')?.attributes.message).toBe('not exercised: no match was in progress');
    expect(child('LEAGUE-GET-006')?.attributes.message).toMatch(/^waived: Our gateway/);
    expect(child('AUTH-WARN-001')).toMatchObject({
      name: 'system-out',
      text: 'The page asks twice before it redirects.',
    });
    expect(child('XF-009')).toBeUndefined();
  });

  it('has an error where the run came to no verdict', () => {
    const summary = 'Configuration error: nothing was tested.';
    const root = parse(junit(withRows([], { exitCode: 2, outcome: 'configuration error', summary })));
    expect(root.attributes).toMatchObject({ tests: '1', failures: '0', errors: '1' });
    expect(all(root, 'error')[0]?.attributes).toEqual({ type: 'configuration error', message: summary });
    expect(faults(root)).toEqual([]);
    expect(all(parse(junit(withRows([], { exitCode: 0 }))), 'error')).toEqual([]);
  });

  it('would be told if it were not well formed', () => {
    expect(() => parse('<a><b></a></b>')).toThrow('ends b');
    expect(() => parse('<a>]]></a>')).toThrow('unescaped');
    expect(() => parse('<a b="&"/>')).toThrow('unescaped');
    expect(() => parse('<a>\x1b</a>')).toThrow('forbids');
    expect(faults(parse('<testsuites>x<b/></testsuites>'))).toEqual([
      'b in testsuites',
      'text in testsuites',
      'unknown b',
    ]);
  });
});
