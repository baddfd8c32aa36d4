// One payment from the account on Stellar, put together for somebody else to sign: what Horizon
// says of our account, of the receiver's and of the fees. It ends, so nothing takes its place
// before.
import type { Clock } from '#base/clock.ts';
import { timestamp } from '#base/instant.ts';
import { getNetwork } from '#catalog/network.ts';
import type { DraftedPayment, DraftOrder } from '#deposit/money-out.ts';
import { requireFields, requireText, requireThat } from '#networks/answer-fields.ts';
import {
  onlyPayment,
  readDraftTerms,
  refusedDraft,
  writeDraftTerms,
} from '#networks/draft-terms.ts';
import { notSendable } from '#networks/outgoing-payment.ts';
import { decideStellarDelivery } from './decide-delivery.ts';
import type { Horizon } from './horizon.ts';
import { requireInteger, requireRecords, requireSequence } from './horizon-fields.ts';
import { againstOwnReserve, readOwnLumens } from './own-reserve.ts';
import { NO_ACCOUNT, readAccount } from './read-account.ts';
import type { StellarChain } from './stellar-chain.ts';
import { type StellarOrder, unsignedStellarTransaction } from './unsigned-transaction.ts';

export type DraftSource = {
  readonly parameters: StellarChain;
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
};

/** Long enough for keys that are kept elsewhere. */
const LANDS_WITHIN = { hours: 2 };
/** In stroops: what the protocol asks at least, and 0.01 XLM. */
const FEE_LEAST = 100n;
const FEE_MOST = 100_000n;
const TERMS = ['by', 'sequence', 'feeUnits', 'expiresAt'] as const;

type StellarTerms = Pick<StellarOrder, 'delivery' | 'sequence' | 'feeUnits' | 'expiresAt'>;

/** Of what was drafted here. */
export function readStellarTerms(text: string): StellarTerms {
  const { by, sequence, feeUnits, expiresAt } = readDraftTerms(text, TERMS);
  return {
    delivery: { by: by === 'create-account' ? by : 'payment' },
    sequence: BigInt(sequence),
    feeUnits: BigInt(feeUnits),
    expiresAt: Temporal.Instant.from(expiresAt),
  };
}

/** @throws Refusal conflict that says what is missing; invalid when it can never be sent so. */
export async function draftStellarPayment(
  source: DraftSource,
  horizon: Horizon,
  { payments, feeRate, replaces }: DraftOrder,
): Promise<DraftedPayment> {
  if (feeRate !== undefined) throw refusedDraft('the fee is a fixed one on this network');
  if (replaces !== undefined) {
    const until = timestamp(readStellarTerms(replaces).expiresAt);
    throw refusedDraft(`what was signed for it can land until ${until}: draft it again then`);
  }
  const payment = { ...onlyPayment(payments), network: 'STELLAR' };
  const { json } = await horizon.get(`/accounts/${source.account}`);
  if (json === undefined) throw refusedDraft('the account that pays does not exist yet');
  const baseReserveUnits = await readBaseReserve(horizon);
  const delivery = decideStellarDelivery({
    payment,
    receiver: await readReceiver(horizon, payment.account.account ?? ''),
    reserveUnits: 2n * baseReserveUnits,
    reclaimableAt: undefined,
  });
  if ('refused' in delivery) throw notSendable(delivery.refused);
  const account = requireFields(json, 'the account');
  requireThat(requireText(account, 'account_id') === source.account, 'another account is shown');
  const feeUnits = await readStellarFee(horizon);
  const against = againstOwnReserve({
    ...readOwnLumens(account, baseReserveUnits),
    payment,
    feeUnits,
  });
  if (against !== undefined) throw refusedDraft(against);
  const terms = writeDraftTerms({
    by: delivery.by,
    sequence: requireInteger(account, 'sequence') + 1n,
    feeUnits,
    expiresAt: timestamp(source.clock.now().add(LANDS_WITHIN)),
  });
  const { parameters: chain, account: pays } = source;
  const order = { ...readStellarTerms(terms), payment, chain, source: pays };
  const { unsignedTransaction, transactionUri, paymentUri } = unsignedStellarTransaction(order);
  return {
    format: 'transaction',
    text: unsignedTransaction,
    json: undefined,
    links: [transactionUri, ...(paymentUri === undefined ? [] : [paymentUri])],
    from: source.account,
    sequence: order.sequence,
    feeUnits: order.feeUnits,
    feeAssetId: getNetwork('STELLAR').defaultAssetId,
    until: timestamp(order.expiresAt),
    terms,
    spends: [`${source.account}/${order.sequence}`],
  };
}

async function readReceiver(horizon: Horizon, receiver: string) {
  const { json } = await horizon.get(`/accounts/${encodeURIComponent(receiver)}`);
  return json === undefined ? NO_ACCOUNT : readAccount(json, receiver);
}

async function readBaseReserve(horizon: Horizon): Promise<bigint> {
  const { json } = await horizon.get('/ledgers', { order: 'desc', limit: 1 });
  const [newest] = requireRecords(json, 1);
  requireThat(newest !== undefined, 'there are no ledgers');
  return requireSequence(newest, 'base_reserve_in_stroops');
}

/** What nine of ten transactions of the last ledgers paid for an operation. */
export async function readStellarFee(horizon: Horizon): Promise<bigint> {
  const { json } = await horizon.get('/fee_stats');
  const charged = requireFields(requireFields(json, 'the fees').fee_charged, 'the fees');
  const fee = requireInteger(charged, 'p90');
  if (fee <= FEE_MOST) return fee > FEE_LEAST ? fee : FEE_LEAST;
  throw refusedDraft(`the network takes ${fee} stroops now; at most ${FEE_MOST} are paid: wait`);
}
