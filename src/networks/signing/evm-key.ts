// A key of an EVM chain: one account, or those below an extended key (m/44'/60'/0'/0/i). The
// transaction is decoded, and must be, byte for byte, the one that the order makes: EIP-1559, a
// plain transfer or transfer(address,uint256), one nonce, no access list. CANCEL is nothing to
// oneself, with the nonce of what it takes the place of. What owners of a Safe have signed is a
// call of that Safe (evm-safe.ts).

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { HDKey } from '@scure/bip32';
import { assert } from '#base/assert.ts';
import { canonicalEvmAddress, evmAddressOf, openEvmAccount } from '#networks/evm/derive-address.ts';
import {
  EVM_NETWORKS,
  type EvmChainName,
  type EvmNetworkId,
  evmChain,
} from '#networks/evm/evm-chain.ts';
import { decodeRlp, encodeRlp, type RlpItem, rlpInteger } from '#networks/evm/rlp.ts';
import {
  DYNAMIC_FEE_TYPE,
  type EvmCall,
  evmCallOf,
  unsignedBytes,
} from '#networks/evm/unsigned-transaction.ts';
import type { SignerKey } from '#signer/open-key.ts';
import {
  differs,
  isFoundAgain,
  type ListedAccounts,
  type OpenKey,
  type ReviewedOrder,
  requireFact,
  requireOnePayment,
  type SignedBytes,
  unreadable,
} from '#signer/open-key.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { relayedCall } from './evm-relay.ts';
import { requireExecution, safeOf } from './evm-safe.ts';

type Account = { readonly address: string; readonly privateKey: Uint8Array };
type FindAccount = (index: bigint | undefined) => Account;

const UNSIGNED_FIELDS = 9;

export function isEvmNetwork(network: string): network is EvmNetworkId {
  return (EVM_NETWORKS as readonly string[]).includes(network);
}

export function openEvmKey(key: SignerKey): OpenKey {
  const { name, environment, network, chain, chainId } = key;
  assert(isEvmNetwork(network), `${network} is an EVM chain`);
  const own = chainId === undefined ? undefined : BigInt(chainId);
  const expected = evmChain(network, chain as EvmChainName, own).chainId;
  const isExtended = key.secret.startsWith('xprv');
  const accountAt = isExtended ? accountsBelow(key.secret) : oneAccount(key.secret);
  const shown = { name, environment, network, chain, address: accountAt(0n).address };
  const addressAt = (index: bigint | undefined) => accountAt(index).address.toLowerCase();
  const sourceOf = ({ facts }: SignOrder) =>
    canonicalEvmAddress(requireFact(facts.source, 'source')) ?? '';
  return {
    shown: isExtended ? { ...shown, descriptor: extendedPublicKey(key.secret) } : shown,
    isFor: (order) => addressAt(order.facts.index) === sourceOf(order),
    owns: ({ account: { address = '' }, index }) =>
      isFoundAgain(index ?? 0n) && addressAt(index) === canonicalEvmAddress(address),
    spell: canonicalEvmAddress,
    review: (order, _, listed) => {
      return review(order, { chainId: expected, account: accountAt(order.facts.index), listed });
    },
  };
}

function oneAccount(secret: string): FindAccount {
  const privateKey = Buffer.from(secret, 'hex');
  const account = { privateKey, address: addressOf(privateKey) };
  return () => account;
}

function accountsBelow(secret: string): FindAccount {
  const branch = HDKey.fromExtendedKey(secret).deriveChild(0);
  return (index = 0n) => {
    const { privateKey } = branch.deriveChild(Number(index));
    assert(privateKey instanceof Uint8Array, 'a private key derives private keys');
    return { privateKey, address: addressOf(privateKey) };
  };
}

function extendedPublicKey(secret: string): string {
  return openEvmAccount(HDKey.fromExtendedKey(secret).publicExtendedKey).descriptor;
}

function addressOf(privateKey: Uint8Array): string {
  return evmAddressOf(secp256k1.getPublicKey(privateKey, false));
}

type Decoded = {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly maxFeePerGas: bigint;
  readonly gasLimit: bigint;
  readonly call: EvmCall;
  readonly items: readonly RlpItem[];
};

type Reviewing = {
  readonly chainId: bigint;
  readonly account: Account;
  readonly listed: ListedAccounts;
};

function review(order: SignOrder, { chainId, account, listed }: Reviewing): ReviewedOrder {
  const bytes = readHex(order.unsigned);
  const read = decode(bytes);
  const sequence = requireFact(order.facts.sequence, 'sequence');
  const safe = safeOf(order);
  const carried = { order, chainId, sender: account.address, call: read.call };
  const relayed = relayedCall(carried, listed.relays);
  const executed = safe && requireExecution({ ...carried, safe }, listed.safes);
  const call = relayed ?? executed?.call ?? ownCall(order, account);
  const feeUnits = read.gasLimit * read.maxFeePerGas;
  const faults = [
    ...unequal('the chain id', read.chainId, chainId),
    ...unequal('the nonce', read.nonce, sequence),
    ...unequal('what is called', read.call.to, call.to),
    ...unequal('the amount in wei', read.call.value, call.value),
    ...unequal('the data of the call', read.call.data, call.data),
    ...(feeUnits > order.feeUnits
      ? [`its gas costs up to ${feeUnits} wei; ordered are at most ${order.feeUnits}`]
      : []),
  ];
  if (faults.length > 0) throw differs(faults);
  const again = unsignedBytes({ ...read, sender: account.address }, call);
  // Written again from the order it is what came: nothing was overlooked.
  if (!again.equals(bytes)) throw differs('it has more in it than was ordered');
  const turn = `${chainId} ${account.address} ${read.nonce}`;
  return {
    feeUnits,
    receivers: order.payments.map(({ account: { address = '' } }) => address.toLowerCase()),
    turns: executed === undefined ? [turn] : [turn, executed.turn],
    feeTurn: turn,
    coins: new Map(),
    isTurnForOneOrder: true,
    sign: () => signBytes(bytes, read.items, account),
  };
}

/** Nothing to itself, where it pays nobody. */
function ownCall(order: SignOrder, { address }: Account): EvmCall {
  if (order.kind !== 'CANCEL') return evmCallOf(requireOnePayment(order));
  return { to: address.toLowerCase(), value: 0n, data: '0x' };
}

function readHex(text: string): Buffer {
  const digits = /^0x((?:[0-9a-f]{2})+)$/.exec(text)?.[1];
  if (digits !== undefined) return Buffer.from(digits, 'hex');
  throw unreadable('it must be an unsigned transaction in hexadecimal (0x02...)');
}

function decode(bytes: Buffer): Decoded {
  const items = bytes[0] === DYNAMIC_FEE_TYPE ? decodeRlp(bytes.subarray(1)) : undefined;
  if (items === undefined || items instanceof Uint8Array || items.length !== UNSIGNED_FIELDS) {
    throw unreadable('it is no unsigned transaction of EIP-1559 (type 2)');
  }
  const [chainId, nonce, tip, fee, gas, to, value, data] = items.map((item) =>
    item instanceof Uint8Array ? Buffer.from(item).toString('hex') : undefined,
  );
  return {
    chainId: integer(chainId),
    nonce: integer(nonce),
    maxPriorityFeePerGas: integer(tip),
    maxFeePerGas: integer(fee),
    gasLimit: integer(gas),
    call: { to: `0x${to ?? ''}`, value: integer(value), data: `0x${data ?? ''}` },
    items,
  };
}

/** A list, or too many bytes, is none; other spellings show when it is written again. */
function integer(digits: string | undefined): bigint {
  if (digits === undefined || digits.length > 64) throw unreadable('one of its numbers is none');
  return BigInt(`0x${digits === '' ? '0' : digits}`);
}

function unequal(what: string, found: bigint | string, ordered: bigint | string): string[] {
  return found === ordered ? [] : [`${what} is ${found}; ordered is ${ordered}`];
}

/** RFC 6979: the same bytes every time; a low s (EIP-2). */
function signBytes(bytes: Buffer, items: readonly RlpItem[], account: Account): SignedBytes {
  const hash = keccak_256(bytes);
  const options = { prehash: false, lowS: true, format: 'recovered' } as const;
  const signature = secp256k1.Signature.fromBytes(
    secp256k1.sign(hash, account.privateKey, options),
    'recovered',
  );
  const signer = evmAddressOf(signature.recoverPublicKey(hash).toBytes(false));
  assert(signer === account.address, 'what was signed here is signed rightly');
  const numbers = [BigInt(signature.recovery ?? 0), signature.r, signature.s].map(rlpInteger);
  const signed = Buffer.concat([Buffer.of(DYNAMIC_FEE_TYPE), encodeRlp([...items, ...numbers])]);
  return {
    signedTransaction: `0x${signed.toString('hex')}`,
    transaction: `0x${Buffer.from(keccak_256(signed)).toString('hex')}`,
  };
}

/** As it is kept: of an account (depth 3); a master key is derived to m/44'/60'/0'. */
export function evmAccountKey(text: string): string | undefined {
  const key = HDKey.fromExtendedKey(text);
  if (key.depth === 3) return key.privateExtendedKey;
  return key.depth === 0 ? key.derive("m/44'/60'/0'").privateExtendedKey : undefined;
}
