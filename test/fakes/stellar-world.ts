// A shop that takes Stellar: a network in memory, a Horizon that serves it, an account with trust
// lines, and the real adapter over it in a world of its own.

import {
  Account,
  Keypair,
  type Memo,
  MuxedAccount,
  Networks,
  Operation,
} from '@stellar/stellar-base';
import { openStellarNetworks } from '#networks/stellar/open-stellar-networks.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { type FakeHorizon, startFakeHorizon } from './stellar-horizon.ts';
import {
  assetOf,
  type FakeStellar,
  fakeStellar,
  NATIVE,
  type SendOptions,
  unitsText,
} from './stellar-ledger.ts';

export const USDC = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
export const XLM = NATIVE;

export type StellarWorld = ForgedWorld & {
  readonly stellar: FakeStellar;
  readonly horizon: FakeHorizon;
  /** A second Horizon over the same network, where asked for. */
  readonly second: FakeHorizon | undefined;
  readonly account: string;
  readonly customer: Keypair;
  readonly time: ManualClock;
  /** A payment of the customer, in a ledger of its own. Gives its hash. */
  pay(payment: TestPayment): string;
};

export type TestPayment = {
  units: bigint;
  assetId?: string;
  memo?: Memo;
  to?: string;
} & Partial<SendOptions>;

export type StellarWorldOptions = {
  readonly withSecond?: boolean;
  readonly seed?: number;
  /** Serves the same network in place of the fake Horizon, which then nobody asks. */
  readonly serve?: (stellar: FakeStellar) => Promise<{ readonly url: string }>;
  /** How many records of a listing the adapter reads at once. */
  readonly partRecords?: number;
  /** Receivers without a trust line are left a claimable balance for so long. */
  readonly claimableDays?: number;
  /** Where another process, which has the time of the machine, takes part. */
  readonly startsAt?: Temporal.Instant;
};

export async function openStellarWorld(options: StellarWorldOptions = {}): Promise<StellarWorld> {
  const time = manualClock(options.startsAt ?? '2026-01-01T12:00:00Z');
  const now = () => time.now();
  const stellar = fakeStellar(Networks.PUBLIC, now);
  const [shop, customer] = [seededKey(1), seededKey(2)];
  const account = shop.publicKey();
  stellar.addAccount(shop, 1_000_0000000n).data.set('config.memo_required', 'MQ==');
  stellar.addAccount(customer);
  for (const address of [account, customer.publicKey()]) {
    stellar.addLine(address, USDC, { units: address === account ? 0n : 10n ** 15n });
  }
  const horizon = await startFakeHorizon(stellar, now);
  const second = options.withSecond ? await startFakeHorizon(stellar, now) : undefined;
  const first = options.serve === undefined ? horizon : await options.serve(stellar);
  const horizonUrls = [first, second].flatMap((one) => (one === undefined ? [] : [one.url]));
  const world = await openForgedWorld({
    clock: time,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    networks: (parts) => {
      const { partRecords } = options;
      const { claimableDays } = options;
      const chosen = { horizonUrls, account, chainName: 'main', uri: undefined } as const;
      const settings = { ...chosen, claimableDays };
      // What an adapter is opened with it is opened with as it is.
      return openStellarNetworks(settings, { ...parts, ...{ partRecords } });
    },
  });
  return {
    ...world,
    stellar,
    horizon,
    second,
    account,
    customer,
    time,
    pay({ units, assetId = XLM, to = account, from = customer, ...rest }) {
      const asset = assetOf(assetId);
      const operation = Operation.payment({ destination: to, asset, amount: unitsText(units) });
      const hash = stellar.send([operation], { from, ...rest });
      stellar.close();
      return hash;
    },
    async close() {
      await world.close();
      await horizon.close();
      await second?.close();
    },
  };
}

/** The same in every run. */
export function seededKey(number: number): Keypair {
  return Keypair.fromRawEd25519Seed(Buffer.alloc(32, number));
}

/** M...: the account with a number inside it (CAP-27). */
export function muxed(account: string, id: string): string {
  return new MuxedAccount(new Account(account, '0'), id).accountId();
}
