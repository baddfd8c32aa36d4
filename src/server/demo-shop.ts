// The shop at /demo acts as the first merchant of this installation, with a test key of its own.

import { apiSecretForWebhook, createApiKey, listApiKeys } from '#account/api-key.ts';
import { type Caller, findApiKey } from '#account/caller.ts';
import { findFirstMerchant } from '#account/merchant.ts';
import { assert } from '#base/assert.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import type { DemoPort } from '#pages/page-app.ts';
import type { App } from './app.ts';

const KEY_LABEL = 'demo shop';

export function demoShop(app: App): DemoPort {
  let opened: Promise<Caller> | undefined;
  const caller = () => {
    opened ??= openDemoKey(app).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    async createDemoCheckout(request) {
      const options = { type: 'HOSTED', origin: 'API' } as const;
      return createCheckout(app, await caller(), request, options);
    },
    async readApiSecret() {
      const { apiKey } = await caller();
      return apiSecretForWebhook(app, apiKey, app.clock.now());
    },
  };
}

async function openDemoKey(app: App): Promise<Caller> {
  const merchant = await findFirstMerchant(app.db);
  assert(merchant !== undefined, 'the first start makes a merchant');
  const keys = await listApiKeys(app.db, merchant.id);
  const known = keys.find(({ label, revokedAt }) => label === KEY_LABEL && revokedAt === null);
  const key =
    known?.key ??
    (await createApiKey(app, { merchantId: merchant.id, environment: 'test', label: KEY_LABEL }))
      .key;
  const record = await findApiKey(app, key);
  assert(record !== undefined, 'a listed key exists');
  // Its script and its pages are of one origin, also where the merchant has a domain.
  return { ...record.caller, method: 'digest', pageOrigin: undefined };
}
