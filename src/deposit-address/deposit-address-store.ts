// SQL of deposit_address and deposit_credit, private to this folder.

import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import type { DepositAccount, DepositAddress, DepositCredit } from './deposit-address.ts';

type Owner = { readonly merchantId: string; readonly environment: Environment };

type DepositAddressRow = {
  id: string;
  merchant_id: string;
  environment: Environment;
  network: string;
  asset_id: string;
  instruction_id: string;
  label: string | null;
  webhook_url: string | null;
  meta: string | null;
  api_key: string | null;
  fee_parts_per_million: number;
  event_sequence: number;
  created_at: Temporal.Instant;
};

const COLUMNS = sql`id, merchant_id, environment, network, asset_id, instruction_id, label,
  webhook_url, meta, api_key, fee_parts_per_million, event_sequence, created_at`;

function fromRow(row: DepositAddressRow): DepositAddress {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    network: row.network,
    assetId: row.asset_id,
    instructionId: row.instruction_id,
    label: row.label ?? undefined,
    webhookUrl: row.webhook_url ?? undefined,
    metaText: row.meta ?? undefined,
    apiKey: row.api_key ?? undefined,
    feePartsPerMillion: row.fee_parts_per_million,
    eventSequence: row.event_sequence,
    createdAt: row.created_at,
  };
}

export function insertDepositAddress(tx: Tx, made: DepositAddress): void {
  tx.send(sql`
    insert into deposit_address (id, merchant_id, environment, network, asset_id, instruction_id,
      label, webhook_url, meta, api_key, fee_parts_per_million, created_at)
    values (${made.id}, ${made.merchantId}, ${made.environment}, ${made.network},
      ${made.assetId}, ${made.instructionId}, ${made.label ?? null}, ${made.webhookUrl ?? null},
      ${made.metaText ?? null}, ${made.apiKey ?? null}, ${made.feePartsPerMillion},
      ${made.createdAt})`);
}

/** Only rows of this owner: a row of somebody else looks the same as no row (E9). */
export async function findDepositAddressRow(
  reader: Reader,
  owner: Owner,
  id: string,
): Promise<DepositAddress | undefined> {
  const [row] = await reader.query<DepositAddressRow>(sql`
    select ${COLUMNS} from deposit_address where id = ${id}
      and merchant_id = ${owner.merchantId} and environment = ${owner.environment}`);
  return row === undefined ? undefined : fromRow(row);
}

/** Of any owner. */
export async function findAnyDepositAddressRow(
  reader: Reader,
  id: string,
): Promise<DepositAddress | undefined> {
  const [row] = await reader.query<DepositAddressRow>(
    sql`select ${COLUMNS} from deposit_address where id = ${id}`,
  );
  return row === undefined ? undefined : fromRow(row);
}

export async function listDepositAddressRows(
  reader: Reader,
  owner: Owner,
  { cursor, most }: { readonly cursor: PagePlace | undefined; readonly most: number },
): Promise<DepositAddress[]> {
  const { at, id } = placeNewestFirst(cursor);
  const rows = await reader.query<DepositAddressRow>(sql`
    select ${COLUMNS} from deposit_address
    where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
      and (created_at, id) < (${at}, ${id})
    order by created_at desc, id desc limit ${most}`);
  return rows.map(fromRow);
}

/** Gives up at once when another worker is at it. */
export async function lockDepositAddressRow(
  tx: Tx,
  id: string,
): Promise<DepositAddress | undefined> {
  const [row] = await tx.query<DepositAddressRow>(
    sql`select ${COLUMNS} from deposit_address where id = ${id} for update skip locked`,
  );
  return row === undefined ? undefined : fromRow(row);
}

type DepositCreditRow = {
  receipt_id: bigint;
  generation: number;
  asset_id: string;
  units: bigint;
  net_units: bigint;
  fee_units: bigint;
  account: DepositAccount;
};

/** The credits of these receipts that were not taken back. */
export async function listLiveCredits(
  reader: Reader,
  receiptIds: readonly bigint[],
): Promise<DepositCredit[]> {
  if (receiptIds.length === 0) return [];
  const rows = await reader.query<DepositCreditRow>(sql`
    select receipt_id, generation, asset_id, units, net_units, fee_units, account
    from deposit_credit where receipt_id = any(${receiptIds}::bigint[]) and reversed_at is null`);
  return rows.map((row) => ({
    receiptId: row.receipt_id,
    generation: row.generation,
    assetId: row.asset_id,
    units: row.units,
    netUnits: row.net_units,
    feeUnits: row.fee_units,
    account: row.account,
  }));
}

export function insertDepositCredit(
  tx: Tx,
  depositAddressId: string,
  credit: DepositCredit,
  now: Temporal.Instant,
): void {
  tx.send(sql`
    insert into deposit_credit (receipt_id, generation, deposit_address_id, asset_id, units,
      net_units, fee_units, account, credited_at)
    values (${credit.receiptId}, ${credit.generation}, ${depositAddressId}, ${credit.assetId},
      ${credit.units}, ${credit.netUnits}, ${credit.feeUnits}, ${credit.account}, ${now})`);
}

export function markCreditReversed(
  tx: Tx,
  { receiptId, generation }: Pick<DepositCredit, 'receiptId' | 'generation'>,
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update deposit_credit set reversed_at = ${now}
    where receipt_id = ${receiptId} and generation = ${generation}`);
}
