import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { ExposureApp } from '#rates/exposure.ts';

/**
 * With a test key the house itself is the other side. With a live key that is an open position,
 * which its operator has to allow (decision 31).
 * @throws Refusal unavailable `exchange_missing`.
 */
export function requireExchange(
  { exposureLimitUsd }: Pick<ExposureApp, 'exposureLimitUsd'>,
  environment: Environment,
): void {
  if (environment === 'test' || exposureLimitUsd !== undefined) return;
  const message =
    'live swaps need an exposure limit of the operator, and EXPOSURE_LIMIT_USD is not set';
  throw new Refusal('unavailable', 'exchange_missing', message);
}
