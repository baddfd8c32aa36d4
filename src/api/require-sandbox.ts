import type { Caller } from '#account/caller.ts';
import { acceptedText } from '#base/accepted.ts';
import { Refusal } from '#base/refusal.ts';
import { findNetwork, networkIds } from '#catalog/network.ts';
import type { SandboxPort } from '#checkout/sandbox-port.ts';

/** Simulated chains are driven with test keys only. @throws Refusal with a live key. */
export function requireSandbox(
  app: { readonly sandbox?: SandboxPort | undefined },
  caller: Pick<Caller, 'environment'>,
): SandboxPort {
  if (caller.environment !== 'test') {
    throw new Refusal('forbidden', 'test_key_required', 'the sandbox takes test keys only');
  }
  if (app.sandbox === undefined) {
    throw new Refusal('unavailable', 'sandbox_off', [
      'the simulated networks are switched off on this installation: its operator can set SANDBOX=on',
    ]);
  }
  return app.sandbox;
}

export function isNetwork(id: string): boolean {
  return findNetwork(id) !== undefined;
}

export const unknownNetwork = `is not a network id of GET /networks; ${acceptedText('', networkIds(), 'GET /networks')}`;
