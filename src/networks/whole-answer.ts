// The whole answer to one question to a node, in time and within a size, or none: what was cut off,
// came late or has no end is never taken for an answer.

import type { ClientRequest } from 'node:http';
import { Outage } from '#base/refusal.ts';
import { nodeOutage } from './node-outage.ts';

/** A kept connection was closed by the node in the moment it was used again: ask once more. */
export class ClosedConnection extends Error {}

/** Worth asking for less. */
export class AnswerTooLong extends Outage {
  /** As many as were read. */
  readonly bytes: number;

  constructor(what: string, sentence: string, bytes: number) {
    super(what, { cause: new Error(sentence) });
    this.bytes = bytes;
  }
}

export type AnswerLimits = {
  /** Names the node in errors: the chain. */
  readonly what: string;
  /** Which of its nodes; 'the node' where there is one. */
  readonly whom?: string;
  readonly timeoutMs: number;
  readonly mostAnswerBytes: number;
  readonly signal: AbortSignal | undefined;
};

export type WholeAnswer = {
  readonly status: number;
  readonly body: Buffer;
  /** The header Retry-After, where there is one. */
  readonly retryAfter: string | undefined;
};

/** Sends the body. @throws ClosedConnection, an Outage, or the reason of the signal */
export function wholeAnswer(
  request: ClientRequest,
  sent: string | undefined,
  { what, whom = 'the node', timeoutMs, mostAnswerBytes, signal }: AnswerLimits,
): Promise<WholeAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WholeAnswer>();
  const late = () => request.destroy(new Error(`no answer within ${timeoutMs} ms`));
  const timer = setTimeout(late, timeoutMs);
  const fail = (error: Error) => {
    if (signal?.aborted) return reject(signal.reason);
    const code = 'code' in error ? error.code : undefined;
    const isStale = request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
    reject(isStale ? new ClosedConnection() : nodeOutage(what, `${whom} does not answer`, error));
  };
  request.on('error', fail);
  request.on('close', () => clearTimeout(timer));
  request.on('response', (response) => {
    const parts: Buffer[] = [];
    let size = 0;
    response.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= mostAnswerBytes) return void parts.push(part);
      // Done first, so that the part that has arrived can never be taken for a whole answer.
      const sentence = `an answer of ${whom} exceeds ${mostAnswerBytes} bytes`;
      reject(new AnswerTooLong(what, sentence, size));
      request.destroy();
    });
    // 'aborted' and a short body arrive here as an error, never as an 'end'.
    response.on('error', fail);
    response.on('end', () => {
      const { statusCode = 0, headers } = response;
      const body = Buffer.concat(parts, size);
      resolve({ status: statusCode, body, retryAfter: headers['retry-after'] });
    });
  });
  request.end(sent);
  return promise;
}
