import type { Document } from './document.js';

export interface Gap {
  id: string;
  kind: string;
  topic: string;
  says: string;
  contract: string;
  mock: string;
  suite: string;
  switches?: Switch[];
}

export interface Switch {
  name: string;
  values?: (string | number)[];
  type?: 'boolean' | 'integer' | 'string';
  /** Of an integer, both: what it may be must be something that every page can show. */
  minimum?: number;
  maximum?: number;
  default: string | number | boolean;
  /** Where the other values come from: the description unless told. */
  source?: 'description' | 'observation';
  about: string;
}

const units: [number, string][] = [
  [86400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** Seconds in the largest unit that divides them: 2419200 -> '28 days'. */
export function duration(seconds: number): string {
  const [size, name] = units.find(([unit]) => seconds % unit === 0) ?? [1, 'second'];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

const filters: Record<string, (value: number) => string> = {
  duration,
  number: (value) => value.toLocaleString('en-US'),
};

/** Fills `{{limits.stash_delay|duration}}` from the contract's own numbers, so that no number stands in two places. */
export function fillFacts(text: string, document: Document): string {
  const facts: Record<string, unknown> = { lifetimes: document['x-lifetimes'], limits: document['x-limits'] };
  return text.replaceAll(/\{\{([a-z_.]+)(?:\|([a-z]+))?\}\}/g, (whole, path: string, filter?: string) => {
    const value = path
      .split('.')
      .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], facts);
    if (typeof value !== 'number') throw new Error(`openapi: ${whole} names no number of x-lifetimes or x-limits`);
    if (filter === undefined) return String(value);
    const format = filters[filter];
    if (!format) throw new Error(`openapi: ${whole} names no filter; there are ${Object.keys(filters).join(', ')}`);
    return format(value);
  });
}

/** Every description of the document with its facts filled in. */
export function fillDescriptions(document: Document): Document {
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        key === 'description' && typeof value === 'string' ? fillFacts(value, document) : walk(value),
      ]),
    );
  };
  return walk(document) as Document;
}

const kinds: Record<string, string> = {
  contradiction: 'contradicts itself',
  ambiguous: 'can be read in two ways',
  silent: 'is silent',
  collision: 'lets two things collide',
};

/** The chapter on what the interface leaves open, a section per topic. */
function gapChapter(gaps: Gap[]): string {
  const topics = [...new Set(gaps.map((gap) => gap.topic))];
  return topics
    .map((topic) => {
      const entries = gaps.filter((gap) => gap.topic === topic).map(gapEntry);
      return `## Open: ${topic}\n\n${entries.join('\n\n')}`;
    })
    .join('\n\n');
}

function gapEntry(gap: Gap): string {
  return [
    `**${gap.id}: the interface ${kinds[gap.kind] ?? gap.kind}.** ${gap.says}`,
    '',
    `- This contract: ${gap.contract}`,
    `- The mock: ${gap.mock}`,
    ...(gap.switches ?? []).map((entry) => `- Switch ${switchEntry(entry)}`),
    `- The suite: ${gap.suite}`,
  ].join('\n');
}

/** What a switch takes, the default first in words. */
function switchEntry({ name, values, type, minimum, maximum, default: given, about }: Switch): string {
  const whole = `a whole number from ${minimum} to ${maximum}`;
  const choices = values ?? (type === 'boolean' ? ['true', 'false'] : [type === 'integer' ? whole : 'a text']);
  return `\`${name}\` (${choices.join(', ')}; default \`${String(given)}\`): ${about}`;
}

/** Puts the chapter where the prose asks for it. */
export function placeGaps(document: Document, gaps: Gap[]): Document {
  const marker = '<!-- gaps -->';
  if (!document.info.description.includes(marker)) throw new Error(`openapi/info.md: the line ${marker} is missing`);
  const description = document.info.description.replace(marker, () => gapChapter(gaps));
  return { ...document, info: { ...document.info, description } };
}

/** @throws Error naming the entry of gaps.yaml that breaks the rules that the generator relies on. */
export function checkGaps(gaps: Gap[]): void {
  const seen = new Set<string>();
  for (const gap of gaps) {
    if (seen.has(gap.id)) throw new Error(`openapi/gaps.yaml: ${gap.id} stands twice`);
    seen.add(gap.id);
    for (const entry of gap.switches ?? []) {
      const place = `openapi/gaps.yaml: ${gap.id}: switch ${entry.name}`;
      if (seen.has(entry.name)) throw new Error(`${place} stands twice`);
      seen.add(entry.name);
      if (
        entry.values
          ? !entry.values.includes(entry.default as string | number)
          : typeof entry.default !== jsType(entry.type)
      ) {
        throw new Error(`${place}: the default ${JSON.stringify(entry.default)} is not one of its values`);
      }
      if (entry.type === 'integer' && !isWithin(entry))
        throw new Error(`${place}: an integer has a minimum and a maximum, and its default lies between them`);
    }
  }
}

const isWithin = ({ minimum = NaN, maximum = NaN, default: given }: Switch): boolean =>
  minimum <= Number(given) && Number(given) <= maximum;

const jsType = (type: Switch['type']): string => (type === 'integer' ? 'number' : (type ?? 'string'));
