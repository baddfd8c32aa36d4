// What the owners of a Safe signed comes back, one signature after the other, and is what anybody
// may send once enough have: the call of `execTransaction`.

import type {
  Cosigned,
  OwnerSignature,
  ReturnedDraft,
  SignedExecution,
  SignedSending,
} from '#deposit/money-out.ts';
import { notTaken, onlyPayment } from '#networks/draft-terms.ts';
import { notSigned } from '#networks/outgoing-payment.ts';
import { readSafeTerms, type SafeTerms, safeCallOf } from './draft-safe-payment.ts';
import type { EvmChain } from './evm-chain.ts';
import type { EvmRpc } from './json-rpc.ts';
import { quantityText } from './read-values.ts';
import { readSafe, readSafeNonce, wasCarriedOut } from './safe-contract.ts';
import { joinSignatures, readOwnerSignatures } from './safe-signatures.ts';
import { executeCall, type SafeTurn, safeTransactionHash } from './safe-transaction.ts';

type Chain = Pick<EvmChain, 'network' | 'chainId'>;
type Before = (digest: string) => Promise<readonly OwnerSignature[]>;

/** Whoever sends it does not matter, but who sends nothing is not refused for its balance. */
const ANYBODY = `0x${'0'.repeat(39)}1`;

/**
 * With what was entered `before`, of owners that still are some. Undefined when it is no draft of a
 * Safe. @throws Refusal invalid `signed_transaction_invalid`; Outage
 */
export async function cosignSafe(
  { network, chainId }: Chain,
  rpc: EvmRpc,
  { payments, terms, returned }: ReturnedDraft,
  before: Before,
): Promise<Cosigned | undefined> {
  const kept = readSafeTerms(terms);
  if (kept === undefined) return undefined;
  const payment = payments.length === 0 ? undefined : { ...onlyPayment(payments), network };
  const turn: SafeTurn = { safe: kept.safe, nonce: kept.nonce, chainId };
  const call = safeCallOf(turn.safe, payment);
  const digest = safeTransactionHash(call, turn);
  const { owners, threshold, nonce } = await readSafe(rpc, turn.safe);
  const known = (await before(digest)).filter(({ owner }) => owners.includes(owner));
  const text = Buffer.from(returned).toString('utf8');
  const entered = readOwnerSignatures(text, digest, { owners, known: known.map(ownerOf) });
  if (nonce > turn.nonce) {
    throw notSigned(
      `the Safe has used nonce ${turn.nonce} for something else (its next is ${nonce}): draft it ` +
        'again, and have it signed again',
    );
  }
  const all = [...known, ...entered];
  const isWhole = all.length >= threshold;
  const signedTransaction = executeCall(call, joinSignatures(all.slice(0, threshold)));
  return {
    digest,
    entered,
    signedBy: all.map(ownerOf),
    needed: threshold,
    sending: isWhole ? { signedTransaction, transaction: digest } : undefined,
  };
}

/** How it is carried out, and what stands against it now. Undefined of what a node takes itself. */
export async function executionOfSafe(
  { chainId }: Chain,
  rpc: EvmRpc,
  terms: string,
  { signedTransaction: data }: SignedSending,
): Promise<SignedExecution | undefined> {
  const kept = readSafeTerms(terms);
  if (kept === undefined) return undefined;
  const { safe: to, nonce } = kept;
  const turn = { address: to, nonce };
  const call = { chainId: `0x${chainId.toString(16)}`, to, value: '0x0', data };
  const { nonce: next } = await readSafe(rpc, to);
  if (next > nonce)
    return { call, turn, against: 'its nonce is used: it has landed, or another one has' };
  if (next < nonce) {
    return {
      call,
      turn,
      against: `the Safe carries out nonce ${next} first; this one has ${nonce}`,
    };
  }
  const params = [{ from: ANYBODY, to, data }, 'latest'];
  const [answer] = await rpc.batch([{ method: 'eth_call', params }]);
  if (answer === undefined || answer.ok) return { call, turn, against: undefined };
  return { call, turn, against: notTaken(answer.failure.said).details.join('; ') };
}

/**
 * Its nonce was used for something else. That the Safe carried it out is asked as well, because the
 * watcher does not see every way in which somebody may call the Safe. @throws Outage
 */
export async function isOverInSafe(
  rpc: EvmRpc,
  terms: SafeTerms,
  height: bigint,
): Promise<boolean> {
  const next = await readSafeNonce(rpc, terms.safe, quantityText(height));
  return next > terms.nonce && !(await wasCarriedOut(rpc, terms, height));
}

function ownerOf({ owner }: OwnerSignature): string {
  return owner;
}
