// The market of the simulated Stellar: one transaction sells so much of our own for at least so much
// of another thing, in one ledger, or fails and costs its fee. Its account has one next number, and
// after its end no ledger takes a transaction. What comes of one is drawn when a ledger takes it.
import { randomInteger } from '#base/random.ts';
import { Outage } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import type { DraftedPayment, DraftOrder, Sender } from '#deposit/money-out.ts';
import type { Arrival, Departure, Observation } from '#deposit/network.ts';
import { notTaken, refusedDraft } from '#networks/draft-terms.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { isFrozen, lockSandboxChain } from '#networks/sandbox/sandbox-block.ts';
import { findTransaction, insertTransaction } from '#networks/sandbox/sandbox-transaction.ts';
import { listNonces } from './own-chain.ts';
import {
  coinOf,
  hashOf,
  isFee,
  isNonce,
  nonceKey,
  type OwnTransaction,
  storedOutputs,
  unsignedOf,
  writeOwn,
} from './own-transaction.ts';
import type { World } from './world.ts';

export const DEX_CHAIN: ChainId = 'test:STELLAR';
/** Where what was given goes, and where what came is from. */
const [GIVEN, GOT] = ['elsewhere-market', 'elsewhere-market-got'];
const FEE_UNITS = 100n;
const LANDS_WITHIN = { minutes: 30 };
const FAILS_PERCENT = 15;

type Side = { readonly assetId: string; readonly units: bigint };

export type Exchange = OwnTransaction & {
  readonly give: Side;
  /** At least so much. */
  readonly get: Side;
  readonly until: string;
};

export function readExchange(text: string): Exchange {
  const { give, get, feeUnits, ...rest } = JSON.parse(text) as Exchange;
  const sideOf = (side: Side) => ({ ...side, units: BigInt(side.units) });
  return { ...rest, give: sideOf(give), get: sideOf(get), feeUnits: BigInt(feeUnits) };
}

export async function draftExchange(
  { db, clock }: Pick<World, 'db' | 'clock'>,
  { payments: [payment, ...more] }: DraftOrder,
): Promise<DraftedPayment> {
  const { exchange, assetId, units } = payment ?? {};
  if (exchange === undefined || assetId === undefined || units === undefined || more.length > 0) {
    throw refusedDraft('nothing but one exchange is put together here');
  }
  const sequence = await nextNonce(db);
  const until = clock.now().add(LANDS_WITHIN).toString();
  const text = writeOwn({
    ...{ chain: DEX_CHAIN, spends: [nonceKey(sequence)], outputs: [], feeUnits: FEE_UNITS, until },
    give: { assetId, units },
    get: { assetId: exchange.assetId, units: exchange.leastUnits },
  } as Exchange);
  return {
    ...{ format: 'transaction', text, terms: text, spends: [nonceKey(sequence)], sequence, until },
    ...{ feeUnits: FEE_UNITS, feeAssetId: coinOf(DEX_CHAIN), from: 'our account' },
    ...{ json: undefined, links: [] },
  };
}

async function nextNonce(db: Parameters<typeof listNonces>[0]): Promise<bigint> {
  return BigInt((await listNonces(db, DEX_CHAIN)).length);
}

/**
 * Hands it to the node: in the next ledger it is carried out, or has failed. Answers its hash.
 * @throws Refusal of what the node says. @throws Outage while it is down.
 */
export async function submitExchange(world: World, unsigned: string): Promise<string> {
  const { db, clock, wallet } = world;
  const exchange = readExchange(unsigned);
  const transaction = hashOf(unsigned);
  const now = clock.now();
  const isTaken = await db.transact(async (tx) => {
    const { frozenUntil } = await lockSandboxChain(tx, DEX_CHAIN, now);
    if (isFrozen(frozenUntil, now)) throw new Outage(DEX_CHAIN);
    if ((await findTransaction(tx, DEX_CHAIN, transaction)) !== undefined) return false;
    const isLate = Temporal.Instant.compare(now, exchange.until) > 0;
    if (isLate) throw notTaken('tx_too_late');
    if (exchange.spends[0] !== nonceKey(await nextNonce(tx))) throw notTaken('tx_bad_seq');
    const extra = exchange.get.units * BigInt(randomInteger(wallet.marketRandom, 500));
    const gotUnits = exchange.get.units + extra / 10_000n;
    const fails = randomInteger(wallet.marketRandom, 100) < FAILS_PERCENT;
    const got = fails ? undefined : { ...exchange.get, units: gotUnits };
    const moved = got && [
      { destination: GIVEN, ...exchange.give },
      { destination: GOT, ...got },
    ];
    const outputs = storedOutputs({ ...exchange, outputs: moved ?? [] });
    const { spends } = exchange;
    insertTransaction(
      tx,
      DEX_CHAIN,
      { transaction, spends, outputs },
      { now, mineAfter: undefined },
    );
    wallet.exchanged.set(transaction, { exchange, got });
    return true;
  });
  if (isTaken) await mineBlocks(world, DEX_CHAIN, 1, [transaction]);
  return transaction;
}

export function dexSender(world: World): Sender {
  return {
    async readSigned({ terms, returned }) {
      const signedTransaction = Buffer.from(returned).toString();
      if (unsignedOf(signedTransaction, terms) === undefined) throw notTaken('it is another one');
      return { signedTransaction, transaction: hashOf(terms) };
    },
    broadcast: async ({ signedTransaction }) => {
      await submitExchange(world, signedTransaction.slice('signed '.length));
    },
    isOver: (terms, height) => isOver(world, terms, height),
  };
}

async function isOver({ db }: Pick<World, 'db'>, terms: string, height: bigint): Promise<boolean> {
  const { until } = readExchange(terms);
  const later = await db.query(sql`
    select 1 from sandbox_block where chain = ${DEX_CHAIN} and height = ${height}
      and mined_at > ${Temporal.Instant.from(until)}`);
  return later.length > 0;
}

/** Whether it was carried out, or can be; what failed and what is too late can not. */
export async function canLandOrHas(world: World, unsigned: string): Promise<boolean> {
  const known = world.wallet.exchanged.get(hashOf(unsigned));
  if (known !== undefined) return known.got !== undefined;
  const { until, spends } = readExchange(unsigned);
  const isLate = Temporal.Instant.compare(world.clock.now(), until) > 0;
  return !isLate && spends[0] === nonceKey(await nextNonce(world.db));
}

/** The exchanges of its blocks, as what left. */
export function withExchanges(observation: Observation): Observation {
  const blocks = observation.blocks.map((block) => {
    const own = block.arrivals.filter(({ spends }) => isNonce(spends[0]));
    const byTransaction = Map.groupBy(own, ({ transaction }) => transaction);
    return { ...block, departures: [...byTransaction.values()].map(departureOf) };
  });
  return { ...observation, blocks };
}

function departureOf(outputs: readonly Arrival[]): Departure {
  const [{ transaction, spends } = { transaction: '', spends: [] }] = outputs;
  const at = (name: string | undefined) => outputs.find(({ destination }) => destination === name);
  const [given, got] = [at(GIVEN), at(GOT)];
  const fee = outputs.find(({ destination }) => isFee(destination))?.units ?? 0n;
  const parts =
    given === undefined || got === undefined
      ? []
      : [
          {
            ...{ creditKey: `${transaction.slice(0, 40)}/1`, destination: GIVEN ?? '' },
            ...{ assetId: given.assetId, units: given.units },
            got: { assetId: got.assetId, units: got.units },
          },
        ];
  return { transaction, spends, parts, fee: { assetId: coinOf(DEX_CHAIN), units: fee } };
}
