// The service's side of the signer: asks, and believes only answers that are some. Whoever gets
// AWAY asks again: the same order with the same unsigned bytes is signed once.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { platform } from 'node:os';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { Outage } from '#base/refusal.ts';
import {
  LINE_MOST,
  readAnswer,
  type SignerAnswer,
  type SignerQuestion,
  signQuestion,
  writeLine,
} from './protocol.ts';
import type { SignOrder } from './sign-order.ts';

/** Where it listens: the path of its socket, or an address. */
export type SignerPlace = string | TlsPlace;

type SignOutcome =
  | {
      readonly outcome: 'SIGNED';
      readonly signedTransaction: string;
      readonly transaction: string;
    }
  | { readonly outcome: 'REFUSED'; readonly code: string; readonly reasons: readonly string[] }
  | { readonly outcome: 'NEEDS_APPROVAL'; readonly code: string }
  | { readonly outcome: 'AWAY'; readonly reason: string };

type Told<Name extends SignerAnswer['answer']> = Extract<SignerAnswer, { readonly answer: Name }>;

export type SignerClient = {
  /** What it has keys for, and where its log ends. @throws Outage */
  info(): Promise<Told<'info'>>;
  sign(order: SignOrder): Promise<SignOutcome>;
  /** What waits under the code. @throws Outage */
  findPending(code: string): Promise<Told<'pending'> | Told<'refused'>>;
  /** @throws Outage */
  approve(
    digest: string,
    approver: string,
    signature: string,
  ): Promise<Told<'approved'> | Told<'refused'>>;
};

const WITHIN_MS = 30_000;

type ClientOptions = { readonly withinMs?: number; readonly now?: Now };

/** A connection for each question: there is nothing to close. */
export function openSignerClient(
  place: SignerPlace,
  { withinMs = WITHIN_MS, now }: ClientOptions = {},
): SignerClient {
  const askFor = async <Name extends SignerAnswer['answer']>(
    question: SignerQuestion,
    ...names: readonly Name[]
  ): Promise<Told<Name>> => {
    const answer = await ask(place, question, { withinMs, now });
    const found = names.find((name) => name === answer.answer);
    if (found !== undefined) return answer as Told<Name>;
    throw new Outage(`the signer: ${answer.answer === 'failed' ? answer.reason : answer.answer}`);
  };
  return {
    info: () => askFor({ ask: 'info' }, 'info'),
    async sign(order) {
      try {
        const names = ['signed', 'refused', 'needs-approval'] as const;
        return outcomeOf(await askFor(signQuestion(order), ...names));
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
        return { outcome: 'AWAY', reason: error.message };
      }
    },
    findPending: (code) => askFor({ ask: 'pending', code }, 'pending', 'refused'),
    approve: (digest, approver, signature) =>
      askFor({ ask: 'approve', digest, approver, signature }, 'approved', 'refused'),
  };
}

function outcomeOf(answer: Told<'signed' | 'refused' | 'needs-approval'>): SignOutcome {
  switch (answer.answer) {
    case 'signed': {
      const { signedTransaction, transaction } = answer;
      return { outcome: 'SIGNED', signedTransaction, transaction };
    }
    case 'refused':
      return { outcome: 'REFUSED', code: answer.code, reasons: answer.reasons };
    case 'needs-approval':
      return { outcome: 'NEEDS_APPROVAL', code: answer.code };
  }
}

type AskOptions = { readonly withinMs: number; readonly now: Now | undefined };

async function ask(
  place: SignerPlace,
  question: SignerQuestion,
  options: AskOptions,
): Promise<SignerAnswer> {
  const line = await answerLine(place, writeLine(question), options).catch((cause: unknown) => {
    throw new Outage('the signer', { cause });
  });
  const answer = readAnswer(line);
  if ('faults' in answer)
    throw new Outage(`the signer: its answer is none: ${answer.faults.join()}`);
  return answer;
}

async function answerLine(
  place: SignerPlace,
  question: string,
  { withinMs, now }: AskOptions,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = open(place, now);
  let text = '';
  socket.setEncoding('utf8');
  const timer = setTimeout(() => socket.destroy(new Error('does not answer')), withinMs);
  socket.on('error', (error) => reject(faultOf(error, place)));
  socket.on('close', () => {
    clearTimeout(timer);
    reject(closedBy(place));
  });
  socket.on('data', (chunk: string) => {
    text += chunk;
    const end = text.indexOf('\n');
    if (end >= 0) {
      resolve(text.slice(0, end));
      socket.destroy();
    } else if (text.length > 4 * LINE_MOST) {
      socket.destroy(new Error('its answer has no end'));
    }
  });
  socket.write(question);
  return promise;
}

function open(place: SignerPlace, now: Now | undefined): Socket {
  return typeof place === 'string' ? connect(place) : connectOverTls(place, now);
}

function faultOf(error: Error, place: SignerPlace): Error {
  return typeof place === 'string' ? error : tlsFault(error, place);
}

/** Over TLS 1.3 a client learns only so that its certificate is not taken. */
function closedBy(place: SignerPlace): Error {
  const closed = 'closed the connection without an answer';
  if (typeof place === 'string') return new Error(closed);
  return new Error(`${closed}: it may know no authority of SIGNER_CERTIFICATE_FILE`);
}

// TLS to a signer on another machine: the client shows a certificate, and believes the signer by an
// authority. Files are read for each question, so what is renewed counts at once. Whatever is wrong
// is one sentence that names the setting.
export type TlsPlace = {
  readonly host: string;
  readonly port: number;
  /** Paths of PEM files: the client's own, and the authority of the signer's certificate. */
  readonly keyFile: string;
  readonly certificateFile: string;
  readonly authorityFile: string;
  /** In the signer's certificate, where it is another one than the host. */
  readonly serverName?: string | undefined;
};

/** Whose clock says whether the client's own certificate has expired. */
type Now = () => Temporal.Instant;

/** @throws Error with a sentence of what is wrong with the files. */
function connectOverTls(place: TlsPlace, now: Now | undefined): TLSSocket {
  const { host, port, serverName } = place;
  const name = serverName === undefined ? {} : { servername: serverName };
  return connectTls({ host, port, minVersion: 'TLSv1.3', ...readFiles(place, now), ...name });
}

function readFiles(
  { keyFile, certificateFile, authorityFile }: TlsPlace,
  now: Now | undefined,
): Pick<ConnectionOptions, 'key' | 'cert' | 'ca'> {
  requirePrivate(keyFile);
  const key = readPem('SIGNER_KEY_FILE', keyFile, createPrivateKey, 'private key');
  const cert = readPem('SIGNER_CERTIFICATE_FILE', certificateFile, toCertificate, 'certificate');
  const ca = readPem('SIGNER_AUTHORITY_FILE', authorityFile, toCertificate, 'certificate');
  if (!cert.read.checkPrivateKey(key.read)) {
    throw new Error(`SIGNER_KEY_FILE: ${keyFile} is not the key of ${certificateFile}`);
  }
  const until = cert.read.validToDate.getTime();
  if (now !== undefined && until < now().epochMilliseconds) {
    const ended = cert.read.validTo;
    throw new Error(`SIGNER_CERTIFICATE_FILE: ${certificateFile} expired at ${ended}: renew it`);
  }
  return { key: key.text, cert: cert.text, ca: ca.text };
}

const toCertificate = (text: string) => new X509Certificate(text);

function readPem<Read>(setting: string, path: string, read: (text: string) => Read, what: string) {
  const text = readText(setting, path);
  try {
    return { text, read: read(text) };
  } catch (cause) {
    throw new Error(`${setting}: ${path} holds no ${what} in PEM`, { cause });
  }
}

function readText(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`${setting}: ${path} cannot be read (${codeOf(cause)})`, { cause });
  }
}

const OTHERS = 0o077;

/** @throws Error when others than its owner may read the key. */
function requirePrivate(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if (platform() === 'win32' || (mode & OTHERS) === 0) return;
  const shown = (mode & 0o777).toString(8);
  throw new Error(`SIGNER_KEY_FILE: ${path} is open to others (mode 0${shown}): chmod 600 it`);
}

/** Why the connection failed, in a sentence. */
function tlsFault(error: Error, { host, port, serverName = host }: TlsPlace): Error {
  const code = codeOf(error);
  const sentence = SENTENCES[code];
  if (sentence !== undefined) return new Error(sentence(serverName), { cause: error });
  if (code === 'ECONNREFUSED') return new Error(`nobody listens at ${host}:${port}`);
  return error;
}

const unknown = () =>
  "the signer's certificate is by no authority of SIGNER_AUTHORITY_FILE: give that one";
/** Node's words for what OpenSSL finds. */
const SENTENCES: Readonly<Record<string, (name: string) => string>> = {
  CERT_HAS_EXPIRED: () => "the signer's certificate has expired: renew it where the signer runs",
  CERT_NOT_YET_VALID: () => "the signer's certificate is not valid yet: compare the clocks",
  ERR_TLS_CERT_ALTNAME_INVALID: (name) =>
    `the signer's certificate is for another name than ${name}: SIGNER_SERVER_NAME says which`,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknown,
  SELF_SIGNED_CERT_IN_CHAIN: unknown,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknown,
  UNABLE_TO_GET_ISSUER_CERT: unknown,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknown,
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
