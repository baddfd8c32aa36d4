import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';

/**
 * With a test key the house itself is the other side. With a live key that would be an open
 * position which nobody has allowed it to take (payments.md, Outgoing money).
 * @throws Refusal unavailable `exchange_missing`.
 */
export function requireExchange(environment: Environment): void {
  if (environment === 'test') return;
  const message =
    'live swaps need an exchange or an exposure limit of the operator, and none is set up';
  throw new Refusal('unavailable', 'exchange_missing', message);
}
