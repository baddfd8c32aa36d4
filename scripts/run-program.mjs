// Runs a program in place of this process, as far as a child process can: same streams, its exit code
// becomes ours, signals are passed on, and it ends when we are killed.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import process from 'node:process';

const repeatedSignalMs = 1_000;
const npmWatchMs = 100;

/**
 * `ownSession`: Ctrl-C in the terminal reaches only us, and we pass it on once, however often npm and
 * the terminal both tell us. Without it the terminal itself tells the child.
 * Resolves with the exit code.
 */
export function runProgram(program, parameters, { ownSession = false, env = process.env } = {}) {
  const command = [...endWithUs(), program, ...parameters];
  const child = spawn(command[0], command.slice(1), {
    cwd: process.cwd(),
    env,
    stdio: 'inherit',
    detached: ownSession && process.platform !== 'win32',
  });
  const lastAt = {};
  const pass = (signal) => {
    const isRepeated = Date.now() - (lastAt[signal] ?? 0) < repeatedSignalMs;
    lastAt[signal] = Date.now();
    if (!isRepeated) child.kill(signal);
  };
  watchNpm(() => pass('SIGTERM'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const isFromTerminal = signal === 'SIGINT' && !ownSession && process.stdin.isTTY;
      if (!isFromTerminal) pass(signal);
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${program} does not start: ${error.message}`);
      resolve(1);
    });
    child.once('exit', (code, signal) => resolve(code ?? signalExitCode(signal)));
  });
}

/** npm passes a signal to the shell between us, which dies without a word to us: we have to look. */
function watchNpm(onGone) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const ancestors = () => `${process.ppid} ${parentOf(process.ppid)}`;
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    onGone();
  }, npmWatchMs);
  timer.unref();
}

/** Empty where the system has no /proc. */
function parentOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    return '';
  }
}

/** The start of a command that ends when this process ends, even by kill -9; empty where unknown. */
function endWithUs() {
  const prefix = ['setpriv', '--pdeathsig', 'TERM', '--'];
  if (process.platform !== 'linux') return [];
  return spawnSync(prefix[0], [...prefix.slice(1), 'true']).status === 0 ? prefix : [];
}

function signalExitCode(signal) {
  return { SIGHUP: 129, SIGINT: 130, SIGKILL: 137, SIGTERM: 143 }[signal] ?? 1;
}
