// What the stories on real Electrum daemons share: a chain of our own making, the customer's daemon
// with a channel to the shop's, our server as a process of its own that receives through the shop's.

import assert from 'node:assert/strict';
import { custodyBalance } from '#ledger/account.ts';
import { amountToText } from '#money/asset-amount.ts';
import { readInvoice } from '#networks/read-invoice.ts';
import { type ElectrumChain, openElectrumChain } from '#test/fakes/electrum-chain.ts';
import type { Committed } from '#test/support/merchant-client.ts';
import { type Shop, waitUntil } from '#test/support/shop.ts';
import { type ElectrumDaemon, startElectrumDaemon } from './electrum-daemon.ts';
import { type LiveShop, openLiveShop } from './open-live-shop.ts';

export const BTC = 'BTC:NATIVE';
const chainId = 'live:LIGHTNING';

export type LightningShop = LiveShop & {
  readonly chain: ElectrumChain;
  readonly payer: ElectrumDaemon;
  readonly payee: ElectrumDaemon;
  /** A checkout of so many bitcoins, committed. */
  open(amount: string): Promise<Committed>;
  /** An invoice of the customer's wallet. */
  ask(units: bigint): Promise<string>;
  /** How often it was paid, and how much arrived in all, in satoshi. */
  arrivedAt(invoice: string): Promise<readonly bigint[]>;
  /** The customer's wallet pays. @throws when it cannot. */
  pay(invoice: string): Promise<void>;
  /** Both sides of the channel see each other. */
  waitForChannel(): Promise<void>;
};

type Channel = { readonly state: string; readonly peer_state: string };
type Payment = {
  readonly type: string;
  readonly direction: number;
  readonly amount_msat: number;
  readonly payment_hash: string;
};

export function openLightningShop(): Promise<LightningShop> {
  return openLiveShop(async ({ closeLater, startShop }) => {
    const chain = await openElectrumChain();
    closeLater(() => chain.close());
    chain.mine(5);
    const start = async () => {
      const daemon = await startElectrumDaemon(chain.port);
      closeLater(() => daemon.stop());
      return daemon;
    };
    const [payer, payee] = await Promise.all([start(), start()]);
    await openChannel(chain, payer, payee);
    const { server, shop } = await startShop({
      LIGHTNING_BACKEND: 'electrum',
      LIGHTNING_URL: payee.url,
      LIGHTNING_CHAIN: 'regtest',
      LIGHTNING_PAY: 'on',
      LIGHTNING_PAY_MOST: '100000',
      LIGHTNING_PAY_DAY_MOST: '1000000',
    });
    return { ...shop, ...actsOn({ chain, payer, payee, server, shop }) };
  });
}

/** 0.15 bitcoin from the customer's side, of which a third is the shop's at once. */
async function openChannel(chain: ElectrumChain, payer: ElectrumDaemon, payee: ElectrumDaemon) {
  chain.fund(String(await payer.call('getunusedaddress')), 100_000_000n);
  chain.mine(3);
  await waitUntil('the customer to have money', async () => {
    const { confirmed } = (await payer.call('getbalance')) as { confirmed: string };
    return confirmed === '1';
  });
  await payer.call('open_channel', {
    connection_string: payee.peer,
    amount: '0.15',
    push_amount: '0.05',
  });
  chain.mine(4);
  await waitForChannel(payer, payee);
}

async function waitForChannel(...daemons: readonly ElectrumDaemon[]): Promise<void> {
  for (const daemon of daemons) {
    await waitUntil('the channel to be open', async () => {
      const [channel] = (await daemon.call('list_channels')) as Channel[];
      return channel?.state === 'OPEN' && channel.peer_state === 'GOOD';
    });
  }
}

type Parts = Pick<LightningShop, 'chain' | 'payer' | 'payee' | 'server'> & { readonly shop: Shop };

function actsOn({ chain, payer, payee, server, shop }: Parts) {
  return {
    chain,
    payer,
    payee,
    server,
    open: (amount: string) => shop.open({ currency: 'BTC', amount }, 'LIGHTNING'),
    async ask(units: bigint) {
      const amount = amountToText(units, 8);
      const asked = { amount, memo: `refund ${performance.now()}`, expiration: 3600, force: true };
      const made = (await payer.call('add_request', asked)) as { lightning_invoice: string };
      return made.lightning_invoice;
    },
    async arrivedAt(invoice: string) {
      const history = (await payer.call('lightning_history')) as Payment[];
      const hash = readInvoice(invoice)?.paymentHash;
      return history
        .filter(({ payment_hash: one }) => one === hash)
        .map(({ amount_msat: amount }) => BigInt(amount) / 1000n);
    },
    async pay(invoice: string) {
      const { success } = (await payer.call('lnpay', { invoice })) as { success: boolean };
      assert.equal(success, true, 'the wallet could not pay');
    },
    waitForChannel: () => waitForChannel(payer, payee),
    async checkBooks() {
      const history = (await payee.call('lightning_history')) as Payment[];
      const received = history
        .filter(({ type, direction }) => type === 'payment' && (direction === 1 || direction === 0))
        .reduce((sum, { amount_msat: amount }) => sum + BigInt(amount) / 1000n, 0n);
      await waitUntil('custody to be what the daemon received, less what it sent', async () => {
        return (await custodyBalance(server.db, chainId, BTC)) === received;
      });
      await shop.checkBooks();
    },
  };
}
