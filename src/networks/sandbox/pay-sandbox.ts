import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Db, Tx } from '#db/db.ts';
import { addBlock, findSandboxChain, lockSandboxChain } from './sandbox-block.ts';
import {
  insertTransaction,
  listTransactionsTo,
  type SandboxOutput,
  type SandboxTransaction,
} from './sandbox-transaction.ts';

export type SandboxApp = { readonly db: Db; readonly clock: Clock; readonly random: Random };

export type SandboxPaymentRequest = {
  readonly chain: ChainId;
  /** All in one transaction; the same destination may stand there twice. */
  readonly outputs: readonly SandboxOutput[];
  /** Splits every output over so many transactions; 1 when absent. Lightning joins its parts. */
  readonly parts?: number;
  /** Not mined by itself before then; far in the future for never. */
  readonly heldUntil?: Temporal.Instant;
  /** The merchant who is paid, where it is known. */
  readonly merchantId?: string;
};

/**
 * Sends it into the mempool; on Lightning and by bank it is settled at once. An invoice is paid
 * once.
 */
export async function paySandbox(
  app: SandboxApp,
  request: SandboxPaymentRequest,
): Promise<readonly SandboxTransaction[]> {
  const { chain, outputs, heldUntil, merchantId } = request;
  const isInstant = findSandboxChain(chain)?.blockSeconds === undefined;
  const isInvoice = getNetwork(networkOf(chain)).hasInvoices;
  const parts = isInvoice ? 1 : (request.parts ?? 1);
  if (!Number.isInteger(parts) || parts < 1 || outputs.some(({ units }) => units < BigInt(parts))) {
    throw new Refusal('invalid', 'payment_invalid', 'amount: too small for so many parts');
  }
  const now = app.clock.now();
  const sent = Array.from({ length: parts }, (_, part) => ({
    transaction: newHash(app.random),
    spends: [`${newHash(app.random)}:0`],
    outputs: outputs.map((output) => ({ ...output, units: share(output.units, parts, part) })),
  }));
  await app.db.transact(async (tx) => {
    const { tip, fork } = await lockSandboxChain(tx, chain, now);
    if (isInvoice) await refusePaidInvoice(tx, chain, outputs);
    const about = { now, mineAfter: heldUntil, merchantId };
    for (const one of sent) insertTransaction(tx, chain, one, about);
    if (isInstant && heldUntil === undefined) {
      addBlock(tx, chain, { parent: tip, fork, minedAt: now, takesReady: true });
    }
  });
  return sent;
}

export function newHash(random: Random): string {
  return random.bytes(32).toHex();
}

/** Equal parts; what does not divide goes with the first. */
function share(units: bigint, parts: number, part: number): bigint {
  const each = units / BigInt(parts);
  return part === 0 ? units - each * BigInt(parts - 1) : each;
}

async function refusePaidInvoice(
  tx: Tx,
  chain: ChainId,
  outputs: readonly SandboxOutput[],
): Promise<void> {
  const destinations = outputs.map(({ destination }) => destination);
  const paid = await listTransactionsTo(tx, chain, destinations);
  if (paid.length > 0 || new Set(destinations).size < destinations.length) {
    throw new Refusal('conflict', 'invoice_paid', 'an invoice can be paid once');
  }
}
