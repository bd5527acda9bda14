import { InvalidArgumentError, Option } from 'commander';

/** No words would mean everything. */
function words(text: string, earlier: readonly string[] = []): readonly string[] {
  const named = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (named.length === 0) throw new InvalidArgumentError('It takes an id, the beginning of one or a group.');
  return [...earlier, ...named];
}

/** `--only`, of every command that judges. */
export const requirementOption = (): Option =>
  new Option(
    '--only <ids>',
    'requirements, their beginnings up to a dash, or groups: TOK-REFRESH, LEAGUE-GET-002, game/filters',
  )
    .argParser(words)
    .helpGroup('Selection:');
