// What the owners of a Safe have signed, sent to it by a key that pays the gas. Guarantees: it is
// one call that pays exactly what was ordered out of a Safe that the rules name, never a delegate
// call, with nothing given back for gas; enough of the owners that the rules name have signed
// exactly that. Not known here: whether the contract has other owners by now; then it does nothing.

import { Refusal } from '#base/refusal.ts';
import { joinSignatures, readOwnerSignatures } from '#networks/evm/safe-signatures.ts';
import {
  executeCall,
  readExecution,
  safeTransactionHash,
  signaturesIn,
} from '#networks/evm/safe-transaction.ts';
import { type EvmCall, evmCallOf } from '#networks/evm/unsigned-transaction.ts';
import { differs, type ListedSafe, requireOnePayment } from '#signer/open-key.ts';
import type { SignOrder } from '#signer/sign-order.ts';

type SafeFact = { readonly address: string; readonly nonce: bigint };

/** The Safe whose owners have signed it; undefined of an order that the account itself pays. */
export function safeOf({ facts: { spends } }: SignOrder): SafeFact | undefined {
  if (spends === undefined) return undefined;
  const [, address = '', nonce] = /^(0x[0-9a-f]{40})\/(\d{1,18})$/.exec(spends.join(' ')) ?? [];
  if (nonce !== undefined) return { address, nonce: BigInt(nonce) };
  throw new Refusal('invalid', 'order_incomplete', [
    'facts.spends: on an EVM chain address and nonce of one Safe, as 0x.../3',
  ]);
}

type Carried = {
  readonly order: SignOrder;
  readonly safe: SafeFact;
  readonly chainId: bigint;
  /** Who would send it, and what it would call. */
  readonly sender: string;
  readonly call: EvmCall;
};

/** What is called where it is as ordered, and what only one transaction of the Safe can have. */
export function requireExecution(
  carried: Carried,
  safes: readonly ListedSafe[],
): { readonly call: EvmCall; readonly turn: string } {
  const { order, safe, chainId, call } = carried;
  const { address, owners, threshold } = requireListed(carried, safes);
  // Nothing to itself takes the place of what was signed under the same nonce.
  const inner =
    order.kind === 'CANCEL'
      ? { to: address, value: 0n, data: '0x' }
      : evmCallOf(requireOnePayment(order));
  const joined = signaturesIn(call.data, inner);
  if (joined === undefined) throw differs(differencesOf(call.data, inner));
  const turn = { safe: address, chainId, nonce: safe.nonce };
  const signatures = signedBy(joined, safeTransactionHash(inner, turn), owners);
  if (signatures.length < threshold) {
    throw differs(`${signatures.length} owners have signed it; needed are ${threshold}`);
  }
  const data = executeCall(inner, joinSignatures(signatures));
  return {
    call: { to: address, value: 0n, data },
    turn: `${chainId} safe ${address} ${safe.nonce}`,
  };
}

/** @throws Refusal `safe_not_listed` */
function requireListed({ order, safe, sender }: Carried, safes: readonly ListedSafe[]): ListedSafe {
  const { environment, network } = order;
  const found = safes.find(
    (one) =>
      one.environment === environment && one.network === network && one.address === safe.address,
  );
  if (found === undefined) throw notListed(`${safe.address} is no [[safe]] of the signer`);
  if (found.gasAccount === sender.toLowerCase()) return found;
  throw notListed(`the gas of ${safe.address} is paid by ${found.gasAccount}, not by ${sender}`);
}

function notListed(sentence: string): Refusal {
  return new Refusal('conflict', 'safe_not_listed', sentence);
}

/** @throws Refusal where one is over something else, or by nobody who is an owner. */
function signedBy(joined: Buffer, hash: string, owners: readonly string[]) {
  try {
    return readOwnerSignatures(joined.toString('hex'), hash, { owners });
  } catch (error) {
    throw error instanceof Refusal ? differs(error.details) : error;
  }
}

function differencesOf(data: string, inner: EvmCall): string[] {
  const read = readExecution(data);
  if (read === undefined) return ['it does not call execTransaction'];
  const { call, isDelegate } = read;
  const faults = [
    ...(isDelegate ? ['it gives the Safe to other code: a delegate call'] : []),
    ...unequal('what the Safe calls', call.to, inner.to),
    ...unequal('what the Safe pays in wei', call.value, inner.value),
    ...unequal('the data of the call of the Safe', call.data, inner.data),
  ];
  return faults.length > 0 ? faults : ['it gives back gas, or has more in it than was ordered'];
}

function unequal(what: string, found: bigint | string, ordered: bigint | string): string[] {
  return found === ordered ? [] : [`${what} is ${found}; ordered is ${ordered}`];
}
