// One payment from the account on Stellar, put together for somebody else to sign: what Horizon
// says of our account, of the receiver's and of the fees. It ends, so nothing takes its place
// before.
import type { Clock } from '#base/clock.ts';
import { timestamp } from '#base/instant.ts';
import { getNetwork } from '#catalog/network.ts';
import type { DraftedPayment, DraftOrder, DraftPayment } from '#deposit/money-out.ts';
import { amountToText } from '#money/asset-amount.ts';
import { requireFields, requireText, requireThat } from '#networks/answer-fields.ts';
import {
  onlyPayment,
  readDraftTerms,
  refusedDraft,
  writeDraftTerms,
} from '#networks/draft-terms.ts';
import { notSendable } from '#networks/outgoing-payment.ts';
import {
  decideStellarDelivery,
  type StellarDelivery,
  type StellarExchange,
} from './decide-delivery.ts';
import type { Horizon } from './horizon.ts';
import { requireInteger, requireRecords, requireSequence } from './horizon-fields.ts';
import { againstOwnReserve, readOwnLumens } from './own-reserve.ts';
import { quoteExchange } from './quote-exchange.ts';
import { type AccountState, NO_ACCOUNT, readAccount } from './read-account.ts';
import type { StellarChain } from './stellar-chain.ts';
import { type StellarOrder, unsignedStellarTransaction } from './unsigned-transaction.ts';

export type DraftSource = {
  readonly parameters: StellarChain;
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
};

/** Long enough for keys that are kept elsewhere. */
const LANDS_WITHIN = { hours: 2 };
/** Nothing else leaves the account until then, and a price of the market is not good for long. */
const SELLS_WITHIN = { minutes: 30 };
/** In stroops: what the protocol asks at least, and 0.01 XLM. */
const DECIMALS = 7;
const FEE_LEAST = 100n;
const FEE_MOST = 100_000n;
const TERMS = ['by', 'sequence', 'feeUnits', 'expiresAt'] as const;
const EXCHANGE_TERMS = ['assetId', 'leastUnits', 'path'] as const;

type StellarTerms = Pick<StellarOrder, 'delivery' | 'sequence' | 'feeUnits' | 'expiresAt'>;

/** Of what was drafted here. */
export function readStellarTerms(text: string): StellarTerms {
  const { by, sequence, feeUnits, expiresAt } = readDraftTerms(text, TERMS);
  return {
    delivery: readDelivery(text, by),
    sequence: BigInt(sequence),
    feeUnits: BigInt(feeUnits),
    expiresAt: Temporal.Instant.from(expiresAt),
  };
}

function readDelivery(text: string, by: string): StellarDelivery {
  if (by !== 'exchange') return { by: by === 'create-account' ? by : 'payment' };
  const { assetId, leastUnits, path } = readDraftTerms(text, EXCHANGE_TERMS);
  const assets = path === '' ? [] : path.split(' ');
  return { by, assetId, leastUnits: BigInt(leastUnits), path: assets };
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
  const ordered = onlyPayment(payments);
  const isExchange = ordered.exchange !== undefined;
  const own = { account: source.account };
  const payment = { ...ordered, network: 'STELLAR', ...(isExchange ? { account: own } : {}) };
  const { json } = await horizon.get(`/accounts/${source.account}`);
  if (json === undefined) throw refusedDraft('the account that pays does not exist yet');
  const baseReserveUnits = await readBaseReserve(horizon);
  const delivery = isExchange
    ? await exchangeFor(horizon, ordered, readAccount(json, source.account))
    : decideStellarDelivery({
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
    ...termsOf(delivery),
    sequence: requireInteger(account, 'sequence') + 1n,
    feeUnits,
    expiresAt: timestamp(source.clock.now().add(isExchange ? SELLS_WITHIN : LANDS_WITHIN)),
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

function termsOf(delivery: StellarDelivery): Readonly<Record<string, string | bigint>> {
  if (delivery.by !== 'exchange') return { by: delivery.by };
  const { by, assetId, leastUnits, path } = delivery;
  return { by, assetId, leastUnits, path: path.join(' ') };
}

/** @throws Refusal conflict that says why it would fail now, and cost its fee all the same. */
async function exchangeFor(
  horizon: Horizon,
  { assetId: giveAssetId, units: giveUnits, exchange }: DraftPayment,
  { balances }: Pick<AccountState, 'balances'>,
): Promise<StellarExchange> {
  requireThat(exchange !== undefined, 'what is bought is known');
  const { assetId, leastUnits } = exchange;
  const [giving, getting] = [balances.get(giveAssetId), balances.get(assetId)];
  if ((giving?.units ?? 0n) < giveUnits) {
    throw refusedDraft(`the account has less of ${giveAssetId} than is to be sold`);
  }
  if (getting?.isReceivable !== true) {
    throw refusedDraft(
      `the account cannot receive ${assetId}: its trust line is missing, full or not authorised`,
    );
  }
  const quoted = await quoteExchange(horizon, { giveAssetId, giveUnits, getAssetId: assetId });
  if (quoted === undefined) {
    throw refusedDraft(`nobody on the network trades so much of ${giveAssetId} for ${assetId} now`);
  }
  if (quoted.getUnits >= leastUnits) {
    return { by: 'exchange', assetId, leastUnits, path: quoted.path };
  }
  const [least, most] = [leastUnits, quoted.getUnits].map((units) => amountToText(units, DECIMALS));
  throw refusedDraft(
    `the market gives ${most} of ${assetId} for it now; at least ${least} is wanted, by our own ` +
      'price less the slippage: sell less at once, or later',
  );
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
