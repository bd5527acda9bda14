import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';
import { MissingCapability, PrerequisiteFailed } from '../verdict.js';
import { codecOfTree } from './codec-tree.js';
import { PipeProcess } from './codec-pipe.js';
import { adapterHooks } from './adapter.js';
import { shown } from './control.js';
import type { Codec, Hooks, Tree } from './hooks.js';
import type { Target } from './target.js';

/** What the codec may take and use; tests allow less. */
export interface CodecLimits {
  /** Milliseconds for one answer. */
  readonly timeout: number;
  /** Characters of a line. */
  readonly line: number;
  /** Processes started, one after the other dies. */
  readonly starts: number;
}

const usual: CodecLimits = { timeout: 10_000, line: 1024 * 1024, starts: 20 };

/**
 * The codec under test: the target's `tree_codec` command (control protocol, section 3), else the adapter's `tree`.
 * Nothing is started before the first call. A call that ends well without a tree or a link is an error of the codec, as a
 * refusal is: what was asked for is not there.
 *
 * @param hooks of the target, where they are open already
 * @throws MissingCapability where there is neither. Calls throw PrerequisiteFailed where no answer can be had.
 */
export async function openCodec(target: Target, hooks?: Pick<Hooks, 'tree'>, limits = usual): Promise<Codec> {
  if (target.tree_codec !== undefined) return pipeCodec(target.tree_codec, limits);
  const tree = hooks?.tree ?? (target.adapter === undefined ? undefined : (await adapterHooks(target.adapter)).tree);
  if (tree) return codecOfTree(tree, limits.timeout);
  throw new MissingCapability('codec', 'set tree_codec in the target, or export tree from the adapter');
}

/** A process that dies takes down the call that it died of, and another one is started for the next. */
function pipeCodec(command: string, limits: CodecLimits): Codec {
  let running: PipeProcess | undefined;
  let starts = 0;
  let closed = false;
  let id = 0;
  const ask = async (question: JsonObject): Promise<JsonObject> => {
    if (closed) throw new PrerequisiteFailed('tree_codec: is closed');
    if (!running || running.failure !== undefined) {
      if (starts >= limits.starts)
        throw new PrerequisiteFailed(`tree_codec: given up after ${starts} starts: ${running?.failure}`);
      starts += 1;
      running = new PipeProcess(command, limits);
    }
    id += 1;
    const answer = await running.ask({ id, ...question });
    if (typeof answer.ok !== 'boolean')
      throw new PrerequisiteFailed(`tree_codec: answered ${shown(answer)}, without "ok": true or false`);
    return answer;
  };
  return {
    async decode(link) {
      const answer = await ask({ op: 'decode', link });
      if (answer.ok === false) return { error: reasonOf(answer) };
      if (isTree(answer.tree)) return { tree: answer.tree };
      return { error: `tree_codec: decode returned ${shown(answer)}, without a tree` };
    },
    async encode(tree, form = {}) {
      const answer = await ask({ op: 'encode', tree, ...form });
      if (answer.ok === false) return { error: reasonOf(answer) };
      if (typeof answer.link === 'string') return { link: answer.link };
      return { error: `tree_codec: encode returned ${shown(answer)}, without a link` };
    },
    async close() {
      closed = true;
      await running?.end();
    },
  };
}

const reasonOf = ({ error }: JsonObject): string =>
  typeof error === 'string' && error !== '' ? error : 'no reason given';

const isTree = (value: unknown): value is Tree => isObject(value);
