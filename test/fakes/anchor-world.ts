// A shop that is paid through an anchor: a Stellar network in memory, its Horizon, the anchor, and the
// real adapter over them in a world of its own.

import assert from 'node:assert/strict';
import { type Keypair, Networks } from '@stellar/stellar-base';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { checkoutView } from '#checkout-settlement/checkout-view.ts';
import { addressOf } from '#networks/families.ts';
import { openStellarNetworks } from '#networks/stellar/open-stellar-networks.ts';
import type { StellarSettings } from '#networks/stellar/stellar-settings.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { STRICT_TARGET_RULES } from '#webhook/target-guard.ts';
import { type FakeAnchor, startFakeAnchor } from './stellar-anchor.ts';
import { startFakeHorizon } from './stellar-horizon.ts';
import { type FakeStellar, fakeStellar } from './stellar-ledger.ts';
import { seededKey } from './stellar-world.ts';

export type AnchorWorld = ForgedWorld & {
  readonly stellar: FakeStellar;
  readonly anchor: FakeAnchor;
  readonly time: ManualClock;
  /** The network that customers pay on. */
  bridged(): NonNullable<ReturnType<ForgedWorld['app']['networks']['get']>>;
  /** Sessions and what was discovered are older afterwards than either is used for. */
  look(): Promise<void>;
  commit(units: bigint): ReturnType<ForgedWorld['createAndCommit']>;
  checkoutOf(units: bigint): ReturnType<ForgedWorld['create']>;
  commitAgain(checkoutId: string): ReturnType<ForgedWorld['createAndCommit']>;
  viewOf(checkoutId: string): Promise<CheckoutJson>;
};

export type CheckoutJson = {
  readonly state: string;
  readonly flags: Record<string, unknown>;
  readonly sourceAmountRequired: string;
  readonly depositInstructions: Record<string, unknown> & { readonly amount: string };
  readonly paymentMethods: readonly Record<string, unknown>[];
  readonly blockchainTransactions: readonly Record<string, unknown>[];
};

export type AnchorWorldOptions = {
  readonly network: string;
  readonly code: string;
  /** Of the anchor on that network. */
  readonly address: string;
  readonly settings?: Partial<StellarSettings>;
};

export async function openAnchorWorld(options: AnchorWorldOptions): Promise<AnchorWorld> {
  const { network, code, address } = options;
  const [shop, issuer, login] = [1, 40, 41].map(seededKey) as [Keypair, Keypair, Keypair];
  const time = manualClock('2026-01-01T12:00:00Z');
  const now = () => time.now();
  const stellar = fakeStellar(Networks.PUBLIC, now);
  stellar.addAccount(shop, 1_000_0000000n);
  stellar.addAccount(issuer);
  const horizon = await startFakeHorizon(stellar, now);
  const anchor = await startFakeAnchor({ stellar, issuer, code, now });
  anchor.address = address;
  stellar.addLine(shop.publicKey(), anchor.assetId);
  const { assetId, domain } = anchor;
  const settings: StellarSettings = {
    horizonUrls: [horizon.url],
    account: shop.publicKey(),
    chainName: 'main',
    uri: undefined,
    anchors: [{ network, assetId, domain }],
    anchorSecret: login.secret(),
    anchorFeePercentMost: 5,
    ...options.settings,
  };
  const http = {
    targets: { ...STRICT_TARGET_RULES, ports: [anchor.port], allowedRanges: ['127.0.0.0/8'] },
    resolve: async () => ['127.0.0.1'],
  };
  const world = await openForgedWorld({
    clock: time,
    networks: (parts) => openStellarNetworks(settings, parts, { addressOf, http }),
  });
  return {
    ...world,
    stellar,
    anchor,
    time,
    bridged() {
      const adapter = world.app.networks.get(`live:${network}`);
      assert(adapter !== undefined);
      return adapter;
    },
    async look() {
      await time.advance(20 * 60_000);
      assert.deepEqual((await world.observe()).map(String), []);
    },
    commit: (units) => world.createAndCommit(network, anchor.assetId, units),
    checkoutOf: (units) => world.create(anchor.assetId, units),
    commitAgain: (checkoutId) => {
      const way = { network, asset: anchor.assetId };
      return commitCheckout(world.app, { checkoutId, owner: world.caller, ...way });
    },
    async viewOf(checkoutId) {
      return checkoutView(world.app, await world.read(checkoutId)) as CheckoutJson;
    },
    async close() {
      await world.close();
      await anchor.close();
      await horizon.close();
    },
  };
}
