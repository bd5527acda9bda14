import * as fc from 'fast-check';
import { check, observation } from '../../engine/check.js';
import { gTree, gTree5, gTree6 } from '../../generators/tree.js';
import { linkOf, streamOf, whole } from '../../model/tree-stream.js';
import type { Tree } from '../../target/hooks.js';
import { member } from '../../wire/answer.js';
import { decode, decodes, empty, encode, encodes, order, refusesLink } from './asking.js';

export const streams = [
  check({
    id: 'TREE-ORDER-001',
    level: 'INFER',
    sentence: 'All integers of a link have one byte order, which the version field shows.',
    source: '2',
    entailed: '2: no field has an order of its own, so the order is one for all',
    gap: 'K-062',
    needs: ['codec'],
    judge: async (run) => {
      const other = (await order(run)) === 'big' ? 'little' : 'big';
      await run.expect.property('trees', gTree, async (tree) => {
        await encodes(run, tree);
        // A link in the other order is refused, or its integers are all read in that order (K-062).
        const link = linkOf(streamOf(tree, other));
        const decoded = await (await run.facts.codec()).decode(link);
        if ('tree' in decoded) run.expect.equal(whole(decoded.tree), whole(tree), `tree of ${link}`);
      });
    },
  }),
  check({
    id: 'TREE-TRUNC-001',
    level: 'INFER',
    sentence: 'Every cut-off version-5 or version-6 link is refused, and version-4 links of less than 7 bytes are.',
    source: '2',
    entailed: '2: counts say how many bytes follow',
    gap: 'K-065',
    needs: ['codec'],
    judge: async (run) => {
      const form = await order(run);
      const small = fc
        .oneof(gTree6, gTree5)
        .map((tree) => ({ ...tree, hashes: tree.hashes.slice(0, 6), extended: (tree.extended ?? []).slice(0, 6) }));
      const cut = async (stream: Buffer, length: number): Promise<void> =>
        refusesLink(
          run,
          linkOf(stream.subarray(0, length)),
          `a stream cut off after ${length} of ${stream.length} bytes is`,
        );
      await run.expect.property('streams cut at every byte', small, { share: 0.2 }, async (tree) => {
        const stream = streamOf(tree, form);
        for (let length = 0; length < stream.length; length += 1) await cut(stream, length);
      });
      const version4 = streamOf({ version: 4, class: 3, ascendancy: 0, fullscreen: true, hashes: [] }, form);
      for (let length = 0; length < version4.length; length += 1) await cut(version4, length);
    },
  }),
  observation({
    id: 'TREE-TRAIL-001',
    sentence: 'What bytes after the end of a version-5 or version-6 link mean is not stated.',
    source: '2',
    gap: 'K-065',
    needs: ['codec'],
    observe: async (run, note) => {
      const stream = streamOf({ ...empty, class: 1, hashes: [1] }, await order(run));
      const decoded = await (await run.facts.codec()).decode(linkOf(Buffer.concat([stream, Buffer.from([0])])));
      note('error' in decoded ? 'a byte after the stream is refused' : 'a byte after the stream is passed over');
    },
  }),
  check({
    id: 'TREE-CHAR-001',
    level: 'INFER',
    sentence: "A character's hashes, hashes_ex and mastery_effects survive encoding and decoding as version 6.",
    source: '2',
    entailed: '2: what was just written is read',
    gap: 'K-061',
    needs: ['codec', ['client:confidential', 'client:public'], 'consent', 'scope:account:characters'],
    judge: async (run) => {
      const list = await run.http.data('listCharacters');
      const characters = member(list.json, 'characters');
      const words = new Set(['pc', 'xbox', 'sony', run.facts.target.names.game2]);
      const names = (Array.isArray(characters) ? characters : [])
        .map((one) => member(one, 'name'))
        .filter((name) => typeof name === 'string' && !words.has(name)) as string[];
      let seen = 0;
      for (const name of names.slice(0, 10)) {
        const { json } = await run.http.data('getCharacter', { args: { name } });
        const tree = treeOf(member(member(json, 'character'), 'passives'));
        if (!tree) continue;
        seen += 1;
        run.expect.equal(
          await decode(run, await encode(run, tree)),
          whole(tree),
          `passives of ${name} after encoding and decoding`,
        );
      }
      if (seen === 0) run.expect.notExercised('no character of the account has passives that fit into a link');
    },
  }),
  check({
    id: 'TREE-DUP-001',
    level: 'INFER',
    sentence: 'The codec keeps order and duplicates of lists.',
    source: '2',
    plausible: 'a codec may sort hashes and leave out what is there twice',
    needs: ['codec'],
    judge: (run) => {
      const repeating = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 20 });
      return run.expect.property(
        'lists with repetitions, unsorted',
        fc.tuple(repeating, repeating),
        async ([hashes, extended]) => {
          const mastery = hashes.map((node) => ({ node, effect: 9 }));
          const common = { class: 1, ascendancy: 1, hashes };
          for (const tree of [
            { ...empty, ...common, extended, mastery },
            { ...common, version: 5, extended },
            { ...common, version: 4, fullscreen: false },
          ]) {
            await decodes(run, linkOf(streamOf(tree, await order(run))), tree);
            run.expect.equal(
              await decode(run, await encode(run, tree)),
              whole(tree),
              'tree after encoding and decoding',
            );
          }
        },
      );
    },
  }),
];

/** A character's passives as a tree of version 6: pairs of node and effect from the dictionary (K-061). */
function treeOf(passives: unknown): Tree | undefined {
  const hashes = member(passives, 'hashes');
  const extended = member(passives, 'hashes_ex');
  const effects = member(passives, 'mastery_effects');
  if (!Array.isArray(hashes) || !Array.isArray(extended) || typeof effects !== 'object' || effects === null)
    return undefined;
  const mastery = Object.entries(effects).map(([node, effect]) => ({ node: Number(node), effect: Number(effect) }));
  // A list longer than its count byte cannot be in a link, nor a hash of more than 16 bits (CHAR-PASS-012).
  if ([hashes, extended, mastery].some((values) => values.length > 255)) return undefined;
  const all = [...hashes, ...extended, ...mastery.flatMap(({ node, effect }) => [node, effect])] as number[];
  if (all.some((hash) => hash < 0 || hash > 0xffff)) return undefined;
  return { ...empty, class: 1, hashes: hashes as number[], extended: extended as number[], mastery };
}
