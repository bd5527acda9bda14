import type { Document, EditionMark, Schema } from './document.js';
import { operationsOf } from './document.js';

export interface Flags {
  flags: { flag: string; about: string; kind: string; pairs_with?: string }[];
  editions: Record<string, { on: string[]; with?: string }>;
}

/** The flags that are on in an edition, those of the edition that it begins with first. */
export function flagsOf(edition: string, { editions }: Pick<Flags, 'editions'>): string[] {
  const { with: first, on = [] } = editions[edition] ?? {};
  return first === undefined ? on : [...flagsOf(first, { editions }), ...on];
}

/** Where a flag acts: a property, an enum value or an operation. */
export interface Mark extends EditionMark {
  /** Component schema; absent for operations. */
  schema?: string;
  /** Property of the schema; a dotted path where an object is written inline. */
  property?: string;
  /** Enum value of the property (or of the schema itself). */
  value?: string;
  operationId?: string;
  /** JSONPath of the element in the bundled contract. */
  target: string;
  /** What stands in the place of the two alternatives at the target, where the marked one goes. */
  alone?: Schema;
}

const quoted = (name: string): string => `['${name.replaceAll("'", "\\'")}']`;

/** Collects every `x-edition` and `x-enum-edition` of the contract: the one source for overlays, world and suite. */
export function collectMarks(document: Document): Mark[] {
  const marks: Mark[] = [];
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    visit(schema, name, '', `$.components.schemas.${name}`, marks);
  }
  for (const { method, path, operation, item } of operationsOf(document)) {
    const mark = operation['x-edition'];
    if (!mark) continue;
    const alone = Object.keys(item).filter((key) => key === 'get' || key === 'post').length === 1;
    const target = `$.paths${quoted(path)}${alone ? '' : `.${method.toLowerCase()}`}`;
    marks.push({ ...mark, operationId: operation.operationId, target });
  }
  marks.push(...replyMarks(document), ...companions(document));
  return marks;
}

/** The marks of replies: those that are described inline, and those that operations share. */
function replyMarks(document: Document): Mark[] {
  const marks: Mark[] = [];
  for (const [name, { content = {} }] of Object.entries(document.components.responses ?? {})) {
    for (const [type, { schema }] of Object.entries(content)) {
      const place = `$.components.responses.${name}.content${quoted(type)}.schema`;
      if (schema) visit(schema, undefined, '', place, marks);
    }
  }
  for (const { method, path, operation } of operationsOf(document)) {
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      for (const [type, { schema }] of Object.entries(content)) {
        const place = `$.paths${quoted(path)}.${method.toLowerCase()}.responses${quoted(status)}.content${quoted(type)}.schema`;
        if (schema) visit(schema, undefined, '', place, marks);
      }
    }
  }
  return marks;
}

/** What an edition without an operation must lose with it: its tag, its scope, the components that only it uses. */
function* companions(document: Document): Generator<Mark> {
  const { components, tags = [] } = document;
  for (const [index, { 'x-edition': mark }] of tags.entries()) {
    if (mark) yield { ...mark, target: `$.tags[${index}]` };
  }
  for (const section of ['parameters', 'responses', 'examples'] as const) {
    for (const [name, { 'x-edition': mark }] of Object.entries(components[section] ?? {})) {
      if (mark) yield { ...mark, target: `$.components.${section}.${name}` };
    }
  }
  for (const [scope, flag] of scopesByFlag(document)) {
    for (const [scheme, { flows = {} }] of Object.entries(components.securitySchemes)) {
      for (const flow of Object.keys(flows).filter((name) => scope in (flows[name]?.scopes ?? {}))) {
        yield { flag, target: `$.components.securitySchemes.${scheme}.flows.${flow}.scopes${quoted(scope)}` };
      }
    }
  }
}

/** The scopes that open nothing but operations of one flag. */
function scopesByFlag(document: Document): Map<string, string> {
  const flagged = new Map<string, string>();
  const plain = new Set<string>();
  for (const { operation } of operationsOf(document)) {
    const flag = operation['x-edition']?.flag;
    for (const scope of operation.security?.flatMap((requirement) => requirement.oauth ?? []) ?? []) {
      if (flag === undefined) plain.add(scope);
      else flagged.set(scope, flag);
    }
  }
  return new Map([...flagged].filter(([scope]) => !plain.has(scope)));
}

function visit(schema: Schema, name: string | undefined, property: string, target: string, marks: Mark[]): void {
  const place = { ...(name && { schema: name }), ...(property && { property }) };
  if (schema['x-edition']) marks.push({ ...schema['x-edition'], ...place, target });
  for (const [value, flag] of Object.entries(schema['x-enum-edition'] ?? {})) {
    const literal = typeof schema.enum?.find((entry) => String(entry) === value) === 'number' ? value : `'${value}'`;
    marks.push({ flag, ...place, value, target: `${target}.enum[?(@ == ${literal})]` });
    for (const keyword of ['x-enum-edition', 'x-enumDescriptions']) {
      if (value in ((schema[keyword] ?? {}) as object))
        marks.push({ flag, target: `${target}.${keyword}${quoted(value)}` });
    }
  }
  for (const [key, child] of Object.entries(schema.properties ?? {})) {
    visit(child, name, property ? `${property}.${key}` : key, `${target}.properties.${key}`, marks);
  }
  for (const keyword of ['items', 'additionalProperties'] as const) {
    const child = schema[keyword];
    if (typeof child === 'object') visit(child, name, property, `${target}.${keyword}`, marks);
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const alternatives = schema[keyword] ?? [];
    for (const [index, child] of alternatives.entries()) {
      const [alone, ...more] = alternatives.filter((other) => other !== child);
      const mark = child['x-edition'];
      if (mark && alone && more.length === 0) marks.push({ ...mark, ...place, target: `${target}.${keyword}`, alone });
      else visit(child, name, property, `${target}.${keyword}[${index}]`, marks);
    }
  }
}

export interface Overlay {
  overlay: '1.0.0';
  info: { title: string; version: string };
  actions: {
    target: string;
    description: string;
    remove?: true;
    update?: Schema;
  }[];
}

/**
 * An edition as an OpenAPI Overlay that only removes what the edition lacks, marks it deprecated, or requires what no
 * flag of the edition lets be left out. Of two alternatives the one that is left takes the place of both.
 */
export function overlayOf(edition: string, table: Flags, marks: Mark[], version: string): Overlay {
  const { flags } = table;
  const on = new Set(flagsOf(edition, table));
  const about = new Map(flags.map((entry) => [entry.flag, entry.about]));
  const actions: Overlay['actions'] = [];
  for (const mark of marks) {
    const description = `${mark.flag} is ${on.has(mark.flag) ? 'on' : 'off'}: ${about.get(mark.flag) ?? ''}`;
    if (mark.effect === 'deprecated' && on.has(mark.flag)) {
      actions.push({ target: mark.target, description, update: { deprecated: true } });
    } else if (mark.effect === 'optional' && !on.has(mark.flag)) {
      const [, owner = '', property = ''] = /^(.*)\.properties\.(\w+)$/.exec(mark.target) ?? [];
      actions.push({ target: owner, description, update: { required: [property] } });
    } else if (!mark.effect && on.has(mark.flag) === (mark.state === 'off')) {
      const owner = mark.target.slice(0, mark.target.lastIndexOf('.'));
      if (mark.alone) actions.push({ target: owner, description, update: mark.alone });
      actions.push({ target: mark.target, description, remove: true });
    }
  }
  return { overlay: '1.0.0', info: { title: `The ${edition} edition`, version }, actions };
}

/**
 * Applies an overlay to a copy of the document. Targets are the plain paths that `overlayOf` writes.
 * @throws Error naming a target that matches nothing: the Overlay specification lets that pass in silence.
 */
export function applyOverlay(document: Document, overlay: Overlay): Document {
  const copy = structuredClone(document);
  // Removing an enum value or an anyOf branch shifts those behind it, so the last goes first.
  for (const action of [...overlay.actions].reverse()) {
    const steps = parsePath(action.target);
    const last = steps.pop();
    const parent = steps.reduce<unknown>(
      (node, step) => (node as Record<string, unknown> | undefined)?.[step.key],
      copy,
    );
    if (last === undefined || typeof parent !== 'object' || parent === null) throw unmatched(action.target);
    const container = parent as Record<string, unknown>;
    const key = last.filter ? String((parent as unknown[]).indexOf(last.filter.value)) : last.key;
    if (!(key in container)) throw unmatched(action.target);
    if (action.update) merge(container[key] as Record<string, unknown>, action.update);
    else if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete container[key];
    if (action.remove && !Array.isArray(parent)) unrequire(copy, steps, key);
  }
  return copy;
}

/** As the Overlay specification merges: an array gets further elements, any other value takes the old one's place. */
function merge(into: Record<string, unknown>, update: object): void {
  for (const [key, value] of Object.entries(update) as [string, unknown][]) {
    const old = into[key];
    into[key] = Array.isArray(old) && Array.isArray(value) ? [...(old as unknown[]), ...(value as unknown[])] : value;
  }
}

const unmatched = (target: string): Error => new Error(`overlay target ${target} matches nothing`);

/** A removed property can be required no more. */
function unrequire(document: Document, steps: Step[], property: string): void {
  if (steps.at(-1)?.key !== 'properties') return;
  const owner = steps
    .slice(0, -1)
    .reduce<unknown>((node, step) => (node as Record<string, unknown>)[step.key], document) as Schema;
  if (owner.required?.includes(property)) owner.required = owner.required.filter((name) => name !== property);
  // What is left of an exclusive pair needs no rule against the other half.
  if (owner.not?.required?.includes(property)) delete owner.not;
}

interface Step {
  key: string;
  filter?: { value: string | number };
}

function parsePath(target: string): Step[] {
  const steps: Step[] = [];
  const token = /\.([A-Za-z0-9_-]+)|\['((?:[^'\\]|\\.)*)'\]|\[(\d+)\]|\[\?\(@ == (?:'([^']*)'|(\d+))\)\]/y;
  token.lastIndex = 1;
  while (token.lastIndex < target.length) {
    const at = token.lastIndex;
    const match = token.exec(target);
    if (!match) throw new Error(`overlay target ${target}: cannot read it from character ${at}`);
    const [, name, quotedName, index, text, number] = match;
    if (text !== undefined) steps.push({ key: '', filter: { value: text } });
    else if (number !== undefined) steps.push({ key: '', filter: { value: Number(number) } });
    else steps.push({ key: name ?? quotedName?.replaceAll("\\'", "'") ?? index ?? '' });
  }
  return steps;
}
