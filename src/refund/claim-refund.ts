// The payer says where a refund goes. Only the first answer counts: a second one changes nothing.

import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import { type Balance, balancesOf, leavesDebtCovered } from '#ledger/account.ts';
import type { Wake } from '#runtime/loop.ts';
import { restsUntil, type SpendingApp } from '#spending/require-within-limits.ts';
import { directTransfer, refuseOverdraft, requoteTransfer } from '#transfer/book-transfer.ts';
import type { Executors } from '#transfer/executor.ts';
import { lockTransfer, type Transfer, type TransferSealKeys } from '#transfer/transfer.ts';
import { decideClaimFee } from './decide-claim-fee.ts';
import { findRefundByClaim, type Refund, restingRefundView, tellRefund } from './refund.ts';
import { type RefundAccountApp, type RefundTarget, refundAccount } from './refund-account.ts';
import { type HoldRefundApp, holdRefundPayment } from './refunds-of.ts';

export type ClaimRefundApp = RefundAccountApp &
  SpendingApp &
  HoldRefundApp & {
    readonly db: Db;
    readonly clock: Clock;
    readonly random: Random;
    readonly keyring: TransferSealKeys;
    readonly executors: Executors;
    readonly wakes?: { readonly transfer?: Wake | undefined } | undefined;
  };

/**
 * What is reserved for the network follows what it takes now, within bounds (decide-claim-fee.ts).
 *
 * Refuses: missing; invalid when the address is none of the network; conflict once claimed, or when
 * the payment was taken back; unavailable `network_fee_high` while the network takes too much.
 */
export async function claimRefund(
  app: ClaimRefundApp,
  token: string,
  address: string,
  more: Pick<RefundTarget, 'memo' | 'memoType'> = {},
): Promise<Refund> {
  const refund = await findRefundByClaim(app, token);
  if (refund === undefined) throw new Refusal('missing', 'refund_missing', 'no such refund');
  const { network, environment, units } = refund;
  const account = refundAccount(app, { ...more, network, environment, units, address });
  const now = app.clock.now();
  const directed = await refuseOverdraft(
    app.db.transact(async (tx) => {
      // The checkout first, then the transfer, as everywhere.
      if ((await holdRefundPayment(app, tx, refund)) === 'TAKEN_BACK') throw takenBack();
      const rests = await restsUntil(app, tx, refund, refund, now);
      const requotedUnits = await requote(app, tx, refund);
      const where = { account, restsUntil: rests, requotedUnits };
      const transfer = await directTransfer(app, tx, refund.transferId, where, now);
      const claimed = await tx.query(sql`
      update refund set state = 'UNDER_WAY', address = ${address}
      where id = ${refund.id} and state = 'AWAITING_ADDRESS' returning id`);
      if (claimed.length === 0) {
        throw new Refusal('conflict', 'refund_claimed', 'the refund was claimed already');
      }
      noteAct(tx, {
        ...{ actedAt: now, actor: 'payer', verb: 'refund-claim', environment },
        ...{ subject: `transfer:${refund.transferId}`, merchantId: refund.merchantId },
        details: {
          ...{ refund: refund.id, checkout: refund.checkoutId, address },
          networkFee: `${transfer.networkFeeUnits}`,
          before: `${refund.networkFeeUnits}`,
        },
      });
      if (rests !== undefined) {
        tellRefund(app, tx, refund, 'REFUND_RESTS', restingRefundView(refund, rests));
      }
      requoteTransfer(tx, transfer, now);
      return transfer;
    }),
  );
  app.wakes?.transfer?.wake();
  const { networkFeeUnits, restsUntil: rested } = directed;
  return { ...refund, state: 'UNDER_WAY', address, account, restsUntil: rested, networkFeeUnits };
}

/** How much more is reserved for the network than before. @throws Refusal `network_fee_high` */
async function requote(app: ClaimRefundApp, tx: Tx, refund: Refund): Promise<bigint> {
  // Before the accounts of the ledger, as everywhere.
  const transfer = await lockTransfer(tx, refund.transferId);
  if (transfer === undefined) return 0n;
  const { merchantId, environment, assetId, networkFeeUnits: reservedUnits, source } = transfer;
  const decision = decideClaimFee({
    reservedUnits,
    askedUnits: feeNow(app, transfer),
    isOnTop: source === 'merchant:available',
  });
  switch (decision.kind) {
    case 'too-dear':
      throw new Refusal('unavailable', 'network_fee_high', [
        'sending takes much more now than when the refund was made: claim it later',
      ]);
    case 'keep':
      return 0n;
    case 'follow': {
      const { moreUnits: units } = decision;
      if (units < 0n) return units;
      // A merchant who has nothing left keeps no payer waiting: the house pays what is beyond.
      const wanted = { merchantId, environment, assetId, units };
      const balances = await balancesOf(tx, wanted);
      const has = (one: Balance) => one.code === 'merchant:available' && one.assetId === assetId;
      const isThere = (balances.find(has)?.units ?? 0n) >= units;
      return isThere && (await leavesDebtCovered(tx, wanted)) ? units : 0n;
    }
  }
}

/** Undefined where nobody knows it now: it is sent when somebody does. */
function feeNow(
  { executors }: ClaimRefundApp,
  { environment, network, assetId, targetUnits }: Transfer,
): bigint | undefined {
  try {
    return executors.get(chainOf(environment, network))?.networkFeeUnits(assetId, targetUnits);
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'unavailable') return undefined;
    throw error;
  }
}

function takenBack(): Refusal {
  return new Refusal('conflict', 'payment_taken_back', [
    'the network took back the payment that was to be refunded',
  ]);
}
