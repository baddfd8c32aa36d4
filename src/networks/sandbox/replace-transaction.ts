import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { newHash, type SandboxApp } from './pay-sandbox.ts';
import { lockSandboxChain } from './sandbox-block.ts';
import {
  findTransaction,
  insertTransaction,
  type SandboxTransaction,
  setState,
} from './sandbox-transaction.ts';

type Replacement = {
  readonly chain: ChainId;
  readonly transaction: string;
  /** Pays the same destination this much instead; absent: a double spend for somebody else. */
  readonly units?: bigint;
  readonly heldUntil?: Temporal.Instant;
};

/** Another unconfirmed transaction that spends the same money takes its place (BIP-125). */
export async function replaceTransaction(
  app: SandboxApp,
  { chain, transaction, units, heldUntil }: Replacement,
): Promise<SandboxTransaction> {
  const now = app.clock.now();
  return app.db.transact(async (tx) => {
    await lockSandboxChain(tx, chain, now);
    const original = await findTransaction(tx, chain, transaction);
    if (original?.state !== 'MEMPOOL') {
      throw new Refusal('conflict', 'transaction_not_replaceable', [
        'transaction: only an unconfirmed one can be replaced',
      ]);
    }
    const replacement: SandboxTransaction = {
      transaction: newHash(app.random),
      spends: original.spends,
      outputs: original.outputs.map((output) =>
        units === undefined
          ? { ...output, destination: `elsewhere-${newHash(app.random)}` }
          : { ...output, units },
      ),
    };
    setState(tx, chain, [transaction], 'REPLACED');
    insertTransaction(tx, chain, replacement, {
      now,
      mineAfter: heldUntil,
      merchantId: original.merchantId,
    });
    return replacement;
  });
}
