// The signer as a running process: key file, rules, log and door, from one directory that nobody
// else may read. One process at a time: a lock in the directory.

import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { withProcessLock } from '#runtime/process-lock.ts';
import { answerQuestion, type Signer } from './answer-question.ts';
import { openSignerKeys } from './key-file.ts';
import type { KeyFamilies } from './open-key.ts';
import {
  LINE_MOST,
  readQuestion,
  type SignerAnswer,
  type SignerQuestion,
  writeLine,
} from './protocol.ts';
import {
  type Listening,
  readSignerSettings,
  type SignerSettings,
  spellAddresses,
} from './rules.ts';
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

// The signer's door: a Unix socket that its owner alone may open, and TLS where the service is on
// another machine, for clients with a certificate only. Guarantees: nobody makes it hold more than
// a line for each connection, wait for ever, or end; what is no question is answered and closed.
type Listener = {
  /** Of TLS, as the system gave it. */
  readonly port: number | undefined;
  close(): Promise<void>;
};
type AnswerTo = (question: SignerQuestion) => SignerAnswer;

const CONNECTIONS_MOST = 256;
/** Of silence. */
const IDLE_MS = 60_000;
/** For whoever was told that it is no question, to read that. */
const PARTING_MS = 2_000;
const NEW_LINE = 10;

/** The socket file of a process that is gone is replaced: the caller holds the lock. */
export async function listen(
  { socket, isForGroup, tls }: Listening,
  answer: AnswerTo,
  log: Log,
): Promise<Listener> {
  rmSync(socket, { force: true });
  const plain = createServer((connection) => serve(connection, answer, log));
  await listening(plain, { path: socket });
  chmodSync(socket, isForGroup ? 0o660 : 0o600);
  const servers: Server[] = [plain];
  let port: number | undefined;
  if (tls !== undefined) {
    const secured = createTlsServer(
      {
        key: readFileSync(tls.keyFile),
        cert: readFileSync(tls.certificateFile),
        ca: readFileSync(tls.clientAuthorityFile),
        requestCert: true,
        rejectUnauthorized: true,
        minVersion: 'TLSv1.3',
      },
      (connection) => serve(connection, answer, log),
    );
    secured.on('tlsClientError', (error) => {
      log.warn('a client without a right certificate was refused', { error: error.message });
    });
    await listening(secured, { host: tls.host, port: tls.port });
    const address = secured.address();
    port = address !== null && typeof address === 'object' ? address.port : undefined;
    servers.push(secured);
  }
  const open = new Set<Socket>();
  for (const server of servers) {
    server.maxConnections = CONNECTIONS_MOST;
    server.on('connection', (connection) => {
      open.add(connection);
      connection.once('close', () => open.delete(connection));
    });
  }
  return {
    port,
    async close() {
      const closed = servers.map((server) => new Promise((done) => server.close(done)));
      for (const connection of open) connection.destroy();
      await Promise.all(closed);
    },
  };
}

function listening(server: Server, where: object): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function serve(connection: Socket, answer: AnswerTo, log: Log): void {
  let waiting: Buffer = Buffer.alloc(0);
  connection.setTimeout(IDLE_MS, () => connection.destroy());
  connection.on('error', () => connection.destroy());
  // An answer that is not read holds back the questions after it.
  connection.on('drain', () => connection.resume());
  const hear = (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes]);
    for (let end = waiting.indexOf(NEW_LINE); end >= 0; end = waiting.indexOf(NEW_LINE)) {
      const line = waiting.subarray(0, end);
      waiting = waiting.subarray(end + 1);
      const isWhole = line.length <= LINE_MOST;
      const told = isWhole ? answerLine(line.toString('utf8'), answer, log) : TOO_LONG;
      if (told.answer === 'refused' && told.code === MALFORMED) return part(told);
      if (!connection.write(writeLine(told))) connection.pause();
    }
    if (waiting.length > LINE_MOST) part(TOO_LONG);
  };
  /** The answer is sent; whatever else comes is thrown away, and not for long. */
  const part = (last: SignerAnswer) => {
    waiting = Buffer.alloc(0);
    connection.off('data', hear);
    connection.resume();
    connection.end(writeLine(last));
    setTimeout(() => connection.destroy(), PARTING_MS).unref();
  };
  connection.on('data', hear);
}

const MALFORMED = 'question_malformed';
const TOO_LONG: SignerAnswer = {
  answer: 'refused',
  code: MALFORMED,
  reasons: [`a question has at most ${LINE_MOST} bytes`],
};

function answerLine(line: string, answer: AnswerTo, log: Log): SignerAnswer {
  const question = readQuestion(line);
  if ('faults' in question) {
    return { answer: 'refused', code: MALFORMED, reasons: [...question.faults] };
  }
  try {
    return answer(question);
  } catch (error) {
    log.error('a question could not be answered', { error });
    const reason =
      error instanceof Outage ? `${error.what} cannot be written` : 'a bug: see its log';
    return { answer: 'failed', reason };
  }
}
