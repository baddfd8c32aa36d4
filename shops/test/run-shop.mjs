// Programs of a shop that run until the test is over, and what is asked of them.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

const patienceSeconds = 180;

/** Runs to its end. */
export async function runProgram(words, at) {
  const program = startProgram(words, at);
  if ((await program.ended) !== 0) throw new Error(`${words.join(' ')}: ${program.said()}`);
}

/** `said()`: what it printed; `ended`: how it ended; `end()`: ends it and what it started. */
export function startProgram(words, { cwd, env }) {
  const stdio = ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, words, { cwd, env, stdio, detached: true });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said += text;
    });
  }
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const end = async () => {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  };
  return { said: () => said, isRunning: () => child.exitCode === null, ended, end };
}

/** Gives what `ask` gives as soon as that is neither undefined nor false. */
export async function until(what, ask, isAlive = () => true) {
  const endsAtMs = Date.now() + patienceSeconds * 1000;
  while (Date.now() < endsAtMs && isAlive()) {
    const found = await ask();
    if (found !== undefined && found !== false) return found;
    await wait(500);
  }
  throw new Error(`${what}: not within ${patienceSeconds} s`);
}

/** Asks for JSON and gives JSON; an answer that is no success is an error with its text. */
export function jsonCaller(origin, headers = {}) {
  return async (method, path, body, more = {}) => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers, ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}
