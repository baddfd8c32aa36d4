// One database with its simulated chains, and the process that serves over it. The process can die
// at any statement and be started again; time, chains and the merchant's receiver live on.

import { setTimeout } from 'node:timers/promises';
import { apiSecretForWebhook, createApiKey } from '#access/api-key.ts';
import type { Caller } from '#access/caller.ts';
import { type Log, silentLog } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { type ConfirmationTiers, confirmationsRequired } from '#catalog/network.ts';
import type { ChainPolicy } from '#chain/chain-policy.ts';
import type { SettleDueApp } from '#checkout-settlement/settle-checkout.ts';
import { type Db, sql } from '#db/db.ts';
import type { BrakeCause, Network, Position } from '#deposit/network.ts';
import type { SettleDueDepositsApp } from '#deposit-address/settle-deposit-address.ts';
import type { DeliveryApp } from '#event/deliver-events.ts';
import { type Keyring, keyringOf } from '#installation/keyring.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { webhookSecrets } from '#merchant/merchant-secret.ts';
import { compare, multiply, parseDecimal } from '#money/decimal.ts';
import { accountValidator } from '#networks/families.ts';
import { openSandboxExecutors } from '#networks/open-executors.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { SANDBOX_CHAINS } from '#networks/sandbox/sandbox-block.ts';
import { openSandboxNetworks } from '#networks/sandbox/sandbox-network.ts';
import { type NetworkWatch, networkWatch, type WatchNetworkApp } from '#networks/watch-network.ts';
import type { AccountValidator } from '#people/account-fields.ts';
import { createRateBook, type StoredRateBook, usdValue } from '#rates/rate-book.ts';
import { refundsOf } from '#refund/refunds-of.ts';
import type { SendBySignerApp } from '#sending/send-by-signer.ts';
import { requestSettlement } from '#settle/queue.ts';
import { returnsOf } from '#suspense/return-suspense.ts';
import type { ManualClock } from '#test/support/manual-clock.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import type { ByHandExecutor, TransferExecutor } from '#transfer/executor.ts';
import type { RunTransfersApp } from '#transfer/run-transfers.ts';
import { LATEST_VERSION } from '#versions/api-version.ts';
import { STRICT_TARGET_RULES } from '#webhook/target-guard.ts';
import { fakeSigner } from './fake-signer.ts';
import { type Market, openMarket } from './market.ts';
import { outgoingNetwork } from './outgoing-network.ts';
import { openWallet, type Wallet } from './wallet.ts';

/** What one process holds in memory; a dead one is replaced by another over the same database. */
export type ServiceProcess = { readonly networks: ReadonlyMap<ChainId, Network> } & SettleDueApp &
  SettleDueDepositsApp &
  RunTransfersApp &
  WatchNetworkApp &
  DeliveryApp &
  Pick<SendBySignerApp, 'signer' | 'processId' | 'keyring'> & {
    readonly accounts: AccountValidator;
    readonly rates: StoredRateBook;
    readonly keyring: Keyring;
    readonly watches: ReadonlyMap<ChainId, NetworkWatch>;
  };

export type World = {
  /** Chains, payers and whoever looks on: nobody breaks these connections. */
  readonly db: Db;
  /** Of the service. */
  readonly serviceDb: Db;
  /** Ends every connection of `serviceDb`; resolves when they are gone. */
  readonly breakConnections: () => Promise<void>;
  readonly clock: ManualClock;
  readonly random: Random;
  readonly log: Log;
  /** Errors logged since they were last taken, of those that no payer can cause. */
  readonly logged: string[];
  /** Checkouts whose window was ended by hand, of all stories. */
  readonly expiredByHand: string[];
  /** Chains whose brake is on, and for what. */
  readonly braked: Map<ChainId, BrakeCause>;
  readonly market: Market;
  /** What sends money: it works, refuses what it is given, or is away. */
  signer: 'well' | 'refusing' | 'away';
  /** Of the story that is being played. */
  wallet: Wallet;
};

/** One chain of each kind and rhythm: the others are the same by other names. */
const SIMULATED = ['BITCOIN', 'LITECOIN', 'ETHEREUM', 'STELLAR', 'LIGHTNING'];
const SIMULATED_CHAINS = SANDBOX_CHAINS.filter(({ chain }) => SIMULATED.includes(networkOf(chain)));
export const CHAINS: readonly ChainId[] = SIMULATED_CHAINS.map(({ chain }) => chain);
/** Where a person or the signer may send, and the chain shows what leaves. */
export const HAND_CHAINS = CHAINS.filter((chain) => /:(?:BITCOIN|LITECOIN|ETHEREUM)$/.test(chain));
export const BLOCK_CHAINS: readonly ChainId[] = SIMULATED_CHAINS.filter(
  ({ blockSeconds }) => blockSeconds !== undefined,
).map(({ chain }) => chain);

const BLOCKS_AT_START = 15;
/**
 * Depth by value, where blocks bury payments. Each tier begins at a tenth of what it does in
 * production, so that stories reach them all.
 */
export const TIERS: ReadonlyMap<ChainId, ConfirmationTiers> = new Map([
  ['test:BITCOIN', [1, 3, 6]],
  ['test:LITECOIN', [2, 4, 7]],
  ['test:ETHEREUM', [2, 3, 4]],
]);
const VALUE_FACTOR = parseDecimal('10');
/** Low, so that many payments of a story are large. */
const HELD_FROM_USD = parseDecimal('10');
/** A payer can send money that nobody asked for; a reorganisation can take it back. */
const EXPECTED_ERRORS = [
  'money arrived that nobody asked for',
  'money left the chain again',
  'what was cancelled may land, and its money was used otherwise',
];

/** Chains with a few blocks, each read once: what came before the first look is none of ours. */
export async function openWorld(
  { db, serviceDb }: { readonly db: Db; readonly serviceDb: Db },
  clock: ManualClock,
  seed: number,
): Promise<World> {
  const logged: string[] = [];
  const log: Log = {
    ...silentLog,
    error(message, fields) {
      if (EXPECTED_ERRORS.includes(message)) return;
      const { error } = fields ?? {};
      // Tried again later; that the database was away is what the step did.
      if (error instanceof Outage) return;
      logged.push(error instanceof Error ? `${message}: ${error.message}` : message);
    },
    with: () => log,
  };
  const world: World = {
    db,
    serviceDb,
    breakConnections: () => breakConnections(db),
    clock,
    random: seededRandom(seed),
    log,
    logged,
    expiredByHand: [],
    braked: new Map(),
    market: openMarket({ db, clock }),
    signer: 'well',
    wallet: openWallet(seed, clock.now(), new Map()),
  };
  const service = await startProcess(world);
  for (const chain of CHAINS) {
    await mineBlocks(world, chain, BLOCKS_AT_START);
    await service.watches.get(chain)?.step();
  }
  return world;
}

export const SERVICE_NAME = 'service';

const HEARD_MS = 20;

async function breakConnections(db: Db): Promise<void> {
  const pids = await db.query<{ pid: number }>(sql`
    select pid, pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = ${SERVICE_NAME}`);
  for (;;) {
    const left = await db.query(sql`
      select 1 from pg_stat_activity where pid = any(${pids.map(({ pid }) => pid)}::int[])`);
    // The pool hears of it in its own time, but before it is asked for the next connection. On a
    // machine with much else to do that is some turns of the event loop later.
    await setTimeout(HEARD_MS);
    if (left.length === 0) return;
  }
}

const KEY = new Uint8Array(32).fill(7);

export async function startProcess(world: World): Promise<ServiceProcess> {
  const { serviceDb } = world;
  return processOver(world, serviceDb, await createRateBook({ ...world, db: serviceDb }));
}

/** `db` is another one than `serviceDb` for a process that is about to die. */
export function processOver(world: World, db: Db, book: StoredRateBook): ServiceProcess {
  const { clock, random, log } = world;
  const rates = world.market.over(book);
  const keyring = keyringOf(KEY, random);
  const networks = new Map(
    openSandboxNetworks({ db, clock, keyring, log })
      .filter(({ chain }) => CHAINS.includes(chain))
      .map((network) => [
        network.chain,
        brakedNetwork(outgoingNetwork(network, world), world.braked),
      ]),
  );
  const policy: ChainPolicy = {
    requiredConfirmations(chain, amounts) {
      const value = usdValue(rates, 'test', amounts, clock.now());
      const weighed = value === undefined ? undefined : multiply(value, VALUE_FACTOR);
      return confirmationsRequired(chain, weighed, TIERS);
    },
    isHeldByBrake(_chain, amounts) {
      const value = usdValue(rates, 'test', amounts, clock.now());
      return value === undefined || compare(value, HELD_FROM_USD) >= 0;
    },
    targetBlockSeconds: () => undefined,
  };
  const parts = {
    db,
    clock,
    random,
    log,
    rates,
    networks,
    keyring,
    policy,
    publicUrl: 'http://pay.example',
    executors: new Map(
      // What signs and sends is no part of the process that may die.
      openSandboxExecutors({ db: world.db, clock })
        .filter(({ chain }) => CHAINS.includes(chain))
        .map((executor) => [executor.chain, executorOf(executor, world, networks)] as const),
    ),
    signer: fakeSigner(world),
    processId: 'the service',
    accounts: accountValidator(networks),
    onAffected: requestSettlement,
    onRecorded: () => {},
    onCheckoutChanged: () => {},
    onTold: () => {},
    refunds: refundsOf({ clock, random, keyring, networks }),
    returns: returnsOf({ clock, random }),
    secrets: {
      webhookSecrets: (
        merchantId: string,
        environment: Caller['environment'],
        now: Temporal.Instant,
      ) => webhookSecrets({ db, keyring }, merchantId, environment, now),
      apiSecret: (apiKey: string, now: Temporal.Instant) =>
        apiSecretForWebhook({ db, keyring }, apiKey, now),
      endpointSecrets: () => {
        throw new Error('nobody has an endpoint here');
      },
    },
    targets: { ...STRICT_TARGET_RULES, loopbackForTest: true },
    resolve: async () => ['127.0.0.1'],
  };
  const watches = new Map(
    [...networks].map(([chain, network]) => [chain, networkWatch(parts, network)]),
  );
  return { ...parts, watches };
}

/** The brake of a sandbox is on while the story says so. */
function brakedNetwork(network: Network, braked: ReadonlyMap<ChainId, BrakeCause>): Network {
  const observe = async (position: Position) => {
    const observation = await network.observe(position);
    const cause = braked.get(network.chain);
    return cause === undefined ? observation : { ...observation, brake: [cause] };
  };
  return { ...network, observe };
}

/** A program, or whoever else sends in this story. */
function executorOf(
  executor: TransferExecutor,
  world: World,
  networks: ReadonlyMap<ChainId, Network>,
): TransferExecutor | ByHandExecutor {
  const { chain } = executor;
  const isProgram = (world.wallet.senders.get(chain) ?? 'program') === 'program';
  if (isProgram) return moodyExecutor(executor, world);
  return {
    chain,
    networkFeeUnits: executor.networkFeeUnits,
    instruct: () => ({ link: undefined }),
    destinationOf: (account, id) => networks.get(chain)?.destinationOf?.(account, id),
  };
}

/** It signs nothing while the story says so. */
function moodyExecutor(executor: TransferExecutor, world: World): TransferExecutor {
  return {
    ...executor,
    prepare(order) {
      if (world.signer === 'away') throw new Outage(`signer of ${executor.chain}`);
      if (world.signer === 'well') return executor.prepare(order);
      throw new Refusal('conflict', 'order_refused', 'the signer refuses this order');
    },
  };
}

export type ShopTerms = Pick<Caller, 'feePartsPerMillion' | 'underpaidTolerancePartsPerMillion'>;

export async function openShop(service: ServiceProcess, terms: ShopTerms): Promise<Caller> {
  const { id: merchantId, name } = await createMerchant(service, { name: 'Book shop' });
  const { key } = await createApiKey(service, { merchantId, environment: 'test' });
  return {
    ...terms,
    merchantId,
    environment: 'test',
    apiKey: key,
    method: 'digest',
    apiVersion: LATEST_VERSION,
    pageOrigin: undefined,
    merchantName: name,
    shopName: name,
    sellerInfo: undefined,
    asking: undefined,
    displayBuyerInfo: false,
    displaySellerInfo: false,
    lateFloorPartsPerMillion: 900_000,
    lateDays: 36_500,
    riskTolerance: 'MEDIUM',
    settlementAsset: 'ORIGIN',
    methodOrder: [],
    methodsOff: [],
    scopes: undefined,
  };
}

export function shortName(chain: ChainId): string {
  return networkOf(chain);
}
