import type { Caller } from './call.ts';
import type { CheckoutResource } from './checkout.ts';
import { SandboxMethods } from './generated/methods.ts';
import type { Checkout } from './generated/types.ts';
import type { CallOptions } from './options.ts';

/** Deeper than any simulated network asks for. */
const BLOCKS = 100;
const SEEN_SECONDS = 60;

export type PayAndConfirm = {
  /** Chosen for a checkout that was not committed. */
  readonly network?: string;
  readonly asset?: string;
  /** All that is missing unless given. */
  readonly amount?: string | bigint;
};

export class SandboxResource extends SandboxMethods {
  readonly #checkout: CheckoutResource;

  constructor(caller: Caller, checkout: CheckoutResource) {
    super(caller);
    this.#checkout = checkout;
  }

  /**
   * Pays a test checkout and mines the blocks that it needs; gives it as it is then: `COMPLETED`,
   * or `UNDERPAID` when `amount` is too small.
   */
  async payAndConfirm(
    checkoutId: string,
    { network, asset, amount }: PayAndConfirm = {},
    options?: CallOptions,
  ): Promise<Checkout> {
    const before = await this.#checkout.get(checkoutId, {}, options);
    if (before.state === 'NEW' && network !== undefined) {
      await this.#checkout.commit(checkoutId, { network, asset }, options);
    }
    const payments = await this.pay({ checkoutId, network, asset, amount }, options);
    await this.#checkout.waitUntil(checkoutId, ['PENDING', 'COMPLETED', 'UNDERPAID'], {
      ...options,
      timeoutSeconds: SEEN_SECONDS,
    });
    const [payment] = payments;
    if (payment !== undefined)
      await this.mine({ network: payment.network, blocks: BLOCKS }, options);
    return this.#checkout.waitUntil(checkoutId, ['COMPLETED', 'UNDERPAID'], {
      ...options,
      timeoutSeconds: SEEN_SECONDS,
    });
  }
}
