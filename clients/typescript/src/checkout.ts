import { WaitTimeoutError } from './errors.ts';
import { CheckoutMethods } from './generated/methods.ts';
import type { Checkout, CheckoutState } from './generated/types.ts';
import type { CallOptions } from './options.ts';

/** The service holds an answer for so long at most. */
const HELD_SECONDS = 25;
const WAIT_SECONDS = 3600;

export type WaitOptions = CallOptions & {
  /** For the whole of it; `timeoutSeconds` of the client is still that of one attempt. */
  readonly timeoutSeconds?: number;
};

export class CheckoutResource extends CheckoutMethods {
  /**
   * The checkout as soon as its state is one of `states`; `COMPLETED` unless given.
   * @throws WaitTimeoutError when it is not within `timeoutSeconds`, 3600 unless given.
   */
  async waitUntil(
    id: string,
    states: CheckoutState | readonly CheckoutState[] = 'COMPLETED',
    { timeoutSeconds = WAIT_SECONDS, ...options }: WaitOptions = {},
  ): Promise<Checkout> {
    const wanted: readonly CheckoutState[] = typeof states === 'string' ? [states] : states;
    const { clock } = this.caller.transport;
    const endsAt = clock.now() + timeoutSeconds;
    for (let wait: number | undefined; ; ) {
      const checkout = await this.get(id, wait === undefined ? {} : { wait }, options);
      if (wanted.includes(checkout.state)) return checkout;
      const left = Math.floor(endsAt - clock.now());
      if (left < 1) {
        const message = `checkout ${id} is ${checkout.state} after ${timeoutSeconds} s`;
        throw new WaitTimeoutError(message, { code: 'wait_timeout' });
      }
      wait = Math.min(HELD_SECONDS, left);
    }
  }
}
