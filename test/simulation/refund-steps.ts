// Money of a checkout goes back to the payer: at once, or when he says where.
import { randomBigint } from '#base/random.ts';
import { shownAsset } from '#catalog/asset.ts';
import type { Commitment } from '#checkout/checkout.ts';
import { sql } from '#db/db.ts';
import { decimalFromUnits } from '#money/decimal.ts';
import { claimRefund } from '#refund/claim-refund.ts';
import { createRefund } from '#refund/create-refund.ts';
import { claimToken, type Refund } from '#refund/refund.ts';
import { pick } from '#test/support/seeded-random.ts';
import { ACCOUNTS, pickIn } from './merchant-steps.ts';
import { act, chance, type Story, type StoryCheckout } from './story.ts';
import { sendingFee } from './worth.ts';

const KINDS = ['full', 'full', 'excess', 'amount', 'amount'] as const;

/** One, or two of the same money. */
export async function refundSome(story: Story): Promise<string> {
  const checkout = pickRefundable(story);
  const first = await refund(story, checkout);
  if (chance(story.random, 50)) return first;
  return `${first}; ${await refund(story, checkout, pick(story.random, ['amount', 'full']))}`;
}

/** Mostly one whose money the merchant has. */
function pickRefundable(story: Story): StoryCheckout {
  const { random, known, checkouts } = story;
  const fitting = checkouts.filter(
    ({ id, commitments }) =>
      known.states.get(id) === 'COMPLETED' &&
      commitments.some(({ assetId }) => known.available.has(assetId)),
  );
  const isFitting = fitting.length > 0 && chance(random, 70);
  return isFitting ? pick(random, fitting) : pickIn(story, 'UNDERPAID', 'COMPLETED');
}

export async function refund(
  story: Story,
  checkout = pickRefundable(story),
  kind: (typeof KINDS)[number] = pick(story.random, KINDS),
): Promise<string> {
  const { random, shop, counters } = story;
  const way = checkout.commitments.length > 0 ? pick(random, checkout.commitments) : undefined;
  const units = kind === 'amount' && way !== undefined ? 1n + drawPart(story, way) : undefined;
  const decimals = way === undefined ? 0 : shownAsset(way.network, way.assetId).decimals;
  const address = chance(random, 50) && way ? ACCOUNTS[way.network]?.address : undefined;
  const request = {
    checkoutId: checkout.id,
    kind,
    amount: units === undefined ? undefined : decimalFromUnits(units, decimals),
    network: way?.network,
    asset: way?.assetId,
    address,
  };
  const said = await act(story, async (service) => {
    const made = await createRefund(service, shop, request);
    counters.refunds += 1;
    await checkRefund(story, made, units);
    return `${made.units}, ${made.state}`;
  });
  const where = address === undefined ? 'by a link' : 'to an address';
  return `${checkout.name} ${kind} ${units ?? ''} on ${way?.network ?? 'nothing'} ${where}: ${said}`;
}

function drawPart({ random }: Story, { arrivingUnits }: Commitment): bigint {
  return randomBigint(random, chance(random, 70) ? arrivingUnits / 2n + 1n : 2n * arrivingUnits);
}

/** Once somebody has claimed it, a second one changes nothing. */
export async function claim(story: Story): Promise<string> {
  const { random, known, counters } = story;
  const { id, network } = pick(random, known.claimable);
  const address = ACCOUNTS[network]?.address ?? '';
  const said = await act(story, async (service) => {
    await claimRefund(service, claimToken(service.keyring, id), address);
    counters.refundsClaimed += 1;
    return 'claimed';
  });
  return `${id} on ${network}: ${said}`;
}

type Made = {
  readonly state: string;
  /** Null when nothing but money that a person assigned came this way, and none of it stands. */
  readonly lockUnits: bigint | null;
  /** Of the same way of paying, and not taken back by the chain. */
  readonly earned: bigint;
  readonly pending: bigint;
  readonly withIt: bigint;
  readonly others: bigint;
  readonly reserved: bigint;
};

/** What the payer gets, and what the merchant gives for it. */
async function checkRefund(story: Story, made: Refund, asked: bigint | undefined): Promise<void> {
  const { world } = story;
  const { id, checkoutId, network, assetId, units, kind, context } = made;
  const [row] = await world.db.query<Made>(sql`
    select c.state, t.units as reserved,
      coalesce(m.payment_units, max(rc.required_now_units)) as "lockUnits",
      coalesce(sum(rc.units) filter (where rc.account = 'available'
        or rc.released_at is not null), 0) as earned,
      coalesce(sum(rc.units) filter (where rc.account = 'pending'
        and rc.released_at is null), 0) as pending,
      coalesce(sum(rc.units) filter (where rc.refund_id = ${id}), 0) as "withIt",
      (select coalesce(sum(o.units), 0) from refund o where o.checkout_id = ${checkoutId}
        and o.network = ${network} and o.asset_id = ${assetId} and o.id <> ${id}
        and o.state not in ('FAILED', 'RETURNED') and o.context <> 'UNDERPAID_CHECKOUT') as others
    from checkout c join refund r on r.id = ${id} join transfer t on t.id = r.transfer_id
    left join commitment m
      on m.checkout_id = c.id and m.network = r.network and m.asset_id = r.asset_id
    left join receipt_credit rc on rc.checkout_id = c.id and rc.network = r.network
      and rc.asset_id = r.asset_id and rc.reversed_at is null
    where c.id = ${checkoutId} group by c.id, m.payment_units, t.units`);
  if (row === undefined) throw new Error(`T6: refund ${id} is of no way of paying`);
  const { earned, withIt, others, lockUnits, pending, reserved } = row;
  const what = `T6: refund ${id} (${kind}) of checkout ${checkoutId} gives ${units}`;
  if (context === 'UNDERPAID_CHECKOUT') {
    const due = withIt - sendingFee(network, assetId, withIt);
    if (kind === 'full' && units === due && pending === 0n && reserved === withIt) return;
    throw new Error(`${what} of ${withIt}, ${pending} more are pending; it is ${due}`);
  }
  const left = earned - others;
  const due = kind === 'full' ? left : kind === 'excess' ? left - (lockUnits ?? left) : asked;
  const cost = units + sendingFee(network, assetId, units);
  if (units === due && units <= left && reserved === cost) return;
  throw new Error(`${what} for ${reserved}; it is ${due} for ${cost}, ${left} are left`);
}
