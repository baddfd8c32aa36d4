// The service's side of the signer: asks, and believes only answers that are some. Whoever gets
// AWAY asks again: the same order with the same unsigned bytes is signed once.

import { connect, type Socket } from 'node:net';
import { Outage } from '#base/refusal.ts';
import { connectOverTls, type Now, type TlsPlace, tlsFault } from './client-tls.ts';
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
