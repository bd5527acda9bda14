import { Command } from 'commander';

const closing = `
Exit codes: those of gamedata verify. A shard that is missing, foreign or changed is a configuration error.

Examples:
  gamedata verify --target target.yaml --seed 7 --shard 1/2 --report out/1
  gamedata verify --target target.yaml --seed 7 --shard 2/2 --report out/2
  gamedata merge out/1/report.json out/2/report.json --report out/`;

/** `gamedata merge`. */
export function mergeCommand(): Command {
  return new Command('merge')
    .usage('[options] <report...>')
    .argument('<report...>', 'report.json of every shard')
    .optionsGroup('Output:')
    .option(
      '--report <folder>',
      'write report.json, report.html, summary.md, junit.xml, report.sarif, a badge and repro/',
    )
    .addHelpText('after', closing)
    .action(async (files: readonly string[], { report }: { readonly report?: string }) => {
      const { mergeAndTell } = await import('./merge-run.js');
      process.exitCode = await mergeAndTell(files, report);
    });
}
