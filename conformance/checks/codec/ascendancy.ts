import { check, observation } from '../../engine/check.js';
import { gAtlas } from '../../generators/tree.js';
import { bytesOf, linkOf, streamOf } from '../../model/tree-stream.js';
import { decode, decodes, empty, encode, encodes, order } from './asking.js';

export const ascendancy = [
  check({
    id: 'TREE-ATLAS-001',
    level: 'MUST',
    sentence: 'An atlas tree has the same format, with class 0, ascendancy 0 and empty extended and mastery lists.',
    source: '2',
    needs: ['codec'],
    judge: (run) =>
      run.expect.property('atlas trees', gAtlas, async (tree) => {
        await encodes(run, tree);
        await decodes(run, linkOf(streamOf(tree, await order(run))), tree);
      }),
  }),
  check({
    id: 'TREE-ATLAS-002',
    level: 'INFER',
    sentence: 'An atlas tree is never written with extended or mastery entries.',
    source: '2',
    entailed: '2: the extended and mastery lists of an atlas tree are empty',
    needs: ['codec'],
    judge: (run) =>
      run.expect.property('atlas trees', gAtlas, { share: 0.3 }, async (tree) => {
        const bytes = bytesOf(await encode(run, tree));
        run.expect.equal(
          [...bytes.subarray(7 + 2 * tree.hashes.length)],
          [0, 0],
          'counts of the extended and mastery lists',
        );
      }),
  }),
  check({
    id: 'TREE-ASC-001',
    level: 'MUST',
    sentence: 'The ascendancy is the low two bits of its byte: 0 for none, 1 to 3.',
    source: '2',
    needs: ['codec'],
    judge: async (run) => {
      const form = await order(run);
      const codec = await run.facts.codec();
      await run.expect.each(
        'byte %s',
        Array.from({ length: 256 }, (_, byte) => byte),
        async (byte) => {
          const stream = streamOf({ ...empty, class: 1 }, form);
          stream[5] = byte;
          const decoded = await codec.decode(linkOf(stream));
          // Bloodlines above 7 are not known, and may be refused (K-064).
          if (byte >> 2 > 7 && 'error' in decoded) return;
          run.expect.that(
            'tree' in decoded && decoded.tree.ascendancy === (byte & 3),
            `ascendancy ${byte & 3}`,
            decoded,
          );
        },
      );
    },
  }),
  check({
    id: 'TREE-ASC-002',
    level: 'MUST',
    sentence: 'In 6.2 the bloodline is the upper six bits of the ascendancy byte: 0 for none, 1 to 7 known.',
    source: '2',
    needs: ['codec'],
    judge: async (run) => {
      const form = await order(run);
      await run.expect.each(
        'byte %s',
        Array.from({ length: 32 }, (_, byte) => byte),
        async (byte) => {
          const tree = { ...empty, class: 1, ascendancy: byte & 3, bloodline: byte >> 2 };
          run.expect.equal(bytesOf(await encode(run, tree))[5], byte, 'ascendancy byte');
          await decodes(run, linkOf(streamOf(tree, form)), tree);
        },
      );
    },
  }),
  check({
    id: 'TREE-ASC-003',
    level: 'MUST',
    sentence: 'Links of 6.1 read the same under 6.2: wildwood 1 to 3 is bloodline 1 to 3.',
    source: '2',
    needs: ['codec'],
    judge: async (run) => {
      const form = await order(run);
      const table = [0, 1, 2, 3].flatMap((index) => [0, 1, 2, 3].map((wildwood) => ({ index, wildwood })));
      await run.expect.each('ascendancy $index, wildwood $wildwood', table, async ({ index, wildwood }) => {
        const tree = { ...empty, class: 2, ascendancy: index, bloodline: wildwood, hashes: [7] };
        await decodes(run, linkOf(streamOf(tree, form)), tree);
      });
    },
  }),
  check({
    id: 'TREE-ASC-004',
    level: 'MUST',
    sentence: 'Earlier version-6 links with ascendancy 0 to 3 stay valid, with bloodline 0.',
    source: '2',
    needs: ['codec'],
    judge: async (run) => {
      const form = await order(run);
      await run.expect.each('ascendancy %s', [0, 1, 2, 3], async (index) => {
        const tree = await decode(run, linkOf(streamOf({ ...empty, class: 5, ascendancy: index }, form)));
        run.expect.equal(
          { ascendancy: tree.ascendancy, bloodline: tree.bloodline },
          { ascendancy: index, bloodline: 0 },
          'ascendancy byte',
        );
      });
    },
  }),
  observation({
    id: 'TREE-ASC-005',
    sentence: 'What bloodlines 8 to 63, and the upper bits of the byte in versions 4 and 5, mean is not stated.',
    source: '2',
    gap: 'K-064',
    needs: ['codec'],
    observe: async (run, note) => {
      const form = await order(run);
      const codec = await run.facts.codec();
      const lost: number[] = [];
      for (let bloodline = 8; bloodline < 64; bloodline += 1) {
        const decoded = await codec.decode(linkOf(streamOf({ ...empty, class: 1, bloodline }, form)));
        if (!('tree' in decoded) || decoded.tree.bloodline !== bloodline) lost.push(bloodline);
      }
      note(lost.length === 0 ? 'bloodlines 8 to 63 are read' : `bloodlines that are not read: ${lost.join(', ')}`);
      for (const version of [4, 5]) {
        const cut: number[] = [];
        for (let byte = 4; byte < 256; byte += 1) {
          const stream = streamOf({ version, class: 1, ascendancy: byte, hashes: [] }, form);
          const decoded = await codec.decode(linkOf(stream));
          if (!('tree' in decoded) || decoded.tree.ascendancy !== byte) cut.push(byte);
        }
        note(
          `version ${version}: ${cut.length === 0 ? 'the whole byte is the ascendancy' : `the ascendancy is not the whole byte at ${cut[0]} and ${cut.length - 1} others`}`,
        );
      }
    },
  }),
];
