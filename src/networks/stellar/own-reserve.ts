// What the account that pays on Stellar has to keep in lumens, and whether a payment would take of
// it. What does would fail in the ledger, and cost its fee and its sequence number all the same.
import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';

import { amountToText } from '#money/asset-amount.ts';
import { type Fields, requireFields, requireThat } from '#networks/answer-fields.ts';
import { type OutgoingPayment, sentAsset } from '#networks/outgoing-payment.ts';
import { requireAssetId, requireUnits } from './horizon-fields.ts';

type OwnLumens = {
  /** All that the account has, in stroops. */
  readonly heldUnits: bigint;
  /** What the ledger makes it keep, and what its own offers may take of it at any time. */
  readonly keptUnits: bigint;
};

const NATIVE = `XLM:${NATIVE_ISSUER}`;
const ENTRIES_MOST = 2 ** 32;

/**
 * Two base reserves, one more for each entry of the account, and for each that it pays for others;
 * without those that others pay for it (CAP-33, minimum balance). `baseReserveUnits`: of the newest
 * ledger. @throws NodeLie
 */
export function readOwnLumens(answer: unknown, baseReserveUnits: bigint): OwnLumens {
  const account = requireFields(answer, 'the account');
  requireThat(Array.isArray(account.balances), 'the account has no balances');
  const lumens = account.balances
    .map((one: unknown) => requireFields(one, 'a balance'))
    .filter(({ asset_type: type }) => type === 'native');
  const [native] = lumens;
  requireThat(
    native !== undefined && lumens.length === 1 && requireAssetId(native) === NATIVE,
    'the account has no balance of lumens',
  );
  const entries =
    2n +
    requireCount(account, 'subentry_count') +
    requireCount(account, 'num_sponsoring') -
    requireCount(account, 'num_sponsored');
  requireThat(entries >= 0n, 'others pay for more of the account than there is');
  return {
    heldUnits: requireUnits(native, 'balance'),
    keptUnits: entries * baseReserveUnits + requireUnits(native, 'selling_liabilities'),
  };
}

function requireCount(fields: Fields, name: string): bigint {
  const value = fields[name];
  requireThat(
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < ENTRIES_MOST,
    `${name} is no count`,
  );
  return BigInt(value);
}

type SourceFacts = OwnLumens & {
  readonly payment: OutgoingPayment;
  readonly feeUnits: bigint;
  /** Of what is created by it: ours again when it is fetched. */
  readonly lockedUnits?: bigint;
};

/** Why not, in a sentence; undefined when it can be paid. The fee is never taken of the reserve. */
export function againstOwnReserve(facts: SourceFacts): string | undefined {
  const { payment, feeUnits, heldUnits, keptUnits, lockedUnits = 0n } = facts;
  const isLumens = sentAsset(payment).assetIssuer === NATIVE_ISSUER;
  const most = heldUnits - keptUnits - lockedUnits - feeUnits;
  if (most >= (isLumens ? payment.units : 0n)) return undefined;
  const { decimals } = getAsset(NATIVE);
  const text = (units: bigint) => amountToText(units, decimals);
  const kept = `${text(keptUnits)} XLM of its ${text(heldUnits)} are its reserve, which stays`;
  if (!isLumens && lockedUnits > 0n) {
    return `the account cannot pay the reserve of ${text(lockedUnits)} XLM for what it leaves to be claimed, and the fee of ${text(feeUnits)} XLM: ${kept}`;
  }
  if (!isLumens) return `the account cannot pay the fee of ${text(feeUnits)} XLM: ${kept}`;
  return `the account can pay at most ${text(most > 0n ? most : 0n)} XLM: ${kept}`;
}
