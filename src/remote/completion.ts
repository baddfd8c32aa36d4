// Completion of commands and options for shells, generated from the tables that the programs have.

import { Refusal } from '#base/refusal.ts';
import { type Command, onePositional } from '#cli/command.ts';
import type { RemoteCommand } from './remote-command.ts';

const SHELLS: Readonly<Record<string, (tree: Tree) => string>> = {
  bash: bashText,
  zsh: zshText,
  fish: fishText,
};

type Listed = Pick<Command<never>, 'name' | 'summary' | 'options' | 'choices'>;
type Next = { readonly word: string; readonly summary: string };
/** What may stand after the words of a command that were typed. */
type Tree = ReadonlyMap<string, readonly Next[]>;

/** `own`: of the program that has this command. The tables of the others are loaded when asked. */
export function completionCommand(own: () => readonly Listed[]): RemoteCommand {
  return {
    name: 'completion',
    summary: 'what a shell needs to complete commands and options',
    usage: 'bash | zsh | fish',
    options: {},
    choices: Object.keys(SHELLS),
    explains: {
      bash: 'eval "$(npx quittance completion bash)", in ~/.bashrc',
      zsh: 'eval "$(npx quittance completion zsh)", in ~/.zshrc after compinit',
      fish: 'npx quittance completion fish | source, in ~/.config/fish/config.fish',
    },
    async run(_, { positionals }) {
      const shell = onePositional(positionals, 'the shell (bash, zsh or fish)');
      const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (write === undefined) {
        throw new Refusal('invalid', 'usage', [`${shell}: it is for bash, zsh and fish`]);
      }
      const text = write(treeOf([...own(), ...(await listOtherCommands())]));
      return { text, json: { shell, text } };
    },
  };
}

/** Of the programs beside this one. */
export async function listOtherCommands(): Promise<readonly Listed[]> {
  const others = await Promise.all([
    import('#cli/run-command-line.ts').then(({ SERVICE_COMMANDS }) => SERVICE_COMMANDS),
    import('#cli/sign.ts').then(({ SIGN_COMMANDS }) => SIGN_COMMANDS),
    import('#cli/trade.ts').then(({ TRADE_COMMANDS }) => TRADE_COMMANDS),
  ]);
  return others.flat();
}

function treeOf(commands: readonly Listed[]): Tree {
  const tree = new Map<string, Map<string, string>>();
  const add = (path: string, word: string, summary: string) => {
    const known = tree.getOrInsertComputed(path, () => new Map());
    known.set(word, known.get(word) || summary);
  };
  for (const { name, summary, options, choices = [] } of commands) {
    const words = name.split(' ');
    for (const [at, word] of words.entries()) {
      add(words.slice(0, at).join(' '), word, at === words.length - 1 ? summary : '');
    }
    for (const choice of choices) add(name, choice, '');
    for (const option of [...Object.keys(options), 'json', 'help']) add(name, `--${option}`, '');
  }
  return new Map(
    [...tree].map(([path, next]) => [
      path,
      [...next].map(([word, summary]) => ({ word, summary })).sort(byWord),
    ]),
  );
}

function byWord({ word: one }: Next, { word: other }: Next): number {
  return one < other ? -1 : 1;
}

/** `'a'|'b c'`: the beginnings of commands, as a pattern of `case`. */
function paths(tree: Tree): string {
  return [...tree.keys()]
    .filter((path) => path !== '')
    .map((path) => `'${path}'`)
    .join('|');
}

function cases(tree: Tree): string {
  return [...tree]
    .map(([path, next]) => `    '${path}') next='${next.map(({ word }) => word).join(' ')}' ;;`)
    .join('\n');
}

function bashText(tree: Tree): string {
  return `# eval "$(npx quittance completion bash)"
type quittance >/dev/null 2>&1 || quittance() { npx quittance "$@"; }
_quittance() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path='' next='' longer i
  for ((i = 1; i < COMP_CWORD; i++)); do
    longer="$path\${path:+ }\${COMP_WORDS[i]}"
    case "$longer" in
    ${paths(tree)}) path="$longer" ;;
    esac
  done
  case "$path" in
${cases(tree)}
  esac
  COMPREPLY=($(compgen -W "$next" -- "$cur"))
}
complete -o default -F _quittance quittance`;
}

function zshText(tree: Tree): string {
  return `#compdef quittance
# eval "$(npx quittance completion zsh)", after compinit
type quittance >/dev/null 2>&1 || quittance() { npx quittance "$@"; }
_quittance() {
  local at='' next='' longer i
  for ((i = 2; i < CURRENT; i++)); do
    longer="$at\${at:+ }\${words[i]}"
    case "$longer" in
    (${paths(tree)}) at="$longer" ;;
    esac
  done
  case "$at" in
${cases(tree).replace(/^ {4}/gm, '    (')}
  esac
  compadd -- \${=next} || _files
}
compdef _quittance quittance`;
}

function fishText(tree: Tree): string {
  const lines = [...tree].flatMap(([path, next]) =>
    next.map(({ word, summary }) => {
      const about = summary === '' ? '' : ` -d '${summary.replace(/[\\']/g, '\\$&')}'`;
      const offered = word.startsWith('--') ? `-l '${word.slice(2)}'` : `-fa '${word}'`;
      return `complete -c quittance -n "__quittance_at '${path}'" ${offered}${about}`;
    }),
  );
  return `# npx quittance completion fish | source
type -q quittance; or function quittance; npx quittance $argv; end
function __quittance_at
  set -l path ''
  for word in (commandline -opc)[2..]
    set -l longer (string trim "$path $word")
    switch "$longer"
      case ${paths(tree).replaceAll('|', ' ')}
        set path "$longer"
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}`;
}
