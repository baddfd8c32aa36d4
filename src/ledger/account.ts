// The chart of accounts. An account belongs to one environment, holds one asset, and either belongs
// to a merchant or to the house. Its code says what it is for. Accounts are never removed.
import type { Environment } from '#catalog/chain.ts';
import { defineTable, optional, type Row, text } from '#db/table.ts';

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
