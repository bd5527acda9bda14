import { Command } from 'commander';

const closing = `
Exit codes: 0 no loss, 1 a requirement began to fail or is no longer judged, 2 configuration error.
With --contract: 0 nothing breaks, 1 clients or servers have to be changed.

Examples:
  gamedata compare main/report.json out/report.json
  gamedata compare main/report.json out/report.json --markdown
  gamedata compare --contract old.yaml new.yaml    two OpenAPI descriptions`;

interface CompareFlags {
  readonly contract?: boolean;
  readonly markdown?: boolean;
}

/** `gamedata compare`. */
export function compareCommand(): Command {
  return new Command('compare')
    .usage('[options] <before> <after>')
    .argument('<before>', 'report.json of the earlier run, or an OpenAPI description')
    .argument('<after>', 'the later one')
    .option('--contract', 'compare contracts: what a change breaks for clients, and what for servers')
    .optionsGroup('Output:')
    .option('--markdown', 'print Markdown, for a pull request')
    .addHelpText('after', closing)
    .action(async (before: string, after: string, { contract = false, markdown = false }: CompareFlags) => {
      const { compareAndPrint, compareContractsAndPrint } = await import('./compare-run.js');
      process.exitCode = (contract ? compareContractsAndPrint : compareAndPrint)(before, after, markdown);
    });
}
