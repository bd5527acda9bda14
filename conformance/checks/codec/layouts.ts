import * as fc from 'fast-check';
import { check } from '../../engine/check.js';
import { gTree, gTree4, gTree5, gTree6 } from '../../generators/tree.js';
import { bytesOf, linkOf, orderOf, streamOf, whole } from '../../model/tree-stream.js';
import { decode, decodes, empty, encode, encodes, many, order, refusesLink, refusesTree, roundTrip } from './asking.js';

export const roundTrips = [
  check({
    id: 'TREE-RT-001',
    level: 'MUST',
    sentence: 'Every version-6 tree is the same after encoding and decoding, lists in order.',
    source: '2',
    needs: ['codec'],
    judge: (run) => roundTrip(run, 'trees of version 6', gTree6),
  }),
  check({
    id: 'TREE-RT-002',
    level: 'MUST',
    sentence: 'Every version-5 tree is the same after encoding and decoding, lists in order.',
    source: '2',
    needs: ['codec'],
    judge: (run) => roundTrip(run, 'trees of version 5', gTree5),
  }),
  check({
    id: 'TREE-RT-003',
    level: 'MUST',
    sentence: 'Every version-4 tree is the same after encoding and decoding, lists in order.',
    source: '2',
    needs: ['codec'],
    judge: (run) => roundTrip(run, 'trees of version 4', gTree4),
  }),
  check({
    id: 'TREE-RT-004',
    level: 'MUST',
    sentence: 'Every well-formed link is the same, but for padding, after decoding and encoding.',
    source: '2',
    needs: ['codec'],
    judge: (run) =>
      run.expect.property('streams', gTree, async (tree) => {
        const link = linkOf(streamOf(tree, await order(run)));
        const again = await encode(run, await decode(run, link));
        run.expect.equal(again.replace(/(?<!=)=+$/, ''), link, 'link after decoding and encoding');
      }),
  }),
];

export const version6 = [
  check({
    id: 'TREE-V6-001',
    level: 'MUST',
    sentence:
      'Version 6 is laid out as u32 version, u8 class, u8 ascendancy, u8 n, u16[n], u8 m, u16[m], u8 o, u32[o], in this order.',
    source: '2',
    needs: ['codec'],
    judge: (run) => run.expect.property('trees', gTree6, (tree) => encodes(run, tree)),
  }),
  check({
    id: 'TREE-V6-002',
    level: 'MUST',
    sentence: 'A version-6 link is 9 + 2n + 2m + 4o bytes long.',
    source: '2',
    needs: ['codec'],
    judge: (run) =>
      run.expect.property('trees', gTree6, async (tree) => {
        const { hashes, extended = [], mastery = [] } = tree;
        const length = 9 + 2 * hashes.length + 2 * extended.length + 4 * mastery.length;
        run.expect.equal(bytesOf(await encode(run, tree)).length, length, `bytes of ${JSON.stringify(tree)}`);
      }),
  }),
  check({
    id: 'TREE-V6-003',
    level: 'MUST',
    sentence: "A mastery pair has the node's hash in its low 16 bits and the effect's in its high 16 bits.",
    source: '2',
    needs: ['codec'],
    judge: (run) =>
      run.expect.property(
        'a node and another effect',
        fc.tuple(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0xffff })),
        async ([node, effect]) => {
          const tree = { ...empty, class: 1, mastery: [{ node, effect }] };
          await encodes(run, tree);
          await decodes(run, linkOf(streamOf(tree, await order(run))), tree);
        },
      ),
  }),
  check({
    id: 'TREE-V6-004',
    level: 'MUST',
    sentence: 'The count o is that of pairs, 32 bits each.',
    source: '2',
    needs: ['codec'],
    judge: async (run) => {
      const form = await order(run);
      await run.expect.each('%s pairs', [1, 2, 5, 255], async (pairs) => {
        const mastery = Array.from({ length: pairs }, (_, at) => ({ node: at, effect: at + 1 }));
        const tree = { ...empty, class: 1, mastery };
        run.expect.equal(bytesOf(await encode(run, tree))[8], pairs, 'count of the mastery list');
        await decodes(run, linkOf(streamOf(tree, form)), tree);
      });
    },
  }),
  check({
    id: 'TREE-V6-005',
    level: 'MUST',
    sentence: 'The version field stays 6 for trees of 6.1 and 6.2.',
    source: '2',
    needs: ['codec'],
    judge: async (run) => {
      await order(run);
      await run.expect.each('bloodline %s', [0, 1, 3, 4, 7], async (bloodline) => {
        const bytes = bytesOf(await encode(run, { ...empty, class: 1, ascendancy: 1, bloodline }));
        run.expect.equal(orderOf(bytes) === 'big' ? bytes.readUInt32BE(0) : bytes.readUInt32LE(0), 6, 'version');
      });
    },
  }),
  check({
    id: 'TREE-V6-006',
    level: 'INFER',
    sentence: 'Counts use all of their byte: 255 entries work, and 256 are rejected, not wrapped.',
    source: '2',
    entailed: '2: a count is a uint8, so there are 255 at most',
    gap: 'K-065',
    needs: ['codec'],
    judge: async (run) => {
      const form = await order(run);
      const sizes = [0, 1, 127, 128, 255];
      await run.expect.each('%s hashes', sizes, async (size) => {
        const lists = { hashes: many(size), extended: many(size) };
        const tree = { ...empty, class: 1, ...lists, mastery: many(size).map((node) => ({ node, effect: 1 })) };
        await decodes(run, linkOf(streamOf(tree, form)), tree);
        run.expect.equal(await decode(run, await encode(run, tree)), whole(tree), 'tree after encoding and decoding');
        const earlier = { version: 5, class: 1, ascendancy: 1, ...lists };
        run.expect.equal(
          await decode(run, await encode(run, earlier)),
          whole(earlier),
          'tree after encoding and decoding',
        );
      });
      const pairs = many(256).map((node) => ({ node, effect: 1 }));
      await refusesTree(run, { ...empty, class: 1, hashes: many(256) }, '256 hashes are');
      await refusesTree(run, { ...empty, class: 1, extended: many(256) }, '256 extended hashes are');
      await refusesTree(run, { ...empty, class: 1, mastery: pairs }, '256 mastery pairs are');
      const version5 = { version: 5, class: 1, ascendancy: 1, hashes: [], extended: [] };
      await refusesTree(run, { ...version5, hashes: many(256) }, '256 hashes in version 5 are');
      await refusesTree(run, { ...version5, extended: many(256) }, '256 extended hashes in version 5 are');
    },
  }),
  check({
    id: 'TREE-V6-007',
    level: 'INFER',
    sentence: 'Hashes use all of their 16 bits: 0 to 65535 work, and values beyond are refused and not cut.',
    source: '2',
    entailed: '2: a hash is a uint16',
    needs: ['codec'],
    judge: async (run) => {
      await run.expect.each('value %s', [0, 255, 256, 32767, 32768, 65535], async (value) => {
        const tree = {
          ...empty,
          class: 1,
          hashes: [value],
          extended: [value],
          mastery: [{ node: value, effect: value }],
        };
        run.expect.equal(await decode(run, await encode(run, tree)), whole(tree), 'tree after encoding and decoding');
      });
      await run.expect.each('value %s', [65536, -1, 70000], async (value) => {
        await refusesTree(run, { ...empty, class: 1, mastery: [{ node: value, effect: 1 }] }, `the node ${value} is`);
        await refusesTree(run, { ...empty, class: 1, mastery: [{ node: 1, effect: value }] }, `the effect ${value} is`);
        // A writer may take several values at a time.
        for (const list of [[value], [value, 1], [1, value]]) {
          const what = list.length === 1 ? String(value) : `${value} in [${list.join(', ')}]`;
          await refusesTree(run, { ...empty, class: 1, hashes: list }, `the hash ${what} is`);
          await refusesTree(run, { ...empty, class: 1, extended: list }, `the extended hash ${what} is`);
          const version5 = { version: 5, class: 1, ascendancy: 1, hashes: [], extended: [] };
          await refusesTree(run, { ...version5, hashes: list }, `the hash ${what} in version 5 is`);
          await refusesTree(run, { ...version5, extended: list }, `the extended hash ${what} in version 5 is`);
          const version4 = { version: 4, class: 1, ascendancy: 1, fullscreen: false, hashes: list };
          await refusesTree(run, version4, `the hash ${what} in version 4 is`);
        }
      });
    },
  }),
  check({
    id: 'TREE-V6-008',
    level: 'MUST',
    sentence: 'Mastery pairs with the top bit set stay unsigned.',
    source: '2',
    needs: ['codec'],
    judge: (run) =>
      run.expect.property(
        'effects with the top bit set',
        fc.tuple(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0x8000, max: 0xffff })),
        async ([node, effect]) => {
          const tree = { ...empty, class: 1, mastery: [{ node, effect }] };
          await decodes(run, linkOf(streamOf(tree, await order(run))), tree);
          run.expect.equal(await decode(run, await encode(run, tree)), whole(tree), 'tree after encoding and decoding');
        },
      ),
  }),
];

export const earlier = [
  check({
    id: 'TREE-V5-001',
    level: 'MUST',
    sentence: 'Version 5 is laid out as version 6 without the mastery list, and is 8 + 2n + 2m bytes long.',
    source: '2',
    needs: ['codec'],
    judge: (run) =>
      run.expect.property('trees', gTree5, async (tree) => {
        await encodes(run, tree);
        const bytes = bytesOf(await encode(run, tree));
        run.expect.equal(
          bytes.length,
          8 + 2 * tree.hashes.length + 2 * (tree.extended ?? []).length,
          'length in bytes',
        );
      }),
  }),
  check({
    id: 'TREE-V5-002',
    level: 'MUST',
    sentence: 'A version-5 link has no masteries, and a tree with masteries cannot be written as one.',
    source: '2',
    needs: ['codec'],
    judge: async (run) => {
      const form = await order(run);
      const codec = await run.facts.codec();
      await run.expect.property(
        'streams of version 5',
        fc.tuple(gTree5, fc.uint8Array({ maxLength: 12 })),
        async ([tree, tail]) => {
          const stream = streamOf(tree, form);
          const decoded = await codec.decode(linkOf(stream));
          run.expect.that(
            'tree' in decoded && (decoded.tree.mastery ?? []).length === 0,
            'a tree without masteries',
            decoded,
          );
          // Bytes that follow may be refused (K-065), but are no masteries.
          const longer = await codec.decode(linkOf(Buffer.concat([stream, tail])));
          run.expect.that(
            'error' in longer || (longer.tree.mastery ?? []).length === 0,
            'no masteries from bytes that follow',
            longer,
          );
        },
      );
      const encoded = await codec.encode({
        version: 5,
        class: 1,
        ascendancy: 0,
        hashes: [],
        extended: [],
        mastery: [{ node: 1, effect: 2 }],
      });
      if ('link' in encoded)
        run.expect.warn('a version 5 tree with masteries is encoded; version 5 has no place for them');
    },
  }),
  check({
    id: 'TREE-V4-001',
    level: 'MUST',
    sentence:
      'Version 4 is laid out as u32 version, u8 class, u8 ascendancy, u8 fullscreen and u16 hashes to the end, without a count: 7 + 2k bytes.',
    source: '2',
    needs: ['codec'],
    judge: (run) =>
      run.expect.property('trees', gTree4, async (tree) => {
        await encodes(run, tree);
        run.expect.equal(bytesOf(await encode(run, tree)).length, 7 + 2 * tree.hashes.length, 'length in bytes');
      }),
  }),
  check({
    id: 'TREE-V4-002',
    level: 'MUST',
    sentence: 'fullscreen is 0 or 1 and stands before the hashes.',
    source: '2',
    needs: ['codec'],
    judge: async (run) => {
      const form = await order(run);
      await run.expect.each('fullscreen %s', [true, false], async (fullscreen) => {
        const tree = { version: 4, class: 3, ascendancy: 1, fullscreen, hashes: [256, 1] };
        run.expect.equal(bytesOf(await encode(run, tree))[6], fullscreen ? 1 : 0, 'byte before the hashes');
        await decodes(run, linkOf(streamOf(tree, form)), tree);
      });
      const odd = streamOf({ version: 4, class: 3, ascendancy: 1, fullscreen: true, hashes: [] }, form);
      odd[6] = 2;
      const decoded = await (await run.facts.codec()).decode(linkOf(odd));
      if ('tree' in decoded) run.expect.warn('a fullscreen byte of 2 is read; the interface knows 0 and 1');
    },
  }),
  check({
    id: 'TREE-V4-003',
    level: 'INFER',
    sentence: 'An odd byte at the end of a version-4 link is malformed.',
    source: '2',
    entailed: '2: hashes are two bytes each, up to the end of the stream',
    gap: 'K-065',
    needs: ['codec'],
    judge: (run) =>
      run.expect.property('an odd byte at the end', gTree4, async (tree) => {
        const stream = Buffer.concat([streamOf(tree, await order(run)), Buffer.from([1])]);
        await refusesLink(run, linkOf(stream), 'half of a hash is');
      }),
  }),
  check({
    id: 'TREE-V4-004',
    level: 'MUST',
    sentence: 'Version 4 may hold more than 255 hashes.',
    source: '2',
    needs: ['codec'],
    judge: async (run) => {
      await run.expect.each('%s hashes', [256, 300, 600, 1200], async (size) => {
        const tree = { version: 4, class: 3, ascendancy: 1, fullscreen: false, hashes: many(size) };
        run.expect.equal(await decode(run, await encode(run, tree)), whole(tree), 'tree after encoding and decoding');
      });
    },
  }),
  check({
    id: 'TREE-VER-001',
    level: 'MUST',
    sentence: 'The version field decides on the layout: 4, 5 and 6 can all be decoded.',
    source: '2',
    needs: ['codec'],
    judge: async (run) => {
      const form = await order(run);
      await run.expect.property('trees', gTree, async (tree) => {
        run.expect.equal((await decode(run, linkOf(streamOf(tree, form)))).version, tree.version, 'version');
      });
    },
  }),
  check({
    id: 'TREE-VER-002',
    level: 'INFER',
    sentence: 'Unknown versions are refused.',
    source: '2',
    entailed: '2, 9: links carry the versions 4, 5 and 6, and no other has a layout',
    gap: 'K-065',
    needs: ['codec'],
    judge: async (run) => {
      const form = await order(run);
      await run.expect.each(
        'version %s',
        // Not 4 to 6 in the uppermost byte: these are known versions in the other byte order.
        [0, 1, 2, 3, 7, 8, 61, 62, 255, 0x104, 0x106, 0x10005, 0x10006, 2 ** 31, 2 ** 31 + 6],
        async (version) => {
          // Streams that are right but for the version word, each in the layout of one of the known versions.
          for (const tree of [
            { ...empty, class: 1, hashes: [1, 2] },
            { ...empty, version: 5, class: 1 },
            { ...empty, version: 4, class: 1, hashes: [1, 2] },
          ]) {
            const stream = streamOf(tree, form);
            if (form === 'big') stream.writeUInt32BE(version, 0);
            else stream.writeUInt32LE(version, 0);
            await refusesLink(run, linkOf(stream), `version ${version} is`);
          }
          // And trees with the members of each of them.
          const { mastery: _, ...version5 } = empty;
          for (const tree of [
            { ...empty, hashes: [1, 2] },
            { ...version5, hashes: [1, 2] },
            { class: 0, ascendancy: 0, fullscreen: false, hashes: [1, 2] },
          ])
            await refusesTree(run, { ...tree, version, class: 1 }, `version ${version} is`);
        },
      );
    },
  }),
];
