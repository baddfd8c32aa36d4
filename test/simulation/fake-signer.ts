// A signer behind its port: it signs an order once for each turn, gives the same answer again, and
// says so when it is asked for what could be paid beside what it has signed. Its answers are lost at
// times after it has signed.
import { randomInteger } from '#base/random.ts';
import { chainOf, networkOf } from '#catalog/chain.ts';
import type { SendBySignerApp } from '#sending/send-by-signer.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { canLandOrHas, readExchange } from './dex.ts';
import { down, exact, lessFee, times } from './exact.ts';
import { findDead } from './own-chain.ts';
import { coinOf, hashOf, nonceKey, readOwn, signText } from './own-transaction.ts';
import type { World } from './world.ts';
import { assetOf, ratio, sendingFee } from './worth.ts';

/** Of its own, above what a network usually takes. */
const FEES_MOST = 12n;
const LOST_PERCENT = 15;
export const AWAY_REASONS = ['it does not answer', 'the connection broke'] as const;

export function fakeSigner(world: World): SendBySignerApp['signer'] {
  return {
    async sign(order) {
      const { signer, wallet } = world;
      if (signer === 'away') return { outcome: 'AWAY', reason: AWAY_REASONS[0] };
      const transaction = hashOf(order.unsigned);
      if (!wallet.signed.has(transaction)) {
        if (signer === 'refusing' || isAboveCap(order)) {
          wallet.answersRefused += 1;
          return { outcome: 'NOT_NOW', reason: 'it is above a cap' };
        }
        if (order.kind === 'CONVERT' && isUnderPrice(world, order)) {
          wallet.pricesRefused += 1;
          return { outcome: 'NOT_NOW', reason: 'it is under the least price' };
        }
        const find = order.kind === 'CONVERT' ? findConversionFaults : findFaults;
        wallet.broken.push(...(await find(world, order)));
        wallet.signed.set(transaction, order);
        wallet.orders.set(transaction, idsOf(order));
      }
      if (randomInteger(wallet.random, 100) < LOST_PERCENT) {
        wallet.answersLost += 1;
        return { outcome: 'AWAY', reason: AWAY_REASONS[1] };
      }
      const signedTransaction = signText(order.unsigned);
      return { outcome: 'SIGNED', signedTransaction };
    },
  };
}

function isAboveCap({ network, environment, feeUnits }: SignOrder): boolean {
  const coin = coinOf(chainOf(environment, network));
  return feeUnits > FEES_MOST * sendingFee(network, coin, 0n);
}

function idsOf({ id, beside = [] }: SignOrder): string[] {
  return [id, ...beside];
}

/** Below the price of the moment at most, in parts of a million: what the signer has of its own. */
const UNDER_MOST = 20_000;

function isUnderPrice({ market, clock }: World, { payments: [paid], buys }: SignOrder): boolean {
  if (paid === undefined || buys === undefined) return false;
  const price = ratio(market, assetOf(paid.assetId), assetOf(buys.assetId), clock.now());
  if (price === undefined) return true;
  return buys.leastUnits < down(times(times(exact(paid.units), price), lessFee(UNDER_MOST)));
}

/**
 * It gives and asks for what is said, from our account to itself, and nothing that was signed for
 * the same order was carried out, or can be beside it.
 */
async function findConversionFaults(world: World, order: SignOrder): Promise<string[]> {
  const { payments, buys, facts, unsigned } = order;
  const { give, get, spends } = readExchange(unsigned);
  const [paid, ...more] = payments;
  const isSaid =
    more.length === 0 &&
    paid?.assetId === give.assetId &&
    paid.units === give.units &&
    buys?.assetId === get.assetId &&
    buys.leastUnits === get.units &&
    facts.sequence !== undefined &&
    spends[0] === nonceKey(facts.sequence);
  const faults = isSaid ? [] : [`T13: the signer is told something else than ${unsigned}`];
  const named = ({ id }: SignOrder) => id.split('.')[0];
  for (const before of world.wallet.signed.values()) {
    if (before.kind !== 'CONVERT' || named(before) !== named(order)) continue;
    if (before.unsigned === unsigned || !(await canLandOrHas(world, before.unsigned))) continue;
    if (readExchange(before.unsigned).spends[0] === spends[0]) continue;
    faults.push(`T13: ${named(order)} is signed beside ${hashOf(before.unsigned)}`);
  }
  return faults;
}

/** It is for what was ordered, and can not land beside what was signed for the same orders. */
async function findFaults(world: World, order: SignOrder): Promise<string[]> {
  const { wallet, db } = world;
  const own = readOwn(order.unsigned);
  const ids = idsOf(order);
  const outputs = [...own.outputs];
  const paid = order.payments.filter(({ assetId, units }) => {
    const at = outputs.findIndex((one) => one.assetId === assetId && one.units === units);
    return at >= 0 && outputs.splice(at, 1).length === 1;
  });
  const isPaid = paid.length === (order.kind === 'PAY' ? ids.length : 0);
  const faults = isPaid ? [] : [`T9: the signer is asked for something else than ${ids.join()}`];
  for (const [transaction, before] of wallet.signed) {
    const same = idsOf(before).filter((id) => ids.includes(id));
    if (same.length === 0) continue;
    const { spends } = readOwn(before.unsigned);
    if (spends.some((spent) => own.spends.includes(spent))) continue;
    if (await findDead(db, own.chain, transaction, spends)) continue;
    faults.push(
      `T9: order ${same.join()} is signed on ${networkOf(own.chain)} beside ${transaction}, which can land`,
    );
  }
  return faults;
}
