// A simulated network as a live one: what moves our money away is seen, a transaction is put together
// for orders that wait, and what comes back signed is sent. Drafts pay a fee that is at times above
// what was reserved for it.
import { randomInteger } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { DraftedTransaction, DraftOrder, Sender } from '#deposit/money-out.ts';
import type {
  Arrival,
  Block,
  Departure,
  Network,
  Observation,
  Position,
} from '#deposit/network.ts';
import { refusedDraft } from '#networks/draft-terms.ts';
import type { SandboxOutput } from '#networks/sandbox/sandbox-transaction.ts';
import { DEX_CHAIN, dexSender, draftExchange, withExchanges } from './dex.ts';
import { listMoved, listNonces, listStanding, submitOwn } from './own-chain.ts';
import {
  changeTo,
  coinOf,
  hasCoins,
  hashOf,
  isChange,
  isFee,
  isNonce,
  nonceKey,
  nonceOf,
  type OwnTransaction,
  readOwn,
  unsignedOf,
  writeOwn,
} from './own-transaction.ts';
import type { World } from './world.ts';
import { sendingFee } from './worth.ts';

/** What our account is called on chains that have accounts. */
const ACCOUNT = 'our account';
/** Deeper than any story reaches back. */
const FINAL_DEPTH = 30n;

export function outgoingNetwork(network: Network, world: World): Network {
  const { chain } = network;
  const { family } = getNetwork(networkOf(chain));
  if (!['utxo', 'evm'].includes(family)) {
    const observe = async (position: Position) =>
      withReturns(world, await network.observe(position));
    if (chain === DEX_CHAIN) return withMarket(network, world, observe);
    return { ...network, observe };
  }
  return {
    ...network,
    observe: async (position) => withDepartures(await network.observe(position)),
    draft: (order) => draft(world, network, order),
    sender: senderOf(world, network),
  };
}

/** Transfers are sent by a program there; what the house converts is drafted, signed and seen. */
function withMarket(network: Network, world: World, observe: Network['observe']): Network {
  return {
    ...network,
    observe: async (position) => withExchanges(await observe(position)),
    draft: (order) => draftExchange(world, order),
    sender: dexSender(world),
  };
}

/** As a bank says what it sends back. */
function withReturns({ wallet }: World, observation: Observation): Observation {
  if (wallet.returns.size === 0) return observation;
  const named = (arrival: Arrival): Arrival => {
    const transferId = wallet.returns.get(arrival.transaction);
    return transferId === undefined
      ? arrival
      : { ...arrival, transferId, remark: 'the account is closed' };
  };
  const { blocks, unconfirmed } = observation;
  return {
    ...observation,
    blocks: blocks.map((block) => ({ ...block, arrivals: block.arrivals.map(named) })),
    unconfirmed: unconfirmed.map(named),
  };
}

function withDepartures(observation: Observation): Observation {
  const { blocks, unconfirmed } = observation;
  const arrivals = [...blocks.flatMap((block) => block.arrivals), ...unconfirmed];
  const change = arrivals.map(({ destination }) => destination).filter(isChange);
  return {
    ...observation,
    blocks: blocks.map((block) => ({ ...block, departures: departuresOf(block) })),
    change: new Set(change),
  };
}

/** Of an account: what its nonces paid. */
function departuresOf({ arrivals }: Block): Departure[] {
  const own = arrivals.filter(({ spends }) => isNonce(spends[0]));
  const byTransaction = Map.groupBy(own, ({ transaction }) => transaction);
  return [...byTransaction].map(([transaction, outputs]) => {
    const assetId = 'ETH:NATIVE';
    const units = outputs.find(({ destination }) => isFee(destination))?.units ?? 0n;
    const parts = outputs.filter(({ destination }) => !isFee(destination)).map(partOf);
    return { transaction, spends: outputs[0]?.spends ?? [], parts, fee: { assetId, units } };
  });
}

function partOf({ creditKey, destination, assetId, units }: Arrival) {
  return { creditKey, destination, assetId, units };
}

async function draft(
  world: World,
  network: Network,
  { payments, unspent, taken, replaces }: DraftOrder,
): Promise<DraftedTransaction> {
  const { chain } = network;
  const outputs = payments.map(({ account, assetId, units }) => {
    const destination = network.destinationOf?.(account, '');
    if (destination === undefined) throw refusedDraft(`${chain}: no receiver`);
    return { destination, assetId, units };
  });
  const own = await putTogether(world, chain, {
    outputs,
    coins: unspent.map(({ creditKey }) => creditKey),
    taken,
    replaced: replaces === undefined ? undefined : readOwn(replaces),
  });
  const text = writeOwn(own);
  const { spends, feeUnits } = own;
  const kept = { text, terms: text, spends, feeUnits };
  if (hasCoins(chain)) {
    const shape = { frames: [], changeUnits: 0n, inputs: spends.length, virtualSize: 100 };
    return { format: 'PSBT', ...kept, ...shape };
  }
  const sequence = nonceOf(spends[0] ?? '');
  const shape = { json: undefined, links: [], from: ACCOUNT, sequence, until: undefined };
  return { format: 'transaction', ...kept, ...shape, feeAssetId: coinOf(chain) };
}

type Wish = {
  readonly outputs: readonly SandboxOutput[];
  /** Outputs of ours that may be spent. */
  readonly coins: readonly string[];
  /** What others spend that is not on the chain yet. */
  readonly taken: ReadonlySet<string>;
  readonly replaced: OwnTransaction | undefined;
};

/** @throws Refusal when there is not enough. */
export function putTogether(world: World, chain: ChainId, wish: Wish): Promise<OwnTransaction> {
  return hasCoins(chain) ? spendCoins(world, chain, wish) : payFromAccount(world, chain, wish);
}

/** Less than is reserved for it, or more; of what replaces more than before. */
function drawFee({ wallet }: World, chain: ChainId, { replaced }: Wish): bigint {
  const reserved = sendingFee(networkOf(chain), coinOf(chain), 0n);
  const fee = (reserved * BigInt(20 + randomInteger(wallet.random, 110))) / 100n;
  return replaced === undefined ? fee : replaced.feeUnits + fee;
}

async function spendCoins(world: World, chain: ChainId, wish: Wish): Promise<OwnTransaction> {
  const { outputs, replaced, coins } = wish;
  const feeUnits = drawFee(world, chain, wish);
  const due = sumOf(outputs) + feeUnits;
  const kept = replaced?.spends ?? [];
  const keys = [...new Set([...kept, ...coins])];
  const unitsOf = new Map<string, bigint>(
    (await listMoved(world.db, chain, world.wallet.since)).map(
      ({ transaction, position, units }) => [`${transaction}:${position}`, units],
    ),
  );
  const standing = await listStanding(world, chain, keys);
  const spends: string[] = [];
  let sum = 0n;
  for (const key of keys) {
    if (sum >= due && spends.length >= kept.length) break;
    // What is to be replaced spends its own coins already.
    if (!standing.has(key) && !kept.includes(key)) continue;
    spends.push(key);
    sum += unitsOf.get(key) ?? 0n;
  }
  if (sum < due) throw refusedDraft(`${chain}: ${sum} can be spent, ${due} are needed`);
  const change = { assetId: coinOf(chain), units: sum - due };
  const destination = changeTo(hashOf(spends.join()).slice(0, 16));
  const paid = change.units > 0n ? [...outputs, { destination, ...change }] : [...outputs];
  return { chain, spends, outputs: paid, feeUnits };
}

async function payFromAccount(world: World, chain: ChainId, wish: Wish): Promise<OwnTransaction> {
  const { outputs, replaced, taken } = wish;
  if (outputs.length > 1) throw refusedDraft('one transaction pays one receiver');
  if (replaced === undefined) await requireHeld(world, chain, outputs);
  const feeUnits = drawFee(world, chain, wish);
  const used = new Set(await listNonces(world.db, chain));
  let nonce = 0n;
  while (used.has(nonce) || taken.has(nonceKey(nonce))) nonce += 1n;
  const spends = replaced?.spends ?? [nonceKey(nonce)];
  return { chain, spends, outputs, feeUnits };
}

async function requireHeld(
  { db, wallet }: World,
  chain: ChainId,
  [output]: readonly SandboxOutput[],
): Promise<void> {
  const moved = await listMoved(db, chain, wallet.since);
  const held = moved
    .filter(({ state, assetId }) => assetId === output?.assetId && state === 'MINED')
    .reduce((sum, { spends, units }) => sum + (isNonce(spends[0]) ? -units : units), 0n);
  if (output === undefined || held < output.units) throw refusedDraft(`${chain}: nothing is left`);
}

function sumOf(outputs: readonly SandboxOutput[]): bigint {
  return outputs.reduce((sum, { units }) => sum + units, 0n);
}

function senderOf(world: World, { chain }: Network): Sender {
  return {
    async readSigned({ terms, returned }) {
      const signedTransaction = Buffer.from(returned).toString();
      if (unsignedOf(signedTransaction, terms) !== undefined) {
        return { signedTransaction, transaction: hashOf(terms) };
      }
      throw new Refusal('conflict', 'signed_transaction_differs', 'it is another one');
    },
    broadcast: async ({ signedTransaction }) => {
      await submitOwn(world, signedTransaction.slice('signed '.length));
    },
    // Only what else spends a coin shows that it is spent.
    ...(hasCoins(chain) ? {} : { isOver: (terms, height) => isOver(world, terms, height) }),
  };
}

/** Another transaction has its nonce, so deep that no story digs it out. */
async function isOver({ db }: Pick<World, 'db'>, terms: string, height: bigint): Promise<boolean> {
  const { chain, spends } = readOwn(terms);
  const moved = await listMoved(db, chain);
  return moved.some(
    (one) =>
      one.spends[0] === spends[0] &&
      one.transaction !== hashOf(terms) &&
      one.height !== null &&
      one.height + FINAL_DEPTH <= height,
  );
}
