// The whole App value over a fresh database, with time that stands still until it is moved and
// randomness that repeats. No loop runs: a test drives the acts by hand.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKey } from '#access/api-key.ts';
import { type Caller, findApiKey } from '#access/caller.ts';
import { silentLog } from '#base/log.ts';
import { chainOf } from '#catalog/chain.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { findAnyCheckout } from '#checkout/find-checkout.ts';
import { settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { settleDueDepositAddresses } from '#deposit-address/settle-deposit-address.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { networkWatch } from '#networks/watch-network.ts';
import { type App, openApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { requestSettlement } from '#settle/queue.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { seededRandom } from './seeded-random.ts';
import { openTestDatabase } from './test-database.ts';

export type TestApp = {
  readonly app: App;
  readonly clock: ManualClock;
  readonly caller: Caller;
  /** Creates a checkout from the JSON of a request. */
  create(request?: object): Promise<string>;
  read(checkoutId: string): Promise<CheckoutRecord>;
  /** Looks at a simulated network until there is nothing new. */
  observe(network: string): Promise<void>;
  settle(): Promise<void>;
  close(): Promise<void>;
};

export const SIMPLE_CHARGE = {
  billingCurrency: 'EUR',
  lineItems: [{ description: 'A good book', netAmount: '19.90' }],
};

type TestAppOptions = {
  readonly seed?: number;
  /**
   * Each prepares by itself what it is asked, which is a third of what a test costs: 4 when absent.
   * Where many acts race there are 10, as in the service.
   */
  readonly connections?: number;
};

export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { seed = 1, connections = 4 } = options;
  const database = await openTestDatabase({ unsafeFast: true, poolSize: connections });
  const directory = mkdtempSync(join(tmpdir(), 'quittance-app-'));
  const clock = manualClock('2026-01-01T12:00:00Z');
  const environment = { DATA_DIR: directory };
  const config = readConfig({ environment, file: undefined, directory });
  const random = seededRandom(seed);
  const app = await openApp(config, { db: database.db, clock, random, log: silentLog });
  const merchant = await createMerchant(app, { name: 'Test shop' });
  const { key } = await createApiKey(app, { merchantId: merchant.id, environment: 'test' });
  const record = await findApiKey(app, key);
  if (record === undefined) throw new Error('the key was made a moment ago');
  const caller: Caller = { ...record.caller, method: 'digest' };

  return {
    app,
    clock,
    caller,
    async create(request = {}) {
      const parsed = parseExactJson(JSON.stringify({ charge: SIMPLE_CHARGE, ...request }));
      if (!parsed.ok) throw new Error(parsed.message);
      const { id } = await createCheckout(app, caller, parseCheckoutRequest(parsed.value), {
        type: 'SELF_HOSTED',
        origin: 'API',
      });
      return id;
    },
    async read(checkoutId) {
      const found = await findAnyCheckout(app, checkoutId);
      if (found === undefined) throw new Error(`no checkout ${checkoutId}`);
      return found;
    },
    async observe(network) {
      const adapter = app.networks.get(chainOf('test', network));
      if (adapter === undefined) throw new Error(`no network ${network}`);
      const watch = networkWatch(
        { ...app, onAffected: requestSettlement, onRecorded: () => undefined },
        adapter,
      );
      while (await watch.step());
    },
    async settle() {
      while ((await settleDueCheckouts({ ...app, onCheckoutChanged: () => undefined })) === 'busy');
      while ((await settleDueDepositAddresses({ ...app, onTold: () => undefined })) === 'busy');
    },
    async close() {
      await database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
