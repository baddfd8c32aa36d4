// The bugs that the simulation has to find, each a small change of one source file. A text that is
// not there exactly once is an error: who changes such a line says here how the bug looks now.

/** @typedef {{name: string, what: string, file: string, from: string, to: string}} Bug */

/** @type {readonly Bug[]} */
export const bugs = [
  {
    name: 'dedupe-skipped',
    what: 'a receipt that is credited is credited again',
    file: 'src/checkout-settlement/value-receipts.ts',
    from: "if (receipt.status !== 'FINAL' || isCredited(receipt)) continue;",
    to: "if (receipt.status !== 'FINAL') continue;",
  },
  {
    name: 'confirmations-more',
    what: 'a confirmation more than required is waited for',
    file: 'src/chain/decide-finality.ts',
    from: "if (confirmations < BigInt(required)) return 'waiting';",
    to: "if (confirmations < BigInt(required + 1)) return 'waiting';",
  },
  {
    name: 'confirmations-less',
    what: 'a confirmation less than required is enough',
    file: 'src/chain/decide-finality.ts',
    from: "if (confirmations < BigInt(required)) return 'waiting';",
    to: "if (confirmations < BigInt(Math.max(1, required - 1))) return 'waiting';",
  },
  {
    name: 'neighbours-ignored',
    what: 'payments in neighbouring blocks do not raise the depth',
    file: 'src/chain/chain-policy.ts',
    from: 'if (distance <= WINDOW_BLOCKS)',
    to: 'if (distance === 0n)',
  },
  {
    name: 'tolerance-more',
    what: 'one percent less than the tolerance allows is enough',
    file: 'src/checkout-settlement/decide-paid.ts',
    from: 'const inTime = MILLION - BigInt(facts.underpaidTolerancePartsPerMillion);',
    to: 'const inTime = MILLION - BigInt(facts.underpaidTolerancePartsPerMillion) - 10_000n;',
  },
  {
    name: 'net-for-gross',
    what: 'the net amount of a lock is credited as the gross one',
    file: 'src/checkout-settlement/value-receipts.ts',
    from: 'const lockedSettlement = share(lock.settlementUnits);',
    to: 'const lockedSettlement = share(lock.netUnits);',
  },
  {
    name: 'fee-not-taken',
    what: 'no settlement fee is taken of a lock',
    file: 'src/checkout-settlement/value-receipts.ts',
    from: 'const lockedNet = min(share(lock.netUnits), lockedSettlement);',
    to: 'const lockedNet = lockedSettlement;',
  },
  {
    name: 'late-at-lock-rate',
    what: 'money that came late is valued at the rate of the lock',
    file: 'src/checkout-settlement/value-receipts.ts',
    from: 'const lockedUnits = isInTime ? min(receipt.units, free) : 0n;',
    to: 'const lockedUnits = min(receipt.units, free);',
  },
  {
    name: 'excess-at-lock-rate',
    what: 'more than was asked for is valued at the rate of the lock',
    file: 'src/checkout-settlement/value-receipts.ts',
    from: 'const lockedUnits = isInTime ? min(receipt.units, free) : 0n;',
    to: 'const lockedUnits = isInTime && free >= 0n ? receipt.units : 0n;',
  },
  {
    name: 'converted-up',
    what: 'a credit at the rate of the moment rounds up',
    file: 'src/checkout-settlement/value-receipts.ts',
    from: "toSettlement === undefined ? 0n : convertUnits(units, toSettlement, 'down');",
    to: "toSettlement === undefined ? 0n : convertUnits(units, toSettlement, 'up');",
  },
  {
    name: 'net-up',
    what: 'the net amount of a credit at the rate of the moment rounds up',
    file: 'src/checkout-settlement/value-receipts.ts',
    from: "const netUnits = divideUnits(settlementUnits * keep, PARTS_PER_MILLION, 'down');",
    to: "const netUnits = divideUnits(settlementUnits * keep, PARTS_PER_MILLION, 'up');",
  },
  {
    name: 'no-reversal-after-completed',
    what: 'what the chain lost is not taken back once the checkout is COMPLETED',
    file: 'src/checkout-settlement/decide-settlement.ts',
    from: '.filter(isReversedNow)',
    to: ".filter((receipt) => isReversedNow(receipt) && facts.state !== 'COMPLETED')",
  },
  {
    name: 'release-not-reversed',
    what: 'a reversal forgets that the money was released',
    file: 'src/checkout-settlement/checkout-entries.ts',
    from: 'const isReleased = credit.releasedAt !== undefined;',
    to: 'const isReleased = false;',
  },
  {
    name: 'accept-in-any-state',
    what: 'less than was asked for is accepted in any state',
    file: 'src/checkout-settlement/act-on-checkout.ts',
    from: "if (checkout.state !== 'UNDERPAID') {",
    to: "if (checkout.state === 'CANCELLED') {",
  },
  {
    name: 'second-event-dropped',
    what: 'of two events of one decision the second is dropped',
    file: 'src/checkout-settlement/settle-checkout.ts',
    from: 'return types.map((type) =>',
    to: 'return types.slice(0, 1).map((type) =>',
  },
  {
    name: 'together-posts-one',
    what: 'of several checkouts that are settled together only the first is posted',
    file: 'src/settle/settle.ts',
    from: 'const entries = settlements.flatMap((settlement) => settlement.entries);',
    to: 'const entries = settlements.slice(0, 1).flatMap((settlement) => settlement.entries);',
  },
  {
    name: 'expired-not-told',
    what: 'nobody is told that a checkout expired',
    file: 'src/checkout-settlement/settlement-told.ts',
    from: "  EXPIRED: 'CHECKOUT_EXPIRED',\n",
    to: '',
  },
  {
    name: 'refund-cap',
    what: 'what may be refunded ignores the refunds that are under way',
    file: 'src/refund/decide-refund.ts',
    from: "!isUndone(refund) && refund.context !== 'UNDERPAID_CHECKOUT',",
    to: "refund.state === 'COMPLETED' && refund.context !== 'UNDERPAID_CHECKOUT',",
  },
  {
    name: 'refunded-still-pays',
    what: 'money that was refunded still pays for the checkout',
    file: 'src/checkout-settlement/decide-settlement.ts',
    from: "facts.credits.filter(({ account }) => account === 'refunded').map(({ receiptId }) => receiptId),",
    to: 'facts.credits.filter(({ account }) => account === undefined).map(({ receiptId }) => receiptId),',
  },
  {
    name: 'transfer-fee-not-taken',
    what: 'the receiver of a transfer gets the fee of the network as well',
    file: 'src/transfer/quote-transfer.ts',
    from: 'const networkFeeUnits = executor.networkFeeUnits(assetId, wanted ?? units);',
    to: 'const networkFeeUnits = 0n * executor.networkFeeUnits(assetId, wanted ?? units);',
  },
  {
    name: 'transfer-fee-as-income',
    what: 'the fee of the network is booked as income of the house',
    file: 'src/transfer/transfer-entries.ts',
    from: "{ account: { code: 'network-fees' }, assetId, units: -networkFeeUnits }",
    to: "{ account: { code: 'fees' }, assetId, units: -networkFeeUnits }",
  },
  {
    name: 'failed-send-elsewhere',
    what: 'what failed to be sent goes to the available balance, wherever it was taken from',
    file: 'src/transfer/transfer-entries.ts',
    from: '{ account: sourceOf(transfer), assetId, units: -units },',
    to: "{ account: { merchantId, code: 'merchant:available' }, assetId, units: -units },",
  },
  {
    name: 'swap-up',
    what: 'what a swap gives rounds up',
    file: 'src/swap/quote-swap.ts',
    from: ": divideUnits(request.sourceUnits * above, below, 'down');",
    to: ": divideUnits(request.sourceUnits * above, below, 'up');",
  },
  {
    name: 'deposit-fee-skipped',
    what: 'no fee is taken of money at a deposit address',
    file: 'src/deposit-address/decide-deposits.ts',
    from: 'const keep = PARTS_PER_MILLION - BigInt(feePartsPerMillion);',
    to: 'const keep = PARTS_PER_MILLION - 0n * BigInt(feePartsPerMillion);',
  },
  {
    name: 'deposit-not-reversed',
    what: 'what the chain took back stays credited at a deposit address',
    file: 'src/deposit-address/decide-deposits.ts',
    from: 'const due = receipts.filter(({ reversalDue }) => reversalDue);',
    to: 'const due = receipts.filter(({ reversalDue }) => reversalDue && false);',
  },
  {
    name: 'write-off-from-custody',
    what: 'what is written off of suspense is booked as if it had been sent away',
    file: 'src/settle/suspense-act.ts',
    from: "return { code: 'dust' };",
    to: "return { code: 'custody:' + network };",
  },
  {
    name: 'sent-fee-as-reserved',
    what: 'an order pays what was reserved for the network, whatever the network took',
    file: 'src/custody/decide-parts.ts',
    from: 'return share < networkFeeUnits ? share : networkFeeUnits;',
    to: 'return networkFeeUnits;',
  },
  {
    name: 'sent-fee-twice',
    what: 'the fee of what left is booked once more beside what its orders paid of it',
    file: 'src/custody/decide-parts.ts',
    from: '=> rest - feeTakenUnits, feeUnits);',
    to: '=> rest - 0n * feeTakenUnits, feeUnits);',
  },
  {
    name: 'rest-of-fee-kept',
    what: 'what was reserved for the network and not taken stays with the house',
    file: 'src/transfer/transfer-entries.ts',
    from: ': { account: returnedTo(transfer), assetId, units: feeTakenUnits - networkFeeUnits };',
    to: ": { account: { code: 'fees' }, assetId, units: feeTakenUnits - networkFeeUnits };",
  },
  {
    name: 'own-move-forgotten',
    what: 'what the operator moved away before it was final is not booked',
    file: 'src/custody/custody-entries.ts',
    from: "purpose === 'OUTSIDE' || purpose === 'LOST' ||",
    to: "purpose === 'LOST' ||",
  },
  {
    name: 'undone-stays-booked',
    what: 'what was booked as sent stays booked when a reorganisation undoes it',
    file: 'src/custody/settle-departures.ts',
    from: "if (departure.status !== 'INCLUDED') ended += await undoBooking(app, departure);",
    to: '',
  },
  {
    name: 'replaced-stays-sent',
    what: 'what was carried by a transaction that is gone does not wait to be sent again',
    file: 'src/custody/settle-departures.ts',
    from: 'noteUnsent(tx, { id: transferId, transaction, canLand: isKept }, now);',
    to: '',
  },
  {
    name: 'signed-given-up-early',
    what: 'what was signed and is not seen yet counts as over, and is signed anew',
    file: 'src/sending/release-attempts.ts',
    from: '?.sender?.isOver?.(terms, cursor.height)) ?? false;',
    to: '?.sender?.isOver?.(terms, cursor.height)) || true;',
  },
  {
    name: 'taken-back-and-sent',
    what: 'a person may send a refund whose payment the chain has taken back',
    file: 'src/transfer/send-by-hand.ts',
    from: "if (verdict.kind === 'never' || verdict.kind === 'lapsed') {",
    to: "if (verdict.kind === 'lapsed') {",
  },
  {
    name: 'cancelled-and-sent',
    what: 'what was cancelled is sent when it comes back signed',
    file: 'src/transfer/send-by-hand.ts',
    from: "if (locked === undefined || (locked.state !== 'TO_SEND' && !isOnItsWay)) {",
    to: "if (locked === undefined || (!['TO_SEND', 'FAILED'].includes(locked.state) && !isOnItsWay)) {",
  },
  {
    name: 'told-while-cancelled',
    what: 'what is being cancelled is shown to be sent once what was signed is over',
    file: 'src/transfer/send-by-hand.ts',
    from: 'if (!isMade) await requireNotCancelled(tx, locked);',
    to: '',
  },
  {
    name: 'lost-while-replaced',
    what: 'of what took the place of what pays an order a person says that it is lost',
    file: 'src/custody/explain-departure.ts',
    from: 'requireNotReplacing(part, await listRivalsOf(tx, departure));',
    to: '',
  },
  {
    name: 'cancellation-stays',
    what: 'a cancellation that a reorganisation undid stays one, whatever lands in its place',
    file: 'src/custody/undo-booking.ts',
    from: 'const failed = await reopenFailed(app, tx, departure, now);',
    to: '/** @type {any} */ const failed = { transfers: [], booked: [] };',
  },
  {
    name: 'left-of-fee-as-sale',
    what: 'the report of settlements takes what is left of a fee for a sale',
    file: 'src/report/settlements-report.ts',
    from: 'line."netUnits" is not null and not line."isSent"',
    to: 'line."netUnits" is not null',
  },
  {
    name: 'part-recognised-by-amount',
    what: 'whatever leaves in the amount of an order pays it, whoever gets it',
    file: 'src/custody/decide-parts.ts',
    from: 'destination === part.destination && assetId === part.assetId && units === part.units,',
    to: 'destination !== undefined && assetId === part.assetId && units === part.units,',
  },
  {
    name: 'fill-counted-twice',
    what: 'a part of an order that is entered again is booked again',
    file: 'src/treasury/act-on-order.ts',
    from: 'if (before !== undefined) return { order, fill: requireSame(before, request), entries: [] };',
    to: "if (before !== undefined) request = { ...request, fillId: request.fillId + '-' };",
  },
  {
    name: 'unfill-not-reversed',
    what: 'the entry of a part that was taken back stands',
    file: 'src/treasury/act-on-order.ts',
    from: 'if (entry !== undefined) {',
    to: 'if (entry === undefined) {',
  },
  {
    name: 'provider-fee-forgotten',
    what: 'what the provider took of a part is not booked',
    file: 'src/treasury/hedge-entries.ts',
    from: 'feeAssetId = getAssetId, feeUnits = 0n } = fill;',
    to: 'feeAssetId = getAssetId } = fill, feeUnits = 0n;',
  },
  {
    name: 'conversion-for-anything',
    what: 'what is drafted for the market asks for one unit, and not for the least',
    file: 'src/market/draft-conversion.ts',
    from: 'exchange: { assetId: getAssetId, leastUnits: least },',
    to: 'exchange: { assetId: getAssetId, leastUnits: 1n },',
  },
  {
    name: 'conversion-slippage-up',
    what: 'the slippage is put on top of the price of the house',
    file: 'src/trading/decide-traded.ts',
    from: 'const part = createDecimal(MILLION - BigInt(slippagePartsPerMillion), 6);',
    to: 'const part = createDecimal(MILLION + BigInt(slippagePartsPerMillion), 6);',
  },
  {
    name: 'conversion-not-as-it-came',
    what: 'what came of a conversion is booked a unit short',
    file: 'src/custody/book-conversions.ts',
    from: '...{ soldUnits: units, gotUnits, feeAssetId: undefined, feeUnits: undefined },',
    to: '...{ soldUnits: units, gotUnits: gotUnits - 1n, feeAssetId: undefined, feeUnits: undefined },',
  },
  {
    name: 'conversion-free-by-time',
    what: 'an order at the market is free when its time is over, whatever landed and nobody read',
    file: 'src/market/free-drafts.ts',
    from: 'if (!(await sender.isOver(terms, cursor.height))) return false;',
    to: 'if (sender.isOver === undefined) return false;',
  },
  {
    name: 'returned-twice',
    what: 'what brought back a transfer stays in suspense, to be given to somebody once more',
    file: 'src/suspense/settle-came-back.ts',
    from: "updateSuspense(tx, suspense.id, { state: 'ASSIGNED', resolvedAt: now });",
    to: '',
  },
];

/** @param {string} name */
export function findBug(name) {
  const bug = bugs.find((one) => one.name === name);
  if (bug === undefined) throw new Error(`There is no bug ${name}: npm run mutate -- --list`);
  return bug;
}

/** @param {Bug} bug @param {string} source */
export function withBug({ name, file, from, to }, source) {
  const parts = source.split(from);
  if (parts.length === 2) return parts.join(to);
  const times = parts.length - 1;
  throw new Error(`${name}: ${file} holds this ${times} times, not once: ${from}`);
}
