// A payment out of a Safe (Safe{Core} 1.3.0 and 1.4.1) as the transaction that its owners sign, and
// the call that carries it out. Guarantees: one plain call that pays exactly this to exactly this
// receiver, never a delegate call, with nothing given back for gas to whoever sends it. Not known
// here: who owns the Safe, and what it holds. Pure.
// Sources: safe-smart-account v1.3.0 and v1.4.1, contracts/Safe.sol; EIP-712.

import { keccak_256 } from '@noble/hashes/sha3.js';
import { wordOf } from './read-values.ts';
import type { EvmCall } from './unsigned-transaction.ts';

export type SafeTurn = {
  /** Address of the contract, in lower case. */
  readonly safe: string;
  readonly chainId: bigint;
  /** Of the Safe: one transaction has it and lands. */
  readonly nonce: bigint;
};

/** What `eth_signTypedData_v4` takes: numbers of 256 bits as decimal text. */
type SafeTypedData = {
  readonly types: Readonly<Record<string, readonly { name: string; type: string }[]>>;
  readonly primaryType: 'SafeTx';
  readonly domain: { readonly chainId: number; readonly verifyingContract: string };
  readonly message: Readonly<Record<string, string>>;
};

/** keccak-256 of `EIP712Domain(uint256 chainId,address verifyingContract)`. */
const DOMAIN_TYPE = '47e79534a245952e8b16893a336b85a3d9ea9fa8c573f3d803afb92a79469218';
/** keccak-256 of `SafeTx(address to,…,uint256 nonce)`. */
const SAFE_TX_TYPE = 'bb8310d486368db6bd6f849402fdd73ad53d316b5a4b2644ad6efe0f941286d8';
/** Selector of `execTransaction(address,uint256,bytes,uint8,…,bytes)`. */
const EXECUTE_SELECTOR = '0x6a761202';
/** Selector of `getTransactionHash(address,uint256,bytes,uint8,…,uint256)`. */
const HASH_SELECTOR = '0xd8d11f78';
const NOBODY = `0x${'0'.repeat(40)}`;
const WORD_BYTES = 32;
/** Words before the data of `execTransaction`: ten arguments. */
const HEAD_WORDS = 10;
const CALL = 0n;

const FIELDS = [
  ['to', 'address'],
  ['value', 'uint256'],
  ['data', 'bytes'],
  ['operation', 'uint8'],
  ['safeTxGas', 'uint256'],
  ['baseGas', 'uint256'],
  ['gasPrice', 'uint256'],
  ['gasToken', 'address'],
  ['refundReceiver', 'address'],
  ['nonce', 'uint256'],
] as const;

/** What its owners sign: 0x and 64 digits, as `getTransactionHash` of the contract gives it. */
export function safeTransactionHash(call: EvmCall, turn: SafeTurn): string {
  const struct = keccak(
    Buffer.concat([
      Buffer.from(SAFE_TX_TYPE, 'hex'),
      ...callWords(call, keccak(bytesOf(call.data))),
      wordOf(turn.nonce),
    ]),
  );
  return hexOf(keccak(Buffer.concat([Buffer.of(0x19, 0x01), safeDomain(turn), struct])));
}

/** `domainSeparator()` of the contract (EIP-712): of this chain and this Safe alone. */
export function safeDomain({ safe, chainId }: Omit<SafeTurn, 'nonce'>): Buffer {
  return keccak(
    Buffer.concat([Buffer.from(DOMAIN_TYPE, 'hex'), wordOf(chainId), wordOf(BigInt(safe))]),
  );
}

export function safeTypedData(call: EvmCall, { safe, chainId, nonce }: SafeTurn): SafeTypedData {
  return {
    types: {
      EIP712Domain: [
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      SafeTx: FIELDS.map(([name, type]) => ({ name, type })),
    },
    primaryType: 'SafeTx',
    domain: { chainId: Number(chainId), verifyingContract: safe },
    message: {
      to: call.to,
      value: String(call.value),
      data: call.data,
      operation: '0',
      safeTxGas: '0',
      baseGas: '0',
      gasPrice: '0',
      gasToken: NOBODY,
      refundReceiver: NOBODY,
      nonce: String(nonce),
    },
  };
}

/** The call by which the contract itself is asked for the hash. */
export function askSafeHash(call: EvmCall, { safe, nonce }: SafeTurn): EvmCall {
  const data = bytesOf(call.data);
  const head = [...callWords(call, wordOf(BigInt(HEAD_WORDS * WORD_BYTES))), wordOf(nonce)];
  return { to: safe, value: 0n, data: `${HASH_SELECTOR}${hexDigits([...head, ...tail(data)])}` };
}

/** What anybody may send to the Safe: `signatures` are those of its owners, in their order. */
export function executeCall(call: EvmCall, signatures: Uint8Array): string {
  const data = tail(bytesOf(call.data));
  const dataAt = BigInt(HEAD_WORDS * WORD_BYTES);
  const signaturesAt = dataAt + BigInt(Buffer.concat(data).length);
  const head = [...callWords(call, wordOf(dataAt)), wordOf(signaturesAt)];
  return `${EXECUTE_SELECTOR}${hexDigits([...head, ...data, ...tail(signatures)])}`;
}

/**
 * What stands for the signatures in a call of `execTransaction` that carries out exactly this;
 * undefined where it does anything else.
 */
export function signaturesIn(input: string, call: EvmCall): Buffer | undefined {
  const before = executeCall(call, Buffer.alloc(0)).slice(0, -2 * WORD_BYTES);
  if (!input.startsWith(before)) return undefined;
  const bytes = Buffer.from(input.slice(before.length), 'hex');
  if (bytes.length < WORD_BYTES) return undefined;
  const length = BigInt(hexOf(bytes.subarray(0, WORD_BYTES)));
  if (length > BigInt(bytes.length - WORD_BYTES)) return undefined;
  return bytes.subarray(WORD_BYTES, WORD_BYTES + Number(length));
}

type ExecutedCall = {
  readonly call: EvmCall;
  readonly isDelegate: boolean;
  /** Zero address: the coin of the chain. */
  readonly gasToken: string;
  /** Undefined: whoever sent the transaction. */
  readonly refundReceiver: string | undefined;
};

/** What a call of `execTransaction` does; undefined of every other call. Of anybody's making. */
export function readExecution(input: string): ExecutedCall | undefined {
  if (!input.startsWith(EXECUTE_SELECTOR)) return undefined;
  const bytes = Buffer.from(input.slice(EXECUTE_SELECTOR.length), 'hex');
  if (bytes.length < HEAD_WORDS * WORD_BYTES) return undefined;
  const wordAt = (at: number) => BigInt(hexOf(bytes.subarray(at, at + WORD_BYTES)));
  const [to, value, dataAt, operation, , , , gasToken, refundReceiver] = Array.from(
    { length: HEAD_WORDS },
    (_, at) => wordAt(at * WORD_BYTES),
  );
  if (dataAt === undefined || dataAt + BigInt(WORD_BYTES) > BigInt(bytes.length)) return undefined;
  const from = Number(dataAt) + WORD_BYTES;
  const length = wordAt(Number(dataAt));
  if (length > BigInt(bytes.length - from)) return undefined;
  const data = hexOf(bytes.subarray(from, from + Number(length)));
  const receiver = addressIn(refundReceiver);
  return {
    call: { to: addressIn(to), value: value ?? 0n, data },
    isDelegate: operation !== CALL,
    gasToken: addressIn(gasToken),
    refundReceiver: receiver === NOBODY ? undefined : receiver,
  };
}

/** The nine words of a call that begin both the struct and the arguments. */
function callWords({ to, value }: EvmCall, data: Buffer): Buffer[] {
  const none = wordOf(0n);
  return [wordOf(BigInt(to)), wordOf(value), data, ...Array.from({ length: 6 }, () => none)];
}

/** Bytes of any length as the ABI has them: how many, then as whole words. */
function tail(bytes: Uint8Array): Buffer[] {
  const rest = (WORD_BYTES - (bytes.length % WORD_BYTES)) % WORD_BYTES;
  return [wordOf(BigInt(bytes.length)), Buffer.from(bytes), Buffer.alloc(rest)];
}

function addressIn(word: bigint | undefined): string {
  return `0x${(word ?? 0n).toString(16).padStart(40, '0').slice(-40)}`;
}

function keccak(bytes: Uint8Array): Buffer {
  return Buffer.from(keccak_256(bytes));
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}

function hexOf(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

function hexDigits(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString('hex');
}
