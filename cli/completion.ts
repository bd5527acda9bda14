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
}

const closing = `
The script completes the word gamedata. Where that is not on your PATH, write alias gamedata='npx gamedata' first.
  bash   in ~/.bashrc:                  source <(gamedata completion bash)
  zsh    in ~/.zshrc, after compinit:   source <(gamedata completion zsh)
  fish   once, and after each update:   gamedata completion fish > ~/.config/fish/completions/gamedata.fish

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
    .flatMap(({ long, description }) => (long ? [{ word: long, about: description, isOption: true }] : []));
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

/** Words behind `--` are a command of the caller's own: files, as the shell itself completes them. */
const scripts = {
  bash: (places: readonly Place[]): string => `# gamedata in bash: source <(gamedata completion bash)
_gamedata() {
  local place=gamedata word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in --) return ;; esac
    case "$place $word" in ${deeper(places)}) place="$place $word" ;; esac
  done
  case $place in
${places.map(({ path, words }) => `    ${quoted(path)}) words=${quoted(words.map(({ word }) => word).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gamedata gamedata
`,
  zsh: (places: readonly Place[]): string => `#compdef gamedata
# gamedata in zsh: source <(gamedata completion zsh)
_gamedata() {
  local place=gamedata word
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -- ]] && { _files; return }
    case "$place $word" in ${deeper(places)}) place="$place $word" ;; esac
  done
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
      ({ word, about, isOption }) =>
        `complete -c gamedata -n ${fishQuoted(`test (__gamedata_place) = "${path}"`)} ${isOption ? `-l ${word.slice(2)}` : `-f -a ${word}`} -d ${fishQuoted(about)}`,
    ),
  )
  .join('\n')}
`,
} satisfies Record<string, (places: readonly Place[]) => string>;

const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
