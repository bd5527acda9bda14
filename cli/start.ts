import { flushed, watchOutput } from './output.js';
import { run } from './run.js';

watchOutput();
const code = await run(process.argv.slice(2));
await flushed();
// A command that ended well may have set an exit code of its own. What an adapter left open does not keep the process.
process.exit(code === 0 ? process.exitCode : code);
