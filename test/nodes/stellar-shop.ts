// What the stories on Stellar share: a network in memory that closes a ledger a second, a Horizon
// that serves it over HTTP and can go away and come back, our server as a process of its own that
// watches it, and a shop with a live key and an https receiver.

import assert from 'node:assert/strict';
import { type Keypair, Memo, Networks, Operation } from '@stellar/stellar-base';
import { systemClock } from '#base/clock.ts';
import { sql } from '#db/db.ts';
import { custodyBalance } from '#ledger/balance.ts';
import { type FakeHorizon, startFakeHorizon } from '#test/fakes/stellar-horizon.ts';
import {
  assetOf,
  type FakeStellar,
  fakeStellar,
  NATIVE,
  type SendOptions,
  unitsOf,
  unitsText,
} from '#test/fakes/stellar-ledger.ts';
import { seededKey, USDC } from '#test/fakes/stellar-world.ts';
import type { Committed } from '#test/support/merchant-client.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';

export const XLM = NATIVE;
const chain = 'live:STELLAR';
const ASSETS = [XLM, USDC] as const;

export type StellarShop = Omit<Shop, 'open' | 'checkBooks' | 'close'> & {
  readonly server: ServerProcess;
  readonly stellar: FakeStellar;
  readonly account: string;
  readonly customer: Keypair;
  horizon(): FakeHorizon;
  /** Away, and back at the same address. */
  stopHorizon(): Promise<void>;
  startHorizon(): Promise<void>;
  /** A checkout of so much, committed. */
  open(amount: string, assetId?: string): Promise<Committed>;
  /** As a wallet does: the asset and the memo of the instructions. Gives the hash. */
  pay(committed: Committed, amount: string, more?: Partial<SendOptions> & { to?: string }): string;
  /** In a ledger at once, and announced to whoever listens. */
  send(operations: Parameters<FakeStellar['send']>[0], options: Partial<SendOptions>): string;
  waitForTip(): Promise<void>;
  /** As in litecoin-shop.ts: the window is set back in the database. */
  endWindowIn(id: string, seconds: number): Promise<void>;
  /** Those of the shop, and what the account received is what the custody account says. */
  checkBooks(): Promise<void>;
  close(): Promise<void>;
};

export async function openStellarShop(): Promise<StellarShop> {
  const now = () => systemClock.now();
  const stellar = fakeStellar(Networks.TESTNET, now);
  const [receiving, customer] = [seededKey(1), seededKey(2)];
  const account = receiving.publicKey();
  stellar.addAccount(receiving, 50_000_0000n);
  stellar.addAccount(customer);
  stellar.addLine(account, USDC);
  stellar.addLine(customer.publicKey(), USDC, { units: 10n ** 15n });
  let horizon = await startFakeHorizon(stellar, now);
  horizon.closesEveryMs = 1_000;
  const { port } = new URL(horizon.url);
  const server = await openServerProcess({
    settings: {
      STELLAR_HORIZON_URLS: horizon.url,
      STELLAR_ACCOUNT: account,
      STELLAR_CHAIN: 'test',
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
    },
  });
  await server.start();
  const shop = await openShop(server, 'live');
  const held = (assetId: string) => stellar.accounts.get(account)?.lines.get(assetId)?.units ?? 0n;
  const atFirst = new Map(ASSETS.map((assetId) => [assetId, held(assetId)]));

  function send(operations: Parameters<FakeStellar['send']>[0], options: Partial<SendOptions>) {
    const hash = stellar.send(operations, { from: customer, ...options });
    stellar.close();
    horizon.announce();
    return hash;
  }

  async function waitForTip(): Promise<void> {
    const wanted = BigInt(stellar.ledgers.at(-1)?.sequence ?? 0);
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
    stellar,
    account,
    customer,
    horizon: () => horizon,
    stopHorizon: () => horizon.close(),
    async startHorizon() {
      horizon = await startFakeHorizon(stellar, now, Number(port));
      horizon.closesEveryMs = 1_000;
    },
    open: (amount, assetId = XLM) =>
      shop.open({ currency: assetId.split(':')[0] ?? '', amount }, 'STELLAR', assetId),
    pay({ depositInstructions }, amount, { to, ...more } = {}) {
      const { address, memo, assetCode } = depositInstructions;
      const destination = to ?? address;
      const asset = assetOf(ASSETS.find((assetId) => assetId.startsWith(`${assetCode}:`)) ?? '');
      const operation = Operation.payment({
        destination,
        asset,
        amount: unitsText(unitsOf(amount)),
      });
      return send([operation], { memo: Memo.text(String(memo)), ...more });
    },
    send,
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
      for (const assetId of ASSETS) {
        const received = held(assetId) - (atFirst.get(assetId) ?? 0n);
        await waitUntil(`custody of ${assetId} to be what the account received`, async () => {
          return (await custodyBalance(server.db, chain, assetId)) === received;
        });
      }
      await shop.checkBooks();
    },
    async close() {
      await shop.close();
      await server.close();
      await horizon.close().catch(() => undefined);
    },
  };
}
