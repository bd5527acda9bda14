#!/usr/bin/env node
// The rest is loaded once this Node is known to understand it. `engines` of package.json says the same; a test compares.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 20 || (major === 20 && minor >= 19)) void import('./start.js');
else {
  process.stderr.write(
    `gamedata: needs Node 20.19 or newer, and this is Node ${process.versions.node}; install a newer Node, or select one (nvm use 22)\n`,
  );
  process.exitCode = 2;
}
