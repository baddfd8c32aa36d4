// npx quittance: the program of the command line, over the terminal it was started in.
import process from 'node:process';
import { systemClock } from '#base/clock.ts';
import { runCommandLine } from './run-command-line.ts';

const PROGRESS_MS = 500;

/** One line of the terminal that is written anew, at most twice a second; results stay clean. */
function progressLine(): (step: string) => void {
  const { stderr } = process;
  if (!stderr.isTTY) return () => undefined;
  let nextMs = systemClock.monotonicMs() + PROGRESS_MS;
  let isShown = false;
  process.on('exit', () => {
    if (isShown) stderr.write('\r\u001b[K');
  });
  return (step) => {
    if (systemClock.monotonicMs() < nextMs) return;
    nextMs = systemClock.monotonicMs() + PROGRESS_MS;
    isShown = true;
    stderr.write(`\r\u001b[K${step}`);
  };
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  directory: process.cwd(),
  say: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
  onProgress: progressLine(),
});
