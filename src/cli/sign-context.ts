// What the commands of the signer are given, and the options that all of them have.

import { resolve } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import type { SealCost } from '#runtime/sealed-text.ts';
import type { KeyFamilies } from '#signer/open-key.ts';
import { readSettingsOf } from '#signer/run-signer.ts';
import { type Command, textOption, type Values } from './command.ts';
import { firstLine } from './secret-input.ts';

export type SignContext = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the command was typed. */
  readonly workingDirectory: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly families: KeyFamilies;
  /** Tests only: what a guess at a passphrase costs, a second when absent. */
  readonly cost?: SealCost;
  readonly log: Log;
  /** Asks for what nobody may see, from the terminal. */
  askSecret(prompt: string): Promise<string>;
  say(line: string): void;
  /** Resolves when the process is to end. */
  ended(): Promise<unknown>;
};

export type SignCommand = Command<SignContext>;

export const DIRECTORY_OPTIONS: SignCommand['options'] = { directory: { type: 'string' } };
export const OPENING_OPTIONS: SignCommand['options'] = {
  ...DIRECTORY_OPTIONS,
  'passphrase-file': { type: 'string' },
};
export const OPENING_USAGE = '[--directory DIR] [--passphrase-file FILE]';

/** `--directory`, `SIGNER_DIRECTORY`, or `.signer` here. */
export function directoryOf({ environment, workingDirectory }: SignContext, values: Values) {
  const named = textOption(values, 'directory') ?? environment.SIGNER_DIRECTORY ?? '.signer';
  return resolve(workingDirectory, named);
}

/** The directory with the passphrase of its keys. @throws Refusal */
export async function openDirectory(context: SignContext, values: Values) {
  const directory = directoryOf(context, values);
  const option = textOption(values, 'passphrase-file');
  const path = option ?? readSettingsOf(directory).passphraseFile;
  const passphrase =
    path === undefined
      ? await context.askSecret('Passphrase of the keys: ')
      : firstLine(resolve(context.workingDirectory, path));
  const { random, families, cost } = context;
  return { directory, passphrase, random, families, cost };
}
