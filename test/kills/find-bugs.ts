// Every bug that the kills have to find, put in one after the other, each in a process of its own: found
// is one whose run says what it has to say of it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { KILL_BUGS, type KillBug } from './kill-bugs.ts';

/** Each place comes once in fewer. */
const RUNS = 100;

type Found = { readonly name: string; readonly told: string; readonly isFound: boolean };

/** Gives the exit code: 1 when one was not found, or as something else. */
export async function findBugs({ isJson }: { readonly isJson: boolean }): Promise<number> {
  const found: Found[] = [];
  for (const bug of KILL_BUGS) {
    found.push(tryBug(bug));
    const { name, told, isFound } = found.at(-1) as Found;
    if (!isJson) console.log(`${isFound ? 'found    ' : 'NOT FOUND'}  ${name}: ${told}`);
  }
  if (isJson) console.log(JSON.stringify({ bugs: found }, null, 2));
  return found.every(({ isFound }) => isFound) ? 0 : 1;
}

type Report = {
  readonly runs: number;
  readonly seconds: number;
  readonly failures: readonly { readonly where: string; readonly fault: string }[];
};

function tryBug({ name, network, fault }: KillBug): Found {
  const program = join(import.meta.dirname, 'main.ts');
  const words = ['--bug', name, '--network', network, '--runs', `${RUNS}`];
  const ends = ['--failures', `${RUNS}`, '--until', fault, '--json'];
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...words, ...ends], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const report = reportOf(stdout);
  if (report === undefined) return { name, isFound: false, told: stderr.slice(-2_000) };
  const seen = report.failures.find((one) => one.fault === fault);
  const told = `${seen === undefined ? 'nothing' : `${fault} at ${seen.where}`}, ${report.seconds} s`;
  return { name, isFound: seen !== undefined, told };
}

function reportOf(stdout: string): Report | undefined {
  try {
    return JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report;
  } catch {
    return undefined;
  }
}
