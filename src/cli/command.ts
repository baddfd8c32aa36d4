// What a verb of the command line is, what it is given, and the options that several have.

import { userInfo } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { ENVIRONMENTS, type Environment } from '#catalog/chain.ts';
import type { App } from '#server/app.ts';
import type { Config } from '#server/config.ts';
import type { OpenDatabase } from '#server/open-database.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
export type Values = Readonly<Record<string, string | boolean | undefined>>;

type CommandInput = {
  readonly positionals: readonly string[];
  readonly values: Values;
};

export type CommandContext = {
  /** Opens settings, database and app the first time it is asked for. */
  openApp(): Promise<App>;
  openDatabase(): Promise<OpenDatabase>;
  /** For whoever waits at a terminal; elsewhere nobody hears it. */
  readonly onProgress: (step: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What relative paths begin at. */
  readonly directory: string;
  /** Undefined where nobody can be asked. */
  readonly terminal: Asking | undefined;
};

/** A person who answers. */
export type Asking = {
  ask(prompt: string): Promise<string>;
  /** Shows nothing of what is typed. */
  askSecret(prompt: string): Promise<string>;
  say(text: string): void;
};

/** For commands that open more, or less, than a database that is there. */
export type PlaceContext = CommandContext & {
  readConfig(): Config;
  readonly clock: Clock;
  readonly log: Log;
};

export type CommandResult = {
  /** For people. */
  readonly text: string;
  /** For programs: one object. */
  readonly json: Readonly<Record<string, unknown>>;
  /** 0 unless given. */
  readonly exitCode?: number;
  /** Stdout was given something else to carry: what is said goes to stderr. */
  readonly isPiped?: boolean;
};

export type Command<Context = CommandContext> = {
  /** One to three words, as typed. */
  readonly name: string;
  readonly summary: string;
  /** Arguments and options, as shown after the name. */
  readonly usage: string;
  readonly options: Options;
  /** What an option or an argument says, as the help shows it. */
  readonly explains?: Readonly<Record<string, string>>;
  /** What may stand as the argument, for shells that complete it. */
  readonly choices?: readonly string[];
  run(context: Context, input: CommandInput): Promise<CommandResult>;
};

/** @throws Refusal that names what is wrong with the line typed. */
export function parseInput(
  command: Pick<Command, 'options'>,
  args: readonly string[],
): CommandInput {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...command.options, json: { type: 'boolean' }, help: { type: 'boolean' } },
      allowPositionals: true,
      strict: true,
    });
    return { positionals, values: values as Values };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Refusal('invalid', 'usage', [message.split('. To specify')[0] ?? message]);
  }
}

export function textOption(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** @throws Refusal */
export function wholeOption(
  values: Values,
  name: string,
  { initial, least, most }: { initial: number; least: number; most: number },
): number {
  const value = textOption(values, name);
  if (value === undefined) return initial;
  const number = /^\d{1,6}$/.test(value) ? Number.parseInt(value, 10) : -1;
  if (number < least || number > most) {
    throw new Refusal('invalid', 'usage', [
      `--${name}: must be a whole number from ${least} to ${most}`,
    ]);
  }
  return number;
}

/** `--fee-rate`; what the network asks for when absent. @throws Refusal */
export function feeRateOf(values: Values): bigint | undefined {
  if (textOption(values, 'fee-rate') === undefined) return undefined;
  return BigInt(wholeOption(values, 'fee-rate', { initial: 0, least: 1, most: 10_000 }));
}

/** @throws Refusal */
export function onePositional(positionals: readonly string[], what: string): string {
  const [only, ...rest] = positionals;
  if (only === undefined) throw new Refusal('invalid', 'usage', [`${what} is missing`]);
  if (rest.length > 0)
    throw new Refusal('invalid', 'usage', [`too many arguments: ${rest.join(' ')}`]);
  return only;
}

/** `--environment`. @throws Refusal unless it is test or live. */
export function chooseEnvironment(values: Values): Environment {
  const environment = ENVIRONMENTS.find((one) => one === textOption(values, 'environment'));
  if (environment !== undefined) return environment;
  throw new Refusal('invalid', 'usage', ['--environment: must be test or live']);
}

/** What a person says of a decision about money. */
export const SAID_OPTIONS: Options = { reason: { type: 'string' }, by: { type: 'string' } };
export const SAID_USAGE = '--reason TEXT [--by NAME]';

/** @throws Refusal when no reason is given; whoever is signed in does it unless told. */
export function saidOf(values: Values): { readonly actor: string; readonly reason: string } {
  const reason = textOption(values, 'reason');
  if (reason === undefined) throw new Refusal('invalid', 'usage', ['--reason: say why']);
  return { reason, actor: whoOf(values) };
}

/** Who it is that changes something, where no reason is asked for. */
export const BY_OPTION: Options = { by: { type: 'string' } };
export const BY_USAGE = '[--by NAME]';

/** `--by`, or whoever is signed in. */
export function whoOf(values: Values): string {
  return textOption(values, 'by') ?? userInfo().username;
}
