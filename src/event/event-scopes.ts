// What a key must be allowed to hear of an event, in lists and through its account-wide receivers:
// as much as to ask for the same thing over the API.

import { EVENT_TYPES, type EventType } from './event.ts';

const HEARD_WITH: readonly (readonly [types: RegExp, scopes: readonly string[]])[] = [
  [/^TRANSFER_/, ['money']],
  // Whoever makes checkouts names a webhook that is told of their refunds.
  [/^REFUND_/, ['money', 'checkout']],
  [/^SWAP_/, ['money', 'read']],
  [/^/, ['read', 'checkout']],
];

/** One of these is enough; a key without scopes may hear everything. */
export function scopesToHear(type: EventType): readonly string[] {
  return HEARD_WITH.find(([types]) => types.test(type))?.[1] ?? [];
}

export function typesUnheard(scopes: readonly string[] | undefined): EventType[] {
  return EVENT_TYPES.filter((type) => !mayHear(scopes, type));
}

/** Undefined `scopes` of a key mean everything. */
export function mayHear(scopes: readonly string[] | undefined, type: EventType): boolean {
  return scopes === undefined || scopesToHear(type).some((scope) => scopes.includes(scope));
}
