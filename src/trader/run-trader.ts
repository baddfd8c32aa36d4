// The trader as a running process: accounts, rules, journal and door, from one directory that
// nobody else may read. One process at a time: a lock in the directory.

import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { withProcessLock } from '#runtime/process-lock.ts';
import { answerTrader, type Trader } from './answer-trader.ts';
import { openAccounts, traderFiles } from './key-file.ts';
import { type Exchange, openExchange } from './open-exchange.ts';
import {
  QUESTION_BYTES_MOST,
  readTraderQuestion,
  type TraderAnswer,
  type TraderQuestion,
} from './protocol.ts';
import { readTraderSettings } from './rules.ts';
import { openTradeJournal } from './trade-journal.ts';

type Running = {
  readonly directory: string;
  readonly passphrase: string;
  readonly clock: Clock;
  readonly log: Log;
  /** False where the exchange does not mind how fast it is asked. */
  readonly isPaced?: boolean;
  /** Resolves when it is to end. */
  readonly ended: Promise<unknown>;
  /** Is told when it listens. */
  readonly onReady: (socket: string) => void;
};

/** Long enough to take the lock of a process that was killed. */
const LOCK_WITHIN_SECONDS = 2;

/** @throws Refusal when it cannot start. */
export async function runTrader(running: Running): Promise<void> {
  const { lock } = traderFiles(running.directory);
  await withProcessLock(lock, LOCK_WITHIN_SECONDS, () => tradeUntilEnded(running));
}

async function tradeUntilEnded(running: Running): Promise<void> {
  const { directory, clock, log, ended, onReady, isPaced = true } = running;
  const files = traderFiles(directory);
  const settings = readTraderSettings(directory, files.settings);
  const exchanges = new Map<string, Exchange>();
  for (const account of openAccounts(running)) {
    exchanges.set(account.provider, await openExchange(account, { isPaced }));
  }
  const journal = openTradeJournal(files.journal, clock);
  const { rules } = settings;
  const trader: Trader = { exchanges, rules, journal, clock, log, turns: new Map() };
  journal.append({ kind: 'started' });
  const door = await listenForQuestions(settings, (question) => answerTrader(trader, question));
  try {
    onReady(settings.socket);
    await ended;
  } finally {
    await door.close();
    journal.close();
  }
}

// The trader's door: HTTP over a Unix socket that its owner alone may open. Guarantees: nobody
// makes it read more than a question, or wait for ever; what is no question is answered with 400.
const REQUEST_MS = 10_000;
const CONNECTIONS_MOST = 64;

/** The socket file of a process that is gone is replaced: the caller holds the lock. */
async function listenForQuestions(
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
