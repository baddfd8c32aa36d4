// SQL of the transfers, private to this folder. Rows are parsed here and nowhere else.

import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import type { PreparedTransfer, ReceivingAccount } from './executor.ts';
import type { Transfer, TransferOwner, TransferState } from './transfer.ts';

type TransferRow = {
  id: string;
  merchant_id: string;
  environment: 'test' | 'live';
  kind: Transfer['kind'];
  beneficiary_id: string | null;
  network: string;
  asset_id: string;
  account: string | null;
  units: bigint;
  network_fee_units: bigint;
  fee_units: bigint;
  target_units: bigint;
  source: Transfer['source'];
  state: TransferState;
  api_key: string | null;
  signed_transaction: string | null;
  transaction: string | null;
  failure: string | null;
  created_at: Temporal.Instant;
  expires_at: Temporal.Instant;
  committed_at: Temporal.Instant | null;
  submitted_at: Temporal.Instant | null;
  finished_at: Temporal.Instant | null;
  next_step_at: Temporal.Instant | null;
  step_failures: number;
};

const COLUMNS = sql`id, merchant_id, environment, kind, beneficiary_id, network, asset_id, account,
  units, network_fee_units, fee_units, target_units, source, state, api_key, signed_transaction,
  transaction, failure, created_at, expires_at, committed_at, submitted_at, finished_at,
  next_step_at`;
const READ = sql`${COLUMNS}, step_failures`;

function transferFromRow(row: TransferRow): Transfer {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    kind: row.kind,
    beneficiaryId: row.beneficiary_id ?? undefined,
    network: row.network,
    assetId: row.asset_id,
    account: row.account === null ? undefined : (JSON.parse(row.account) as ReceivingAccount),
    units: row.units,
    networkFeeUnits: row.network_fee_units,
    feeUnits: row.fee_units,
    targetUnits: row.target_units,
    source: row.source,
    state: row.state,
    apiKey: row.api_key ?? undefined,
    signedTransaction: row.signed_transaction ?? undefined,
    transaction: row.transaction ?? undefined,
    failure: row.failure ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    committedAt: row.committed_at ?? undefined,
    submittedAt: row.submitted_at ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    nextStepAt: row.next_step_at ?? undefined,
    stepFailures: row.step_failures,
  };
}

async function readTransfers(reader: Reader, statement: Statement): Promise<Transfer[]> {
  const rows = await reader.query<TransferRow>(statement);
  return rows.map(transferFromRow);
}

export function insertTransferRow(tx: Tx, transfer: Transfer, seal: Uint8Array): void {
  const account = transfer.account === undefined ? null : JSON.stringify(transfer.account);
  tx.send(sql`
    insert into transfer (${COLUMNS}, seal)
    values (${transfer.id}, ${transfer.merchantId}, ${transfer.environment}, ${transfer.kind},
      ${transfer.beneficiaryId ?? null}, ${transfer.network}, ${transfer.assetId}, ${account},
      ${transfer.units}, ${transfer.networkFeeUnits}, ${transfer.feeUnits},
      ${transfer.targetUnits}, ${transfer.source}, ${transfer.state}, ${transfer.apiKey ?? null},
      ${transfer.signedTransaction ?? null}, ${transfer.transaction ?? null},
      ${transfer.failure ?? null}, ${transfer.createdAt}, ${transfer.expiresAt},
      ${transfer.committedAt ?? null}, ${transfer.submittedAt ?? null},
      ${transfer.finishedAt ?? null}, ${transfer.nextStepAt ?? null}, ${seal})`);
}

export async function findTransferRow(reader: Reader, id: string): Promise<Transfer | undefined> {
  const [found] = await readTransfers(reader, sql`select ${READ} from transfer where id = ${id}`);
  return found;
}

export async function lockTransferRow(tx: Tx, id: string): Promise<Transfer | undefined> {
  const [found] = await readTransfers(
    tx,
    sql`select ${READ} from transfer where id = ${id} for update`,
  );
  return found;
}

/** Newest first; refunds are listed as refunds. */
export function listTransferRows(
  reader: Reader,
  { merchantId, environment }: TransferOwner,
  after: PagePlace | undefined,
  limit: number,
): Promise<Transfer[]> {
  const { at, id } = placeNewestFirst(after);
  return readTransfers(
    reader,
    sql`select ${READ} from transfer
      where merchant_id = ${merchantId} and environment = ${environment} and kind = 'TRANSFER'
        and (created_at, id) < (${at}, ${id})
      order by created_at desc, id desc limit ${limit}`,
  );
}

/** A lease: whoever gets a row alone works on it until then, and another one after that. */
export function claimDueTransfers(
  tx: Tx,
  {
    now,
    leaseUntil,
    most,
  }: {
    readonly now: Temporal.Instant;
    readonly leaseUntil: Temporal.Instant;
    readonly most: number;
  },
): Promise<Transfer[]> {
  return readTransfers(
    tx,
    sql`update transfer set next_step_at = ${leaseUntil}
      where id = any(array(select id from transfer where next_step_at <= ${now}
        order by next_step_at limit ${most} for update skip locked))
      returning ${READ}`,
  );
}

/** After a few in a row a person is shown why; it is tried again when its lease ends. */
export async function recordStepFailure(tx: Tx, id: string, reason: string): Promise<void> {
  await tx.query(sql`
    update transfer set step_failures = step_failures + 1,
      step_error = case when step_failures >= 4 then ${reason} else step_error end
    where id = ${id} and finished_at is null`);
}

export async function clearStepFailures(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`
    update transfer set step_failures = 0, step_error = null where id = ${id}`);
}

export function markReserved(tx: Tx, id: string, now: Temporal.Instant): void {
  tx.send(sql`
    update transfer set state = 'RESERVED', committed_at = ${now}, next_step_at = ${now}
    where id = ${id}`);
}

/** False when another worker was first: what it stored counts, and this one is thrown away. */
export async function storePrepared(
  tx: Tx,
  id: string,
  { signedTransaction, transaction }: PreparedTransfer,
): Promise<boolean> {
  const stored = await tx.query(sql`
    update transfer set signed_transaction = ${signedTransaction}, transaction = ${transaction},
      parked_reason = null
    where id = ${id} and state = 'RESERVED' and signed_transaction is null returning id`);
  return stored.length === 1;
}

/** Unless somebody made it due meanwhile: its lease is no longer the one that was taken. */
export async function postponeStep(
  tx: Tx,
  id: string,
  { from, at }: { readonly from: Temporal.Instant | undefined; readonly at: Temporal.Instant },
): Promise<void> {
  await tx.query(sql`
    update transfer set next_step_at = ${at}
    where id = ${id} and signed_transaction is null and state = 'RESERVED'
      and next_step_at = ${from ?? null}`);
}

export async function markSubmitted(
  tx: Tx,
  id: string,
  { now, nextStepAt }: { readonly now: Temporal.Instant; readonly nextStepAt: Temporal.Instant },
): Promise<void> {
  await tx.query(sql`
    update transfer set state = 'SUBMITTED', submitted_at = coalesce(submitted_at, ${now}),
      next_step_at = ${nextStepAt}
    where id = ${id} and state in ('RESERVED', 'SUBMITTED')`);
}

export function markFinished(
  tx: Tx,
  id: string,
  end: {
    readonly state: 'COMPLETED' | 'FAILED' | 'EXPIRED';
    readonly failure: string | undefined;
    readonly eventSequence: number;
    readonly finishedAt: Temporal.Instant;
  },
): void {
  tx.send(sql`
    update transfer set state = ${end.state}, failure = ${end.failure ?? null},
      event_sequence = ${end.eventSequence}, finished_at = ${end.finishedAt}, next_step_at = null,
      -- What landed was submitted, also when whoever did it died before it could say so.
      submitted_at = case when ${end.state === 'COMPLETED'}
        then coalesce(submitted_at, ${end.finishedAt}) else submitted_at end
    where id = ${id}`);
}

/** The payer of a refund said where it goes. */
export function setAccount(
  tx: Tx,
  id: string,
  account: ReceivingAccount,
  seal: Uint8Array,
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update transfer set account = ${JSON.stringify(account)}, seal = ${seal}::bytea,
      parked_reason = null, next_step_at = ${now}
    where id = ${id}`);
}

/** A person looks at it; it is looked at again by itself, should it be mended. */
export async function parkTransfer(
  tx: Tx,
  id: string,
  { reason, againAt }: { readonly reason: string; readonly againAt: Temporal.Instant },
): Promise<void> {
  await tx.query(sql`
    update transfer set parked_reason = ${reason}, next_step_at = ${againAt}
    where id = ${id} and state = 'RESERVED' and signed_transaction is null`);
}

export async function findSealOfTransfer(
  reader: Reader,
  id: string,
): Promise<Uint8Array | undefined> {
  const [row] = await reader.query<{ seal: Uint8Array | null }>(
    sql`select seal from transfer where id = ${id}`,
  );
  return row?.seal ?? undefined;
}

/** What may still be sent, from before seals. */
export function listUnsealedTransfers(reader: Reader): Promise<Transfer[]> {
  return readTransfers(
    reader,
    sql`select ${READ} from transfer
      where seal is null and state in ('QUOTED', 'RESERVED', 'SUBMITTED')`,
  );
}

export function setSealOfTransfer(tx: Tx, id: string, seal: Uint8Array): void {
  tx.send(sql`update transfer set seal = ${seal}::bytea where id = ${id}`);
}

/** False when it was set before. */
export async function setTransfersSealedAt(tx: Tx, now: Temporal.Instant): Promise<boolean> {
  const rows = await tx.query(sql`
    update installation set transfers_sealed_at = ${now}
    where transfers_sealed_at is null returning id`);
  return rows.length > 0;
}
