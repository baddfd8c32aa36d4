// npx quittance login, listen, trigger …: what asks an installation over HTTP is a program of its
// own, which opens no database.

import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { systemClock } from '#base/clock.ts';
import { systemRandom } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { endOfProcess, openSecretInput } from '#cli/secret-input.ts';
import { runRemoteCommand } from './remote-commands.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
const complain = (line: string) => void process.stderr.write(`${line}\n`);
const ended = new AbortController();
void endOfProcess().then(() => ended.abort());
// Whoever reads has read enough.
process.stdout.on('error', () => process.exit(0));

function showInBrowser(url: string): void {
  const [program, ...words] = {
    darwin: ['open'],
    win32: ['cmd', '/c', 'start', ''],
  }[process.platform as string] ?? ['xdg-open'];
  const child = spawn(program ?? '', [...words, url], { detached: true, stdio: 'ignore' });
  child.on('error', () => complain('no browser could be started'));
  child.unref();
}

const askSecret = openSecretInput();

async function askText(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return askSecret(prompt);
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(prompt, { signal: ended.signal });
  } catch (error) {
    // Ctrl-C and Ctrl-D take the question back: nothing was done that could be told of.
    if (error instanceof Error && error.name === 'AbortError') process.exit(130);
    throw error;
  } finally {
    lines.close();
  }
}

async function readText(path: string): Promise<string> {
  if (path === '-') return text(process.stdin);
  try {
    return await readFile(resolve(process.cwd(), path), 'utf8');
  } catch (error) {
    throw new Refusal('invalid', 'usage', [`${path} cannot be read`], { cause: error });
  }
}

const exitCode = await runRemoteCommand(
  process.argv.slice(2),
  { say, complain },
  {
    environment: process.env,
    directory: process.cwd(),
    clock: systemClock,
    random: systemRandom,
    ended: ended.signal,
    input: process.stdin,
    ...{ say, complain, askText, askSecret, readText, showInBrowser },
  },
);
// A pipe that is still open would keep the process.
process.exit(exitCode);
