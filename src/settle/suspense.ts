// Money that arrived and is nobody's yet, or is not what was asked for, and the SQL of its table.
// It is booked with its receipt, and lies there until a person decides (suspense-act.ts) or the
// chain takes it back.

import { type ChainId, type Environment, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Owner } from '#catalog/owner.ts';
import { RETURNING_RECEIPTS, siblingInstruction } from '#chain/strangers.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import {
  bigInteger,
  defineTable,
  integer,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  units,
} from '#db/table.ts';
import type { DepositPurpose } from '#deposit/deposit-instruction.ts';

export const SUSPENSE_REASONS = [
  'WRONG_ASSET',
  'WRONG_NETWORK',
  'NO_MEMO',
  'UNKNOWN_MEMO',
  'NO_REFERENCE',
  'UNKNOWN_REFERENCE',
  'UNKNOWN_INDEX',
  'UNKNOWN_INVOICE',
] as const;
type SuspenseReason = (typeof SUSPENSE_REASONS)[number];

export const SUSPENSE_STATES = [
  'OPEN',
  'ASSIGNED',
  'RETURNING',
  'RETURNED',
  'WRITTEN_OFF',
  'GONE',
] as const;
export type SuspenseState = (typeof SUSPENSE_STATES)[number];

export const SUSPENSE = defineTable('suspense', {
  id: selectOnly(bigInteger),
  receiptId: bigInteger,
  generation: integer,
  environment: text<Environment>(),
  network: text(),
  assetId: text(),
  units,
  reason: text<SuspenseReason>(),
  /** Whose checkout or address it names, or to whom it was assigned. */
  merchantId: optional(text()),
  purpose: optional(text<DepositPurpose>()),
  purposeId: optional(text()),
  state: selectOnly(text<SuspenseState>()),
  actCount: selectOnly(integer),
  foundAt: moment,
  resolvedAt: selectOnly(optional(moment)),
});
export type Suspense = Row<typeof SUSPENSE>;

/** What is booked: the rest is known by the booking, or comes later. */
export type SuspenseBooking = Pick<
  Suspense,
  'receiptId' | 'generation' | 'environment' | 'network' | 'assetId' | 'units' | 'reason'
> &
  Partial<Pick<Suspense, 'merchantId' | 'purpose' | 'purposeId'>>;

/** To be sent with its entry. What names nothing itself may be known from a sibling chain. */
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
    from (select 1) as one left join (${siblingInstruction(made.receiptId)}) i on true`);
}

export function findSuspense(reader: Reader, id: bigint): Promise<Suspense | undefined> {
  return SUSPENSE.find(reader, sql`where id = ${id}`);
}

export function lockSuspense(tx: Tx, id: bigint): Promise<Suspense | undefined> {
  return SUSPENSE.find(tx, sql`where id = ${id} for update`);
}

export function lockSuspenseOfReceipts(tx: Tx, receiptIds: readonly bigint[]): Promise<Suspense[]> {
  return SUSPENSE.select(
    tx,
    sql`where receipt_id = any(${receiptIds}::bigint[]) order by id for update`,
  );
}

/** What waits, and brings back a transfer as far as its network says; oldest first. */
export function listCameBack(
  reader: Reader,
  most: number,
): Promise<
  { readonly suspenseId: bigint; readonly transferId: string; readonly remark: string }[]
> {
  return reader.query(sql`
    select s.id as "suspenseId", b.transfer_id as "transferId", b.remark
    from suspense s join (${RETURNING_RECEIPTS}) b on b.receipt_id = s.receipt_id
    where s.state = 'OPEN' order by s.id limit ${most}`);
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
  const all = sql`true`;
  const conditions: readonly Statement[] = [
    isOpen ? sql`state in ('OPEN', 'RETURNING')` : all,
    merchantId === undefined ? all : sql`merchant_id = ${merchantId}`,
    environment === undefined ? all : sql`environment = ${environment}`,
    before === undefined ? all : sql`id < ${before}`,
  ];
  const where = conditions.reduce((one, other) => sql`${one} and ${other}`);
  return SUSPENSE.select(reader, sql`where ${where} order by id desc limit ${most}`);
}

/** What waits and names the owner, oldest first: `what`, `id` of its checkout, `since`. */
export function selectWaitingSuspense(owner: Owner, most: number): Statement {
  return sql`
    (select case when reason in ('WRONG_ASSET', 'WRONG_NETWORK') then 'wrong-asset'
        else 'suspense' end as what,
      case when purpose = 'checkout' then purpose_id else '' end as id, found_at as since
    from suspense where ${ownedBy(owner)} and state = 'OPEN' order by found_at limit ${most})`;
}

export function updateSuspense(
  tx: Tx,
  id: bigint,
  change: Pick<Suspense, 'state' | 'resolvedAt'>,
): void {
  tx.send(sql`
    update suspense set state = ${change.state}, resolved_at = ${change.resolvedAt ?? null}
    where id = ${id}`);
}

/** Why money that nobody was asked for has no owner: by what was said with it. */
export function reasonOfStranger(chain: ChainId, destination: string): SuspenseReason {
  const isNamed = destination.includes(':') && !destination.endsWith(':');
  switch (getNetwork(networkOf(chain)).knownBy) {
    case 'memo':
    case 'tag':
      return isNamed ? 'UNKNOWN_MEMO' : 'NO_MEMO';
    case 'reference':
      return isNamed ? 'UNKNOWN_REFERENCE' : 'NO_REFERENCE';
    case 'invoice':
      return 'UNKNOWN_INVOICE';
    case 'address':
      return 'UNKNOWN_INDEX';
  }
}
