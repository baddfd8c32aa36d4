// A shop that is paid by HTTP 402 on a real EVM node: a token with EIP-3009, an account that pays the
// gas, and the signer that has its key and none of the addresses. Payers sign with viem.
import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { privateKeyToAccount } from 'viem/accounts';
import { createSignerProcess } from '#test/support/signer-process.ts';
import type { AnvilNode } from './anvil-node.ts';
import { contractOf, ETH, type EvmShop, openEvmShop, USDC, unitsOf } from './evm-shop.ts';

export type X402Shop = EvmShop & {
  /** Pays the gas. */
  readonly gasAccount: string;
};

/** `payer` has 100 USDC, and no coin for gas. */
export async function openX402Shop(payer: string): Promise<X402Shop> {
  const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'");
  const secret = randomBytes(32).toString('hex');
  const gasAccount = privateKeyToAccount(`0x${secret}`).address;
  const chain = { environment: 'live', network: 'ETHEREUM', chain: 'dev' } as const;
  const signer = createSignerProcess([{ name: 'relay', ...chain, secret }]);
  try {
    await signer.start(rulesOf(gasAccount, account.publicExtendedKey));
    const shop = await openEvmShop({
      settings: {
        ETHEREUM_XPUB: account.publicExtendedKey,
        ETHEREUM_X402_ACCOUNT: gasAccount,
        SIGNER_SOCKET: signer.socket,
        SIGNER_NETWORKS: 'ETHEREUM',
      },
      async prepare(node: AnvilNode) {
        await node.deploy('AuthorizedToken', 6, contractOf(USDC));
        await node.call(contractOf(USDC), 'mint', [payer, unitsOf('100', USDC)]);
        await node.send({ to: gasAccount, value: unitsOf('1', ETH) });
        await node.mine(1);
        return {};
      },
    });
    const close = () => shop.close().finally(() => signer.close());
    return { ...shop, gasAccount, close };
  } catch (error) {
    await signer.close();
    throw error;
  }
}

function rulesOf(gasAccount: string, receiversBelow: string): string {
  return `only_listed_receivers = true
signatures_per_minute = 1000
[[cap]]
environment = "live"
asset = "${ETH}"
per_transaction = "0"
per_day = "0.1"
fee_per_transaction = "0.01"
[[relay]]
environment = "live"
network = "ETHEREUM"
account = "${gasAccount}"
receivers_below = "${receiversBelow}"
`;
}
