// One command line, from its words to its exit code.

import { acceptedText, Outage, Refusal } from '#base/refusal.ts';
import { type Command, parseInput } from './command.ts';

/** Both get whole lines, without their end. */
export type Lines = {
  say(text: string): void;
  complain(text: string): void;
};

type Listed = Pick<Command<never>, 'name' | 'summary'>;

export type CommandProgram<Context> = {
  /** Of two whose names begin alike the longer one stands first. */
  readonly commands: readonly Command<Context>[];
  /** Of the programs beside it, where its help is the help of all of them. */
  readonly others?: () => Promise<readonly Listed[]>;
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
  const words = args.filter((word) => !word.startsWith('-'));
  const command = program.commands.find(
    ({ name }) => words.slice(0, wordCount(name)).join(' ') === name,
  );
  const wantsHelp = args.includes('--help') || args.includes('-h');
  if (command === undefined) {
    if (wantsHelp || args.length === 0) {
      const text = await overviewText(program, words);
      if (text !== undefined) {
        say(text);
        return 0;
      }
    }
    complain(await unknownText(program, words));
    return 2;
  }
  if (wantsHelp) {
    const rest = isGroup(program, command.name) ? await overviewText(program, words) : undefined;
    say([usageText(command), ...(rest === undefined ? [] : [rest])].join('\n\n'));
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

function usageText<Context>({ name, usage, summary, explains = {} }: Command<Context>): string {
  const rows = Object.entries({ ...explains, '--json': 'one JSON object on the last line' });
  const width = Math.max(...rows.map(([what]) => what.length));
  return [
    `npx quittance ${name} ${usage}`.trimEnd(),
    '',
    summary,
    '',
    ...rows.map(([what, says]) => `  ${what.padEnd(width)}   ${says}`),
  ].join('\n');
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

const NAME_WIDTH = 28;
const LINE_MOST = 100;

/** Commands that begin with the first word, or all of them; undefined where there is none. */
async function overviewText<Context>(
  { commands, others, about }: CommandProgram<Context>,
  [group]: readonly string[],
): Promise<string | undefined> {
  const beside = (await others?.()) ?? [];
  const shown = group === undefined ? commands : inGroup([...commands, ...beside], group);
  if (shown.length === 0) return undefined;
  return [
    'npx quittance COMMAND [options]',
    '',
    ...shown.map(({ name, summary }) => row(name, summary)),
    ...(group === undefined && beside.length > 0 ? ['', ...foldedRows(beside)] : []),
    '',
    '  --help   of a command: its arguments',
    '  --json   one JSON object on the last line of the output',
    '',
    about,
  ].join('\n');
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(NAME_WIDTH)} ${text}`;
}

/** Each once, by the program that is named first. */
function inGroup(commands: readonly Listed[], group: string): readonly Listed[] {
  const byName = new Map<string, Listed>();
  for (const command of commands) {
    const { name } = command;
    const isIn = name === group || name.startsWith(`${group} `);
    if (isIn && !byName.has(name)) byName.set(name, command);
  }
  return [...byName.values()];
}

/** One first word a row: there are too many commands to look at. */
function foldedRows(commands: readonly Listed[]): readonly string[] {
  const firsts = new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''));
  const rows = [...firsts].flatMap((first) => {
    const all = inGroup(commands, first);
    const own = all.find(({ name }) => name === first);
    const seconds = new Set(all.flatMap(({ name }) => name.split(' ')[1] ?? []));
    const text = [
      ...(own ? [own.summary] : []),
      ...(seconds.size > 0 ? [[...seconds].join(', ')] : []),
    ];
    return wrapped(text.join('; ')).map((line, index) => row(index === 0 ? first : '', line));
  });
  return [
    'Of whoever runs an installation, beside its database (npx quittance merchant --help says more):',
    '',
    ...rows,
  ];
}

function wrapped(text: string): readonly string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && NAME_WIDTH + line.length + word.length > LINE_MOST) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

async function unknownText<Context>(
  { commands, others }: CommandProgram<Context>,
  words: readonly string[],
): Promise<string> {
  const names = [...commands, ...((await others?.()) ?? [])].map(({ name }) => name);
  const typed = words.slice(0, 2).join(' ');
  const near = acceptedText(typed, [...new Set(names)], 'npx quittance --help');
  return `quittance: no such command: ${words.join(' ')}; ${near}`;
}
