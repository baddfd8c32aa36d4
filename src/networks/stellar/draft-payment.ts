// One payment from the account on Stellar, put together for somebody else to sign: what Horizon
// says of our account, of the receiver's and of the fees. It ends, so nothing takes its place
// before.
import type { Clock } from '#base/clock.ts';
import { timestamp } from '#base/instant.ts';
import { getNetwork } from '#catalog/network.ts';
import type { DraftedPayment, DraftOrder, DraftPayment } from '#deposit/money-out.ts';
import { amountToText } from '#money/asset-amount.ts';
import { requireFields, requireText, requireThat } from '#networks/answer-fields.ts';
import { onlyPayment, refusedDraft } from '#networks/draft-terms.ts';
import { notSendable, type OutgoingPayment } from '#networks/outgoing-payment.ts';
import {
  decideStellarDelivery,
  type StellarDelivery,
  type StellarExchange,
} from './decide-delivery.ts';
import { fetchFor } from './fetch-balance.ts';
import type { Horizon } from './horizon.ts';
import { requireInteger, requireRecords, requireSequence } from './horizon-fields.ts';
import { againstOwnReserve, readOwnLumens } from './own-reserve.ts';
import { quoteExchange } from './quote-exchange.ts';
import { type AccountState, NO_ACCOUNT, readAccount } from './read-account.ts';
import type { StellarChain } from './stellar-chain.ts';
import { readStellarTerms, writeStellarTerms } from './stellar-terms.ts';
import { unsignedStellarTransaction } from './unsigned-transaction.ts';

export type DraftSource = {
  readonly parameters: StellarChain;
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
  /**
   * A receiver without a trust line has so many days before we may take it back; undefined: nothing
   * is left for such a one.
   */
  readonly claimableDays?: number | undefined;
};

/** Long enough for keys that are kept elsewhere. */
const LANDS_WITHIN = { hours: 2 };
/** Nothing else leaves the account until then, and a price of the market is not good for long. */
const MOVES_WITHIN = { minutes: 30 };
/** In stroops: what the protocol asks at least, and 0.01 XLM. */
const DECIMALS = 7;
const FEE_LEAST = 100n;
const FEE_MOST = 100_000n;
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
  const isOwn = ordered.exchange !== undefined || ordered.takesBack !== undefined;
  const { parameters: chain, account: pays } = source;
  const payment = {
    ...{ ...ordered, network: 'STELLAR' },
    ...(isOwn ? { account: { account: pays } } : {}),
  };
  const { json } = await horizon.get(`/accounts/${pays}`);
  if (json === undefined) throw refusedDraft('the account that pays does not exist yet');
  const account = requireFields(json, 'the account');
  requireThat(requireText(account, 'account_id') === pays, 'another account is shown');
  const baseReserveUnits = await readBaseReserve(horizon);
  const delivery = await deliveryOf(source, horizon, payment, {
    own: readAccount(json, pays),
    reserveUnits: 2n * baseReserveUnits,
  });
  const feeUnits = await readStellarFee(horizon);
  const against = againstOwnReserve({
    ...{ ...readOwnLumens(account, baseReserveUnits), payment, feeUnits },
    // One for each of the two who may fetch it (CAP-33).
    lockedUnits: delivery.by === 'claimable-balance' ? 2n * baseReserveUnits : 0n,
  });
  if (against !== undefined) throw refusedDraft(against);
  const sequence = requireInteger(account, 'sequence') + 1n;
  const expiresAt = source.clock.now().add(isOwn ? MOVES_WITHIN : LANDS_WITHIN);
  const terms = writeStellarTerms({ payment, delivery, sequence, feeUnits, expiresAt });
  const order = { ...readStellarTerms(terms), payment, chain, source: pays };
  const { unsignedTransaction, transactionUri, paymentUri } = unsignedStellarTransaction(order);
  return {
    format: 'transaction',
    text: unsignedTransaction,
    json: undefined,
    links: [transactionUri, ...(paymentUri === undefined ? [] : [paymentUri])],
    from: pays,
    ...{ sequence, feeUnits },
    feeAssetId: getNetwork('STELLAR').defaultAssetId,
    until: timestamp(order.expiresAt),
    ...(delivery.by === 'claimable-balance' && {
      reclaimableAt: timestamp(delivery.reclaimableAt),
    }),
    terms,
    spends: [`${pays}/${sequence}`],
  };
}

type Ours = { readonly own: AccountState; readonly reserveUnits: bigint };

/** @throws Refusal that says why it would not arrive. */
async function deliveryOf(
  { clock, claimableDays }: DraftSource,
  horizon: Horizon,
  payment: DraftPayment & OutgoingPayment,
  { own, reserveUnits }: Ours,
): Promise<StellarDelivery> {
  const { takesBack, exchange } = payment;
  if (takesBack !== undefined) return fetchFor(horizon, payment, takesBack.claimableId, own);
  if (exchange !== undefined) return exchangeFor(horizon, payment, own);
  const receiver = await readReceiver(horizon, payment.account.account ?? '');
  // The ledger counts whole seconds.
  const now = clock.now().round({ smallestUnit: 'second', roundingMode: 'ceil' });
  const reclaimableAt =
    claimableDays === undefined ? undefined : now.add({ hours: 24 * claimableDays });
  const delivery = decideStellarDelivery({ payment, receiver, reserveUnits, reclaimableAt });
  if ('refused' in delivery) throw notSendable(delivery.refused);
  return delivery;
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

export async function readBaseReserve(horizon: Horizon): Promise<bigint> {
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
