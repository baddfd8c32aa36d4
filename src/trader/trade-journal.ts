// What the trader did, line by line, in a file of its own. Guarantees: a line is on disk before the
// exchange hears of what it says, so that whatever was sent is known after any crash; what is in
// the file counts against the caps of any 24 hours. A line that was cut off by a crash was of
// something that was not sent.

import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { requirePrivate, syncDirectory } from '#runtime/private-file.ts';

type Sent = {
  readonly provider: string;
  readonly assetId: string;
  /** Whole coins. */
  readonly amount: string;
};

export type TradeEntry =
  | { readonly kind: 'started' }
  | ({
      readonly kind: 'placing';
      readonly id: string;
      readonly symbol: string;
      readonly side: string;
      readonly baseAmount: string;
      readonly price: string;
    } & Sent)
  | { readonly kind: 'placed'; readonly id: string; readonly exchangeId: string }
  | { readonly kind: 'rejected'; readonly id: string; readonly reason: string }
  /** The exchange did not take it, and it may be sent again. */
  | { readonly kind: 'not-sent'; readonly id: string; readonly reason: string }
  | { readonly kind: 'refused'; readonly id: string; readonly reason: string }
  | ({ readonly kind: 'withdrawing'; readonly name: string; readonly to: string } & Sent)
  | { readonly kind: 'withdrawn'; readonly name: string; readonly reference: string }
  | { readonly kind: 'not-withdrawn'; readonly name: string; readonly reason: string };
export type TradeLine = { readonly at: string; readonly entry: TradeEntry };

export type KnownOrder = Sent & {
  readonly at: Temporal.Instant;
  readonly symbol: string;
  readonly exchangeId?: string;
  readonly rejected?: string;
};
type KnownWithdrawal = Sent & {
  readonly at: Temporal.Instant;
  readonly to: string;
  readonly reference?: string;
};

export type TradeJournal = {
  /** By client order id. */
  readonly orders: ReadonlyMap<string, KnownOrder>;
  /** By name. */
  readonly withdrawals: ReadonlyMap<string, KnownWithdrawal>;
  /** Why it was refused last, by client order id: the same is not written again and again. */
  readonly refusals: ReadonlyMap<string, string>;
  /** On disk when it returns. @throws Outage; nothing can be written from then on. */
  append(entry: TradeEntry): void;
  close(): void;
};

/** @throws Refusal when a line is none of ours, or the file is open to others. */
export function openTradeJournal(path: string, clock: Clock): TradeJournal {
  const { O_RDWR, O_APPEND, O_CREAT } = constants;
  const file = openSync(path, O_RDWR | O_APPEND | O_CREAT, 0o600);
  requirePrivate(path, file);
  const { lines, bytes } = readTradeJournal(path);
  ftruncateSync(file, bytes);
  fsyncSync(file);
  syncDirectory(dirname(path));
  const orders = new Map<string, KnownOrder>();
  const withdrawals = new Map<string, KnownWithdrawal>();
  const refusals = new Map<string, string>();
  const remember = ({ at, entry }: TradeLine) => {
    if (entry.kind === 'refused') refusals.set(entry.id, entry.reason);
    rememberOrder(orders, Temporal.Instant.from(at), entry);
    rememberWithdrawal(withdrawals, Temporal.Instant.from(at), entry);
  };
  for (const line of lines) remember(line);
  let failure: unknown;
  return {
    ...{ orders, withdrawals, refusals },
    append(entry) {
      if (failure !== undefined) throw new Outage('the journal of the trader', { cause: failure });
      const line = { at: clock.now().toString(), entry };
      try {
        const text = Buffer.from(`${JSON.stringify(line)}\n`);
        for (let written = 0; written < text.length; ) written += writeSync(file, text, written);
        fsyncSync(file);
      } catch (error) {
        // What is on disk now is not known: whoever starts it again reads that.
        failure = error;
        throw new Outage('the journal of the trader', { cause: error });
      }
      remember(line);
    },
    close: () => closeSync(file),
  };
}

/** Every whole line. @throws Refusal */
export function readTradeJournal(path: string): {
  readonly lines: readonly TradeLine[];
  /** Of the whole lines. */
  readonly bytes: number;
} {
  const content = readFileSync(path);
  const bytes = content.lastIndexOf(10) + 1;
  const texts = content.toString('utf8', 0, bytes).split('\n').slice(0, -1);
  return { bytes, lines: texts.map((text, at) => lineOf(text, path, at + 1)) };
}

function lineOf(text: string, path: string, number: number): TradeLine {
  try {
    const line = JSON.parse(text) as TradeLine;
    if (typeof line.at === 'string' && typeof line.entry.kind === 'string') return line;
  } catch {
    // Said below.
  }
  const fault = `${path}: line ${number} is not what the trader wrote; restore the file`;
  throw new Refusal('conflict', 'trader_journal_changed', fault);
}

function rememberOrder(
  orders: Map<string, KnownOrder>,
  at: Temporal.Instant,
  entry: TradeEntry,
): void {
  if (entry.kind === 'placing') {
    const { id, provider, assetId, amount, symbol } = entry;
    orders.set(id, { at, provider, assetId, amount, symbol });
    return;
  }
  if (entry.kind !== 'placed' && entry.kind !== 'rejected' && entry.kind !== 'not-sent') return;
  const known = orders.get(entry.id);
  if (known === undefined) return;
  if (entry.kind === 'not-sent') orders.delete(entry.id);
  else if (entry.kind === 'placed') {
    orders.set(entry.id, { ...known, exchangeId: entry.exchangeId });
  } else orders.set(entry.id, { ...known, rejected: entry.reason });
}

function rememberWithdrawal(
  withdrawals: Map<string, KnownWithdrawal>,
  at: Temporal.Instant,
  entry: TradeEntry,
): void {
  if (entry.kind === 'withdrawing') {
    const { name, provider, assetId, amount, to } = entry;
    withdrawals.set(name, { at, provider, assetId, amount, to });
    return;
  }
  if (entry.kind === 'not-withdrawn') withdrawals.delete(entry.name);
  if (entry.kind !== 'withdrawn') return;
  const known = withdrawals.get(entry.name);
  if (known) withdrawals.set(entry.name, { ...known, reference: entry.reference });
}
