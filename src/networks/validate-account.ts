// Whether an address or invoice of a chain is one, proven by its checksum. Where a Bitcoin-like
// chain is set up its payee says, because it knows which chain that is (a test network, regtest);
// where it is not, every chain of the environment is possible.

import { type ChainId, environmentOf } from '#catalog/chain.ts';
import type { Payee } from '#deposit/network.ts';
import type { AccountValidator } from '#people/account-fields.ts';
import { addressOf } from './families.ts';
import { readInvoice } from './read-invoice.ts';

export function accountValidator(networks: ReadonlyMap<ChainId, Payee>): AccountValidator {
  return {
    address: (chain, text) => addressOf(chain, text, networks.get(chain)),
    invoice(chain, text) {
      const read = readInvoice(text);
      const isLive = read?.prefix === 'bc';
      if (read === undefined || isLive !== (environmentOf(chain) === 'live')) return undefined;
      return { invoice: read.invoice, expiresAt: read.expiresAt };
    },
  };
}
