// npx quittance: the program of the command line, over the terminal it was started in.
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { systemClock } from '#base/clock.ts';
import { runCommandLine } from './run-command-line.ts';
import { openSecretInput } from './secret-input.ts';

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

/** One question at a time, so that a secret can be asked for in between. */
async function ask(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  const lines = createInterface({ input: stdin, output: stderr });
  const ended = new AbortController();
  lines.once('SIGINT', () => process.exit(130));
  lines.once('close', () => ended.abort());
  try {
    return await lines.question(prompt, { signal: ended.signal });
  } catch (error) {
    if (ended.signal.aborted) process.exit(130);
    throw error;
  } finally {
    lines.close();
  }
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  directory: process.cwd(),
  say: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
  onProgress: progressLine(),
  person: process.stdin.isTTY ? { ask, askSecret: openSecretInput() } : undefined,
});
