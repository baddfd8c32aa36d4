// What the stories on real Electrum daemons share: a chain of our own making, the customer's daemon
// with a channel to the shop's, our server as a process of its own that receives through the shop's.

import assert from 'node:assert/strict';
import { systemClock } from '#base/clock.ts';
import { sql } from '#db/db.ts';
import { custodyBalance } from '#ledger/balance.ts';
import { type ElectrumChain, openElectrumChain } from '#test/fakes/electrum-chain.ts';
import type { Committed } from '#test/support/merchant-client.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { type ElectrumDaemon, startElectrumDaemon } from './electrum-daemon.ts';

export const BTC = 'BTC:NATIVE';
const chainId = 'live:LIGHTNING';

export type LightningShop = Omit<Shop, 'open' | 'checkBooks' | 'close'> & {
  readonly chain: ElectrumChain;
  readonly payer: ElectrumDaemon;
  readonly payee: ElectrumDaemon;
  readonly server: ServerProcess;
  /** A checkout of so many bitcoins, committed. */
  open(amount: string): Promise<Committed>;
  /** The customer's wallet pays. @throws when it cannot. */
  pay(invoice: string): Promise<void>;
  /** Both sides of the channel see each other. */
  waitForChannel(): Promise<void>;
  /** As in the stories on Litecoin: the window is set back in the database. */
  endWindowIn(id: string, seconds: number): Promise<void>;
  /** Those of the shop, and what the daemon received is what the custody account says. */
  checkBooks(): Promise<void>;
  close(): Promise<void>;
};

type Channel = { readonly state: string; readonly peer_state: string };
type Payment = { readonly type: string; readonly direction: number; readonly amount_msat: number };

export async function openLightningShop(): Promise<LightningShop> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    const ends = await Promise.allSettled(closers.splice(0).map((closeOne) => closeOne()));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
  try {
    const chain = await openElectrumChain();
    closers.push(() => chain.close());
    chain.mine(5);
    const start = async () => {
      const daemon = await startElectrumDaemon(chain.port);
      closers.push(() => daemon.stop());
      return daemon;
    };
    const [payer, payee] = await Promise.all([start(), start()]);
    await openChannel(chain, payer, payee);
    const settings = {
      LIGHTNING_BACKEND: 'electrum',
      LIGHTNING_URL: payee.url,
      LIGHTNING_CHAIN: 'regtest',
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
    };
    const server = await openServerProcess({ settings });
    closers.push(() => server.close());
    await server.start();
    const shop = await openShop(server, 'live');
    closers.push(() => shop.close());
    return { ...shop, ...actsOn({ chain, payer, payee, server, shop }), close };
  } catch (error) {
    await close();
    throw error;
  }
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
    async pay(invoice: string) {
      const { success } = (await payer.call('lnpay', { invoice })) as { success: boolean };
      assert.equal(success, true, 'the wallet could not pay');
    },
    waitForChannel: () => waitForChannel(payer, payee),
    async endWindowIn(id: string, seconds: number) {
      const end = systemClock.now().add({ seconds });
      await server.db.transact(async (tx) => {
        const [row] = await tx.query<{ seconds: number }>(sql`
          select ceil(extract(epoch from expires_at - ${end}))::integer as seconds from checkout
          where id = ${id} for update`);
        assert(row !== undefined);
        const earlier = sql`make_interval(secs => ${row.seconds})`;
        tx.send(sql`update commitment set committed_at = committed_at - ${earlier},
          expires_at = expires_at - ${earlier} where checkout_id = ${id}`);
        tx.send(sql`update checkout set created_at = created_at - ${earlier},
          expires_at = expires_at - ${earlier}, settle_at = settle_at - ${earlier}
          where id = ${id}`);
      });
    },
    async checkBooks() {
      const history = (await payee.call('lightning_history')) as Payment[];
      const received = history
        .filter(({ type, direction }) => type === 'payment' && direction === 1)
        .reduce((sum, { amount_msat: amount }) => sum + BigInt(amount) / 1000n, 0n);
      await waitUntil('custody to be what the daemon received', async () => {
        return (await custodyBalance(server.db, chainId, BTC)) === received;
      });
      await shop.checkBooks();
    },
  };
}
