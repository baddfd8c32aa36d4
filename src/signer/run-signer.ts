// The signer as a running process: key file, rules, log and door, from one directory that nobody
// else may read. One process at a time: a lock in the directory.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { withProcessLock } from '#runtime/process-lock.ts';
import { answerQuestion, type Signer } from './answer-question.ts';
import { openSignerKeys } from './key-file.ts';
import { listen } from './listen.ts';
import type { KeyFamilies } from './open-key.ts';
import { readSignerSettings, type SignerSettings, spellAddresses } from './rules.ts';
import { sha256Text } from './sign-order.ts';
import { openSignerLog } from './signer-log.ts';

/** The files of a signer, by its directory. */
export function signerFiles(directory: string) {
  return {
    keys: join(directory, 'keys.json'),
    settings: join(directory, 'signer.toml'),
    log: join(directory, 'log.jsonl'),
    lock: join(directory, 'lock'),
  };
}

/** Its settings, with paths as they are from anywhere. @throws Refusal */
export function readSettingsOf(directory: string): SignerSettings & { readonly text: string } {
  const path = signerFiles(directory).settings;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Refusal(
      'missing',
      'signer_missing',
      `${path} cannot be read: quittance sign init --directory ${directory} makes one`,
      { cause: error },
    );
  }
  const { listening, passphraseFile, ...settings } = readSignerSettings(text);
  const from = (name: string) => resolve(directory, name);
  const { tls } = listening;
  return {
    ...settings,
    text,
    passphraseFile: passphraseFile === undefined ? undefined : from(passphraseFile),
    listening: {
      ...listening,
      socket: from(listening.socket),
      tls: tls && {
        ...tls,
        keyFile: from(tls.keyFile),
        certificateFile: from(tls.certificateFile),
        clientAuthorityFile: from(tls.clientAuthorityFile),
      },
    },
  };
}

type Running = {
  readonly directory: string;
  readonly passphrase: string;
  readonly families: KeyFamilies;
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves when it is to end. */
  readonly ended: Promise<unknown>;
  /** Is told when it listens; `port` of TLS. */
  readonly onReady: (at: { readonly socket: string; readonly port: number | undefined }) => void;
};

/** Long enough to take the lock of a process that was killed. */
const LOCK_WITHIN_SECONDS = 2;

/** @throws Refusal when it cannot start. */
export async function runSigner(running: Running): Promise<void> {
  const { lock } = signerFiles(running.directory);
  await withProcessLock(lock, LOCK_WITHIN_SECONDS, () => signUntilEnded(running));
}

async function signUntilEnded(running: Running): Promise<void> {
  const { directory, passphrase, clock, log, ended, onReady } = running;
  const files = signerFiles(directory);
  const settings = readSettingsOf(directory);
  const { keys, approvers, logKey } = openSignerKeys(files.keys, passphrase);
  const signerLog = openSignerLog(files.log, logKey, clock);
  const { listening } = settings;
  const opened = keys.map(running.families.openKey);
  const rules = spellAddresses(settings.rules, opened);
  const refusals = { minute: 0n, count: 0 };
  const signer: Signer = { keys: opened, approvers, rules, signerLog, clock, log, refusals };
  signerLog.append({ kind: 'started', settings: sha256Text(settings.text) });
  const door = await listen(listening, (question) => answerQuestion(signer, question), log);
  try {
    onReady({ socket: listening.socket, port: door.port });
    await ended;
  } finally {
    await door.close();
    signerLog.close();
  }
}
