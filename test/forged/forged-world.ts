// Where forged deposits are tried: the whole App value over a real database, with the networks of the
// test instead of configured ones, and a merchant with a live key. No loop runs: the test drives by
// hand what the loops would do, and then reads from the ledger what anybody was credited.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKey } from '#access/api-key.ts';
import { type Caller, findApiKey } from '#access/caller.ts';
import type { Clock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import type { CheckoutRecord, Commitment } from '#checkout/checkout.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { type CreatedCheckout, createCheckout } from '#checkout/create-checkout.ts';
import { findAnyCheckout } from '#checkout/find-checkout.ts';
import { settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { sql } from '#db/db.ts';
import type { Network } from '#deposit/network.ts';
import { settleDueDepositAddresses } from '#deposit-address/settle-deposit-address.ts';
import { custodyBalance } from '#ledger/account.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { amountToText } from '#money/asset-amount.ts';
import { parseExactJson } from '#money/exact-json.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import { networkWatch } from '#networks/watch-network.ts';
import { type App, openApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { requestSettlement } from '#settle/queue.ts';
import { settleSuspense } from '#settle/settle-suspense.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase } from '#test/support/test-database.ts';

export type ForgedWorldOptions = {
  /** Opened as a family opens them; real ones answer for environment `live`. */
  readonly networks: (parts: NetworkParts) => readonly OpenedNetwork[];
  /** Stands still unless moved; `observe` moves it a little, so that a node in disgrace is asked again. */
  readonly clock?: ManualClock;
  readonly seed?: number;
};

export type ForgedWorld = {
  readonly app: App;
  readonly clock: ManualClock;
  readonly caller: Caller;
  /** A live checkout of exactly so many units. */
  create(assetId: string, units: bigint): Promise<CreatedCheckout>;
  /** The same with the way to pay chosen. */
  createAndCommit(network: string, assetId: string, units: bigint): Promise<Commitment>;
  read(checkoutId: string): Promise<CheckoutRecord>;
  /**
   * Looks at one network, or at every one, until there is nothing new or it fails. What failed is
   * given back (a node that is away, lies or is of another chain); a bug is thrown.
   */
  observe(network?: string): Promise<readonly (Outage | Refusal)[]>;
  /** Everything that is due: checkouts, deposit addresses, money that nobody asked for. */
  settle(): Promise<void>;
  /** Sum of what the ledger holds for merchants (available, pending and reserved), fees included. */
  credited(assetId?: string): Promise<bigint>;
  /** Sum of what arrived and nobody asked for. */
  suspended(assetId?: string): Promise<bigint>;
  /** What the ledger says we hold on the chain. */
  custody(network: string, assetId: string): Promise<bigint>;
  /** Sentences about what is not as it must be, whatever the nodes said: none. */
  brokenInvariants(): Promise<readonly string[]>;
  close(): Promise<void>;
};

/** Each prepares by itself what it is asked: as for an app of a test. */
const CONNECTIONS = 4;
/** Longer than any adapter keeps away from a node that failed. */
const OBSERVE_MS = 30_000;
/** A network that never comes to an end is a fault of the test or of the adapter. */
const MOST_STEPS = 20_000;

export async function openForgedWorld(options: ForgedWorldOptions): Promise<ForgedWorld> {
  const database = await openTestDatabase({ unsafeFast: true, poolSize: CONNECTIONS });
  const directory = mkdtempSync(join(tmpdir(), 'quittance-forged-'));
  const clock = options.clock ?? manualClock('2026-01-01T12:00:00Z');
  const { db } = database;
  // Nothing has a price here, and clocks jump: the brake would hold everything again and again.
  const environment = { DATA_DIR: directory, SANDBOX: 'off', BRAKE_HOLD_USD: 'off' };
  const config = readConfig({ environment, file: undefined, directory });
  const random = seededRandom(options.seed ?? 1);
  const app = await openApp(config, { db, clock, random, log: silentLog }, (_, parts) =>
    options.networks(parts),
  );
  const caller = await openCaller(app);
  const watches = new Map(
    [...app.networks.values()].map((network) => [network, watchOf(app, network)] as const),
  );

  async function create(assetId: string, units: bigint): Promise<CreatedCheckout> {
    const { assetCode, decimals } = getAsset(assetId);
    const netAmount = amountToText(units, decimals);
    const lineItems = [{ description: 'A good book', netAmount }];
    const text = JSON.stringify({ charge: { billingCurrency: assetCode, lineItems } });
    const parsed = parseExactJson(text);
    assert(parsed.ok);
    const made = { type: 'SELF_HOSTED', origin: 'API' } as const;
    return createCheckout(app, caller, parseCheckoutRequest(parsed.value), made);
  }

  return {
    app,
    clock,
    caller,
    create,
    async createAndCommit(network, assetId, units) {
      const { id } = await create(assetId, units);
      const request = { checkoutId: id, owner: caller, network, asset: assetId };
      const commitment = await commitCheckout(app, request);
      assert.equal(commitment.arrivingUnits, units, 'the charge was rounded: ask for fewer digits');
      return commitment;
    },
    async read(checkoutId) {
      const found = await findAnyCheckout(app, checkoutId);
      assert(found !== undefined, `no checkout ${checkoutId}`);
      return found;
    },
    async observe(only) {
      await clock.advance(OBSERVE_MS);
      const failures: (Outage | Refusal)[] = [];
      for (const [network, watch] of watches) {
        if (only !== undefined && network.chain !== chainOf('live', only)) continue;
        const failure = await observeAll(watch);
        if (failure !== undefined) failures.push(failure);
      }
      return failures;
    },
    async settle() {
      while ((await settleDueCheckouts({ ...app, onCheckoutChanged: () => undefined })) === 'busy');
      while ((await settleDueDepositAddresses({ ...app, onTold: () => undefined })) === 'busy');
      for (const chain of app.networks.keys()) while ((await settleSuspense(app, chain)) > 0);
    },
    credited: (assetId) => sumOf(app, ['merchant:%', 'fees'], assetId),
    suspended: (assetId) => sumOf(app, ['suspense:%'], assetId),
    custody: (network, assetId) => custodyBalance(db, chainOf('live', network), assetId),
    brokenInvariants: () => checkInvariants(db, { now: clock.now() }),
    async close() {
      for (const network of app.networks.values()) await network.close();
      await database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function openCaller(app: App & { readonly clock: Clock }): Promise<Caller> {
  const merchant = await createMerchant(app, { name: 'Test shop' });
  const { key } = await createApiKey(app, { merchantId: merchant.id, environment: 'live' });
  const record = await findApiKey(app, key);
  assert(record !== undefined, 'the key was made a moment ago');
  return { ...record.caller, method: 'digest' };
}

function watchOf(app: App, network: Network) {
  const watchApp = { ...app, onAffected: requestSettlement, onRecorded: () => undefined };
  return networkWatch(watchApp, network);
}

async function observeAll(
  watch: ReturnType<typeof watchOf>,
): Promise<Outage | Refusal | undefined> {
  try {
    for (let steps = 0; await watch.step(); steps += 1) {
      assert(steps < MOST_STEPS, 'observing does not come to an end');
    }
    return undefined;
  } catch (error) {
    if (error instanceof Outage || error instanceof Refusal) return error;
    throw error;
  }
}

/** Credits are stored negative. */
async function sumOf(
  { db }: App,
  codes: readonly string[],
  assetId: string | undefined,
): Promise<bigint> {
  const [row] = await db.query<{ units: bigint }>(sql`
    select coalesce(-sum(p.units), 0)::numeric(78,0) as units
    from ledger_posting p join ledger_account a on a.id = p.account_id
    where a.code like any(${codes}::text[])
      and (${assetId ?? null}::text is null or a.asset_id = ${assetId ?? null})`);
  return row?.units ?? 0n;
}
