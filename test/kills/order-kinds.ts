// What money leaves by. `two people`: a transfer above the limit of one person.
export const ORDER_KINDS = [
  'refund',
  'transfer',
  'two people',
  'settlement',
  'return',
  'sweep',
] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

/** Deposit addresses are swept where each is an account of its own. */
export function kindsOn(network: 'litecoin' | 'anvil'): readonly OrderKind[] {
  return ORDER_KINDS.filter((kind) => kind !== 'sweep' || network === 'anvil');
}
