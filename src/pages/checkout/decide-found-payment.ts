// What a customer who pastes a transaction is told: a pure function of what is on record. The
// answer never says whose a payment is that belongs to something else, and never that a payment is
// lost because we do not see it.

import { networkOf } from '#catalog/chain.ts';
import { networkOfExplorer } from '#catalog/explorer.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Receipt } from '#chain/receipt.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import {
  commitmentOf,
  isStanding,
  isWrongAsset,
  paymentProgress,
} from '#checkout-settlement/payment-progress.ts';

export type FoundPayment =
  /** No transaction hash in what was pasted. */
  | { readonly kind: 'unreadable' }
  | {
      readonly kind: 'seen';
      readonly network: string;
      readonly assetId: string;
      readonly units: bigint;
      readonly stage: 'waiting' | 'confirming' | 'confirmed' | 'gone';
    }
  /** It is here, but less or more than was asked for. */
  | {
      readonly kind: 'wrong-amount';
      readonly network: string;
      readonly assetId: string;
      readonly units: bigint;
      readonly difference: 'less' | 'more';
      readonly differenceUnits: bigint;
    }
  | { readonly kind: 'wrong-asset'; readonly network: string; readonly assetId: string }
  /** Undefined: its form shows that it is none of the networks asked for. */
  | { readonly kind: 'wrong-network'; readonly network: string | undefined }
  /** It came to our account without the memo or tag that names the payment. */
  | { readonly kind: 'no-memo'; readonly network: string }
  | { readonly kind: 'elsewhere' }
  /** `behind`: networks whose newest payments we cannot see now. */
  | { readonly kind: 'not-found'; readonly behind: readonly string[] };

type FoundPaymentFacts = {
  readonly record: CheckoutRecord;
  readonly text: TransactionText | undefined;
  /** Everything on record by this transaction, of this environment, whoever it was for. */
  readonly receipts: readonly Receipt[];
  readonly behind: ReadonlySet<string>;
};

export function decideFoundPayment(facts: FoundPaymentFacts): FoundPayment {
  const { record, receipts, text } = facts;
  if (text === undefined) return { kind: 'unreadable' };
  const own = receipts.filter(
    ({ purpose, purposeId }) => purpose === 'checkout' && purposeId === record.id,
  );
  const best = own.find(isStanding) ?? own[0];
  if (best !== undefined) return ownPayment(record, own, best);
  const stray = receipts.find((receipt) => isToOurPlace(record, receipt));
  if (stray !== undefined) return strayPayment(record, stray);
  if (receipts.length > 0) return { kind: 'elsewhere' };
  return unknownPayment(facts, text);
}

function ownPayment(record: CheckoutRecord, own: readonly Receipt[], best: Receipt): FoundPayment {
  const network = networkOf(best.chain);
  const { assetId } = best;
  if (!isStanding(best)) {
    return { kind: 'seen', network, assetId, units: best.units, stage: 'gone' };
  }
  const right = own.filter((receipt) => isStanding(receipt) && !isWrongAsset(record, receipt));
  const [first] = right;
  if (first === undefined) return { kind: 'wrong-asset', network, assetId };
  const units = right
    .filter((receipt) => receipt.chain === first.chain && receipt.assetId === first.assetId)
    .reduce((sum, receipt) => sum + receipt.units, 0n);
  const found = { network: networkOf(first.chain), assetId: first.assetId, units };
  return wrongAmount(record, first, found) ?? { kind: 'seen', ...found, stage: stageOf(right) };
}

type Found = { readonly network: string; readonly assetId: string; readonly units: bigint };

/** Judged by everything that came for the checkout, because a second part completes the first. */
function wrongAmount(
  record: CheckoutRecord,
  receipt: Receipt,
  found: Found,
): FoundPayment | undefined {
  const commitment = commitmentOf(record, receipt);
  if (commitment === undefined) return undefined;
  const arrived = record.receipts
    .filter(({ instructionId }) => instructionId === receipt.instructionId)
    .filter((one) => isStanding(one) && !isWrongAsset(record, one))
    .reduce((sum, one) => sum + one.units, 0n);
  if (arrived > commitment.arrivingUnits) {
    const differenceUnits = arrived - commitment.arrivingUnits;
    return { kind: 'wrong-amount', ...found, difference: 'more', differenceUnits };
  }
  if (record.state === 'COMPLETED') return undefined;
  const { remainingUnits, requiredUnits } = paymentProgress(record, commitment);
  const tolerated = requiredUnits * BigInt(record.underpaidTolerancePartsPerMillion);
  if (remainingUnits * 1_000_000n <= tolerated) return undefined;
  return { kind: 'wrong-amount', ...found, difference: 'less', differenceUnits: remainingUnits };
}

function stageOf(receipts: readonly Receipt[]): 'waiting' | 'confirming' | 'confirmed' {
  if (receipts.every(({ status }) => status === 'FINAL')) return 'confirmed';
  return receipts.some(({ status }) => status === 'SEEN') ? 'waiting' : 'confirming';
}

/** Where we asked for the payment, or the same address on another network. */
function isToOurPlace({ commitments }: CheckoutRecord, { destination }: Receipt): boolean {
  return commitments.some(
    ({ instruction }) =>
      destination === instruction.destination ||
      destination === instruction.address ||
      destination.startsWith(`${instruction.address}:`),
  );
}

function strayPayment({ commitments }: CheckoutRecord, receipt: Receipt): FoundPayment {
  const network = networkOf(receipt.chain);
  const isRightNetwork = commitments.some((commitment) => commitment.network === network);
  if (!isRightNetwork) return { kind: 'wrong-network', network };
  // The account is the same for all payments, so a payment with somebody else's memo is somebody
  // else's.
  return receipt.instructionId === undefined ? { kind: 'no-memo', network } : { kind: 'elsewhere' };
}

function unknownPayment(
  { record, behind }: FoundPaymentFacts,
  { network, hasPrefix }: TransactionText,
): FoundPayment {
  const asked = record.commitments.map((commitment) => commitment.network);
  if (asked.length > 0) {
    if (network !== undefined && !asked.includes(network))
      return { kind: 'wrong-network', network };
    const isEvmAsked = asked.some((id) => getNetwork(id).evmChainId !== undefined);
    if (hasPrefix && !isEvmAsked) return { kind: 'wrong-network', network: undefined };
  }
  return { kind: 'not-found', behind: asked.filter((id) => behind.has(id)) };
}

/**
 * The hash in what was pasted, which may be the address of an explorer with the hash in it, in
 * upper or lower case, with or without 0x.
 */
type TransactionText = {
  /** The hash as networks write it: lower case, with 0x (EVM), upper case (XRP Ledger). */
  readonly transactions: readonly string[];
  /** Written with 0x: only wallets of EVM networks do that. */
  readonly hasPrefix: boolean;
  /** Where the explorer looks that the address belongs to. */
  readonly network: string | undefined;
};

/** More than the longest address of an explorer. */
export const TRANSACTION_TEXT_MAX = 500;

const HASH = /(?<![0-9a-z])(0x)?([0-9a-f]{64})(?![0-9a-z])/i;

/** Undefined when there is no hash in it, more than one, or too much around it. */
export function readTransactionText(text: string): TransactionText | undefined {
  if (text.length > TRANSACTION_TEXT_MAX) return undefined;
  const match = HASH.exec(text);
  const hash = match?.[2]?.toLowerCase();
  if (match === null || hash === undefined) return undefined;
  const rest = text.slice(match.index + match[0].length);
  const another = HASH.exec(rest)?.[2]?.toLowerCase();
  if (another !== undefined && another !== hash) return undefined;
  return {
    transactions: [hash, `0x${hash}`, hash.toUpperCase()],
    hasPrefix: match[1] !== undefined,
    network: explorerIn(text),
  };
}

function explorerIn(text: string): string | undefined {
  const address = text.trim();
  return URL.canParse(address) ? networkOfExplorer(new URL(address).host) : undefined;
}
