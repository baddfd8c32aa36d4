// SQL of suspense and suspense_act.

import type { Environment } from '#catalog/chain.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import type { DepositPurpose } from './deposit-instruction.ts';
import type { Suspense, SuspenseActKind, SuspenseReason, SuspenseState } from './suspense.ts';

type SuspenseRow = {
  id: bigint;
  receipt_id: bigint;
  generation: number;
  environment: Environment;
  network: string;
  asset_id: string;
  units: bigint;
  reason: SuspenseReason;
  merchant_id: string | null;
  purpose: DepositPurpose | null;
  purpose_id: string | null;
  state: SuspenseState;
  act_count: number;
  found_at: Temporal.Instant;
  resolved_at: Temporal.Instant | null;
};

async function readSuspense(reader: Reader, tail: Statement): Promise<Suspense[]> {
  const rows = await reader.query<SuspenseRow>(sql`
    select s.id, s.receipt_id, s.generation, s.environment, s.network, s.asset_id, s.units,
      s.reason, s.merchant_id, s.purpose, s.purpose_id, s.state, s.act_count, s.found_at,
      s.resolved_at
    from suspense s ${tail}`);
  return rows.map((row) => ({
    id: row.id,
    receiptId: row.receipt_id,
    generation: row.generation,
    environment: row.environment,
    network: row.network,
    assetId: row.asset_id,
    units: row.units,
    reason: row.reason,
    merchantId: row.merchant_id ?? undefined,
    purpose: row.purpose ?? undefined,
    purposeId: row.purpose_id ?? undefined,
    state: row.state,
    actCount: row.act_count,
    foundAt: row.found_at,
    resolvedAt: row.resolved_at ?? undefined,
  }));
}

export async function lockSuspenseRow(tx: Tx, id: bigint): Promise<Suspense | undefined> {
  return (await readSuspense(tx, sql`where s.id = ${id} for update`))[0];
}

export async function findSuspenseRow(reader: Reader, id: bigint): Promise<Suspense | undefined> {
  return (await readSuspense(reader, sql`where s.id = ${id}`))[0];
}

export function lockSuspenseOfReceipts(tx: Tx, receiptIds: readonly bigint[]): Promise<Suspense[]> {
  return readSuspense(
    tx,
    sql`where s.receipt_id = any(${receiptIds}::bigint[]) order by s.id for update`,
  );
}

export async function findSuspenseOfTransfer(
  reader: Reader,
  transferId: string,
): Promise<Suspense | undefined> {
  const tail = sql`join suspense_act a on a.suspense_id = s.id and a.transfer_id = ${transferId}`;
  return (await readSuspense(reader, tail))[0];
}

export type SuspenseFilter = {
  readonly merchantId?: string | undefined;
  readonly environment?: Environment | undefined;
  /** Only what waits for a person, or is on its way back. */
  readonly isOpen: boolean;
  readonly before?: bigint | undefined;
};

/** Newest first. */
export function listSuspenseRows(
  reader: Reader,
  { merchantId, environment, isOpen, before }: SuspenseFilter,
  most: number,
): Promise<Suspense[]> {
  const open = isOpen ? sql`s.state in ('OPEN', 'RETURNING')` : sql`true`;
  const owner = merchantId === undefined ? sql`true` : sql`s.merchant_id = ${merchantId}`;
  const where = environment === undefined ? sql`true` : sql`s.environment = ${environment}`;
  const place = before === undefined ? sql`true` : sql`s.id < ${before}`;
  return readSuspense(
    reader,
    sql`where ${open} and ${owner} and ${where} and ${place} order by s.id desc limit ${most}`,
  );
}

export type SuspenseBooking = {
  readonly receiptId: bigint;
  readonly generation: number;
  readonly environment: Environment;
  readonly network: string;
  readonly assetId: string;
  readonly units: bigint;
  readonly reason: SuspenseReason;
  readonly merchantId?: string | undefined;
  readonly purpose?: DepositPurpose | undefined;
  readonly purposeId?: string | undefined;
};

/** With its booking. What names nothing itself may be known from a sibling chain. */
export function insertSuspense(tx: Tx, made: SuspenseBooking, now: Temporal.Instant): void {
  tx.send(sql`
    insert into suspense (receipt_id, generation, environment, network, asset_id, units, reason,
      merchant_id, purpose, purpose_id, found_at)
    select ${made.receiptId}::bigint, ${made.generation}::integer, ${made.environment},
      ${made.network}, ${made.assetId}, ${made.units}::numeric,
      case when i.id is null then ${made.reason} else 'WRONG_NETWORK' end,
      coalesce(${made.merchantId ?? null}::text, i.merchant_id),
      coalesce(${made.purpose ?? null}::text, i.purpose),
      coalesce(${made.purposeId ?? null}::text, i.purpose_id), ${now}::timestamptz
    from (select 1) as one
      left join misdirected_receipt m on m.receipt_id = ${made.receiptId}
      left join deposit_instruction i on i.id = m.instruction_id
    order by m.instruction_id limit 1`);
}

export type SuspenseChange = {
  readonly state: SuspenseState;
  readonly resolvedAt: Temporal.Instant | undefined;
};

export function updateSuspense(tx: Tx, id: bigint, change: SuspenseChange): void {
  tx.send(sql`
    update suspense set state = ${change.state}, resolved_at = ${change.resolvedAt ?? null}
    where id = ${id}`);
}

export type SuspenseAct = {
  readonly suspenseId: bigint;
  readonly number: number;
  readonly kind: SuspenseActKind;
  readonly actor: string;
  readonly reason: string;
  readonly merchantId?: string | undefined;
  readonly checkoutId?: string | undefined;
  readonly address?: string | undefined;
  readonly transaction?: string | undefined;
  readonly transferId?: string | undefined;
  /** Assigned as a payment of its checkout: it is decided there what the merchant is credited. */
  readonly isPayment?: boolean;
  readonly actedAt: Temporal.Instant;
};

export function insertSuspenseAct(tx: Tx, act: SuspenseAct): void {
  const { suspenseId, merchantId = null, checkoutId = null } = act;
  tx.send(sql`
    insert into suspense_act (suspense_id, number, kind, actor, reason, merchant_id, checkout_id,
      address, transaction, transfer_id, is_payment, acted_at)
    values (${suspenseId}, ${act.number}, ${act.kind}, ${act.actor}, ${act.reason}, ${merchantId},
      ${checkoutId}, ${act.address ?? null}, ${act.transaction ?? null},
      ${act.transferId ?? null}, ${act.isPayment === true}, ${act.actedAt})`);
  tx.send(sql`
    update suspense set act_count = ${act.number},
      merchant_id = coalesce(${merchantId}, merchant_id),
      purpose = coalesce(${checkoutId === null ? null : 'checkout'}, purpose),
      purpose_id = coalesce(${checkoutId}, purpose_id)
    where id = ${suspenseId}`);
}

type SuspenseActRow = {
  suspense_id: bigint;
  number: number;
  kind: SuspenseActKind;
  actor: string;
  reason: string;
  merchant_id: string | null;
  checkout_id: string | null;
  address: string | null;
  transaction: string | null;
  transfer_id: string | null;
  is_payment: boolean;
  acted_at: Temporal.Instant;
};

/** In order of their numbers; the transaction of a transfer is told where there is one. */
export async function listSuspenseActs(
  reader: Reader,
  suspenseIds: readonly bigint[],
): Promise<SuspenseAct[]> {
  if (suspenseIds.length === 0) return [];
  const rows = await reader.query<SuspenseActRow>(sql`
    select a.suspense_id, a.number, a.kind, a.actor, a.reason, a.merchant_id, a.checkout_id,
      a.address, coalesce(a.transaction, t.transaction) as transaction, a.transfer_id,
      a.is_payment, a.acted_at
    from suspense_act a left join transfer t on t.id = a.transfer_id
    where a.suspense_id = any(${suspenseIds}::bigint[]) order by a.suspense_id, a.number`);
  return rows.map((row) => ({
    suspenseId: row.suspense_id,
    number: row.number,
    kind: row.kind,
    actor: row.actor,
    reason: row.reason,
    merchantId: row.merchant_id ?? undefined,
    checkoutId: row.checkout_id ?? undefined,
    address: row.address ?? undefined,
    transaction: row.transaction ?? undefined,
    transferId: row.transfer_id ?? undefined,
    isPayment: row.is_payment,
    actedAt: row.acted_at,
  }));
}
