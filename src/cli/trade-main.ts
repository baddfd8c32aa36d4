// npx quittance trade: the trader is a program of its own, which loads nothing of the service: no
// database, no web pages (src/trader/apart.test.ts).

import process from 'node:process';
import { systemClock } from '#base/clock.ts';
import { jsonLog } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { type CommandProgram, runCommand } from './run-command.ts';
import { endOfProcess, openSecretInput } from './secret-input.ts';
import {
  type TradeContext,
  trade,
  tradeAccountAdd,
  tradeAccountList,
  tradeAccountRemove,
  tradeInit,
  tradeLog,
} from './trade.ts';

const PROGRAM: CommandProgram<TradeContext> = {
  commands: [tradeInit, tradeAccountAdd, tradeAccountList, tradeAccountRemove, tradeLog, trade],
  about:
    'The directory of the trader is --directory, TRADER_DIRECTORY, or .trader here.\n' +
    'docs/operate/trader.md says what to do in which order.',
};

// Nobody else may open what is made here, the socket among it, not for a moment.
process.umask(0o077);
const complain = (text: string) => void process.stderr.write(`${text}\n`);
const say = (text: string) => void process.stdout.write(`${text}\n`);
const context: TradeContext = {
  environment: process.env,
  workingDirectory: process.cwd(),
  clock: systemClock,
  random: systemRandom,
  log: jsonLog(complain, 'info', systemClock),
  askSecret: openSecretInput(),
  say,
  ended: endOfProcess,
};
const exitCode = await runCommand(PROGRAM, process.argv.slice(2), { say, complain }, () => ({
  context,
  close: async () => undefined,
}));
// A pipe that is still open would keep the process.
process.exit(exitCode);
