// Who pays a test checkout by itself, by a word in its `meta`. With a live key the word does nothing.

export const SIMULATED_PAYERS = [
  'paid',
  'underpaid',
  'overpaid',
  'parts',
  'wrong_asset',
  'late',
  'expired',
  'replaced',
  'reversed',
] as const;

export type SimulatedPayer = (typeof SIMULATED_PAYERS)[number];

/** `meta` of a test checkout that this payer pays as soon as it is committed. */
export function simulatedPayer<Meta extends object>(
  payer: SimulatedPayer,
  meta?: Meta,
): Meta & { sandbox: SimulatedPayer } {
  return { ...(meta as Meta), sandbox: payer };
}
