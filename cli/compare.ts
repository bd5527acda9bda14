import { Command } from 'commander';

const closing = `
Exit codes: 0 no loss, 1 a requirement began to fail or is no longer judged, 2 configuration error.

Examples:
  gamedata compare main/report.json out/report.json
  gamedata compare main/report.json out/report.json --markdown`;

/** `gamedata compare`. */
export function compareCommand(): Command {
  return new Command('compare')
    .usage('[options] <before> <after>')
    .argument('<before>', 'report.json of the earlier run')
    .argument('<after>', 'report.json of the later run')
    .optionsGroup('Output:')
    .option('--markdown', 'print Markdown, for a pull request')
    .addHelpText('after', closing)
    .action(async (before: string, after: string, { markdown = false }: { readonly markdown?: boolean }) => {
      const { compareAndPrint } = await import('./compare-run.js');
      process.exitCode = compareAndPrint(before, after, markdown);
    });
}
