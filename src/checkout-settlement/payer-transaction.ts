// What the wallet of a payer signs where it does not put that together by itself: made by our node
// for what is due, and sent by it when it comes back with a signature. Nothing is kept in between:
// what was made here is known again by a MAC over the checkout and the hash of what is to be
// signed, so that nothing else goes through our node.

import { timingSafeEqual } from 'node:crypto';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import type { CheckoutRecord, Commitment } from '#checkout/checkout.ts';
import type { PayerDraft, Watcher } from '#deposit/network.ts';

type WalletFacts = Pick<Watcher, 'identity' | 'payerTransactions'>;

export type PayerTransactionApp = {
  readonly keyring: { mac(purpose: 'payer-transaction', bytes: Uint8Array): Uint8Array };
  /** What wallets have to do with; undefined where the network is not set up. */
  readonly watcherOf?: (chain: ChainId) => WalletFacts | undefined;
};

type Asked = {
  readonly record: Pick<CheckoutRecord, 'id' | 'environment' | 'commitments'>;
  readonly now: Temporal.Instant;
};

type Drafted = PayerDraft & { readonly proof?: string };

/** A wallet is asked for a signature that somebody gives soon, however long the price holds. */
const SIGNED_WITHIN = { minutes: 30 };

/** Undefined: the price does not hold any more, or there is no such wallet. @throws Outage */
export async function draftPayerTransaction(
  app: PayerTransactionApp,
  { record, now }: Asked,
  { network, instruction: receiver, assetId, expiresAt }: Commitment,
  units: bigint,
  account: string,
): Promise<Drafted | undefined> {
  const soon = now.add(SIGNED_WITHIN);
  const until = Temporal.Instant.compare(expiresAt, soon) < 0 ? expiresAt : soon;
  const port = portOf(app, record, network);
  if (port === undefined || Temporal.Instant.compare(until, now) <= 0) return undefined;
  const drafted = await port.draft({ account, receiver, assetId, units, until });
  if ('short' in drafted) return drafted;
  return { ...drafted, proof: proofOf(app, record.id, drafted.transaction).toString('base64url') };
}

/**
 * Why the network refuses it; undefined once it is in a block.
 * @throws Refusal of what was not made here for this checkout. @throws Outage
 */
export async function sendPayerTransaction(
  app: PayerTransactionApp,
  { record }: Pick<Asked, 'record'>,
  signed: string,
  proof: string,
): Promise<{ readonly transaction: string; readonly refused: string | undefined }> {
  const port = record.commitments
    .map(({ network }) => portOf(app, record, network))
    .find((found) => found !== undefined);
  const transaction = port?.nameOf(signed) ?? '';
  const wanted = proofOf(app, record.id, transaction);
  const given = Buffer.from(proof, 'base64url');
  const isOurs = given.length === wanted.length && timingSafeEqual(given, wanted);
  if (port === undefined || !isOurs) {
    throw new Refusal('conflict', 'signed_transaction_differs', 'it is not what was made here');
  }
  return { transaction, refused: await port.send(signed) };
}

function portOf({ watcherOf }: PayerTransactionApp, { environment }: Asked['record'], id: string) {
  return watcherOf?.(chainOf(environment, id))?.payerTransactions;
}

function proofOf(
  { keyring }: PayerTransactionApp,
  checkoutId: string,
  transaction: string,
): Buffer {
  const text = `${checkoutId}\n${transaction}`;
  return Buffer.from(keyring.mac('payer-transaction', new TextEncoder().encode(text)));
}
