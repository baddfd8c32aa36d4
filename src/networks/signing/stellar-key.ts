// A key of Stellar. The envelope is decoded, and must be, byte for byte, the one that the order
// makes: one payment, one claimable balance, the beginning of an account, or a conversion to the
// account itself; the memo of the order, and an end that is not far. The passphrase of the network
// is part of what is signed.

import type { Asset, Keypair, Operation, xdr } from '@stellar/stellar-base';
import { stellar } from '#anchor/stellar-base.ts';
import { assert } from '#base/assert.ts';
import { getNetwork } from '#catalog/network.ts';
import { notBefore } from '#networks/stellar/claimable-balance.ts';
import type { StellarDelivery, StellarExchange } from '#networks/stellar/decide-delivery.ts';
import { readSignedStellarPayment } from '#networks/stellar/signed-transaction.ts';
import { STELLAR_CHAINS, type StellarChainName } from '#networks/stellar/stellar-chain.ts';
import { buildTransaction, type StellarOrder } from '#networks/stellar/unsigned-transaction.ts';
import type { SignerKey } from '#signer/open-key.ts';
import {
  differs,
  type OpenKey,
  type ReviewedOrder,
  receiverText,
  requireFact,
  requireOnePayment,
  unreadable,
} from '#signer/open-key.ts';
import type { SignOrder } from '#signer/sign-order.ts';

const LUMENS = getNetwork('STELLAR').defaultAssetId;
/** What is signed today is not to land next month. */
const END_WITHIN: Temporal.DurationLike = { hours: 24 };
/** Until then the market takes it whenever that is good for somebody else. */
const CONVERTED_WITHIN: Temporal.DurationLike = { hours: 1 };

export function openStellarKey(key: SignerKey): OpenKey {
  const { name, environment, network, chain } = key;
  const pair = stellar.base.Keypair.fromSecret(key.secret);
  const source = key.account ?? pair.publicKey();
  return {
    shown: { name, environment, network, chain, address: source },
    isFor: ({ facts }) => requireFact(facts.source, 'source') === source,
    owns: ({ account }) => account.account === source,
    spell: (address) =>
      stellar.base.StrKey.isValidEd25519PublicKey(address) ? address : undefined,
    review: (order, now) => {
      const { found, ordered } = readEnvelope(
        order,
        STELLAR_CHAINS[chain as StellarChainName],
        source,
      );
      return review(order, found, ordered, pair, now);
    },
  };
}

function readEnvelope(order: SignOrder, chain: StellarOrder['chain'], source: string) {
  const payment = requireOnePayment(order);
  const envelope = decode(order.unsigned);
  const found = envelope.v1().tx();
  const time = found.cond().switch().name === 'precondTime' ? found.cond().timeBounds() : undefined;
  if (time === undefined) throw differs('it has no end, or other conditions than an end (CAP-21)');
  const ordered: StellarOrder = {
    payment,
    delivery: deliveryOf(found, order, source),
    chain,
    source,
    sequence: found.seqNum().toBigInt(),
    feeUnits: BigInt(found.fee()),
    expiresAt: instantOf(time.maxTime().toBigInt()),
  };
  if (envelope.v1().signatures().length > 0) throw unreadable('the envelope is signed already');
  return { found, ordered };
}

function review(
  order: SignOrder,
  found: xdr.Transaction,
  ordered: StellarOrder,
  pair: Keypair,
  now: Temporal.Instant,
): ReviewedOrder {
  const { sequence, feeUnits, source, expiresAt } = ordered;
  const sequenceOrdered = requireFact(order.facts.sequence, 'sequence');
  const { delivery } = ordered;
  const isExchange = delivery.by === 'exchange';
  const latest = now.add(isExchange ? CONVERTED_WITHIN : END_WITHIN);
  const isInTime =
    Temporal.Instant.compare(expiresAt, now) > 0 &&
    Temporal.Instant.compare(expiresAt, latest) <= 0;
  const faults = [
    ...(sequence === sequenceOrdered
      ? []
      : [`the sequence number is ${sequence}; ordered is ${sequenceOrdered}`]),
    ...(feeUnits > order.feeUnits
      ? [`its fee is ${feeUnits} stroops; ordered are at most ${order.feeUnits}`]
      : []),
    ...(isInTime
      ? []
      : [
          `it ends at ${expiresAt}; that must be within ${isExchange ? 'an hour' : 'a day'} from now`,
        ]),
    ...againstDate(ordered, now),
  ];
  if (faults.length > 0) throw differs(faults);
  const transaction = buildTransaction(ordered);
  // Made again from the order it is what came: nothing was overlooked.
  if (!transaction.toEnvelope().v1().tx().toXDR().equals(found.toXDR())) {
    throw differs('it is not the transaction that the order makes: source, receiver, amount, memo');
  }
  const { account = '', memo } = order.payments[0]?.account ?? {};
  return {
    feeUnits,
    receivers: [receiverText(account, memo)],
    turns: [`${ordered.chain.passphrase} ${source} ${sequence}`],
    coins: new Map(),
    ...(isExchange && { buys: { assetId: delivery.assetId, leastUnits: delivery.leastUnits } }),
    isTurnForOneOrder: false,
    sign() {
      transaction.sign(pair);
      const text = transaction.toEnvelope().toXDR('base64');
      const read = readSignedStellarPayment(text, ordered, [pair.publicKey()]);
      return { signedTransaction: read.signedTransaction, transaction: read.transaction };
    },
  };
}

/** Whoever is told to fetch it has some days; the signer does not take the word of the service. */
const FETCHED_WITHIN = { least: { hours: 6 * 24 }, most: { hours: 732 * 24 } };

function againstDate({ delivery }: StellarOrder, now: Temporal.Instant): string[] {
  if (delivery.by !== 'claimable-balance') return [];
  const { reclaimableAt: at } = delivery;
  const [least, most] = [now.add(FETCHED_WITHIN.least), now.add(FETCHED_WITHIN.most)];
  const isSoon = Temporal.Instant.compare(at, least) < 0;
  if (!isSoon && Temporal.Instant.compare(at, most) <= 0) return [];
  return [`we may take it back from ${at} on; that must be a week to two years from now`];
}

function decode(text: string): xdr.TransactionEnvelope {
  try {
    const envelope = stellar.base.xdr.TransactionEnvelope.fromXDR(text, 'base64');
    const isPlain = envelope.switch().name === 'envelopeTypeTx';
    if (isPlain && envelope.toXDR('base64') === text) return envelope;
  } catch (error) {
    throw unreadable('it is no envelope of a transaction (XDR in base64)', error);
  }
  throw unreadable('it is no plain envelope of version 1 in the one spelling that is hashed');
}

/** How the one operation delivers. What it delivers shows when it is made again. */
function deliveryOf(found: xdr.Transaction, order: SignOrder, source: string): StellarDelivery {
  const { kind } = order;
  const [operation, ...more] = found.operations();
  if (kind === 'CANCEL' || operation === undefined || more.length > 0) {
    throw differs('one operation that pays is signed here, and nothing else');
  }
  const body = operation.body();
  if (kind === 'CONVERT') return exchangeOf(operation, order, source);
  switch (body.switch().name) {
    case 'payment':
      return { by: 'payment' };
    case 'createAccount':
      return { by: 'create-account' };
    case 'createClaimableBalance':
      return { by: 'claimable-balance', reclaimableAt: reclaimableAt(body) };
    default:
      throw differs(`its operation is ${body.switch().name}, which is no payment`);
  }
}

/** Only what gives exactly this, to ourselves; its least and its path are those that it has. */
function exchangeOf(operation: xdr.Operation, order: SignOrder, source: string): StellarExchange {
  const { name } = operation.body().switch();
  if (name !== 'pathPaymentStrictSend') {
    throw differs(`its operation is ${name}, which gives no exact amount for another asset`);
  }
  const { account, assetId, units } = requireOnePayment(order);
  const { buys } = order;
  if (buys === undefined) throw differs('the order does not say what it buys');
  const found = readExchange(operation);
  const { account: to, ...others } = account;
  requireSame([
    ['converted for', to, source],
    ['what the order names beside the account', Object.keys(others).join(' '), ''],
    ['the destination', found.destination, source],
    ['what is given', found.giveAssetId, assetId],
    ['how many units are given', `${found.giveUnits}`, `${units}`],
    ['what is bought', found.assetId, buys.assetId],
    ['the least that is bought, in units,', `${found.leastUnits}`, `${buys.leastUnits}`],
  ]);
  return { by: 'exchange', assetId: found.assetId, leastUnits: found.leastUnits, path: found.path };
}

function requireSame(list: readonly (readonly [string, string | undefined, string])[]): void {
  const faults = list.flatMap(([what, found, wanted]) =>
    found === wanted ? [] : [`${what} is ${found || 'nothing'}; it must be ${wanted || 'nothing'}`],
  );
  if (faults.length > 0) throw differs(faults);
}

function readExchange(operation: xdr.Operation) {
  const body = operation.body().pathPaymentStrictSendOp();
  try {
    const read = stellar.base.Operation.fromXDRObject(operation) as Operation.PathPaymentStrictSend;
    return {
      destination: read.destination,
      giveAssetId: assetIdOf(read.sendAsset),
      giveUnits: body.sendAmount().toBigInt(),
      assetId: assetIdOf(read.destAsset),
      leastUnits: body.destMin().toBigInt(),
      path: read.path.map(assetIdOf),
    };
  } catch (error) {
    throw unreadable('one of its assets is none', error);
  }
}

function assetIdOf(asset: Asset): string {
  return asset.isNative() ? LUMENS : `${asset.getCode()}:${asset.getIssuer()}`;
}

/** From when on we may take it back: not before that time, as our own claimant has it (CAP-23). */
function reclaimableAt(body: xdr.OperationBody): Temporal.Instant {
  const own = body.createClaimableBalanceOp().claimants().at(-1)?.v0().predicate();
  const found = own && notBefore(own);
  if (found !== undefined) return found;
  throw differs('a claimable balance must come back to us from a date on');
}

/** @throws Refusal for what no calendar has. */
function instantOf(seconds: bigint): Temporal.Instant {
  if (seconds <= 0n || seconds > 8_640_000_000_000n) throw differs('one of its times is none');
  return Temporal.Instant.fromEpochNanoseconds(seconds * 10n ** 9n);
}

/** Whether the text is a secret seed (S...). */
export function isStellarSeed(text: string): boolean {
  return stellar.base.StrKey.isValidEd25519SecretSeed(text);
}

export function stellarSeedOf(bytes: Uint8Array): string {
  assert(bytes.length === 32, 'a seed of Ed25519 has 32 bytes');
  return stellar.base.StrKey.encodeEd25519SecretSeed(Buffer.from(bytes));
}
