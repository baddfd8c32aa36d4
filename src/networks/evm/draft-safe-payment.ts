// One payment out of the Safe of the operator, put together for its owners to sign. What they sign
// has no end and no fee of its own: whoever sends it pays the gas. Guarantees: the contract itself
// computes the same hash; its nonce is the lowest that neither the chain has used nor another draft
// has, so that the owners can sign several payments at once.

import { assert } from '#base/assert.ts';
import type { DraftedPayment, DraftOrder } from '#deposit/money-out.ts';
import {
  onlyPayment,
  readDraftTerms,
  refusedDraft,
  writeDraftTerms,
} from '#networks/draft-terms.ts';
import type { OutgoingPayment } from '#networks/outgoing-payment.ts';
import { assetAmountText, type EvmDraftSource, knownReceivers } from './draft-payment.ts';
import { readGasLimits } from './estimate-gas.ts';
import { askAll, type EvmRpc } from './json-rpc.ts';
import { readBalancesAt } from './read-balances.ts';
import { requireQuantity } from './read-values.ts';
import { agreedSafeHash, readSafe } from './safe-contract.ts';
import { type SafeTurn, safeTypedData } from './safe-transaction.ts';
import { tryPayment } from './try-payment.ts';
import { type EvmCall, evmCallOf } from './unsigned-transaction.ts';

export type SafeTerms = Omit<SafeTurn, 'chainId'> & {
  /** What its owners sign. */
  readonly digest: string;
  /** The last block when it was drafted: it is carried out above it. */
  readonly since: bigint;
};

/** What is kept of a draft; undefined where it is none of a Safe. */
export function readSafeTerms(text: string): SafeTerms | undefined {
  if (!text.includes('"safe"')) return undefined;
  const { safe, nonce, digest, since } = readDraftTerms(text, ['safe', 'nonce', 'digest', 'since']);
  return { safe, digest, nonce: BigInt(nonce), since: BigInt(since) };
}

/** Whether the Safe pays it: whatever no other address is named for. */
export function isOfSafe(
  safe: string | undefined,
  { from, replaces }: Pick<DraftOrder, 'from' | 'replaces'>,
): boolean {
  if (safe === undefined) return false;
  if (replaces !== undefined) return readSafeTerms(replaces) !== undefined;
  return from === undefined || from.toLowerCase() === safe;
}

/** What the Safe does: pays this; or nothing, to itself, in the place of what has its nonce. */
export function safeCallOf(safe: string, payment: OutgoingPayment | undefined): EvmCall {
  return payment === undefined ? { to: safe, value: 0n, data: '0x' } : evmCallOf(payment);
}

/** @throws Refusal conflict that says what is missing; invalid when it can never be sent so. */
export async function draftSafePayment(
  source: EvmDraftSource,
  rpc: EvmRpc,
  order: DraftOrder,
): Promise<DraftedPayment> {
  const { safe, coinAssetId, parameters } = source;
  assert(safe !== undefined, 'a Safe pays');
  const { payments, replaces } = order;
  const replaced = replaces === undefined ? undefined : readSafeTerms(replaces);
  if (replaced !== undefined && payments.length > 0) {
    throw refusedDraft(
      'its owners have signed it, and it has no fee to be raised: carry it out (npx quittance ' +
        'send signed ID shows how), with more gas if it does not land',
    );
  }
  const { owners, threshold, nonce: next } = await readSafe(rpc, safe);
  const payment = replaced === undefined ? paymentOf(source, order) : undefined;
  const nonce = replaced?.nonce ?? freeNonce(safe, next, order);
  const call = safeCallOf(safe, payment);
  const [latest] = await askAll(rpc, [{ method: 'eth_blockNumber', params: [] }]);
  const since = requireQuantity(latest, 'the height of the chain');
  if (payment !== undefined)
    await requirePayable(source, rpc, { payment, safe, call, height: since });
  const turn = { safe, chainId: parameters.chainId, nonce };
  const digest = await agreedSafeHash(rpc, call, turn);
  const typed = safeTypedData(call, turn);
  return {
    format: 'transaction',
    text: JSON.stringify(typed, null, 2),
    json: typed,
    links: [],
    from: safe,
    sequence: nonce,
    feeUnits: 0n,
    feeAssetId: coinAssetId,
    until: undefined,
    signers: { digest, needed: threshold, owners },
    terms: writeDraftTerms({ safe, nonce, digest, since }),
    spends: [`${safe}/${nonce}`, digest],
  };
}

function paymentOf({ parameters }: EvmDraftSource, { payments }: DraftOrder): OutgoingPayment {
  return { ...onlyPayment(payments), network: parameters.network };
}

/**
 * What was drafted for the same payment keeps its nonce while that can be used, so that owners who
 * signed both have not signed two payments that can both land.
 */
function freeNonce(safe: string, next: bigint, { taken, drafted }: DraftOrder): bigint {
  const own = [...(drafted?.own ?? [])]
    .filter((turn) => turn.startsWith(`${safe}/`) && !taken.has(turn))
    .map((turn) => BigInt(turn.slice(safe.length + 1)))
    .find((nonce) => nonce >= next);
  if (own !== undefined) return own;
  let nonce = next;
  const isTaken = (turn: string) => taken.has(turn) || drafted?.others.has(turn) === true;
  while (isTaken(`${safe}/${nonce}`)) nonce += 1n;
  return nonce;
}

type Payable = {
  readonly payment: OutgoingPayment;
  readonly safe: string;
  readonly call: EvmCall;
  readonly height: bigint;
};

async function requirePayable(
  source: EvmDraftSource,
  rpc: EvmRpc,
  { payment, safe, call, height }: Payable,
): Promise<void> {
  const { contractOf } = source;
  const { assetId, units } = payment;
  // What it pays to itself does not leave it, so that nothing would ever show it as paid.
  if (payment.account.address?.toLowerCase() === safe) {
    throw refusedDraft('the receiver is the Safe itself: pay it from another address (--from)');
  }
  const contractReceivers = knownReceivers(source);
  const against = await tryPayment(rpc, { payment, sender: safe, contractReceivers });
  if (against !== undefined) throw refusedDraft(against);
  const [held] = await readBalancesAt(rpc, contractOf, [{ address: safe, assetId, height }]);
  if ((held ?? 0n) < units) {
    throw refusedDraft(
      `the Safe ${safe} holds ${assetAmountText(assetId, held ?? 0n)}, less than ` +
        `${assetAmountText(assetId, units)}: move money there first (npx quittance custody sweep), or ` +
        'name an address that pays with --from',
    );
  }
  const [gas] = await readGasLimits(rpc, [{ from: safe, ...call }]);
  if (gas === undefined) {
    throw refusedDraft('the receiver, or the token, refuses this payment: it would fail');
  }
}
