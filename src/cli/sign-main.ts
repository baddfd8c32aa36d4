// npx quittance sign: the signer is a program of its own, which loads nothing of the service: no
// database, no web server (src/signer/apart.test.ts).

import process from 'node:process';
import { createInterface } from 'node:readline';
import { systemClock } from '#base/clock.ts';
import { jsonLog } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { KEY_FAMILIES } from '#networks/signing/signing-keys.ts';
import { type CommandProgram, runCommand } from './run-command.ts';
import { sign, signApprove, signLog, signLogVerify, signStatus } from './sign.ts';
import type { SignContext } from './sign-context.ts';
import {
  signApproverAdd,
  signApproverList,
  signApproverRemove,
  signInit,
  signKeyAdd,
  signKeyList,
  signKeyRemove,
  signPassphrase,
} from './sign-key.ts';

const PROGRAM: CommandProgram<SignContext> = {
  commands: [
    signInit,
    signKeyAdd,
    signKeyList,
    signKeyRemove,
    signPassphrase,
    signApproverAdd,
    signApproverList,
    signApproverRemove,
    signApprove,
    signStatus,
    signLogVerify,
    signLog,
    sign,
  ],
  about:
    'The directory of the signer is --directory, SIGNER_DIRECTORY, or .signer here.\n' +
    'docs/operate/signer.md says what to do in which order.',
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

// Nobody else may open what is made here, the socket among it, not for a moment.
process.umask(0o077);
const complain = (text: string) => void process.stderr.write(`${text}\n`);
const say = (text: string) => void process.stdout.write(`${text}\n`);
const nextLine = pipedLines();
const context: SignContext = {
  environment: process.env,
  workingDirectory: process.cwd(),
  clock: systemClock,
  random: systemRandom,
  families: KEY_FAMILIES,
  log: jsonLog(complain, 'info', systemClock),
  askSecret: (prompt) => (process.stdin.isTTY ? typedSecret(prompt) : nextLine()),
  say,
  ended: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
    }),
};
const args = process.argv.slice(2);
const exitCode = await runCommand(PROGRAM, args, { say, complain }, () => ({
  context,
  close: async () => undefined,
}));
// A pipe that is still open would keep the process.
process.exit(exitCode);
