// What the payer of a test checkout does by itself on the simulated networks, by a word that the
// shop writes into `meta.sandbox`. A live checkout has no such payer, whatever its meta say.

import type { Environment } from '#catalog/chain.ts';

export type SandboxStep =
  | 'pay'
  | 'pay-half'
  | 'pay-more'
  | 'pay-parts'
  | 'pay-other'
  | 'pay-late'
  | 'mine'
  | 'expire'
  | 'replace'
  | 'undo';

/** The manual has them in a table (manual/testing.md). */
export const SANDBOX_WORDS: Readonly<Record<string, readonly SandboxStep[]>> = {
  paid: ['pay', 'mine'],
  underpaid: ['pay-half', 'mine'],
  overpaid: ['pay-more', 'mine'],
  parts: ['pay-parts', 'mine'],
  wrong_asset: ['pay-other', 'mine'],
  late: ['expire', 'pay-late', 'mine'],
  expired: ['expire'],
  replaced: ['pay', 'replace'],
  reversed: ['pay', 'mine', 'undo'],
};

/** Another word, and what is no word, is the shop's own: it does nothing. */
export function sandboxStepsOf(
  environment: Environment,
  metaText: string | undefined,
): readonly SandboxStep[] {
  if (environment !== 'test' || metaText === undefined) return [];
  // Most say nothing of it, and a name that is not spelled out needs a backslash.
  if (!metaText.includes('"sandbox"') && !metaText.includes('\\')) return [];
  const { sandbox } = JSON.parse(metaText) as { readonly sandbox?: unknown };
  if (typeof sandbox !== 'string' || !Object.hasOwn(SANDBOX_WORDS, sandbox)) return [];
  return SANDBOX_WORDS[sandbox] ?? [];
}
