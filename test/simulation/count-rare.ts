// Which rare things a story held, by what the database says of it in the end.
import { sql } from '#db/db.ts';
import { converterOf } from './convert-steps.ts';
import { dealerOf } from './hedge-steps.ts';
import type { RARE, Story } from './story.ts';
import { personOf } from './suspense-steps.ts';

type Rare = (typeof RARE)[number];

export async function countRare(story: Story): Promise<void> {
  const { world, shop, counters } = story;
  const [found] = await world.db.query<Partial<Record<Rare, number>>>(sql`
    with credit as materialized (
      select rc.*, c.state, c.accepted_underpaid_at from receipt_credit rc
      join checkout c on c.id = rc.checkout_id where c.merchant_id = ${shop.merchantId}),
    back as materialized (
      select r.*, t.state as carried, t.source, t.transaction, t.signed_transaction from refund r
      join transfer t on t.id = r.transfer_id where r.merchant_id = ${shop.merchantId}),
    deposit as materialized (
      select dc.* from deposit_credit dc join deposit_address a on a.id = dc.deposit_address_id
      where a.merchant_id = ${shop.merchantId}),
    failed as materialized (
      select * from transfer where merchant_id = ${shop.merchantId} and state = 'FAILED'
        and account is not null),
    landed as materialized (
      select * from transfer where merchant_id = ${shop.merchantId} and state = 'COMPLETED'
        and by_hand and not paid_outside),
    tipped as materialized (
      select * from checkout where merchant_id = ${shop.merchantId} and tip > 0),
    act as materialized (
      select sa.*, s.state from suspense_act sa join suspense s on s.id = sa.suspense_id
      where sa.actor = ${personOf(story)})
    select
      (select count(*) from credit where released_at is not null)::int as "released",
      (select count(*) from credit where released_at is not null and reversed_at is not null)::int
        as "releasedThenReversed",
      (select count(*) from credit where accepted_underpaid_at is not null
        and reversed_at >= accepted_underpaid_at)::int as "acceptedThenReversed",
      (select count(*) from back where exists (select 1 from credit
        where credit.checkout_id = back.checkout_id and credit.network = back.network
          and credit.asset_id = back.asset_id and credit.credited_at <= back.created_at
          and credit.reversed_at >= back.created_at))::int as "refundOfReversed",
      (select count(*) from back a join back b on b.checkout_id = a.checkout_id and b.id < a.id
        and b.state <> 'FAILED' and a.state <> 'FAILED')::int as "openRefundsSideBySide",
      (select count(*) from back where context = 'UNDERPAID_CHECKOUT' and state <> 'FAILED'
        and exists (select 1 from credit where credit.checkout_id = back.checkout_id
          and credit.account <> 'refunded' and credit.credited_at >= back.created_at))::int
        as "refundedAndPaidAgain",
      (select count(*) from failed)::int as "sendsFailed",
      (select count(*) from failed where signed_transaction is not null)::int as "sendsProvablyDead",
      (select count(*) from transfer where merchant_id = ${shop.merchantId} and state = 'FAILED'
        and source = 'merchant:pending')::int as "failedSendToPending",
      (select count(*) from transfer where merchant_id = ${shop.merchantId}
        and state = 'RETURNED')::int as "cameBack",
      (select count(*) from hedge_order where provider = ${dealerOf(story)}
        and state = 'COMPLETED')::int as "hedgesCompleted",
      (select count(*) from hedge_fill f join hedge_order o on o.id = f.order_id
        where o.ordered_by = ${converterOf(story)} and f.undone_at is null)::int
        as "conversionsBooked",
      (select count(*) from landed where asked_at is null)::int as "sentByHand",
      (select count(*) from landed where asked_at is not null)::int as "sentBySigner",
      (select count(*) from landed a join landed b using (transaction) where a.id < b.id)::int
        as "sentTogether",
      (select count(*) from attempt where question is not null and signed_at is not null
        and cardinality(transfer_ids) > 1 and exists (select 1 from transfer t
          where t.merchant_id = ${shop.merchantId} and t.id = any(transfer_ids)))::int
        as "signedTogether",
      (select count(*) from landed where fee_taken_units = network_fee_units)::int
        as "feesAboveReserve",
      (select count(*) from landed where fee_taken_units is null)::int as "feesInAnotherAsset",
      (select count(*) from departure d where seen_at >= ${world.wallet.since}
        and undone_count > 0)::int as "departuresUndone",
      (select count(*) from landed where undone_count > 0)::int as "sentAgain",
      (select count(*) from failed where failure like 'cancelled: %' and exists (select 1
        from attempt a where failed.id = any(a.transfer_ids) and a.kind = 'CANCEL'
          and a.signed_at is not null))::int as "cancelledBySignature",
      (select count(*) from undone_transfer u join transfer t on t.id = u.transfer_id
        where t.merchant_id = ${shop.merchantId} and u.state = 'FAILED')::int
        as "cancellationsUndone",
      (select count(*) from landed join undone_transfer u on u.transfer_id = landed.id
        and u.state = 'FAILED')::int as "paidAfterCancellation",
      (select count(*) from deposit where account = 'available')::int as "depositCredits",
      (select count(*) from deposit where reversed_at is not null)::int as "depositReversals",
      (select count(*) from ledger_balance where merchant_id = ${shop.merchantId}
        and balance_units > 0)::int as "debts",
      (select count(*) from (select 1 from ledger_entry
        where merchant_id = ${shop.merchantId} and kind like 'checkout-receipt%'
        group by xmin::text having count(distinct subject_id) > 1) together)::int
        as "settledTogether",
      (select count(*) from act where kind = 'ASSIGN' and not is_payment)::int
        as "suspenseAssigned",
      (select count(*) from act where is_payment)::int as "suspenseAssignedAsPayment",
      (select count(*) from act where kind = 'RETURN' and state = 'RETURNED')::int
        as "suspenseReturned",
      (select count(*) from act where kind = 'WRITE_OFF')::int as "suspenseWrittenOff",
      (select count(*) from act where state = 'GONE')::int as "suspenseActsUndone",
      (select count(*) from tipped where state = 'COMPLETED')::int as "tippedCompleted",
      (select count(*) from tipped where exists (select 1 from back
        where back.checkout_id = tipped.id and back.carried = 'COMPLETED'))::int
        as "tippedRefunded"`);
  counters.signerAnswersLost += world.wallet.answersLost;
  const { signed, exchanged, pricesRefused } = world.wallet;
  counters.conversionsSigned += [...signed.values()].filter(
    ({ kind }) => kind === 'CONVERT',
  ).length;
  counters.conversionsFailed += [...exchanged.values()].filter(({ got }) => !got).length;
  counters.conversionsUnderPrice += pricesRefused;
  counters.signerAnswersRefused += world.wallet.answersRefused;
  for (const [name, times] of Object.entries(found ?? {})) {
    counters[name as Rare] += times ?? 0;
  }
}
