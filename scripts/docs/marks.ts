import type { Document, EditionMark, Schema } from '../generate/document.js';

const games = { g1: 'First game only.', g2: 'Second game only.' } as const;

/** What a mark of an edition says, as a reader of the field needs it. */
function editionNote({ flag, effect, state }: EditionMark): string | undefined {
  if (flag.startsWith('F-OBS-')) return `Seen in live data, beside the description (\`${flag}\`).`;
  if (effect === 'deprecated') return `Deprecated in some editions (\`${flag}\`).`;
  if (effect === 'g1') return `First game only in some editions (\`${flag}\`).`;
  return effect !== undefined || state === 'off' ? undefined : `In some editions only (\`${flag}\`).`;
}

function note({ 'x-game': game, 'x-edition': mark }: Schema): string {
  const said = [game && games[game], mark && editionNote(mark)].filter((one) => one !== undefined);
  return said.length === 0 ? '' : `_${said.join(' ')}_`;
}

/** The contract with its marks of games and editions in words: readers see descriptions, and no extensions. */
export function withMarksInWords(contract: Document): Document {
  const spoken = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(spoken);
    if (node === null || typeof node !== 'object') return node;
    const schema = Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, spoken(inner)])) as Schema;
    const { properties } = schema;
    if (typeof properties !== 'object') return schema;
    for (const [name, property] of Object.entries(properties)) {
      const words = note(property);
      if (words === '') continue;
      const before = property.description === undefined ? '' : `${String(property.description).trimEnd()}\n\n`;
      properties[name] = { ...property, description: `${before}${words}` };
    }
    return schema;
  };
  return { ...contract, components: spoken(contract.components) as Document['components'] };
}
