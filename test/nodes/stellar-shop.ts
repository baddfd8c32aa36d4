// What the stories on Stellar share: a network in memory that closes a ledger a second, a Horizon
// that serves it over HTTP and can go away and come back, our server as a process of its own that
// watches it, and a shop with a live key and an https receiver.

import { type Keypair, Memo, Networks, Operation } from '@stellar/stellar-base';
import { systemClock } from '#base/clock.ts';
import { custodyBalance } from '#ledger/account.ts';
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
import { findFreePort } from '#test/support/free-port.ts';
import type { Committed } from '#test/support/merchant-client.ts';
import { waitUntil } from '#test/support/shop.ts';
import { type LiveShop, type Opening, openLiveShop } from './open-live-shop.ts';
import { waitForCursor } from './wait-for-cursor.ts';

export const XLM = NATIVE;
const chain = 'live:STELLAR';
const ASSETS = [XLM, USDC] as const;

type PayMore = Partial<SendOptions> & { readonly to?: string };

export type StellarShop = LiveShop & {
  readonly stellar: FakeStellar;
  readonly account: string;
  readonly customer: Keypair;
  horizon(): FakeHorizon;
  /** Away, and back at the same address. */
  stopNode(): Promise<void>;
  startNode(): Promise<void>;
  /** A checkout of so much, committed. */
  open(amount: string, assetId?: string): Promise<Committed>;
  /** As a wallet does: the asset and the memo of the instructions. Gives the hash. */
  pay(committed: Committed, amount: string, more?: PayMore): string;
  /** In a ledger at once, and announced to whoever listens. */
  send(operations: Parameters<FakeStellar['send']>[0], options: Partial<SendOptions>): string;
  waitForTip(): Promise<void>;
};

export function openStellarShop(more: Readonly<Record<string, string>> = {}): Promise<StellarShop> {
  return openLiveShop((opening) => openOnStellar(opening, more));
}

async function openOnStellar(
  { closeLater, startShop }: Opening,
  more: Readonly<Record<string, string>>,
) {
  const now = () => systemClock.now();
  const stellar = fakeStellar(Networks.TESTNET, now);
  const [receiving, customer] = [seededKey(1), seededKey(2)];
  const account = receiving.publicKey();
  stellar.addAccount(receiving, 50_000_0000n);
  stellar.addAccount(customer);
  stellar.addLine(account, USDC);
  stellar.addLine(customer.publicKey(), USDC, { units: 10n ** 15n });
  const port = await findFreePort();
  let horizon = await startFakeHorizon(stellar, now, port);
  closeLater(() => horizon.close().catch(() => undefined));
  horizon.closesEveryMs = 1_000;
  const { server, shop } = await startShop({
    STELLAR_HORIZON_URLS: horizon.url,
    STELLAR_ACCOUNT: account,
    STELLAR_CHAIN: 'test',
    ...more,
  });
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
    await waitForCursor(server, chain, ({ height }) => height >= wanted);
  }
  await waitForTip();

  return {
    ...shop,
    server,
    stellar,
    account,
    customer,
    horizon: () => horizon,
    stopNode: () => horizon.close(),
    async startNode() {
      horizon = await startFakeHorizon(stellar, now, port);
      horizon.closesEveryMs = 1_000;
    },
    open: (amount: string, assetId = XLM) =>
      shop.open({ currency: assetId.split(':')[0] ?? '', amount }, 'STELLAR', assetId),
    pay({ depositInstructions }: Committed, amount: string, { to, ...more }: PayMore = {}) {
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
  };
}
