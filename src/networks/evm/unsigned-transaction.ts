// A payment on an EVM chain as an unsigned transaction of EIP-1559, in every form in which a signer
// takes it. Guarantees: the transaction pays exactly this to exactly this receiver, from one
// account, with one nonce and at most this for its gas. Not known here: whether the receiver is a
// contract, whether the account has the money, what the gas costs (decide-fee-caps.ts). Pure.

import { keccak_256 } from '@noble/hashes/sha3.js';
import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import { notSendable, type OutgoingPayment, sentAsset } from '#networks/outgoing-payment.ts';
import { etherUri, tokenUri } from '#networks/payment-uri.ts';
import type { EvmFeeCaps } from './decide-fee-caps.ts';
import { canonicalEvmAddress } from './derive-address.ts';
import { pinnedTokens } from './evm-tokens.ts';
import { quantityText } from './read-values.ts';
import { encodeRlp, rlpInteger } from './rlp.ts';

/** What a transaction of an account spends: of those with one nonce the chain takes one. */
export function turnKey(sender: string, nonce: bigint): string {
  return `${sender}/${nonce}`;
}

export type EvmOrder = EvmFeeCaps & {
  readonly payment: OutgoingPayment;
  readonly chainId: bigint;
  /** Address whose nonce it is. */
  readonly sender: string;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
};

/** What the transaction calls, addresses in lower case. */
export type EvmCall = {
  readonly to: string;
  readonly value: bigint;
  /** 0x... */
  readonly data: string;
};

/** Pays nobody by itself: nothing, in the place of another one with its nonce; or this call. */
export type EvmCancellation = Omit<EvmOrder, 'payment'> & {
  readonly payment: undefined;
  readonly call?: EvmCall;
};

/** As `eth_signTransaction` and wallets in a browser take it: quantities in hexadecimal. */
type TransactionJson = Readonly<
  Record<
    | 'type'
    | 'from'
    | 'to'
    | 'value'
    | 'data'
    | 'gas'
    | 'nonce'
    | 'maxFeePerGas'
    | 'maxPriorityFeePerGas'
    | 'chainId',
    string
  >
>;

/** What somebody types into a wallet. */
type EvmPaymentFields = {
  readonly receiver: string;
  /** In whole coins. */
  readonly amount: string;
  readonly assetCode: string;
  /** Of the token; undefined for the coin of the chain. */
  readonly contract: string | undefined;
};

type UnsignedEvmTransaction = {
  /** 0x02..., without a signature. */
  readonly unsignedTransaction: string;
  /** What is signed: its keccak-256. */
  readonly signingHash: string;
  readonly json: TransactionJson;
  readonly fields: EvmPaymentFields;
  /** EIP-681; nonce and fees are the wallet's own. */
  readonly uri: string;
};

/** EIP-2718: the first byte of a transaction of EIP-1559. */
export const DYNAMIC_FEE_TYPE = 2;
/** Selector of `transfer(address,uint256)` (ERC-20). */
export const TRANSFER_SELECTOR = '0xa9059cbb';
const WORD_DIGITS = 64;
const NO_ADDRESS = `0x${'0'.repeat(40)}`;

/** @throws Refusal invalid `payment_not_sendable` */
export function unsignedEvmTransaction(order: EvmOrder): UnsignedEvmTransaction {
  return { ...signableEvm(order), ...shownPayment(order) };
}

/** What signers take. @throws Refusal invalid `payment_not_sendable` */
export function signableEvm(
  order: EvmOrder | EvmCancellation,
): Omit<UnsignedEvmTransaction, 'fields' | 'uri'> {
  const call = calledBy(order);
  const bytes = unsignedBytes(order, call);
  return {
    unsignedTransaction: `0x${bytes.toString('hex')}`,
    signingHash: `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`,
    json: {
      type: quantityText(BigInt(DYNAMIC_FEE_TYPE)),
      from: order.sender,
      to: call.to,
      value: quantityText(call.value),
      data: call.data,
      gas: quantityText(order.gasLimit),
      nonce: quantityText(order.nonce),
      maxFeePerGas: quantityText(order.maxFeePerGas),
      maxPriorityFeePerGas: quantityText(order.maxPriorityFeePerGas),
      chainId: quantityText(order.chainId),
    },
  };
}

/** Nothing to itself, where it does nothing. @throws Refusal invalid `payment_not_sendable` */
export function calledBy(order: EvmOrder | EvmCancellation): EvmCall {
  if (order.payment !== undefined) return evmCallOf(order.payment);
  return order.call ?? { to: order.sender.toLowerCase(), value: 0n, data: '0x' };
}

/** The bytes that are hashed and signed (EIP-1559). @throws Refusal when a number does not fit. */
export function unsignedBytes(order: Omit<EvmOrder, 'payment'>, call: EvmCall): Buffer {
  const { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gasLimit } = order;
  if (maxPriorityFeePerGas > maxFeePerGas) {
    throw notSendable('the tip cannot be more than the whole fee');
  }
  return Buffer.concat([
    Buffer.of(DYNAMIC_FEE_TYPE),
    encodeRlp([
      integer('the chain id', chainId, 64n),
      integer('the nonce', nonce, 64n),
      integer('the tip', maxPriorityFeePerGas, 256n),
      integer('the fee', maxFeePerGas, 256n),
      integer('the gas limit', gasLimit, 64n),
      Buffer.from(call.to.slice(2), 'hex'),
      integer('the amount', call.value, 256n),
      Buffer.from(call.data.slice(2), 'hex'),
      [],
    ]),
  ]);
}

/** @throws Refusal invalid `payment_not_sendable` */
export function evmCallOf(payment: OutgoingPayment): EvmCall {
  const { assetIssuer } = sentAsset(payment);
  const to = canonicalEvmAddress(payment.account.address ?? '');
  if (to === undefined) throw notSendable('the receiver is no address with a right checksum');
  // Both are where money was lost for ever by mistake.
  if (to === NO_ADDRESS) throw notSendable('the receiver is the address of nobody (0x000...)');
  const token = pinnedTokens(payment.network).find((one) => one.contract === to);
  if (token !== undefined) {
    throw notSendable(
      `the receiver is the contract of ${getAsset(token.assetId).assetCode} itself`,
    );
  }
  const { units } = payment;
  if (assetIssuer === NATIVE_ISSUER) return { to, value: units, data: '0x' };
  const contract = assetIssuer.toLowerCase();
  if (units >= 2n ** 256n) throw notSendable('the amount has more than 256 bits');
  return { to: contract, value: 0n, data: transferCall(to, units) };
}

/** The call of `transfer(address,uint256)`. */
export function transferCall(receiver: string, units: bigint): string {
  const words = [receiver.slice(2), units.toString(16)].map((digits) =>
    digits.padStart(WORD_DIGITS, '0'),
  );
  return `${TRANSFER_SELECTOR}${words.join('')}`;
}

function shownPayment({ payment, chainId }: EvmOrder) {
  const { assetIssuer, assetCode, decimals } = sentAsset(payment);
  const { account, units } = payment;
  const receiver = account.address ?? '';
  const contract = assetIssuer === NATIVE_ISSUER ? undefined : assetIssuer;
  return {
    fields: { receiver, amount: amountToText(units, decimals), assetCode, contract },
    uri:
      contract === undefined
        ? etherUri(receiver, chainId, units)
        : tokenUri(contract, chainId, receiver, units),
  };
}

function integer(what: string, value: bigint, bits: bigint): Buffer {
  if (value < 0n || value >= 2n ** bits)
    throw notSendable(`${what} does not fit into ${bits} bits`);
  return rlpInteger(value);
}
