import type { LinkDetails } from '../src/passive-tree/index.js';

/** A decoded link for people to read, in a few lines. */
export function treeText({ tree, byteOrder, padded, bytes }: LinkDetails): string {
  const padding = padded ? 'padded' : 'unpadded';
  const lines = [
    `version ${tree.version}, ${byteOrder}-endian, ${padding}, ${bytes.length} bytes`,
    `class ${tree.class}, ascendancy ${tree.ascendancy}${tree.version === 6 ? `, bloodline ${tree.bloodline}` : ''}`,
  ];
  if (tree.version === 4) lines.push(`fullscreen ${tree.fullscreen ? 'yes' : 'no'}`);
  lines.push(listText('hashes', tree.hashes));
  if (tree.version !== 4) lines.push(listText('extended', tree.extended));
  if (tree.version === 6) {
    lines.push(
      listText(
        'mastery',
        tree.mastery.map(({ node, effect }) => `${node} -> ${effect}`),
        ', ',
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}

function listText(name: string, entries: readonly (number | string)[], between = ' '): string {
  return entries.length === 0 ? `${name} (0)` : `${name} (${entries.length}): ${entries.join(between)}`;
}
