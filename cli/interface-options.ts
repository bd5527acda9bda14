import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

/** What `interfaceOptions` reads. */
export interface InterfaceFlags {
  readonly profile?: string;
  readonly edition?: string;
  readonly flag?: Readonly<Record<string, boolean>>;
  readonly set?: Readonly<Record<string, string>>;
}

/** The options that choose among the editions of the interface, and among the readings of its open points. */
export const interfaceOptions = (command: Command): Command =>
  command
    .optionsGroup('Interface:')
    .option(
      '--profile <name>',
      'described, or observed: edition, switches and limits as live services have them (default: described)',
    )
    .option(
      '--edition <name>',
      'edition of the interface: extended, base, or observed, what live data shows (default: extended)',
    )
    .option('--flag <name=on|off>', 'set one flag of the edition; may be repeated', assigned(readFlag))
    .option(
      '--set <name=value>',
      'choose a reading of an open point; may be repeated (gamedata mock switches lists them)',
      assigned(readText),
    );

/** Gathers `name=value` settings; the last one of a name counts. */
const assigned =
  <T>(read: (text: string) => T) =>
  (text: string, earlier: Readonly<Record<string, T>> = {}): Record<string, T> => {
    const [name, ...rest] = text.split('=');
    if (!name || rest.length === 0)
      throw new InvalidArgumentError('It takes a name, = and a value, such as pkce.verifier=lenient or F-CX=off.');
    return { ...earlier, [name]: read(rest.join('=')) };
  };

const readText = (text: string): string => text;

function readFlag(text: string): boolean {
  if (text === 'on' || text === 'true') return true;
  if (text === 'off' || text === 'false') return false;
  throw new InvalidArgumentError('A flag is on or off');
}
