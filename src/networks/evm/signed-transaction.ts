// Reads the signed transaction of an EVM chain that came back for an order. Guarantees: what is
// given back is signed by the account of the order, does what the order says and nothing else, and
// costs no more; the text, of whoever it is, ends as a Refusal or as that. Not guaranteed: that it
// lands, or that the account has the money. Pure.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { NATIVE_ISSUER } from '#catalog/asset.ts';
import {
  difference,
  notSigned,
  requireAsOrdered,
  type SignedPayment,
  sentAsset,
} from '#networks/outgoing-payment.ts';
import type { EvmFeeCaps } from './decide-fee-caps.ts';
import { evmAddressOf } from './derive-address.ts';
import { decodeRlp, encodeRlp, type RlpItem } from './rlp.ts';
import {
  calledBy,
  DYNAMIC_FEE_TYPE,
  type EvmCall,
  type EvmCancellation,
  type EvmOrder,
  TRANSFER_SELECTOR,
  unsignedBytes,
} from './unsigned-transaction.ts';

/** With the caps that were signed, which may be lower than those of the order. */
type SignedEvmPayment = SignedPayment & EvmFeeCaps;

/** A signed transfer has about 250 characters, what a hundred owners have signed 15,000. */
const TEXT_MOST = 16_384;
const UNSIGNED_FIELDS = 9;
const SIGNED_FIELDS = 12;
/** The first byte of a list: transactions of before EIP-2718. */
const LEGACY_FROM = 0xc0;
/** EIP-2718 types, and why they are not what was ordered. */
const OTHER_TYPES: ReadonlyMap<number, string> = new Map([
  [1, 'with an access list and a fixed price of gas (EIP-2930)'],
  [3, 'with blobs (EIP-4844)'],
  [4, 'that gives the account to a contract (EIP-7702)'],
]);

/**
 * @throws Refusal invalid `signed_transaction_invalid` when it is none; conflict
 * `signed_transaction_differs` with a sentence for each difference from the order.
 */
export function readSignedEvmPayment(
  text: string,
  order: EvmOrder | EvmCancellation,
): SignedEvmPayment {
  const bytes = readHex(text);
  const read = readDynamicFee(bytes);
  const wanted = calledBy(order);
  const { maxFeePerGas, maxPriorityFeePerGas } = read;
  requireAsOrdered([
    ...difference('the sender', read.sender, order.sender.toLowerCase()),
    ...difference('the chain id', read.chainId, order.chainId),
    ...difference('the nonce', read.nonce, order.nonce),
    ...difference('the gas limit', read.gasLimit, order.gasLimit),
    ...above('the fee for each gas', maxFeePerGas, order.maxFeePerGas),
    ...above('the tip for each gas', maxPriorityFeePerGas, order.maxPriorityFeePerGas),
    ...callDifferences(read.call, wanted, order.payment),
    ...(read.hasAccessList ? ['it has an access list; ordered is none'] : []),
  ]);
  // Written again from the order it is what was signed: nothing was overlooked.
  const expected = unsignedBytes({ ...order, maxFeePerGas, maxPriorityFeePerGas }, wanted);
  if (!expected.equals(read.signed)) throw notSigned('it has more in it than was ordered');
  return {
    signedTransaction: `0x${bytes.toString('hex')}`,
    transaction: hexOf(keccak_256(bytes)),
    maxFeePerGas,
    maxPriorityFeePerGas,
  };
}

function readHex(text: string): Buffer {
  const trimmed = text.length <= TEXT_MOST ? text.trim() : '';
  const digits = /^(?:0x)?((?:[0-9a-f]{2})+)$/i.exec(trimmed)?.[1];
  if (digits !== undefined) return Buffer.from(digits, 'hex');
  throw notSigned(
    `it must be a signed transaction in hexadecimal (0x02...), of at most ${TEXT_MOST} characters`,
  );
}

type DynamicFee = Omit<EvmOrder, 'payment'> & {
  readonly call: EvmCall;
  readonly hasAccessList: boolean;
  /** The bytes under the signature. */
  readonly signed: Buffer;
};

function readDynamicFee(bytes: Buffer): DynamicFee {
  const items = openList(bytes);
  const numbers = items.map((item) => (item instanceof Uint8Array ? item : undefined));
  const [chainId, nonce, tip, fee, gas, to, value, data, , parity, r, s] = numbers;
  const accessList = items[UNSIGNED_FIELDS - 1];
  if (to === undefined || data === undefined || !Array.isArray(accessList)) throw broken();
  if (to.length !== 20) {
    if (to.length > 0) throw broken();
    throw notSigned('it creates a contract and pays nobody');
  }
  const [maxFeePerGas, maxPriorityFeePerGas] = [integer(fee), integer(tip)];
  if (maxPriorityFeePerGas > maxFeePerGas) {
    throw notSigned('its tip is more than its whole fee, which no node takes');
  }
  const signed = Buffer.concat([
    Buffer.of(DYNAMIC_FEE_TYPE),
    encodeRlp(items.slice(0, UNSIGNED_FIELDS)),
  ]);
  const signature = { parity: integer(parity, 1), r: integer(r), s: integer(s) };
  return {
    sender: recoverSender(keccak_256(signed), signature),
    chainId: integer(chainId),
    nonce: integer(nonce, 8),
    gasLimit: integer(gas, 8),
    maxFeePerGas,
    maxPriorityFeePerGas,
    call: { to: hexOf(to), value: integer(value), data: hexOf(data) },
    hasAccessList: accessList.length > 0,
    signed,
  };
}

function openList(bytes: Buffer): readonly RlpItem[] {
  const [type = 0] = bytes;
  if (type >= LEGACY_FROM) {
    throw notSigned('it is of the old kind with one price of gas; sign it as EIP-1559 (type 2)');
  }
  if (type !== DYNAMIC_FEE_TYPE) {
    const kind = OTHER_TYPES.get(type) ?? 'that is not known';
    throw notSigned(`it is a transaction of type ${type}, ${kind}; sign it as EIP-1559 (type 2)`);
  }
  const items = decodeRlp(bytes.subarray(1));
  if (items === undefined || items instanceof Uint8Array) throw broken();
  if (items.length === UNSIGNED_FIELDS) throw notSigned('it is not signed yet');
  if (items.length !== SIGNED_FIELDS) throw broken();
  return items;
}

/** Without leading zeros, as every node demands. */
function integer(bytes: Uint8Array | undefined, bytesMost = 32): bigint {
  if (bytes === undefined || bytes.length > bytesMost || bytes[0] === 0) throw broken();
  return bytes.length === 0 ? 0n : BigInt(hexOf(bytes));
}

type ReadSignature = { readonly parity: bigint; readonly r: bigint; readonly s: bigint };

function recoverSender(hash: Uint8Array, { parity, r, s }: ReadSignature): string {
  if (parity > 1n) throw broken();
  try {
    const signature = new secp256k1.Signature(r, s, Number(parity));
    if (!signature.hasHighS()) {
      return evmAddressOf(signature.recoverPublicKey(hash).toBytes(false)).toLowerCase();
    }
  } catch (error) {
    throw notSigned('its signature is none', { cause: error });
  }
  throw notSigned('its signature has a high s, which no node takes (EIP-2)');
}

/** Of the coin of the chain nothing. */
const PAYS_NOBODY = { assetIssuer: NATIVE_ISSUER, assetCode: '' };

function callDifferences(
  found: EvmCall,
  wanted: EvmCall,
  payment: EvmOrder['payment'] | undefined,
): string[] {
  const { assetIssuer, assetCode } = payment === undefined ? PAYS_NOBODY : sentAsset(payment);
  if (payment === undefined || assetIssuer === NATIVE_ISSUER) {
    return [
      ...difference('the receiver', found.to, wanted.to),
      ...difference('the amount in wei', found.value, wanted.value),
      ...dataDifferences(found.data, wanted.data),
    ];
  }
  return [
    ...difference(`the contract of ${assetCode}`, found.to, wanted.to),
    ...difference('the amount in wei', found.value, wanted.value),
    ...transferDifferences(found.data, payment.account.address ?? '', payment.units),
  ];
}

function dataDifferences(found: string, wanted: string): readonly string[] {
  if (found === wanted) return [];
  if (wanted === '0x') return ['it calls a contract; ordered is a plain transfer'];
  return ['it calls something else than what the owners of the Safe have signed'];
}

function transferDifferences(data: string, receiver: string, units: bigint): readonly string[] {
  const words = new RegExp(`^${TRANSFER_SELECTOR}0{24}([0-9a-f]{40})([0-9a-f]{64})$`).exec(data);
  if (words === null) return ['it does not call transfer(address,uint256), as was ordered'];
  const [, to, value] = words;
  return [
    ...difference('the receiver', `0x${to}`, receiver.toLowerCase()),
    ...difference('the amount in units', BigInt(`0x${value}`), units),
  ];
}

function above(what: string, found: bigint, most: bigint): string[] {
  return found > most ? [`${what} is ${found}; ordered are at most ${most}`] : [];
}

function hexOf(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

function broken() {
  return notSigned('it is no whole signed transaction');
}
