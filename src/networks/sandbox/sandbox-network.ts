// The adapter of a simulated chain: the same port as a real one, answered from the database, so
// that every process sees the same chain. Guarantees: an observation is one moment of the chain
// (one statement); while the chain is frozen it fails as a node that is dead does.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { getNetwork, type NetworkInfo } from '#catalog/network.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import type {
  Arrival,
  Block,
  BlockReference,
  Destination,
  DestinationRequest,
  Network,
  Observation,
  Position,
  Spend,
} from '#deposit/network.ts';
import { takeTurns } from '#networks/ask-nodes.ts';
import { payeeWith } from '#networks/derived-payee.ts';
import type { PurePayee } from '#networks/network-settings.ts';
import { walkBlocks } from '#networks/walk-blocks.ts';
import { createBatch } from '#runtime/batch.ts';
import { openSandboxAnchor, type SandboxAnchor } from './sandbox-anchor.ts';
import {
  genesisHash,
  isFrozen,
  lockSandboxChain,
  SANDBOX_CHAINS,
  type SandboxChain,
} from './sandbox-block.ts';
import { ownDestinations, sandboxPayee } from './sandbox-payee.ts';
import { isHeard } from './sandbox-transaction.ts';

type SandboxNetworkApp = {
  readonly db: Db;
  readonly clock: Clock;
  /** 32 bytes of the installation: every process derives the same destinations. */
  readonly seed: Uint8Array;
  readonly readPulse: ReadPulse;
};

/** Changes whenever a block or the mempool of the chain changes. */
type ReadPulse = (chain: ChainId) => Promise<string>;

export type SandboxKeys = { mac(purpose: 'sandbox', bytes: Uint8Array): Uint8Array };

const MOST_BLOCKS = 200;
const PULSE_MS = 250;
const PULSES_AT_ONCE = 2;

/** All simulated networks: every process of an installation derives the same destinations. */
export function openSandboxNetworks(app: {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyring: SandboxKeys;
  readonly log: Log;
}): Network[] {
  const { db, clock } = app;
  const seed = sandboxSeed(app.keyring);
  const readPulse = createBatch({
    most: SANDBOX_CHAINS.length,
    atOnce: PULSES_AT_ONCE,
    run: (chains: readonly ChainId[]) => readPulses(db, chains),
  });
  return SANDBOX_CHAINS.map((sandbox) =>
    sandboxNetwork({ db, clock, seed, readPulse }, sandbox, sandboxPayee(sandbox.chain, seed)),
  );
}

/** 32 bytes of the installation. */
export function sandboxSeed(keyring: SandboxKeys): Uint8Array {
  return keyring.mac('sandbox', new TextEncoder().encode('seed'));
}

type Watch = Pick<SandboxNetworkApp, 'db' | 'clock' | 'readPulse'> & {
  readonly chain: ChainId;
  readonly info: NetworkInfo;
  readonly payee: PurePayee;
  readonly anchor: SandboxAnchor | undefined;
  readonly isOurs: (destination: string) => boolean;
  /** What the chain was before the last look at it: another one is a hint. */
  lastPulse: string | undefined;
};

function sandboxNetwork(app: SandboxNetworkApp, sandbox: SandboxChain, payee: PurePayee): Network {
  const { db, clock, readPulse } = app;
  const { chain } = sandbox;
  const anchor = openSandboxAnchor(app, sandbox);
  const info = getNetwork(networkOf(chain));
  const isOurs = ownDestinations(payee);
  const own = { chain, info, payee, anchor, isOurs, lastPulse: undefined };
  const watch: Watch = { db, clock, readPulse, ...own };
  const { ask, health } = takeTurns({ nodes: [db], chain, clock });

  return payeeWith(payee, {
    receivableAssets: () => (anchor === undefined ? info.assets : [...info.assets, anchor.assetId]),
    ...(anchor === undefined
      ? {}
      : {
          passage: (assetId: string, units: bigint) =>
            assetId === anchor.assetId
              ? anchor.passage(units)
              : { kind: 'passes', askedUnits: units, arrivingUnits: units },
        }),
    openDestination: (request: DestinationRequest) =>
      payeeOf(watch, request.assetId).openDestination(request),
    paymentUri: (destination: Destination, assetId: string, units: bigint | undefined) =>
      payeeOf(watch, assetId).paymentUri(destination, assetId, units),
    // The chain is named in every statement: it cannot be another one.
    checkIdentity: async () => {},
    observe: (position: Position) => ask(() => observe(watch, position)),
    waitForHint: (ms: number, signal: AbortSignal) => waitForHint(watch, ms, signal),
    health: () => ({
      chain,
      description: 'simulated in the database',
      nodeVersion: undefined,
      ...health(),
    }),
    close: async () => {},
  });
}

function payeeOf(
  { anchor, payee }: Watch,
  assetId: string,
): Pick<PurePayee, 'openDestination' | 'paymentUri'> {
  return anchor?.assetId === assetId ? anchor : payee;
}

async function observe(watch: Watch, position: Position): Promise<Observation> {
  // Read before the snapshot, so that a change in between causes one hint too many and never one
  // too few.
  watch.lastPulse = await watch.readPulse(watch.chain);
  const snapshot = await snapshotAt(watch, position);
  const observation = await observationOf(watch, snapshot, position);
  if (observation.complete) await watch.anchor?.advance();
  return observation;
}

async function snapshotAt({ db, clock, chain }: Watch, position: Position): Promise<Snapshot> {
  const step = { mostBlocks: MOST_BLOCKS, now: clock.now() };
  let snapshot = await readSnapshot(db, chain, position, step);
  if (snapshot === undefined) {
    await db.transact((tx) => lockSandboxChain(tx, chain, clock.now()));
    snapshot = await readSnapshot(db, chain, position, step);
  }
  if (snapshot === undefined) throw new Outage(chain);
  const { frozenUntil } = snapshot;
  if (isFrozen(frozenUntil, clock.now())) {
    throw new Outage(chain, {
      cause: new Error(`the simulated node is down until ${frozenUntil}`),
    });
  }
  return snapshot;
}

async function observationOf(
  watch: Watch,
  snapshot: Snapshot,
  position: Position,
): Promise<Observation> {
  const { chain } = watch;
  const blocks = new Map(blocksOf(watch, snapshot).map((block) => [block.height, block]));
  const walked = await walkBlocks({
    what: chain,
    position,
    tip: async () => snapshot.tip,
    blockAt: async (height) => blocks.get(height),
    mostBlocks: MOST_BLOCKS,
  });
  const { complete } = walked;
  const heights = new Set(walked.blocks.map(({ height }) => height));
  const mined = snapshot.mined.filter(({ height }) => height && heights.has(BigInt(height)));
  const standing = new Set(snapshot.standing);
  return {
    ...walked,
    identity: genesisHash(chain),
    unconfirmed: complete ? snapshot.mempool.map((sent) => toArrival(watch, sent)) : [],
    gone: complete ? position.unconfirmed.filter((sent) => !standing.has(sent)) : [],
    spends: [...mined, ...(complete ? snapshot.mempool : [])].map(toSpend),
  };
}

function blocksOf(watch: Watch, snapshot: Snapshot): Block[] {
  const byHeight = Map.groupBy(snapshot.mined, ({ height }) => height);
  return snapshot.blocks.map(({ height, hash, parentHash, minedAt }) => ({
    height: BigInt(height),
    hash,
    parentHash,
    minedAt: Temporal.Instant.from(minedAt),
    arrivals: (byHeight.get(height) ?? []).map((sent) => toArrival(watch, sent)),
  }));
}

function toArrival({ info, anchor, isOurs }: Watch, sent: SnapshotOutput): Arrival {
  const { transaction, position, destination, assetId, units, spends } = sent;
  return {
    // An invoice is credited by its payment hash, which is its destination.
    creditKey: info.hasInvoices ? destination : `${transaction}:${position}`,
    transaction,
    destination,
    assetId,
    units: BigInt(units),
    spends,
    ours: isOurs(destination) || anchor?.isOurs(destination) === true,
  };
}

/** All chains look at the same moments, so that one statement tells all of them. */
async function waitForHint(watch: Watch, ms: number, signal: AbortSignal): Promise<void> {
  const { clock, chain, readPulse } = watch;
  const endMs = clock.monotonicMs() + ms;
  while (!signal.aborted) {
    const nowMs = clock.monotonicMs();
    if (nowMs >= endMs) return;
    await sleep(clock, Math.ceil(PULSE_MS - (nowMs % PULSE_MS)), signal);
    if (signal.aborted || (await readPulse(chain)) !== watch.lastPulse) return;
  }
}

function toSpend({ transaction, spends, height }: SnapshotOutput): Spend {
  return { transaction, spends, height: height === null ? undefined : BigInt(height) };
}

/** Ends early and quietly when aborted. */
async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

// Reads a simulated chain in one statement, so that a reader never sees half a block.
type SnapshotOutput = {
  readonly transaction: string;
  readonly position: number;
  readonly spends: string[];
  readonly destination: string;
  readonly assetId: string;
  readonly units: string;
  readonly height: string | null;
};
type SnapshotBlock = {
  readonly height: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly minedAt: string;
};
type Snapshot = {
  readonly frozenUntil: Temporal.Instant | undefined;
  readonly tip: BlockReference;
  readonly blocks: readonly SnapshotBlock[];
  readonly mined: readonly SnapshotOutput[];
  readonly mempool: readonly SnapshotOutput[];
  /** Those transactions that were asked about and are in the mempool or in a block. */
  readonly standing: readonly string[];
};

type SnapshotRow = {
  readonly frozenUntil: Temporal.Instant | null;
  readonly height: bigint;
  readonly hash: string;
  readonly blocks: string;
  readonly mined: string;
  readonly mempool: string;
  readonly standing: string[];
};

/** The chain above what is recorded, and the mempool, at one moment; undefined before it exists. */
async function readSnapshot(
  reader: Reader,
  chain: ChainId,
  position: Position,
  { mostBlocks, now }: { readonly mostBlocks: number; readonly now: Temporal.Instant },
): Promise<Snapshot | undefined> {
  const known = position.cursor === undefined ? [] : [position.cursor, ...position.recent];
  const transfer = sql`json_build_object('transaction', transaction, 'position', position,
    'spends', spends, 'destination', destination, 'assetId', asset_id, 'units', units::text,
    'height', block_height::text)`;
  const [row] = await reader.query<SnapshotRow>(sql`
    with tip as (
      select height, hash from sandbox_block where chain = ${chain} order by height desc limit 1),
    base as (
      select coalesce(
        (select max(b.height) from sandbox_block b
          join unnest(${known.map(({ height }) => height)}::bigint[],
            ${known.map(({ hash }) => hash)}::text[]) as k(height, hash)
          on b.height = k.height and b.hash = k.hash where b.chain = ${chain}),
        tip.height - ${mostBlocks}::bigint) as height from tip)
    select c.frozen_until as "frozenUntil", tip.height, tip.hash,
      (select coalesce(json_agg(json_build_object('height', height::text, 'hash', hash,
          'parentHash', parent_hash, 'minedAt', mined_at) order by height), '[]')
        from sandbox_block where chain = ${chain} and height >= base.height
          and height <= base.height + ${mostBlocks}::bigint) as blocks,
      (select coalesce(json_agg(${transfer} order by id), '[]') from sandbox_transfer
        where chain = ${chain} and block_height > base.height
          and block_height <= base.height + ${mostBlocks}::bigint) as mined,
      (select coalesce(json_agg(${transfer} order by id), '[]') from sandbox_transfer
        where chain = ${chain} and state = 'MEMPOOL' and ${isHeard(now)}) as mempool,
      array(select distinct transaction from sandbox_transfer where chain = ${chain}
        and transaction = any(${position.unconfirmed}::text[])
        and state in ('MEMPOOL', 'MINED')) as standing
    from sandbox_chain c, tip, base where c.chain = ${chain}`);
  if (row === undefined) return undefined;
  return {
    frozenUntil: row.frozenUntil ?? undefined,
    tip: { height: row.height, hash: row.hash },
    blocks: JSON.parse(row.blocks) as SnapshotBlock[],
    mined: JSON.parse(row.mined) as SnapshotOutput[],
    mempool: JSON.parse(row.mempool) as SnapshotOutput[],
    standing: row.standing,
  };
}

/** In the order of the chains: cheap to ask often. */
async function readPulses(reader: Reader, chains: readonly ChainId[]): Promise<string[]> {
  const rows = await reader.query<{ pulse: string }>(sql`
    select concat_ws('/',
      (select hash from sandbox_block where chain = asked.chain order by height desc limit 1),
      (select concat(count(*), ':', max(id)) from sandbox_transfer
        where chain = asked.chain and state = 'MEMPOOL')) as pulse
    from unnest(${chains}::text[]) with ordinality as asked (chain, place) order by asked.place`);
  return rows.map(({ pulse }) => pulse);
}
