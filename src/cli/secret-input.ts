// What a person types at the terminal, or a pipe gives a line at a time: passphrases and keys.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Refusal } from '#base/refusal.ts';
import { textOption, type Values } from './command.ts';

type SecretContext = {
  /** Asks for what nobody may see. */
  askSecret(prompt: string): Promise<string>;
  readonly workingDirectory: string;
};

const CONTROL_C = '\u0003';
const BACKSPACES = ['\u007f', '\b'];

/** Lines of a pipe, of which each question takes one. */
function pipedLines(): () => Promise<string> {
  let lines: AsyncIterator<string> | undefined;
  return async () => {
    lines ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    if (done !== true) return value;
    throw new Refusal('invalid', 'secret_missing', 'nothing more is given on the standard input');
  };
}

/** From the terminal, without showing it. */
function typedSecret(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(prompt);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  let typed = '';
  return new Promise((resolve, reject) => {
    const end = () => {
      stdin.off('data', onData);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
    };
    const onData = (text: string) => {
      for (const letter of text) {
        if (letter === CONTROL_C) {
          end();
          return reject(new Refusal('invalid', 'secret_missing', 'it was not given'));
        }
        if (letter === '\r' || letter === '\n') {
          end();
          return resolve(typed);
        }
        typed = BACKSPACES.includes(letter) ? typed.slice(0, -1) : typed + letter;
      }
    };
    stdin.on('data', onData);
    stdin.resume();
  });
}

/** Asks the terminal, without showing what is typed; of a pipe each question takes a line. */
export function openSecretInput(): (prompt: string) => Promise<string> {
  const nextLine = pipedLines();
  return (prompt) => (process.stdin.isTTY ? typedSecret(prompt) : nextLine());
}

/** Resolves when the system wants the process to end. */
export function endOfProcess(): Promise<unknown> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
}

/** From the file that the option names, or asked for twice. @throws Refusal */
export async function newSecret(
  context: SecretContext,
  values: Values,
  option: string,
  what: string,
): Promise<string> {
  const path = textOption(values, option);
  if (path !== undefined) return firstLine(resolve(context.workingDirectory, path));
  const typed = await context.askSecret(`${what}: `);
  const again = await context.askSecret(`${what}, once more: `);
  if (typed === again) return typed;
  throw new Refusal(
    'invalid',
    'passphrase_differs',
    'the two were not the same; nothing was changed',
  );
}

/** @throws Refusal when it cannot be read. Also of `/dev/fd/3`. */
export function firstLine(path: string): string {
  try {
    return readFileSync(path, 'utf8').split('\n')[0] ?? '';
  } catch (error) {
    throw new Refusal('invalid', 'secret_file', `${path} cannot be read`, { cause: error });
  }
}
