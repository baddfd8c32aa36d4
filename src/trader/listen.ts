// The trader's door: HTTP over a Unix socket that its owner alone may open. Guarantees: nobody
// makes it read more than a question, or wait for ever; what is no question is answered with 400.

import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  QUESTION_BYTES_MOST,
  readTraderQuestion,
  type TraderAnswer,
  type TraderQuestion,
} from './protocol.ts';

const REQUEST_MS = 10_000;
const CONNECTIONS_MOST = 64;

/** The socket file of a process that is gone is replaced: the caller holds the lock. */
export async function listenForQuestions(
  { socket, isForGroup }: { readonly socket: string; readonly isForGroup: boolean },
  answer: (question: TraderQuestion) => Promise<TraderAnswer>,
): Promise<{ close(): Promise<void> }> {
  rmSync(socket, { force: true });
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    reply(request, response, answer).catch(() => response.destroy());
  });
  server.maxConnections = CONNECTIONS_MOST;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => resolve());
  });
  chmodSync(socket, isForGroup ? 0o660 : 0o600);
  return {
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function reply(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (question: TraderQuestion) => Promise<TraderAnswer>,
): Promise<void> {
  let text = '';
  request.setEncoding('utf8');
  for await (const part of request) {
    text += part;
    if (text.length > QUESTION_BYTES_MOST) {
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
  }
  const question = readTraderQuestion(text);
  if ('fault' in question) {
    response.writeHead(400).end(question.fault);
    return;
  }
  const told = await answer(question);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
}
