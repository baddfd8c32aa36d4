import { Refusal } from '#base/refusal.ts';
import { chainOf, type Environment } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import {
  type AccountValidator,
  type MemoType,
  memoFault,
  type ReceivingAccount,
} from '#people/account-fields.ts';
import { canonicalIban, isSepaIban } from '#people/iban.ts';

export type RefundAccountApp = { readonly accounts: AccountValidator };

export type RefundTarget = {
  readonly network: string;
  readonly environment: Environment;
  /** As somebody typed it. */
  readonly address: string;
  /** What an exchange asks for beside its address: a memo of Stellar, a destination tag of XRP. */
  readonly memo?: string | undefined;
  readonly memoType?: MemoType | undefined;
};

const LIGHTNING_ADDRESS = /^[a-z0-9._+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}$/i;
const LENGTH_MAX = 200;

/**
 * The account a refund goes to. An invoice would fix an amount and end: on Lightning it is a
 * lightning address (LUD-16).
 * @throws Refusal invalid `address_invalid` when it is none of the network, by its checksum, or
 * when the memo is none; the sentence begins with `memo` then.
 */
export function refundAccount(
  { accounts }: RefundAccountApp,
  target: RefundTarget,
): ReceivingAccount {
  const { network, environment, address } = target;
  const { knownBy, hasInvoices, name } = getNetwork(network);
  if (network === 'SEPA') return { iban: sepaIban(address) };
  if (hasInvoices) {
    if (address.length <= LENGTH_MAX && LIGHTNING_ADDRESS.test(address)) {
      return { lightningAddress: address };
    }
    throw notAnAddress('address: is not a lightning address (name@example.com)');
  }
  const chain = chainOf(environment, network);
  const canonical = address.length <= LENGTH_MAX ? accounts.address(chain, address) : undefined;
  if (canonical === undefined) {
    const which = environment === 'test' ? `the test network of ${name}` : name;
    throw notAnAddress(`address: is not an address of ${which} with a right checksum`);
  }
  if (knownBy === 'memo') return { account: canonical, ...stellarMemo(target) };
  if (knownBy === 'tag') return { account: canonical, ...destinationTag(target) };
  return { address: canonical };
}

/** Nobody is asked whose account it is: who sends it compares names at the bank. */
function sepaIban(address: string): string {
  const iban = address.length <= LENGTH_MAX ? canonicalIban(address) : undefined;
  if (iban !== undefined && isSepaIban(iban)) return iban;
  throw notAnAddress('address: is not an IBAN of a SEPA country with right check digits');
}

function stellarMemo({ memo, memoType = 'text' }: RefundTarget): ReceivingAccount {
  if (memo === undefined || memo === '') return {};
  const fault = memoFault(memo, memoType);
  if (fault !== undefined) throw notAnAddress(`memo: ${fault}`);
  return { memo, memoType };
}

const tagMax = 2n ** 32n - 1n;

function destinationTag({ memo }: RefundTarget): ReceivingAccount {
  if (memo === undefined || memo === '') return {};
  if (/^(?:0|[1-9]\d{0,9})$/.test(memo) && BigInt(memo) <= tagMax) return { destinationTag: memo };
  throw notAnAddress(`memo: a destination tag is a whole number from 0 to ${tagMax}`);
}

function notAnAddress(sentence: string): Refusal {
  return new Refusal('invalid', 'address_invalid', sentence);
}
