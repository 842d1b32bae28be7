import { Argument, Command } from 'commander';

const SHELLS = ['bash', 'zsh'] as const;
type Shell = (typeof SHELLS)[number];

/** Words that can follow each command: its path (`task list`) to subcommands, choices and options. */
export function wordsAfter(program: Command): Map<string, string[]> {
  const words = new Map<string, string[]>();
  const visit = (command: Command, path: readonly string[]): void => {
    const help = command.createHelp();
    const subcommands = help.visibleCommands(command).map((each) => each.name());
    const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
    const options = help.visibleOptions(command).flatMap(({ long }) => long ?? []);
    words.set(path.join(' '), [...subcommands, ...choices, ...options]);
    for (const each of command.commands) visit(each, [...path, each.name()]);
  };
  visit(program, []);
  return words;
}

const bash = (words: ReadonlyMap<string, readonly string[]>): string => `_parlance() {
  local path="" word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
${[...words.keys()]
  .filter(Boolean)
  .map((path) => `      '${path}') path='${path}' ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${[...words].map(([path, following]) => `    '${path}') words='${following.join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _parlance parlance`;

const scripts: Record<Shell, (words: ReadonlyMap<string, readonly string[]>) => string> = {
  bash,
  zsh: (words) => `autoload -U +X bashcompinit && bashcompinit\n${bash(words)}`,
};

/** The command that prints the completion script of a shell. @param program returns the complete program */
export function completionCommand(program: () => Command, out: (text: string) => void): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .description('Prints a script that completes commands and options in a shell.')
    .addHelpText('after', '\nExample:\n  source <(parlance completion bash)')
    .action((shell: Shell) => out(`${scripts[shell](wordsAfter(program()))}\n`));
}
