import type * as fc from 'fast-check';

import type { Run } from '../../engine/run.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { bytesOf, orderOf, streamOf, whole } from '../../model/tree-stream.js';
import type { ByteOrder } from '../../model/tree-stream.js';
import type { Tree } from '../../target/hooks.js';

export const empty: Tree = { version: 6, class: 0, ascendancy: 0, bloodline: 0, hashes: [], extended: [], mastery: [] };

/** The byte order that the codec writes, by the version word of an empty tree. Links for its decoder keep to it. */
export const order = (run: Run): Promise<ByteOrder> =>
  run.facts.once('byte order of the codec', async () => {
    const encoded = await (await run.facts.codec()).encode(empty);
    if (!('link' in encoded))
      throw new PrerequisiteFailed(`the codec does not encode an empty tree (${encoded.error})`);
    const found = orderOf(bytesOf(encoded.link));
    if (!found) throw new PrerequisiteFailed('the version word of an encoded tree is 6 in neither byte order');
    return found;
  });

export async function encode(run: Run, tree: Tree): Promise<string> {
  const encoded = await (await run.facts.codec()).encode(tree);
  run.expect.that(
    'link' in encoded,
    `a link of ${JSON.stringify(tree)}`,
    'error' in encoded ? `the error ${encoded.error}` : encoded,
  );
  return (encoded as { link: string }).link;
}

export async function decode(run: Run, link: string): Promise<Tree> {
  const decoded = await (await run.facts.codec()).decode(link);
  run.expect.that(
    'tree' in decoded,
    `the tree of ${link}`,
    'error' in decoded ? `the error ${decoded.error}` : decoded,
  );
  return whole((decoded as { tree: Tree }).tree);
}

export async function decodes(run: Run, link: string, tree: Tree): Promise<void> {
  run.expect.equal(await decode(run, link), whole(tree), `tree of ${link}`);
}

/** The link, in base64url, is that of the reference stream, padding apart (K-063). */
export async function encodes(run: Run, tree: Tree): Promise<void> {
  const link = await encode(run, tree);
  const expected = streamOf(tree, await order(run));
  run.expect.equal(bytesOf(link).toString('hex'), expected.toString('hex'), `bytes of ${JSON.stringify(tree)}`);
}

export async function refusesLink(run: Run, link: string, why: string): Promise<void> {
  const decoded = await (await run.facts.codec()).decode(link);
  run.expect.that('error' in decoded, `${why} refused: ${link}`, 'tree' in decoded ? decoded.tree : decoded);
}

export async function refusesTree(run: Run, tree: Tree, why: string): Promise<void> {
  const encoded = await (await run.facts.codec()).encode(tree);
  run.expect.that('error' in encoded, `${why} refused`, 'link' in encoded ? `the link ${encoded.link}` : encoded);
}

export const roundTrip = (run: Run, what: string, trees: fc.Arbitrary<Tree>): Promise<void> =>
  run.expect.property(what, trees, async (tree) => {
    run.expect.equal(await decode(run, await encode(run, tree)), whole(tree), 'tree after encoding and decoding');
  });

export const many = (length: number): number[] => Array.from({ length }, (_, at) => (at * 257) % 65536);
