// The trader as a running process: accounts, rules, journal and door, from one directory that
// nobody else may read. One process at a time: a lock in the directory.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { withProcessLock } from '#runtime/process-lock.ts';
import { answerTrader, type Trader } from './answer-trader.ts';
import { openAccounts, traderFiles } from './key-file.ts';
import { listenForQuestions } from './listen.ts';
import { type Exchange, openExchange } from './open-exchange.ts';
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
