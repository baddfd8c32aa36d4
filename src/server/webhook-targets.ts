// Where this installation may send webhooks (webhook/target-guard.ts), from its settings.

import { isIPv4 } from 'node:net';
import { STRICT_TARGET_RULES, type TargetRules } from '#webhook/target-guard.ts';

/**
 * Test keys may use shops on the same machine where nobody else reaches the installation: it
 * listens on loopback, and its public address is of this machine too. Behind a proxy the first
 * alone says nothing.
 */
export function targetRules({
  host,
  publicUrl,
  webhookAllowedTargets,
}: {
  readonly host: string;
  readonly publicUrl: string;
  readonly webhookAllowedTargets: readonly string[];
}): TargetRules {
  return {
    ...STRICT_TARGET_RULES,
    allowedRanges: webhookAllowedTargets,
    loopbackForTest: isLoopback(host) && isLoopback(new URL(publicUrl).hostname),
  };
}

export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}
