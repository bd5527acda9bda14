import * as z from 'zod';

import { treeText } from '../tree-text.js';
import { readLink } from '../tree.js';
import { UsageError } from '../usage-error.js';
import { tool } from './tool.js';

export const linkTool = tool({
  name: 'decode_link',
  description: 'Decode a passive-tree or atlas-tree link, or a URL that contains one.',
  input: { link: z.string().min(1).max(20_000) },
  run: ({ link }) => {
    const details = readLink(link);
    if (typeof details === 'string') throw new UsageError(details);
    return {
      text: `${treeText(details)}${JSON.stringify(details.tree)}`,
      next: 'gamedata tree encode takes this JSON and writes a link; decodeTree and encodeTree of the package do both in a program.',
    };
  },
});
