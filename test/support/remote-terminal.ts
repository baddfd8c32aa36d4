// npx quittance login, listen … in this process: the commands that ask an installation over HTTP, each
// with a terminal of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { systemRandom } from '#base/random.ts';
import { runRemoteCommand } from '#remote/remote-commands.ts';

export type RemoteTerminal = {
  /** What it keeps is here: profiles. */
  readonly home: string;
  run(...words: string[]): Promise<RemoteEnded>;
  /** Runs on until `end`. */
  start(...words: string[]): RunningCommand;
  /** Lines of the standard input of the next command. */
  feed(...lines: string[]): void;
  /** What is asked for and typed, in order. */
  type(...answers: string[]): void;
  readonly shown: string[];
  close(): void;
};

export type RemoteEnded = {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Of the last line. */
  readonly json: Readonly<Record<string, unknown>>;
};

export type RunningCommand = {
  readonly said: string[];
  readonly complained: string[];
  end(): Promise<RemoteEnded>;
  readonly ended: Promise<RemoteEnded>;
};

export function openRemoteTerminal(
  settings: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
): RemoteTerminal {
  const home = mkdtempSync(join(tmpdir(), 'quittance-remote-'));
  const answers: string[] = [];
  const fed: string[] = [];
  const shown: string[] = [];

  function start(...words: string[]): RunningCommand {
    const said: string[] = [];
    const complained: string[] = [];
    const stop = new AbortController();
    const say = (text: string) => void said.push(text);
    const complain = (text: string) => void complained.push(text);
    const answer = async () => answers.shift() ?? '';
    const ended = runRemoteCommand(
      words,
      { say, complain },
      {
        environment: { HOME: home, ...settings },
        directory: home,
        clock: systemClock,
        random: systemRandom,
        ended: stop.signal,
        readText: async (path) => files[path] ?? '',
        showInBrowser: (url) => void shown.push(url),
        input: piecesOf(fed.splice(0)),
        askText: answer,
        askSecret: answer,
        ...{ say, complain },
      },
    ).then((exitCode) => {
      const last = said.at(-1) ?? '';
      const json = last.startsWith('{') ? JSON.parse(last) : {};
      return { exitCode, stdout: said.join('\n'), stderr: complained.join('\n'), json };
    });
    return {
      ...{ said, complained, ended },
      end() {
        stop.abort();
        return ended;
      },
    };
  }

  return {
    ...{ home, shown, start },
    run: (...words) => start(...words).ended,
    feed: (...lines) => void fed.push(...lines),
    type: (...typed) => void answers.push(...typed),
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

async function* piecesOf(lines: readonly string[]): AsyncGenerator<string> {
  for (const line of lines) yield `${line}\n`;
}
