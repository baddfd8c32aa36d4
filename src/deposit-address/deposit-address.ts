// A dedicated destination, paid any number of times and watched for ever (api-contract.md 5); what
// arrived there and was credited; and the SQL of both tables.

import { assert } from '#base/assert.ts';
import { chainOf, type Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { cutPage, type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import {
  bigInteger,
  defineTable,
  insertOnly,
  integer,
  moment,
  optional,
  type Row,
  text,
  units,
} from '#db/table.ts';
import {
  type DepositInstruction,
  type InstructionKeys,
  listInstructionsByPurpose,
} from '#deposit/deposit-instruction.ts';
import type { Payee } from '#deposit/network.ts';

export const DEPOSIT_ADDRESS = defineTable('deposit_address', {
  id: text(),
  merchantId: text(),
  environment: text<Environment>(),
  network: text(),
  /** What it was made for; anything else that arrives goes to suspense. */
  assetId: text(),
  instructionId: text(),
  label: optional(text()),
  webhookUrl: optional(text()),
  /** JSON text of the merchant's own data. */
  meta: optional(text()),
  apiKey: optional(text()),
  /** In force when it was made. */
  feePartsPerMillion: integer,
  eventSequence: integer,
  createdAt: moment,
});
export type DepositAddress = Row<typeof DEPOSIT_ADDRESS>;

/** With where to pay and the link a wallet opens; the payer chooses the amount. */
export type DepositAddressRecord = DepositAddress & {
  readonly instruction: DepositInstruction;
  readonly paymentUri: string;
};

export const DEPOSIT_CREDIT = defineTable('deposit_credit', {
  receiptId: bigInteger,
  generation: integer,
  depositAddressId: insertOnly(text()),
  assetId: text(),
  units,
  netUnits: units,
  feeUnits: units,
  account: text<'available' | 'suspense'>(),
  creditedAt: insertOnly(moment),
});
/** What a final receipt was credited as. */
export type DepositCredit = Row<typeof DEPOSIT_CREDIT>;

type FindDepositAddressApp = {
  readonly db: Reader;
  readonly keyring: InstructionKeys;
  readonly networks: ReadonlyMap<string, Payee>;
};

/** Undefined also for one of another merchant or environment (E9). */
export async function findDepositAddress(
  app: FindDepositAddressApp,
  owner: Owner,
  id: string,
): Promise<DepositAddressRecord | undefined> {
  return findWhere(app, id, sql`where id = ${id} and ${ownedBy(owner)}`);
}

/** Whoever owns it. */
export async function findAnyDepositAddress(
  app: FindDepositAddressApp,
  id: string,
): Promise<DepositAddressRecord | undefined> {
  return findWhere(app, id, sql`where id = ${id}`);
}

/** One round trip: its instruction is found by its id too. */
async function findWhere(
  app: FindDepositAddressApp,
  id: string,
  where: Statement,
): Promise<DepositAddressRecord | undefined> {
  const [found, instructions] = await Promise.all([
    DEPOSIT_ADDRESS.find(app.db, where),
    listInstructionsByPurpose(app, app.db, 'deposit-address', [id]),
  ]);
  return found && joinInstruction(app, found, instructions.get(id) ?? []);
}

/** Newest first. */
export async function listDepositAddresses(
  app: FindDepositAddressApp,
  owner: Owner,
  { cursor, limit }: { readonly cursor: PagePlace | undefined; readonly limit: number },
): Promise<{
  readonly depositAddresses: readonly DepositAddressRecord[];
  readonly nextCursor: string | null;
}> {
  const { at, id } = placeNewestFirst(cursor);
  const rows = await DEPOSIT_ADDRESS.select(
    app.db,
    sql`where ${ownedBy(owner)} and (created_at, id) < (${at}, ${id})
    order by created_at desc, id desc limit ${limit + 1}`,
  );
  const place = ({ createdAt, id }: DepositAddress) => ({ at: createdAt, id });
  const { shown, nextCursor } = cutPage(rows, limit, place);
  return { depositAddresses: await withInstructions(app, shown), nextCursor };
}

async function withInstructions(
  app: FindDepositAddressApp,
  found: readonly DepositAddress[],
): Promise<DepositAddressRecord[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const instructions = await listInstructionsByPurpose(app, app.db, 'deposit-address', ids);
  return found.map((one) => joinInstruction(app, one, instructions.get(one.id) ?? []));
}

export function joinInstruction(
  { networks }: Pick<FindDepositAddressApp, 'networks'>,
  address: DepositAddress,
  instructions: readonly DepositInstruction[],
): DepositAddressRecord {
  const instruction = instructions.find(({ id }) => id === address.instructionId);
  assert(instruction !== undefined, 'a deposit address has its instruction');
  const network = networks.get(chainOf(address.environment, address.network));
  // A network that was taken out of the configuration still shows where to pay, without a link.
  const paymentUri = network?.paymentUri(instruction, address.assetId, undefined) ?? '';
  return { ...address, instruction, paymentUri };
}

const RECEIVER = DEPOSIT_ADDRESS.only('merchantId', 'apiKey', 'webhookUrl');

/** Who is told of what happens to money of a deposit address. */
export function findDepositReceiver(
  reader: Reader,
  depositAddressId: string,
): Promise<Row<typeof RECEIVER> | undefined> {
  return RECEIVER.find(reader, sql`where id = ${depositAddressId}`);
}

/** Gives up at once when another worker is at it. */
export function lockDepositAddress(tx: Tx, id: string): Promise<DepositAddress | undefined> {
  return DEPOSIT_ADDRESS.find(tx, sql`where id = ${id} for update skip locked`);
}

/** The credits of these receipts that were not taken back. */
export async function listLiveCredits(
  reader: Reader,
  receiptIds: readonly bigint[],
): Promise<DepositCredit[]> {
  if (receiptIds.length === 0) return [];
  return DEPOSIT_CREDIT.select(
    reader,
    sql`where receipt_id = any(${receiptIds}::bigint[]) and reversed_at is null`,
  );
}

/** Payments of one day that were credited alike, of one merchant. */
type CreditedDeposits = Pick<DepositAddress, 'merchantId' | 'environment' | 'network'> &
  Pick<DepositCredit, 'assetId' | 'units'> & {
    /** Its beginning in UTC. */
    readonly day: Temporal.Instant;
    readonly payments: number;
  };

/** `causes` of events that tell of credits: `deposit:<receipt>:<generation>:…`. */
export async function sumDeposits(
  reader: Reader,
  causes: readonly string[],
): Promise<CreditedDeposits[]> {
  if (causes.length === 0) return [];
  return reader.query<CreditedDeposits>(sql`
    select a.merchant_id as "merchantId", a.environment, a.network, c.asset_id as "assetId",
      date_trunc('day', c.credited_at, 'UTC') as day, count(*)::int as payments,
      sum(c.units)::numeric(78,0) as units
    from unnest(${causes}::text[]) as told (cause)
      join deposit_credit c on c.receipt_id = split_part(told.cause, ':', 2)::bigint
        and c.generation = split_part(told.cause, ':', 3)::integer
      join deposit_address a on a.id = c.deposit_address_id
    group by 1, 2, 3, 4, 5`);
}

/** Those whose payments wait for a person: `what`, `id`, `since`, which nobody knows. */
export function selectWaitingAddresses(owner: Owner, most: number): Statement {
  return sql`
    (select 'parked-address' as what, id, null::timestamptz as since from deposit_address
    where ${ownedBy(owner)} and parked_reason is not null order by created_at limit ${most})`;
}

/** Taken back, or assigned from suspense to somebody: the credit counts no more. */
export function reverseDepositCredit(
  tx: Tx,
  { receiptId, generation }: Pick<DepositCredit, 'receiptId' | 'generation'>,
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update deposit_credit set reversed_at = ${now}
    where receipt_id = ${receiptId} and generation = ${generation}`);
}
