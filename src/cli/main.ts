#!/usr/bin/env node
import { run } from './run.js';

// Whoever reads our output may stop early, as `head` does. That is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

const code = await run(process.argv.slice(2));
// A command that ended well may have set an exit code of its own.
if (code !== 0) process.exitCode = code;
