// Reads the signed envelope of Stellar that came back for an order. Guarantees: what is given back
// is signed by keys of the account of the order, does what the order says and nothing else, and
// costs no more; the text, of whoever it is, ends as a Refusal or as that. Not guaranteed: that the
// signatures have enough weight, which the network says. Pure.

import type { xdr } from '@stellar/stellar-base';
import { stellar } from '#anchor/stellar-base.ts';
import {
  difference,
  notSigned,
  requireAsOrdered,
  type SignedPayment,
} from '#networks/outgoing-payment.ts';
import { buildTransaction, type StellarOrder } from './unsigned-transaction.ts';

/** With the fee that was signed, in stroops, which may be lower than that of the order. */
type SignedStellarPayment = SignedPayment & { readonly feeUnits: bigint };

/** One operation and twenty signatures, the most there may be, have about 2,500 characters. */
const TEXT_MOST = 8192;

/**
 * `signers`: keys that may sign for the account (`AccountState.signers`).
 * @throws Refusal invalid `signed_transaction_invalid` when it is none; conflict
 * `signed_transaction_differs` with a sentence for each difference from the order.
 */
export function readSignedStellarPayment(
  text: string,
  order: StellarOrder,
  signers: readonly string[],
): SignedStellarPayment {
  const { bytes, transaction, signatures } = readEnvelope(text);
  const feeUnits = BigInt(transaction.fee());
  if (feeUnits === 0n) throw notSigned('it offers no fee, and no ledger takes it');
  const wanted = buildTransaction({ ...order, feeUnits });
  const wantedXdr = wanted.toEnvelope().v1().tx();
  requireAsOrdered([
    ...difference('the source', accountText(transaction.sourceAccount()), order.source),
    ...difference('the sequence number', transaction.seqNum().toBigInt(), order.sequence),
    ...(feeUnits > order.feeUnits
      ? [`the fee in stroops is ${feeUnits}; ordered are at most ${order.feeUnits}`]
      : []),
    ...difference('the time', timeText(transaction.cond()), timeText(wantedXdr.cond())),
    ...difference('the memo', memoText(transaction.memo()), memoText(wantedXdr.memo())),
    ...operationDifferences(transaction.operations(), wantedXdr.operations()),
  ]);
  // Made again from the order it is what was signed: nothing was overlooked.
  if (!transaction.toXDR().equals(wantedXdr.toXDR())) {
    throw notSigned('it has more in it than was ordered');
  }
  requireSignatures(wanted.hash(), signatures, signers);
  return {
    signedTransaction: bytes.toString('base64'),
    transaction: wanted.hash().toString('hex'),
    feeUnits,
  };
}

/**
 * The envelope in its one spelling, and the hash of what is signed: with another payment, memo,
 * end, fee or network it is another one. Who signed, the network says.
 * @throws Refusal invalid `signed_transaction_invalid` when it is none.
 */
export function readSignedName(
  text: string,
  passphrase: string,
): { readonly envelope: string; readonly transaction: string } {
  const { bytes, signatures } = readEnvelope(text);
  if (signatures.length === 0) throw notSigned('it has no signature');
  const envelope = bytes.toString('base64');
  const transaction = new stellar.base.Transaction(envelope, passphrase).hash().toString('hex');
  return { envelope, transaction };
}

type ReadEnvelope = {
  readonly bytes: Buffer;
  readonly transaction: xdr.Transaction;
  readonly signatures: readonly xdr.DecoratedSignature[];
};

function readEnvelope(text: string): ReadEnvelope {
  const bytes = readBase64(text);
  const envelope = decode(bytes);
  const arm = envelope.switch().name;
  if (arm === 'envelopeTypeTxFeeBump') {
    throw notSigned('somebody else pays its fee (CAP-15); the transaction itself is needed');
  }
  if (arm === 'envelopeTypeTxV0') {
    throw notSigned('its envelope is of the old kind (version 0); a newer wallet makes version 1');
  }
  if (arm !== 'envelopeTypeTx') throw notSigned('it is no transaction');
  const { tx, signatures } = { tx: envelope.v1().tx(), signatures: envelope.v1().signatures() };
  return { bytes, transaction: tx, signatures };
}

function readBase64(text: string): Buffer {
  const trimmed = text.length <= TEXT_MOST ? text.trim() : '';
  const bytes = Buffer.from(trimmed, 'base64');
  if (trimmed !== '' && bytes.toString('base64') === trimmed) return bytes;
  throw notSigned(
    `it must be a signed envelope (XDR in base64: AAAAAg...), of at most ${TEXT_MOST} characters`,
  );
}

function decode(bytes: Buffer): xdr.TransactionEnvelope {
  try {
    const envelope = stellar.base.xdr.TransactionEnvelope.fromXDR(bytes);
    if (envelope.toXDR().equals(bytes)) return envelope;
  } catch (error) {
    throw notSigned('it is no whole envelope', { cause: error });
  }
  throw notSigned('it is no envelope in the one spelling that is hashed');
}

function accountText(account: xdr.MuxedAccount): string {
  if (account.switch().name !== 'keyTypeMuxedEd25519') {
    return stellar.base.StrKey.encodeEd25519PublicKey(account.ed25519());
  }
  const muxed = account.med25519();
  const key = stellar.base.StrKey.encodeEd25519PublicKey(muxed.ed25519());
  return `${key} with the number ${muxed.id().toBigInt()}`;
}

function timeText(conditions: xdr.Preconditions): string {
  const arm = conditions.switch().name;
  if (arm === 'precondNone') return 'without an end';
  if (arm !== 'precondTime') return 'under other conditions than an end (CAP-21)';
  const bounds = conditions.timeBounds();
  return `from ${bounds.minTime().toBigInt()} to ${bounds.maxTime().toBigInt()}`;
}

function memoText(memo: xdr.Memo): string {
  switch (memo.switch().name) {
    case 'memoNone':
      return 'none';
    case 'memoText':
      return `the text ${JSON.stringify(Buffer.from(memo.text()).toString())}`;
    case 'memoId':
      return `the number ${memo.id().toBigInt()}`;
    case 'memoHash':
      return `the hash ${memo.hash().toString('hex')}`;
    default:
      return `the hash of a return ${memo.retHash().toString('hex')}`;
  }
}

function operationDifferences(
  found: readonly xdr.Operation[],
  wanted: readonly xdr.Operation[],
): readonly string[] {
  const [one, ...others] = found;
  const [ordered] = wanted;
  if (one === undefined || ordered === undefined || others.length > 0) {
    return [`it has ${found.length} operations; ordered is 1`];
  }
  const [before, after] = [partsOf(ordered), partsOf(one)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  // Of another kind everything differs, and only that is worth saying.
  const shown = before.type === after.type ? names : ['type'];
  return [...shown].flatMap((name) =>
    difference(`${name} of the operation`, after[name] ?? 'none', before[name] ?? 'none'),
  );
}

/** As text, by the names of stellar-base: destination, asset, amount and so on. */
function partsOf(operation: xdr.Operation): Readonly<Record<string, string>> {
  try {
    const parts: [string, unknown][] = Object.entries(
      stellar.base.Operation.fromXDRObject(operation),
    );
    const given = parts.filter(([, value]) => value !== undefined);
    return Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
  } catch {
    // An operation that the library cannot show is another one than was ordered.
    return { type: operation.body().switch().name };
  }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' and ');
  if (!(value instanceof stellar.base.Claimant)) return String(value);
  return `${value.destination} (condition ${value.predicate.toXDR('hex')})`;
}

/** Each by another key of the account; what is signed besides is refused by the network. */
function requireSignatures(
  hash: Buffer,
  signatures: readonly xdr.DecoratedSignature[],
  signers: readonly string[],
): void {
  if (signatures.length === 0) throw notSigned('it is not signed yet');
  const left = new Set(
    signers.filter((signer) => stellar.base.StrKey.isValidEd25519PublicKey(signer)),
  );
  for (const one of signatures) {
    const signature = one.signature();
    const signer = [...left].find((key) =>
      stellar.base.Keypair.fromPublicKey(key).verify(hash, signature),
    );
    if (signer === undefined) throw notSigned('it has a signature that is none of the account');
    left.delete(signer);
  }
}
