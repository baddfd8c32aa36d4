import { Refusal } from '#base/refusal.ts';
import type { AccountValidator } from '#beneficiary/account-validator.ts';
import { chainOf, type Environment } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { ReceivingAccount } from '#transfer/executor.ts';

export type RefundAccountApp = { readonly accounts: AccountValidator };

export type RefundTarget = {
  readonly network: string;
  readonly environment: Environment;
  /** As somebody typed it. */
  readonly address: string;
};

const LIGHTNING_ADDRESS = /^[a-z0-9._+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}$/i;
const LENGTH_MAX = 200;

/**
 * The account a refund goes to. An invoice would fix an amount and end: on Lightning it is a
 * lightning address (LUD-16).
 * @throws Refusal invalid `address_invalid` when it is none of the network, by its checksum.
 */
export function refundAccount(
  { accounts }: RefundAccountApp,
  { network, environment, address }: RefundTarget,
): ReceivingAccount {
  const { family, name } = getNetwork(network);
  if (family === 'lightning') {
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
  return family === 'stellar' || family === 'xrpl'
    ? { account: canonical }
    : { address: canonical };
}

function notAnAddress(sentence: string): Refusal {
  return new Refusal('invalid', 'address_invalid', sentence);
}
