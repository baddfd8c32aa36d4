// npx quittance sign: the signer is a program of its own, which loads nothing of the service: no
// database, no web server (src/signer/apart.test.ts).

import process from 'node:process';
import { systemClock } from '#base/clock.ts';
import { jsonLog } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { KEY_FAMILIES } from '#networks/signing/signing-keys.ts';
import { type CommandProgram, runCommand } from './run-command.ts';
import { endOfProcess, openSecretInput } from './secret-input.ts';
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

// Nobody else may open what is made here, the socket among it, not for a moment.
process.umask(0o077);
const complain = (text: string) => void process.stderr.write(`${text}\n`);
const say = (text: string) => void process.stdout.write(`${text}\n`);
const context: SignContext = {
  environment: process.env,
  workingDirectory: process.cwd(),
  clock: systemClock,
  random: systemRandom,
  families: KEY_FAMILIES,
  log: jsonLog(complain, 'info', systemClock),
  askSecret: openSecretInput(),
  say,
  ended: endOfProcess,
};
const args = process.argv.slice(2);
const exitCode = await runCommand(PROGRAM, args, { say, complain }, () => ({
  context,
  close: async () => undefined,
}));
// A pipe that is still open would keep the process.
process.exit(exitCode);
