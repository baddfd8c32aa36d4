// One command line, from its words to its exit code.

import { Outage, Refusal } from '#base/refusal.ts';
import { type Command, parseInput } from './command.ts';

/** Both get whole lines, without their end. */
export type Lines = {
  say(text: string): void;
  complain(text: string): void;
};

export type CommandProgram<Context> = {
  /** Of two whose names begin alike the longer one stands first. */
  readonly commands: readonly Command<Context>[];
  /** The last lines of the help. */
  readonly about: string;
};

export type Opened<Context> = { readonly context: Context; close(): Promise<void> };

/** Gives the exit code. */
export async function runCommand<Context>(
  program: CommandProgram<Context>,
  args: readonly string[],
  { say, complain }: Lines,
  open: () => Opened<Context>,
): Promise<number> {
  const { commands } = program;
  const words = args.filter((word) => !word.startsWith('-'));
  const command = commands.find(({ name }) => words.slice(0, wordCount(name)).join(' ') === name);
  const wantsHelp = args.includes('--help');
  if (command === undefined || (wantsHelp && isGroup(program, command.name))) {
    const own = command === undefined ? '' : `${usageText(command)}\n\n`;
    if (wantsHelp || args.length === 0) say(`${own}${helpText(program, words[0])}`);
    else complain(`quittance: no such command: ${words.join(' ')}\n\n${helpText(program)}`);
    return wantsHelp || args.length === 0 ? 0 : 2;
  }
  if (wantsHelp) {
    say(`${usageText(command)}\n\n  --json   one JSON object on the last line`);
    return 0;
  }
  const isJson = args.includes('--json');
  const opened = open();
  try {
    const input = parseInput(command, withoutName(args, command.name));
    const result = await command.run(opened.context, input);
    const tell = result.isPiped === true ? complain : say;
    tell(isJson ? JSON.stringify(result.json) : result.text);
    return result.exitCode ?? 0;
  } catch (error) {
    const { message, code, exitCode } = describe(error);
    if (isJson) say(JSON.stringify({ error: { code, message } }));
    complain(`quittance ${command.name}: ${message}`);
    if (code === 'usage') complain(`usage: npx quittance ${command.name} ${command.usage}`);
    return exitCode;
  } finally {
    await opened.close();
  }
}

function usageText<Context>({ name, usage, summary }: Command<Context>): string {
  return `npx quittance ${name} ${usage}\n\n${summary}`;
}

function wordCount(name: string): number {
  return name.split(' ').length;
}

/** A name that is one word is also that of everything that begins with it. */
function isGroup<Context>({ commands }: CommandProgram<Context>, name: string): boolean {
  return commands.some((command) => command.name.startsWith(`${name} `));
}

function withoutName(args: readonly string[], name: string): string[] {
  const left = name.split(' ');
  return args.filter((word) => {
    if (left[0] !== word) return true;
    left.shift();
    return false;
  });
}

function describe(error: unknown): { message: string; code: string; exitCode: number } {
  if (error instanceof Refusal) {
    const exitCode = error.code === 'usage' ? 2 : 1;
    return { message: error.details.join('; '), code: error.code, exitCode };
  }
  if (error instanceof Outage) {
    return { message: `${error.message}`, code: 'outage', exitCode: 1 };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message, code: 'internal', exitCode: 1 };
}

function helpText<Context>(
  { commands, about }: CommandProgram<Context>,
  group: string | undefined = undefined,
): string {
  const listed = commands.filter(
    ({ name }) => group === undefined || name === group || name.startsWith(`${group} `),
  );
  const rows = (listed.length === 0 ? commands : listed).map(
    ({ name, summary }) => `  ${name.padEnd(28)} ${summary}`,
  );
  return [
    'npx quittance COMMAND [options]',
    '',
    ...rows,
    '',
    '  --help   of a command: its arguments',
    '  --json   one JSON object on the last line of the output',
    '',
    about,
  ].join('\n');
}
