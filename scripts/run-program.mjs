// Runs a program in place of this process, as far as a child process can: same streams, its exit code
// becomes ours, signals are passed on, and it ends when we are killed.
import { spawn, spawnSync } from 'node:child_process';
import process from 'node:process';

const repeatedSignalMs = 1_000;

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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const isFromTerminal = signal === 'SIGINT' && !ownSession && process.stdin.isTTY;
      const isRepeated = Date.now() - (lastAt[signal] ?? 0) < repeatedSignalMs;
      lastAt[signal] = Date.now();
      if (!isFromTerminal && !isRepeated) child.kill(signal);
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

/** The start of a command that ends when this process ends, even by kill -9; empty where unknown. */
function endWithUs() {
  const prefix = ['setpriv', '--pdeathsig', 'TERM', '--'];
  if (process.platform !== 'linux') return [];
  return spawnSync(prefix[0], [...prefix.slice(1), 'true']).status === 0 ? prefix : [];
}

function signalExitCode(signal) {
  return { SIGHUP: 129, SIGINT: 130, SIGKILL: 137, SIGTERM: 143 }[signal] ?? 1;
}
