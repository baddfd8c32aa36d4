// What the stories on the XRP Ledger share: a ledger in memory that closes every second, a server of
// it on loopback that can go away and come back, our server as a process of its own that watches it,
// and a shop with a live key and an https receiver.

import assert from 'node:assert/strict';
import { systemClock } from '#base/clock.ts';
import { custodyBalance } from '#ledger/account.ts';
import {
  type FakeXrpl,
  fakeXrpl,
  type PayOptions,
  seededXrplKey,
  type XrplKey,
} from '#test/fakes/xrpl-ledger.ts';
import { type FakeXrplServer, startFakeXrplServer } from '#test/fakes/xrpl-server.ts';
import { REQUIRE_DEST_TAG, XRP } from '#test/fakes/xrpl-world.ts';
import { findFreePort } from '#test/support/free-port.ts';
import type { Committed } from '#test/support/merchant-client.ts';
import { waitUntil } from '#test/support/shop.ts';
import { type LiveShop, type Opening, openLiveShop } from './open-live-shop.ts';
import { waitForCursor } from './wait-for-cursor.ts';

const chain = 'live:XRP_LEDGER';
const TEST_NETWORK = 1;

export type XrplShop = LiveShop & {
  readonly xrpl: FakeXrpl;
  readonly account: string;
  readonly customer: XrplKey;
  rippled(): FakeXrplServer;
  /** Away, and back at the same address. */
  stopNode(): Promise<void>;
  startNode(): Promise<void>;
  /** A checkout of so much XRP, committed. */
  open(amount: string): Promise<Committed>;
  /** As a wallet does: the account and the tag of the instructions. Gives the hash. */
  pay(committed: Committed, amount: string, more?: Partial<PayOptions>): string;
  waitForTip(): Promise<void>;
};

export function openXrplShop(): Promise<XrplShop> {
  return openLiveShop(openOnXrpl);
}

async function openOnXrpl({ closeLater, startShop }: Opening) {
  const now = () => systemClock.now();
  const xrpl = fakeXrpl(now);
  const [receiving, customer] = [seededXrplKey(1), seededXrplKey(2)];
  const account = receiving.address;
  xrpl.addAccount(receiving, 50_000_000n).flags = REQUIRE_DEST_TAG;
  xrpl.addAccount(customer);
  xrpl.close();
  const port = await findFreePort();
  let rippled = await startRippled();
  closeLater(() => rippled.close().catch(() => undefined));
  const { server, shop } = await startShop({
    XRP_LEDGER_URLS: rippled.url,
    XRP_LEDGER_ACCOUNT: account,
    XRP_LEDGER_CHAIN: 'test',
  });
  const held = () => xrpl.roots.get(account)?.balance ?? 0n;
  const atFirst = held();

  async function startRippled(): Promise<FakeXrplServer> {
    const started = await startFakeXrplServer(xrpl, now, port);
    started.networkId = TEST_NETWORK;
    started.closesEveryMs = 1_000;
    return started;
  }

  async function waitForTip(): Promise<void> {
    const wanted = BigInt(xrpl.ledgers.at(-1)?.index ?? 0);
    await waitForCursor(server, chain, ({ height }) => height >= wanted);
  }
  await waitForTip();

  return {
    ...shop,
    server,
    xrpl,
    account,
    customer,
    rippled: () => rippled,
    stopNode: () => rippled.close(),
    async startNode() {
      rippled = await startRippled();
    },
    open: (amount: string) => shop.open({ currency: 'XRP', amount }, 'XRP_LEDGER', XRP),
    pay({ depositInstructions }: Committed, amount: string, more: Partial<PayOptions> = {}) {
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
    async checkBooks() {
      await waitForTip();
      await waitUntil('custody to be what the account received', async () => {
        return (await custodyBalance(server.db, chain, XRP)) === held() - atFirst;
      });
      await shop.checkBooks();
    },
  };
}
