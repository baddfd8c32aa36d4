// npx quittance trade: the trader is a program of its own, which loads nothing of the service: no
// database, no web pages (src/trader/apart.test.ts).

import process from 'node:process';
import { systemClock } from '#base/clock.ts';
import { jsonLog } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { endOfProcess, openSecretInput } from './secret-input.ts';
import { runTradeCommand } from './trade.ts';

// Nobody else may open what is made here, the socket among it, not for a moment.
process.umask(0o077);
const complain = (text: string) => void process.stderr.write(`${text}\n`);
const say = (text: string) => void process.stdout.write(`${text}\n`);
const lines = { say, complain };
const exitCode = await runTradeCommand(process.argv.slice(2), lines, {
  environment: process.env,
  workingDirectory: process.cwd(),
  clock: systemClock,
  random: systemRandom,
  log: jsonLog(complain, 'info', systemClock),
  askSecret: openSecretInput(),
  say,
  ended: endOfProcess,
});
// A pipe that is still open would keep the process.
process.exit(exitCode);
