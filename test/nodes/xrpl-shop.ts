// What the stories on the XRP Ledger share: a ledger in memory that closes every second, a server of
// it on loopback that can go away and come back, our server as a process of its own that watches it,
// and a shop with a live key and an https receiver.

import assert from 'node:assert/strict';
import { systemClock } from '#base/clock.ts';
import { sql } from '#db/db.ts';
import { custodyBalance } from '#ledger/balance.ts';
import {
  type FakeXrpl,
  fakeXrpl,
  type PayOptions,
  seededXrplKey,
  type XrplKey,
} from '#test/fakes/xrpl-ledger.ts';
import { type FakeXrplServer, startFakeXrplServer } from '#test/fakes/xrpl-server.ts';
import { REQUIRE_DEST_TAG, XRP } from '#test/fakes/xrpl-world.ts';
import type { Committed } from '#test/support/merchant-client.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';

const chain = 'live:XRP_LEDGER';
const TEST_NETWORK = 1;

export type XrplShop = Omit<Shop, 'open' | 'checkBooks' | 'close'> & {
  readonly server: ServerProcess;
  readonly xrpl: FakeXrpl;
  readonly account: string;
  readonly customer: XrplKey;
  rippled(): FakeXrplServer;
  /** Away, and back at the same address. */
  stopRippled(): Promise<void>;
  startRippled(): Promise<void>;
  /** A checkout of so much XRP, committed. */
  open(amount: string): Promise<Committed>;
  /** As a wallet does: the account and the tag of the instructions. Gives the hash. */
  pay(committed: Committed, amount: string, more?: Partial<PayOptions>): string;
  waitForTip(): Promise<void>;
  /** As in litecoin-shop.ts: the window is set back in the database. */
  endWindowIn(id: string, seconds: number): Promise<void>;
  /** Those of the shop, and what the account received is what the custody account says. */
  checkBooks(): Promise<void>;
  close(): Promise<void>;
};

export async function openXrplShop(): Promise<XrplShop> {
  const now = () => systemClock.now();
  const xrpl = fakeXrpl(now);
  const [receiving, customer] = [seededXrplKey(1), seededXrplKey(2)];
  const account = receiving.address;
  xrpl.addAccount(receiving, 50_000_000n).flags = REQUIRE_DEST_TAG;
  xrpl.addAccount(customer);
  xrpl.close();
  let rippled = await startRippled();
  const { port } = new URL(rippled.url);
  const server = await openServerProcess({
    settings: {
      XRP_LEDGER_URLS: rippled.url,
      XRP_LEDGER_ACCOUNT: account,
      XRP_LEDGER_CHAIN: 'test',
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
    },
  });
  await server.start();
  const shop = await openShop(server, 'live');
  const held = () => xrpl.roots.get(account)?.balance ?? 0n;
  const atFirst = held();

  async function startRippled(at?: number): Promise<FakeXrplServer> {
    const started = await startFakeXrplServer(xrpl, now, at);
    started.networkId = TEST_NETWORK;
    started.closesEveryMs = 1_000;
    return started;
  }

  async function waitForTip(): Promise<void> {
    const wanted = BigInt(xrpl.ledgers.at(-1)?.index ?? 0);
    await waitUntil('the server to read the tip', async () => {
      const rows = await server.db.query<{ height: bigint }>(
        sql`select height from chain_cursor where chain = ${chain}`,
      );
      return (rows[0]?.height ?? 0n) >= wanted;
    });
  }
  await waitForTip();

  return {
    ...shop,
    server,
    xrpl,
    account,
    customer,
    rippled: () => rippled,
    stopRippled: () => rippled.close(),
    async startRippled() {
      rippled = await startRippled(Number(port));
    },
    open: (amount) => shop.open({ currency: 'XRP', amount }, 'XRP_LEDGER', XRP),
    pay({ depositInstructions }, amount, more = {}) {
      const { address, destinationTag } = depositInstructions;
      assert(destinationTag !== undefined, 'a payment on the XRP Ledger needs its tag');
      const [whole = '', rest = ''] = amount.split('.');
      const drops = BigInt(whole + rest.padEnd(6, '0'));
      const tag = BigInt(destinationTag);
      const hash = xrpl.pay({ from: customer, to: address, drops, tag, ...more });
      xrpl.close();
      rippled.announce();
      return hash;
    },
    waitForTip,
    async endWindowIn(id, seconds) {
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
      await waitForTip();
      await waitUntil('custody to be what the account received', async () => {
        return (await custodyBalance(server.db, chain, XRP)) === held() - atFirst;
      });
      await shop.checkBooks();
    },
    async close() {
      await shop.close();
      await server.close();
      await rippled.close().catch(() => undefined);
    },
  };
}
