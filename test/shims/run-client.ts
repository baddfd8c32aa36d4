// A client of another language, as a program that answers JSON.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

export type RunClient = <Told>(words: readonly string[], input?: string) => Told;

export function runClient(
  program: string,
  script: string,
  env: Readonly<Record<string, string>>,
): RunClient {
  return (words, input = '') => {
    const { status, stdout, stderr, error } = spawnSync(
      program,
      [join(import.meta.dirname, script), ...words],
      { encoding: 'utf8', input, env: { ...process.env, ...env } },
    );
    if (status !== 0) throw new Error(`${script} ${words[0]}: ${error ?? ''}${stdout}${stderr}`);
    return JSON.parse(stdout.slice(stdout.search(/[[{"tf]/)));
  };
}
