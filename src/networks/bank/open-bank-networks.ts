import { chainOf } from '#catalog/chain.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import type { BankAccount } from './bank-account.ts';
import { bankNetwork } from './bank-network.ts';

export function openBankNetworks(
  accounts: readonly BankAccount[],
  { db, clock }: NetworkParts,
): OpenedNetwork[] {
  return accounts.map((account) => ({
    network: bankNetwork({ chain: chainOf('live', account.network), account, db, clock }),
    isTestChain: false,
  }));
}
