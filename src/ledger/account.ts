// The chart of accounts. An account belongs to one environment, holds one asset, and either belongs
// to a merchant or to the house. Its code says what it is for. Accounts are never removed. What
// stands on them: the balances of a merchant, what of them may leave, and what we hold.
import { type ChainId, type Environment, environmentOf, networkOf } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { defineTable, optional, type Row, text } from '#db/table.ts';
import type { AssetAmount } from '#money/asset-amount.ts';

const MERCHANT_ACCOUNT_CODES = [
  /** What the merchant may transfer. */
  'merchant:available',
  /** Underpaid money that is not accepted yet. */
  'merchant:pending',
  /** Transfers under way. */
  'merchant:reserved',
  /**
   * What the house has to get back: pending money was refunded, and then the chain lost it. A claim
   * on the merchant, so never on the merchant's side.
   */
  'merchant:owed',
] as const;
export type MerchantAccountCode = (typeof MERCHANT_ACCOUNT_CODES)[number];

type HouseAccountCode =
  /** Mirrors what we hold on the chain; by a name in small letters, at a provider. */
  | `custody:${string}`
  /** Money that arrived and that nobody claimed. */
  | `suspense:${string}`
  /** What the operator holds of it elsewhere: cold storage, an exchange. */
  | `outside:${string}`
  /** On its way between what the operator holds and a provider of conversions. */
  | `transit:${string}`
  /** What hedges brought beyond what was promised, or less (a debit). */
  | 'conversion-result'
  | 'provider-fees'
  /** Stolen, or sent by mistake. */
  | 'losses'
  | 'dust'
  | 'fees'
  | 'network-fees'
  /** One per asset: a conversion is two legs, each balanced in its own asset. */
  | 'exchange'
  | 'rounding';

export type AccountCode = MerchantAccountCode | HouseAccountCode;

export const LEDGER_ACCOUNT = defineTable('ledger_account', {
  environment: text<Environment>(),
  /** Given for merchant accounts and for no others. */
  merchantId: optional(text()),
  code: text<AccountCode>(),
  assetId: text(),
});
type NaturalKey = Row<typeof LEDGER_ACCOUNT>;

/** The natural key of an account. */
export type Account = Omit<NaturalKey, 'merchantId'> & Partial<Pick<NaturalKey, 'merchantId'>>;

export function isMerchantCode(code: AccountCode): code is MerchantAccountCode {
  return code.startsWith('merchant:');
}

/** The side on which the account grows: units are stored debit positive. */
function normalSide(code: AccountCode): 'debit' | 'credit' {
  const isHeld = ['custody:', 'outside:', 'transit:'].some((begin) => code.startsWith(begin));
  const isSpent = code === 'network-fees' || code === 'provider-fees' || code === 'losses';
  return isHeld || isSpent ? 'debit' : 'credit';
}

/** Stored units (debit positive) as people read them: positive on the account's normal side. */
export function naturalUnits(code: AccountCode, units: bigint): bigint {
  return normalSide(code) === 'debit' ? units : -units;
}

export function accountText(account: Account): string {
  const owner = account.merchantId === undefined ? '' : ` of merchant ${account.merchantId}`;
  return `${account.environment} ${account.code}${owner} in ${account.assetId}`;
}

export type Balance = {
  readonly code: MerchantAccountCode;
  readonly assetId: string;
  /** Smallest units; positive is the merchant's money, negative after a reversal of spent money. */
  readonly units: bigint;
};

/** Every account of the merchant that was ever posted to, zeros included, by asset and code. */
export async function balancesOf(
  reader: Reader,
  { merchantId, environment }: Owner,
): Promise<Balance[]> {
  const rows = await reader.query<Balance>(sql`
    select code, asset_id as "assetId", balance_units as units from ledger_balance
    where environment = ${environment} and owner = ${merchantId}
    order by asset_id, code`);
  return rows.map((row) => ({ ...row, units: naturalUnits(row.code, row.units) }));
}

/** What the ledger says we hold on the chain (smallest units), to be reconciled with it (L10). */
export async function custodyBalance(
  reader: Reader,
  chain: ChainId,
  assetId: string,
): Promise<bigint> {
  const code = `custody:${networkOf(chain)}` as const;
  const [row] = await reader.query<{ units: bigint }>(sql`
    select balance_units as units from ledger_balance
    where environment = ${environmentOf(chain)} and owner = ${''}
      and code = ${code} and asset_id = ${assetId}`);
  return naturalUnits(code, row?.units ?? 0n);
}

type Withdrawal = Owner & {
  readonly assetId: string;
  readonly units: bigint;
};

/**
 * Whether so much may leave: what is available less what the merchant owes in the same asset. One
 * asset of a merchant is looked at by one transaction at a time, so that two at once do not both
 * count the same money. Rows of accounts cannot be locked: who locks one needs the right to change
 * it, and the service has none.
 */
export async function leavesDebtCovered(
  tx: Tx,
  { merchantId, environment, assetId, units }: Withdrawal,
): Promise<boolean> {
  const lock = `withdrawals ${environment} ${merchantId} ${assetId}`;
  const locked = tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
  // Read after the lock: each statement looks afresh.
  const balances = tx.query<{ owed: bigint; available: bigint }>(sql`
    select coalesce(sum(balance_units) filter (where code = 'merchant:owed'), 0) as owed,
      coalesce(sum(-balance_units) filter (where code = 'merchant:available'), 0) as available
    from ledger_balance where environment = ${environment} and owner = ${merchantId}
      and asset_id = ${assetId} and code in ('merchant:available', 'merchant:owed')`);
  const [, [row]] = await Promise.all([locked, balances]);
  return row === undefined || row.owed <= 0n || row.available - row.owed >= units;
}

/** What a merchant has of one asset, in its smallest units. Negative after a reversal. */
export type Wallet = {
  readonly assetId: string;
  /** available + pending + what transfers under way have reserved - owed. */
  readonly balanceUnits: bigint;
  readonly availableUnits: bigint;
  readonly pendingUnits: bigint;
  /** Refunded to payers whose payment the chain then lost. Never negative. */
  readonly owedUnits: bigint;
};

/** Of every asset the merchant ever had, by asset id. */
export async function listWallets(reader: Reader, owner: Owner): Promise<Wallet[]> {
  const byAsset = Map.groupBy(await balancesOf(reader, owner), ({ assetId }) => assetId);
  return Array.from(byAsset, ([assetId, balances]) => walletOf(assetId, balances));
}

export function walletOf(assetId: string, balances: readonly Balance[]): Wallet {
  const units = (code?: Balance['code']) =>
    balances
      .filter((balance) => code === undefined || balance.code === code)
      .reduce((sum, balance) => sum + balance.units, 0n);
  return {
    assetId,
    balanceUnits: units(),
    availableUnits: units('merchant:available'),
    pendingUnits: units('merchant:pending'),
    owedUnits: -units('merchant:owed'),
  };
}

/** What entries of one owner posted to an account of the house since then, by asset. */
export function listPostedSince(
  reader: Reader,
  { merchantId, environment }: Owner,
  code: 'exchange',
  since: Temporal.Instant,
): Promise<AssetAmount[]> {
  return reader.query<AssetAmount>(sql`
    select p.asset_id as "assetId", sum(p.units) as units
    from ledger_entry e join ledger_posting p on p.entry_id = e.id
    join ledger_account a on a.id = p.account_id and a.code = ${code}
    where e.merchant_id = ${merchantId} and e.environment = ${environment}
      and e.occurred_at > ${since}
    group by p.asset_id having sum(p.units) <> 0`);
}

export type SpentAct = AssetAmount & {
  /** It became another asset of the same merchant, and left the house not yet. */
  readonly isConversion: boolean;
};

/**
 * What the merchant was debited since then to be sent out or converted, act by act, oldest first;
 * without acts whose money went back.
 */
export function listSpentSince(
  reader: Reader,
  { merchantId, environment }: Owner,
  since: Temporal.Instant,
): Promise<(SpentAct & { readonly at: Temporal.Instant })[]> {
  // The list of kinds is that of the index ledger_entry_spent.
  return reader.query(sql`
    select p.asset_id as "assetId", p.units, e.occurred_at as at,
      e.kind = 'swap' as "isConversion"
    from ledger_entry e join ledger_posting p on p.entry_id = e.id
    join ledger_account a on a.id = p.account_id
      and a.code in ('merchant:available', 'merchant:pending')
    where e.merchant_id = ${merchantId} and e.environment = ${environment}
      and e.kind in ('transfer-reserve', 'refund-reserve', 'swap')
      and e.occurred_at > ${since} and p.units > 0
      and not exists (select 1 from ledger_entry r
        where r.subject_id = e.subject_id and r.kind in ('transfer-return', 'refund-return')
          and not exists (select 1 from ledger_entry undone where undone.corrects_entry = r.id))
    order by e.occurred_at, e.id`);
}
