// The state of our account: what it holds, what it can receive, and what its operator should know.
import {
  type Fields,
  isFields,
  requireFields,
  requireText,
  requireThat,
} from '#networks/answer-fields.ts';
import { requireAssetId, requireUnits } from './horizon-fields.ts';

type AccountBalance = {
  readonly units: bigint;
  /** The trust line stands, is authorised and has room; always so for lumens. */
  readonly isReceivable: boolean;
  /** The issuer may take it back (CAP-35). */
  readonly canBeClawedBack: boolean;
};

export type AccountState = {
  readonly balances: ReadonlyMap<string, AccountBalance>;
  /** Payers are told by their wallets that a memo is required (SEP-29). */
  readonly requiresMemo: boolean;
  /** Keys that can sign for the account. */
  readonly signers: readonly string[];
};

/** An account that does not exist: nothing was ever paid to it, or it was merged away. */
export const NO_ACCOUNT: AccountState = {
  balances: new Map(),
  requiresMemo: false,
  signers: [],
};

const NATIVE = 'XLM:NATIVE';
const INT64_MAX = 2n ** 63n - 1n;

/** @throws NodeLie when the answer is malformed or of another account. */
export function readAccount(answer: unknown, account: string): AccountState {
  const fields = requireFields(answer, 'the account');
  requireThat(requireText(fields, 'account_id') === account, 'the answer is of another account');
  requireThat(Array.isArray(fields.balances), 'the account has no balances');
  const balances = new Map<string, AccountBalance>();
  for (const value of fields.balances) {
    const balance = requireFields(value, 'a balance');
    if (balance.asset_type === 'liquidity_pool_shares') continue;
    const assetId = requireAssetId(balance);
    requireThat(!balances.has(assetId), `the account has two balances of ${assetId}`);
    balances.set(assetId, readBalance(balance, assetId));
  }
  requireThat(balances.has(NATIVE), 'the account has no balance of lumens');
  return {
    balances,
    requiresMemo: isFields(fields.data) && fields.data['config.memo_required'] === 'MQ==',
    signers: readSigners(fields.signers),
  };
}

function readBalance(balance: Fields, assetId: string): AccountBalance {
  const units = requireUnits(balance, 'balance');
  const buying = requireUnits(balance, 'buying_liabilities');
  if (assetId === NATIVE) {
    return {
      units,
      isReceivable: units + buying < INT64_MAX,
      canBeClawedBack: false,
    };
  }
  const limit = requireUnits(balance, 'limit');
  return {
    units,
    isReceivable: balance.is_authorized === true && limit > units + buying,
    canBeClawedBack: balance.is_clawback_enabled === true,
  };
}

function readSigners(value: unknown): string[] {
  requireThat(Array.isArray(value), 'the account has no signers');
  return value.flatMap((item: unknown) => {
    const signer = requireFields(item, 'a signer');
    return signer.weight === 0 ? [] : [requireText(signer, 'key')];
  });
}
