// EIP-3009: transferWithAuthorization of a token, signed by its payer as typed data (EIP-712).
// Guarantees: what is recovered is the account whose key signed exactly this transfer of this token
// on this chain, in the one spelling of a signature (EIP-2: low s; v is 27 or 28). Not known here:
// whether that account has the money, whether the nonce is used, accounts that are contracts
// (EIP-1271), which have no key to recover. Pure.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { AuthorizedTransfer } from '#deposit/authorized-transfer.ts';
import { evmAddressOf } from './derive-address.ts';

type Domain = {
  readonly name: string;
  readonly version: string;
  readonly chainId: bigint;
  /** In lower case. */
  readonly contract: string;
};

/** What is signed of a transfer. */
type Signed = Omit<AuthorizedTransfer, 'assetId' | 'signature'>;

const DOMAIN_TYPE = hashText(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
);
const TRANSFER_TYPE = hashText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,' +
    'uint256 validBefore,bytes32 nonce)',
);
/** Solidity ABI: the first four bytes of the hash of the function. */
export const TRANSFER_WITH_AUTHORIZATION = hashText(
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
).slice(0, 10);

const SIGNATURE = /^0x([0-9a-f]{64})([0-9a-f]{64})(1b|1c)$/;
/** Half the order of the curve, rounded down. */
const HIGHEST_S = secp256k1.Point.CURVE().n / 2n;

/** 0x... */
export function domainSeparator({ name, version, chainId, contract }: Domain): string {
  return hashWords([
    DOMAIN_TYPE,
    hashText(name),
    hashText(version),
    chainId.toString(16),
    contract,
  ]);
}

/** Whose key signed it, in lower case; undefined where the signature is none. */
export function signerOfTransfer(domain: Domain, transfer: AuthorizedTransfer): string | undefined {
  const [, r = '', s = '', v] = SIGNATURE.exec(transfer.signature) ?? [];
  if (v === undefined || BigInt(`0x${s}`) > HIGHEST_S) return undefined;
  const digest = Buffer.from(digestOf(domain, transfer).slice(2), 'hex');
  try {
    const bytes = Buffer.from(`${v === '1b' ? '00' : '01'}${r}${s}`, 'hex');
    const signature = secp256k1.Signature.fromBytes(bytes, 'recovered');
    return evmAddressOf(signature.recoverPublicKey(digest).toBytes(false)).toLowerCase();
  } catch {
    // Numbers that are no point of the curve.
    return undefined;
  }
}

function digestOf(domain: Domain, transfer: Signed): string {
  const { from, to, units, validAfter, validBefore, nonce } = transfer;
  const numbers = [units, validAfter, validBefore].map((one) => one.toString(16));
  const message = hashWords([TRANSFER_TYPE, from, to, ...numbers, nonce]);
  const both = `1901${domainSeparator(domain).slice(2)}${message.slice(2)}`;
  return hash(Buffer.from(both, 'hex'));
}

/** The call that carries it out. */
export function authorizedCall(transfer: AuthorizedTransfer): string {
  const { from, to, units, validAfter, validBefore, nonce, signature } = transfer;
  const [, r = '', s = '', v = ''] = SIGNATURE.exec(signature) ?? [];
  const numbers = [units, validAfter, validBefore].map((one) => one.toString(16));
  const words = [from, to, ...numbers, nonce, v, r, s];
  return `${TRANSFER_WITH_AUTHORIZATION}${words.map(word).join('')}`;
}

function hashText(text: string): string {
  return hash(new TextEncoder().encode(text));
}

function hashWords(words: readonly string[]): string {
  return hash(Buffer.from(words.map(word).join(''), 'hex'));
}

function word(hex: string): string {
  return hex.replace(/^0x/, '').padStart(64, '0');
}

function hash(bytes: Uint8Array): string {
  return `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`;
}
