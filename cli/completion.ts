import { Argument, Command } from 'commander';

/** What can follow the words of a command: its subcommands, the choices of its arguments, then its options. */
interface Place {
  /** The command as it is written: `gamedata verify list`. */
  readonly path: string;
  readonly words: readonly Word[];
}

interface Word {
  readonly word: string;
  readonly about: string;
  readonly isOption: boolean;
  /** Of an option that takes a value: the values to choose from, none where it takes any. */
  readonly values?: readonly string[];
}

const closing = `
The script completes the word gamedata. Write it to a file once, and again after each update:
  bash   gamedata completion bash > ~/.gamedata.bash     and in ~/.bashrc: source ~/.gamedata.bash
  zsh    gamedata completion zsh > ~/.gamedata.zsh       and in ~/.zshrc, after compinit: source ~/.gamedata.zsh
  fish   gamedata completion fish > ~/.config/fish/completions/gamedata.fish
Where gamedata is not on your PATH, run it by npx gamedata, and write alias gamedata='npx gamedata' into the same file.

Examples:
  gamedata completion bash`;

/**
 * `gamedata completion`: a script for a shell, made from the definitions of the commands.
 * @param whole - gives the command line with every command loaded
 */
export const completionCommand = (whole: () => Promise<Command>): Command =>
  new Command('completion')
    .addArgument(new Argument('<shell>', 'the shell that the script is for').choices(Object.keys(scripts)))
    .addHelpText('after', closing)
    .action(async (shell: keyof typeof scripts) => {
      process.stdout.write(scripts[shell](placesOf(await whole())));
    });

function placesOf(command: Command, path = command.name()): Place[] {
  const inner = command.commands.map((each) => ({
    word: each.name(),
    about: each.description(),
    isOption: false,
  }));
  const options = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description, required, argChoices = [] }) =>
      long ? [{ word: long, about: description, isOption: true, ...(required && { values: argChoices }) }] : [],
    );
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((word) => ({ word, about: description, isOption: false })),
  );
  return [
    { path, words: [...inner, ...choices, ...options] },
    ...command.commands.flatMap((each) => placesOf(each, `${path} ${each.name()}`)),
  ];
}

/** A text that a POSIX shell reads as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The commands that are more than the program's name: a word that makes one of them leads there. */
const deeper = (places: readonly Place[]): string =>
  places
    .slice(1)
    .map(({ path }) => quoted(path))
    .join('|');

/** The options that take a value, each behind its command: those with choices, then those that take any. */
function valued(places: readonly Place[]): { readonly chosen: [string, readonly string[]][]; readonly free: string } {
  const all = places.flatMap(({ path, words }) =>
    words.flatMap(({ word, values }): [string, readonly string[]][] => (values ? [[`${path} ${word}`, values]] : [])),
  );
  return {
    chosen: all.filter(([, values]) => values.length > 0),
    free: all
      .filter(([, values]) => values.length === 0)
      .map(([name]) => quoted(name))
      .join('|'),
  };
}

/** The options that take a value, for a `case`. */
const valuedNames = (places: readonly Place[]): string => {
  const { chosen, free } = valued(places);
  return [...chosen.map(([name]) => quoted(name)), free].join('|');
};

/** Words behind `--` are a command of the caller's own: files, as the shell itself completes them. */
const scripts = {
  bash: (places: readonly Place[]): string => `# gamedata in bash: source <(gamedata completion bash)
_gamedata() {
  local place=gamedata before= word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in --) return ;; esac
    case "$place $before" in
      ${valuedNames(places)}) ;;
      *) case "$place $word" in ${deeper(places)}) place="$place $word" ;; esac ;;
    esac
    before=$word
  done
  case "$place $before" in
${valued(places)
  .chosen.map(([name, values]) => `    ${quoted(name)}) words=${quoted(values.join(' '))} ;;`)
  .join('\n')}
    ${valued(places).free}) return ;;
    *) case $place in
${places.map(({ path, words }) => `      ${quoted(path)}) words=${quoted(words.map(({ word }) => word).join(' '))} ;;`).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gamedata gamedata
`,
  zsh: (places: readonly Place[]): string => `#compdef gamedata
# gamedata in zsh: source <(gamedata completion zsh)
_gamedata() {
  local place=gamedata before= word
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -- ]] && { _files; return }
    case "$place $before" in
      ${valuedNames(places)}) ;;
      *) case "$place $word" in ${deeper(places)}) place="$place $word" ;; esac ;;
    esac
    before=$word
  done
  case "$place $before" in
${valued(places)
  .chosen.map(([name, values]) => `    ${quoted(name)}) compadd ${values.map(quoted).join(' ')}; return ;;`)
  .join('\n')}
    ${valued(places).free}) _files; return ;;
  esac
  case $place in
${places.map(({ path, words }) => `    ${quoted(path)}) choices=(\n${words.map(({ word, about }) => `      ${quoted(`${word}:${about.replaceAll(':', String.raw`\:`)}`)}`).join('\n')}\n    ) ;;`).join('\n')}
  esac
  _describe gamedata choices || _files
}
if [ "\${funcstack[1]}" = _gamedata ]; then _gamedata "$@"; else compdef _gamedata gamedata; fi
`,
  fish: (places: readonly Place[]): string => `# gamedata in fish
function __gamedata_place
  set -l place gamedata
  for word in (commandline -opc)[2..-1]
    switch $word
      case --
        return
    end
    switch "$place $word"
      case ${places
        .slice(1)
        .map(({ path }) => fishQuoted(path))
        .join(' ')}
        set place "$place $word"
    end
  end
  echo $place
end
${places
  .flatMap(({ path, words }) =>
    words.map(
      ({ word, about, isOption, values }) =>
        `complete -c gamedata -n ${fishQuoted(`test (__gamedata_place) = "${path}"`)} ${isOption ? `-l ${word.slice(2)}${valuesInFish(values)}` : `-f -a ${word}`} -d ${fishQuoted(about)}`,
    ),
  )
  .join('\n')}
`,
} satisfies Record<string, (places: readonly Place[]) => string>;

/** `-r`: a file, as nothing else is known; `-x`: one of these. */
const valuesInFish = (values: readonly string[] | undefined): string =>
  values === undefined ? '' : values.length === 0 ? ' -r' : ` -x -a ${fishQuoted(values.join(' '))}`;

const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
