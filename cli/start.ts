import * as loader from 'node:module';

import { flushed, watchOutput } from './output.js';

// Node 22.1 and later keep what they compile from here on for the next start, in the system's folder for temporary files.
(loader as { enableCompileCache?: () => unknown }).enableCompileCache?.();
const { run } = await import('./run.js');

watchOutput();
const code = await run(process.argv.slice(2));
await flushed();
// A command that ended well may have set an exit code of its own. What an adapter left open does not keep the process.
process.exit(code === 0 ? process.exitCode : code);
