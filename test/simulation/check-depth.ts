// How deep a payment must be buried (money.md): by the value of all that its merchant received in
// the six blocks around it, at the prices of the moment; the depth may only rise. Computed after
// every step from what stands in the blocks, with tiers written down here a second time.
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import { type Exact, exact, isLess, plus, times } from './exact.ts';
import type { Depth } from './oracle.ts';
import type { Story } from './story.ts';
import { assetOf } from './worth.ts';

const NEIGHBOURS = 5n;
/** From how many dollars a payment is medium and large here (a tenth of production). */
const MEDIUM = exact(100n);
const LARGE = exact(5_000n);
/** From so many on the brake holds it here. */
const HELD = exact(10n);
const DEPTHS: Readonly<Record<string, readonly [number, number, number]>> = {
  BITCOIN: [1, 3, 6],
  LITECOIN: [2, 4, 7],
  ETHEREUM: [2, 3, 4],
  STELLAR: [1, 1, 1],
  LIGHTNING: [0, 0, 0],
};

type Row = {
  readonly key: string;
  readonly chain: ChainId;
  readonly assetId: string;
  readonly units: bigint;
  readonly height: bigint;
  readonly required: number;
  readonly isFinal: boolean;
  readonly confirmations: bigint;
  readonly isHeld: boolean;
  readonly isBraked: boolean;
};

export function listBuried(reader: Reader, { shop }: Story): Promise<Row[]> {
  return reader.query<Row>(sql`
    select r.id || ' in ' || r.block_hash as key, r.chain, r.asset_id as "assetId", r.units,
      r.block_height as height, r.confirmations_required as required,
      r.status = 'FINAL' as "isFinal", cc.height - r.block_height + 1 as confirmations,
      r.held_at is not null as "isHeld", cc.brake is not null as "isBraked"
    from receipt r join chain_cursor cc on cc.chain = r.chain
    where r.merchant_id = ${shop.merchantId} and r.block_height is not null`);
}

export function checkDepths(story: Story, rows: readonly Row[]): string[] {
  const { oracle, counters } = story;
  const fresh = new Set(rows.map(({ key }) => key).filter((key) => !oracle.depths.has(key)));
  const broken: string[] = [];
  for (const row of rows) {
    const known = oracle.depths.get(row.key);
    const depth = known ?? { least: 0, most: 0, wasFinal: false, wasHeld: false };
    broken.push(...checkHold(story, row, rows, depth));
    weigh(story, row, rows, depth, fresh);
    oracle.depths.set(row.key, depth);
    if (known === undefined && depth.least > depthOf(story, row, [row])) counters.raisedDepth += 1;
    const what = `R5: receipt ${row.key} (${row.chain})`;
    if (row.required < depth.least) {
      broken.push(`${what} needs ${row.required}, what stands around it makes ${depth.least}`);
    }
    if (row.required > depth.most && !oracle.reorganised.has(row.chain)) {
      broken.push(`${what} needs ${row.required}, what stands around it makes ${depth.most}`);
    }
    if (row.isFinal && row.confirmations < depth.least) {
      broken.push(`${what} is final with ${row.confirmations} of ${depth.least}`);
    }
    const isDeep = row.confirmations >= row.required;
    if (isDeep && !row.isFinal && !row.isHeld && !row.isBraked) {
      broken.push(`${what} has ${row.confirmations} of ${row.required} and is not final`);
    }
  }
  return broken;
}

/** What the brake holds becomes final while it is on only where somebody let it go, twice as deep. */
function checkHold(story: Story, row: Row, rows: readonly Row[], depth: Depth): string[] {
  const { oracle, counters } = story;
  const isLetGo = oracle.letGo.has(row.key);
  const becameHeld = row.isHeld && !depth.wasHeld;
  const becameFinal = depth.wasHeld && !depth.wasFinal && row.isFinal && row.isBraked;
  depth.wasHeld = row.isHeld || (depth.wasHeld && row.isBraked);
  const what = `R5: receipt ${row.key} (${row.chain})`;
  if (becameHeld && isLetGo) return [`${what} was let go, and is held for the same`];
  if (!becameFinal) return [];
  if (row.confirmations < 2n * BigInt(row.required)) {
    return [`${what} was held, and is final with ${row.confirmations} of twice ${row.required}`];
  }
  if (isLetGo) counters.finalAfterLetGo += 1;
  const value = worthOf(story, neighboursOf(row, rows));
  const isLarge = value === undefined || !isLess(value, HELD);
  return isLarge && !isLetGo ? [`${what} was held, and nobody let it go`] : [];
}

function neighboursOf(row: Row, rows: readonly Row[]): readonly Row[] {
  return rows.filter(
    ({ chain, height }) =>
      chain === row.chain && height - row.height <= NEIGHBOURS && row.height - height <= NEIGHBOURS,
  );
}

/**
 * What is final is not weighed again. Of a payment that became final in the step that brought it,
 * only what stands before it is certain to have been known.
 */
function weigh(
  story: Story,
  row: Row,
  rows: readonly Row[],
  depth: Depth,
  fresh: ReadonlySet<string>,
): void {
  if (depth.wasFinal) return;
  depth.wasFinal = row.isFinal;
  const around = neighboursOf(row, rows);
  depth.most = Math.max(depth.most, depthOf(story, row, around));
  const isNew = fresh.has(row.key);
  if (!around.some(({ key }) => fresh.has(key)) || (row.isFinal && !isNew)) return;
  const certain = row.isFinal ? around.filter(({ height }) => height <= row.height) : around;
  depth.least = Math.max(depth.least, depthOf(story, row, certain));
}

function depthOf(story: Story, { chain }: Row, payments: readonly Row[]): number {
  const [small, medium, large] = DEPTHS[networkOf(chain)] ?? [0, 0, 0];
  const value = worthOf(story, payments);
  if (value === undefined) return large;
  if (isLess(value, MEDIUM)) return small;
  return isLess(value, LARGE) ? medium : large;
}

/** At the prices of the moment; undefined where one is missing. */
function worthOf({ world }: Story, payments: readonly Row[]): Exact | undefined {
  let value: Exact = exact(0n);
  for (const { assetId, units } of payments) {
    const { code, decimals } = assetOf(assetId);
    const price = world.market.priceAt(code, world.clock.now());
    if (price === undefined) return undefined;
    value = plus(value, times(exact(units, 10n ** BigInt(decimals)), price));
  }
  return value;
}
