import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import { type ChainId, chainOf, networkOf } from '#catalog/chain.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import type { OrderFile } from '#deposit/money-out.ts';
import type {
  Block,
  BlockReference,
  BrakeCause,
  Departure,
  Network,
  Observation,
  Position,
  Spend,
} from '#deposit/network.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import type { BankAccount } from './bank-account.ts';
import {
  countOpenReversals,
  endOfLog,
  LOG_START,
  type LogEntry,
  listLogEntries,
  listLogHashes,
} from './bank-log.ts';
import { bankDestination, bankOrder, bankPayee, receiverName } from './bank-payee.ts';
import { listStatementBalances } from './bank-statement.ts';
import { listBalanceFaults } from './list-balance-faults.ts';
import { writePain001 } from './write-pain-001.ts';

export function openBankNetworks(
  accounts: readonly BankAccount[],
  { db, clock }: NetworkParts,
): OpenedNetwork[] {
  return accounts.map((account) => ({
    network: bankNetwork({ chain: chainOf('live', account.network), account, db, clock }),
    isTestChain: false,
  }));
}

// A bank, received through statements that the operator imports. Customers pay one account and
// are told apart by a creditor reference. The log of what was imported stands in for a chain: a
// row is a block, and a booking that takes a credit back changes the hashes from there on, so that
// the watch goes back and forth as over a reorganised chain.
//
// Guarantees: only what is booked is given, once, with the amount booked; nothing is asked of
// anybody, so nothing here fails but the database. Not guaranteed: that a statement is genuine;
// whoever may run commands on the server may import what they like.
type BankNetworkOptions = {
  readonly chain: ChainId;
  readonly account: BankAccount;
  readonly db: Db;
  readonly clock: Clock;
};

/** All bank logs share one identity, so an account may be replaced by another one. */
const IDENTITY = LOG_START.hash;
const MOST_BLOCKS = 500;
/** A customer waits, and who imports a statement is another process. */
const LOOK_MS = 500;
/** Statements that are held against each other: a year and more of days. */
const STATEMENTS_COMPARED = 500;

export function bankNetwork({ chain, account, db, clock }: BankNetworkOptions): Network {
  let lastHeardAt: Temporal.Instant | undefined;
  let faults: readonly BrakeCause[] = [];
  let openReversals = 0n;
  let readUpTo: string | undefined;

  /** What a person should know, also where nothing is watched: in a command beside the server. */
  async function lookBack(): Promise<void> {
    const [statements, count] = await Promise.all([
      listStatementBalances(db, chain, account.account, STATEMENTS_COMPARED),
      countOpenReversals(db, chain),
    ]);
    faults = listBalanceFaults(statements);
    openReversals = count;
  }

  async function observe(position: Position): Promise<Observation> {
    // Before the step: what is imported meanwhile is not taken for read.
    const { hash } = await endOfLog(db, chain);
    const step = await readStep(db, chain, position, clock);
    // After the payments: with one of them comes the gap before its statement, or it is not held.
    await lookBack();
    readUpTo = hash;
    lastHeardAt = clock.now();
    return { identity: IDENTITY, unconfirmed: [], gone: [], brake: faults, ...step };
  }

  async function waitForHint(ms: number, signal: AbortSignal): Promise<void> {
    for (let leftMs = ms; leftMs > 0; leftMs -= LOOK_MS) {
      if ((await endOfLog(db, chain)).hash !== readUpTo) return;
      await clock.sleep(Math.min(leftMs, LOOK_MS), signal);
    }
  }

  function advice(): string[] {
    if (openReversals === 0n) return [];
    return [`${openReversals} bookings take back a payment that cannot be told: compare by hand`];
  }

  return {
    ...bankPayee(chain, account),
    receivableAssets: () => account.currencies.map(assetOf),
    checkIdentity: lookBack,
    observe,
    waitForHint,
    health: () => ({
      chain,
      description: 'statements',
      nodeVersion: undefined,
      lastHeardAt,
      lastError: undefined,
      advice: advice(),
    }),
    // Banks share no file of orders for Pix (decision 42).
    ...(account.network !== 'PIX' && { orderFile: (file) => orderFile(account, file) }),
    close: async () => {},
  };
}

/** Days of banks in euro are those of Frankfurt, where their payments settle (TARGET). */
const BANK_ZONE = 'Europe/Berlin';

/** Of a refund the IBAN alone is known; EPC132-08 has this word where something is not told. */
const UNKNOWN_HOLDER = 'NOTPROVIDED';

function orderFile(from: BankAccount, { messageId, createdAt, payments }: OrderFile): string {
  const executeOn = createdAt.toZonedDateTimeISO(BANK_ZONE).toPlainDate();
  const orders = payments.map(bankOrder).map((order) => ({
    ...order,
    account: from.network === 'SEPA' ? { holder: UNKNOWN_HOLDER, ...order.account } : order.account,
  }));
  return writePain001({ messageId, createdAt, executeOn, from, orders });
}

type Step = Pick<Observation, 'tip' | 'rollbackTo' | 'blocks' | 'spends' | 'complete'>;

async function readStep(db: Db, chain: ChainId, position: Position, clock: Clock): Promise<Step> {
  const { cursor } = position;
  if (cursor === undefined) {
    const start: Block = { ...LOG_START, parentHash: 'none', minedAt: clock.now(), arrivals: [] };
    const tip = { ...LOG_START };
    return { tip, rollbackTo: undefined, blocks: [start], spends: [], complete: false };
  }
  const base = await findBase(db, chain, position, cursor);
  const isExtended = base.hash === cursor.hash;
  // What stands after a row that changed must not be missed for a moment: all of it at once.
  const rows = await listLogEntries(db, chain, base.height, isExtended ? MOST_BLOCKS : null);
  // Somebody imported a statement between the two looks. The next step sees all of it.
  if (rows[0] !== undefined && rows[0].parentHash !== base.hash) {
    throw new Outage(chain, { cause: new Error('a statement is being imported') });
  }
  const blocks = rows.map((row) => toBlock(row, networkOf(chain) === 'PIX'));
  const tip = blocks.at(-1) ?? base;
  return {
    tip: { height: tip.height, hash: tip.hash },
    rollbackTo: isExtended ? undefined : base,
    blocks,
    spends: rows.flatMap(toSpend),
    complete: !isExtended || rows.length < MOST_BLOCKS,
  };
}

/** The highest recorded row that is still as it was. */
async function findBase(
  db: Db,
  chain: ChainId,
  { recent }: Position,
  cursor: BlockReference,
): Promise<BlockReference> {
  const candidates = [cursor, ...recent.filter(({ height }) => height < cursor.height)];
  const hashes = await listLogHashes(
    db,
    chain,
    candidates.map(({ height }) => height),
  );
  const known = candidates.find(({ height, hash }) => hashes.get(height) === hash);
  if (known !== undefined) return { height: known.height, hash: known.hash };
  const lowest = await lowestUndone(db, chain);
  assert(lowest !== undefined, `${chain}: the log is not the one that was read`);
  const height = lowest - 1n;
  const hash = (await listLogHashes(db, chain, [height])).get(height);
  assert(hash !== undefined, `${chain}: the log has a hole`);
  return { height, hash };
}

function toBlock(row: LogEntry, isPix: boolean): Block {
  const isStanding = row.kind === 'CREDIT' && row.undoneBy === undefined;
  return {
    height: row.height,
    hash: row.hash,
    parentHash: row.parentHash,
    minedAt: row.recordedAt,
    arrivals: isStanding
      ? [
          {
            creditKey: row.creditKey,
            transaction: row.transaction,
            destination: bankDestination(row.account, row.reference),
            assetId: assetOf(row.currency),
            units: row.units,
            spends: [outpointOf(row.creditKey)],
            // Everything that came to the account is held. What names no reference of ours lies in
            // suspense.
            ours: true,
            remark: row.remark,
            transferId: row.transferId,
          },
        ]
      : [],
    departures: toDepartures(row, isPix),
  };
}

/**
 * A row is one departure. Its name has the number of the row: in a batch, many have the same
 * reference of the bank.
 */
function toDepartures(row: LogEntry, isPix: boolean): Departure[] {
  const { kind, creditKey, units, chargeUnits, receiver, transferId } = row;
  if (kind !== 'PAYMENT' && kind !== 'CHARGE') return [];
  const assetId = assetOf(row.currency);
  const transaction = `${row.transaction}#${row.height}`;
  if (kind === 'CHARGE') return [{ transaction, parts: [], fee: { assetId, units } }];
  const destination = receiverName(isPix ? undefined : receiver, transferId);
  const parts = [{ creditKey, destination, assetId, units }];
  return [{ transaction, parts, fee: { assetId, units: chargeUnits } }];
}

/** The height of the lowest credit that was taken back; no row below it ever changed. */
async function lowestUndone(reader: Reader, chain: ChainId): Promise<bigint | undefined> {
  const [row] = await reader.query<{ height: bigint | null }>(sql`
    select min(height) as height from bank_entry
    where chain = ${chain} and undone_by is not null`);
  return row?.height ?? undefined;
}

/** Both take the same money, so that the credit is known to be gone for good. */
function toSpend({ undoneKey, creditKey, height }: LogEntry): Spend[] {
  if (undoneKey === null) return [];
  return [{ transaction: `undone by ${creditKey}`, spends: [outpointOf(undoneKey)], height }];
}

function outpointOf(creditKey: string): string {
  return `booking ${creditKey}`;
}

function assetOf(currency: string): string {
  return `${currency}:FIAT`;
}
