import * as fc from 'fast-check';
import { check } from '../../engine/check.js';
import { gTree } from '../../generators/tree.js';
import { bytesOf, linkOf, streamOf } from '../../model/tree-stream.js';
import { decodes, empty, encode, many, order, refusesLink } from './asking.js';
import { vectors } from './vectors.js';

const long = { ...empty, class: 1, hashes: Array.from({ length: 100 }, (_, index) => index + 1) };

export const text = [
  check({
    id: 'TREE-B64-001',
    level: 'MUST',
    sentence: 'A link is base64url: A-Z a-z 0-9 - _ and perhaps `=` at the end, never `+` or `/`.',
    source: '2',
    needs: ['codec'],
    judge: (run) =>
      run.expect.property(
        'trees',
        fc.oneof(
          gTree,
          fc.constantFrom(...[[0xfbef, 0xffff, 0xfbff], many(255)].map((hashes) => ({ ...empty, hashes }))),
        ),
        async (tree) => {
          const link = await encode(run, tree);
          run.expect.that(/^[A-Za-z0-9_-]+={0,2}$/.test(link), 'base64url, padded or not', link);
          run.expect.that(
            !link.includes('=') || link.length % 4 === 0,
            'padding that fills the last four characters',
            link,
          );
        },
      ),
  }),
  check({
    id: 'TREE-B64-002',
    level: 'MUST',
    sentence: 'The decoder reads the base64url alphabet.',
    source: '2',
    needs: ['codec'],
    judge: async (run) => {
      const form = await order(run);
      await run.expect.each('$name', vectors, (vector) => decodes(run, vector[form], vector.tree));
    },
  }),
  check({
    id: 'TREE-B64-003',
    level: 'INFER',
    sentence: 'The decoder reads padded and unpadded links.',
    source: '2',
    plausible: 'RFC 4648 leaves padding to whoever refers to it',
    gap: 'K-063',
    needs: ['codec'],
    judge: (run) =>
      run.expect.property('trees', gTree, async (tree) => {
        const link = linkOf(streamOf(tree, await order(run)));
        await decodes(run, link, tree);
        await decodes(run, link.padEnd(Math.ceil(link.length / 4) * 4, '='), tree);
      }),
  }),
  check({
    id: 'TREE-B64-004',
    level: 'MUST-RFC',
    sentence: 'The encoder writes zero pad bits and no line breaks (RFC 4648 3.1, 3.5).',
    source: '2',
    needs: ['codec'],
    judge: (run) =>
      // A long one is where lines break.
      run.expect.property('trees', gTree, { examples: [long] }, async (tree) => {
        const link = await encode(run, tree);
        run.expect.equal(
          link.replace(/(?<!=)=+$/, ''),
          linkOf(bytesOf(link)),
          'link with zero pad bits and no line breaks',
        );
      }),
  }),
  check({
    id: 'TREE-B64-005',
    level: 'MUST-RFC',
    sentence: 'Characters outside the alphabet are refused (RFC 4648 3.3).',
    source: '2',
    needs: ['codec'],
    judge: async (run) => {
      const form = await order(run);
      // The low byte of Ł is that of A.
      const foreign = fc.constantFrom(' ', '\n', '\r\n', '\t', '%', '.', '*', '!', 'é', 'Ł', '\u0000');
      await run.expect.property(
        'a foreign character inside',
        fc.tuple(gTree, foreign, fc.nat()),
        async ([tree, bad, at]) => {
          const link = linkOf(streamOf(tree, form));
          const inside = 1 + (at % (link.length - 1));
          await refusesLink(
            run,
            link.slice(0, inside) + bad + link.slice(inside),
            `a link with ${JSON.stringify(bad)} in it is`,
          );
        },
      );
      const sound = linkOf(streamOf({ ...empty, class: 1, hashes: [1, 2] }, form));
      await run.expect.each(
        '%j',
        [
          ...[' ', '\n', '\r\n', '\t', '.', '\u0000'].flatMap((bad) => [bad + sound, sound + bad]),
          // "=" is padding at the end only; percent-encoding is the affair of whoever takes the link out of an address.
          ...[1, 4, sound.length - 1].map((at) => `${sound.slice(0, at)}=${sound.slice(at)}`),
          `${sound.slice(0, 4)}%${sound.charCodeAt(4).toString(16)}${sound.slice(5)}`,
          `${linkOf(streamOf({ ...empty, version: 5, class: 1 }, form))}%3D`,
          // Their low bytes are those of the characters that they stand for.
          ...[...sound].map(
            (one, at) => sound.slice(0, at) + String.fromCharCode(0x100 + one.charCodeAt(0)) + sound.slice(at + 1),
          ),
        ],
        (link) => refusesLink(run, link, 'a character outside the alphabet is'),
      );
      const both = linkOf(streamOf({ ...empty, hashes: [0xfbef, 0xffff, 0xfbff, 0xbefb, 0xfbef] }, form));
      await run.expect.each(
        '%s',
        [both.replaceAll('-', '+'), both.replaceAll('_', '/')].filter((link) => link !== both),
        (link) => refusesLink(run, link, 'the alphabet of plain base64 is'),
      );
    },
  }),
];
