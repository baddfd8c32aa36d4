import { Refusal } from '#base/refusal.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { SandboxOwner, SandboxPort } from '#checkout/sandbox-port.ts';
import type { App } from '#server/app.ts';

/** @throws Refusal when the sandbox is switched off. */
export function getSandbox(app: App): SandboxPort {
  if (app.sandbox === undefined) {
    throw new Refusal('conflict', 'sandbox_off', ['the sandbox is switched off (SANDBOX=on)']);
  }
  return app.sandbox;
}

/** The operator acts for whoever owns the checkout. @throws Refusal */
export function ownerOf(record: CheckoutRecord | undefined, checkoutId: string): SandboxOwner {
  if (record === undefined || record.environment !== 'test') {
    throw new Refusal('missing', 'checkout_missing', [`no test checkout has the id ${checkoutId}`]);
  }
  return { merchantId: record.merchantId, environment: record.environment };
}
