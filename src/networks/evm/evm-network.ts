// An EVM chain watched through JSON-RPC endpoints. Guarantees: no fact is given from a node of
// another chain, or from an answer that is damaged or contradicts itself: such a step fails as an
// Outage and moves nothing. What is reported in blocks is `finalized` by the chain itself, and
// never taken back: should a node say that a final block is another one now, the network stops, and
// a person decides (B7). A credit is covered by a balance (cover- arrivals.ts). Not guaranteed:
// that one endpoint alone tells the truth. Two must agree above a limit, where there are two.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { listMovedHere } from '#chain/departure.ts';
import { listPaid } from '#chain/receipt.ts';
import type { Db } from '#db/db.ts';
import type { BlockReference, Holdings, Network, Observation, Position } from '#deposit/network.ts';
import { NodeLie, requireThat } from '#networks/answer-fields.ts';
import { type AskedNodes, askForPerson, askNodes } from '#networks/ask-nodes.ts';
import { keepFees } from '#networks/keep-fees.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { createWake } from '#runtime/loop.ts';
import { keyOf } from './balance-look.ts';
import { type ChainState, readChainState, sameAgain } from './chain-state.ts';
import type { AgreementLimits } from './confirm-large.ts';
import type { AddressAccount } from './derive-address.ts';
import { draftEvmPayment } from './draft-payment.ts';
import { draftSafePayment, isOfSafe } from './draft-safe-payment.ts';
import { createEndpoints, type Endpoints } from './endpoints.ts';
import { evmAuthorizations, type RelayOptions } from './evm-authorizations.ts';
import type { EvmChain } from './evm-chain.ts';
import { evmPayee } from './evm-payee.ts';
import { evmSender } from './evm-sender.ts';
import type { SweepSettings } from './evm-settings.ts';
import { checkTokens, coinOf, pinnedTokens } from './evm-tokens.ts';
import { deleteBalancesAbove } from './held-balance.ts';
import { askAll, type EvmRpc } from './json-rpc.ts';
import { keepOwnAccounts } from './keep-own-accounts.ts';
import { ownAddresses } from './own-addresses.ts';
import { readBalancesAt } from './read-balances.ts';
import { type BlockHeader, isFound, readHeader, type TokenContracts } from './read-block.ts';
import { addressesIn, type BlockSource, lookInto, oursIn, readBlocksAt } from './read-blocks.ts';
import { evmFeeOf, readEvmFees } from './read-fees.ts';
import { quantityText, requireQuantity } from './read-values.ts';
import { checkSafe } from './safe-contract.ts';
import { surveyAddresses } from './survey-addresses.ts';
import type { ContractReceivers } from './try-payment.ts';
import { createFinalWalk, type FinalWalk, walkFinal } from './walk-final.ts';
import { watchHead } from './watch-head.ts';

type EvmNetworkOptions = RelayOptions & {
  readonly chain: ChainId;
  readonly parameters: EvmChain;
  readonly rpcs: readonly EvmRpc[];
  readonly account: AddressAccount;
  readonly limits: AgreementLimits;
  readonly sweep?: SweepSettings;
  readonly contractReceivers?: ContractReceivers;
  /** In lower case. Absent: each address that was paid pays by itself. */
  readonly safe?: string | undefined;
  /** Chains on which an address of ours exists as well: where money may come by mistake. */
  readonly siblings: readonly ChainId[];
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
};

/** All EVM chains share one counter of indexes for each account of extended keys. */
const EVM_SOURCE_OWNER: ChainId = 'live:EVM';

/** Balances that are added up to compare them with the ledger. */
const HELD_ASKED_MOST = 10_000;
/** More than a wallet would look ahead. */
const INDEXES_LOOKED_AHEAD = 40;

type Watch = EvmNetworkOptions & {
  readonly endpoints: Endpoints;
  readonly asked: AskedNodes<EvmRpc>;
  readonly pinned: ReturnType<typeof pinnedTokens>;
  readonly coinAssetId: string;
  readonly contractOf: ReadonlyMap<string, string>;
  readonly head: ReturnType<typeof watchHead>;
  readonly finals: FinalWalk;
  /** Tokens whose transfers are read; undefined until the tokens have been looked at. */
  tokens: TokenContracts | undefined;
  /** Which can be asked for. */
  offered: TokenContracts;
  leftOut: string;
  genesisHash: string | undefined;
  nodeVersion: string | undefined;
  /** What it is, as it said itself. */
  safeIs: string | undefined;
  lastHeight: bigint | undefined;
};

export function evmNetwork(options: EvmNetworkOptions): Network {
  const { chain, parameters, account, db } = options;
  const watch = openWatch({ ...options, log: options.log.with({ chain }) });
  const { asked, endpoints, coinAssetId } = watch;

  return {
    ...evmPayee(chain, parameters.chainId, account),
    addressSourceOwner: EVM_SOURCE_OWNER,
    // A token is offered once the chain has said that it is what we take it for.
    receivableAssets: () => [coinAssetId, ...watch.offered.values()],
    holdings: (_, cursor) => holdings(watch, cursor),
    blockReferenceAt: (height) => asked.ask((rpc) => blockReferenceAt(watch, rpc, height)),
    forgetAbove: (height) => deleteBalancesAbove(db, chain, height),
    usedIndex: (from) => asked.ask((rpc) => usedIndex(watch, rpc, from)),
    draft: (order) =>
      askForPerson(asked, async (rpc) => {
        await readState(watch, rpc);
        const draft = isOfSafe(watch.safe, order) ? draftSafePayment : draftEvmPayment;
        return draft(watch, rpc, order);
      }),
    ...{ sender: evmSender(parameters, asked), authorizations: evmAuthorizations(watch) },
    isCosigned: options.safe !== undefined,
    carriesFrom: options.safe === undefined ? undefined : options.sweep?.gasAccount,
    sweeper: sweeperOf(watch),
    sendingFees: keepFees({
      ...watch,
      read: () =>
        askForPerson(asked, async (rpc) => {
          await readState(watch, rpc);
          return readEvmFees(watch, rpc);
        }),
      feeOf: (fees, assetId) => evmFeeOf(fees, coinAssetId, assetId),
    }),
    checkIdentity: () => checkIdentity(watch),
    observe: (position) => asked.ask((rpc) => observe(watch, rpc, position)),
    waitForHint: (ms, signal) => waitForHint(watch, ms, signal),
    health: () => ({
      chain,
      description: `${parameters.name}: ${endpoints.describe()}${watch.safeIs ?? ''}`,
      nodeVersion: watch.nodeVersion,
      ...asked.health(),
    }),
    async close() {
      endpoints.close();
    },
  };
}

function openWatch(options: EvmNetworkOptions): Watch {
  const { chain, siblings, account, limits, db, clock, log, parameters } = options;
  const endpoints = createEndpoints(options.rpcs, { clock, log });
  const pinned = pinnedTokens(parameters.network);
  const contractOf = new Map(pinned.map(({ assetId, contract }) => [assetId, contract]));
  const addressSource = { owner: EVM_SOURCE_OWNER, descriptor: account.descriptor };
  const nameOf = ({ label }: EvmRpc) => label;
  return {
    ...options,
    endpoints,
    asked: askNodes({ chain, clock, nameOf, use: endpoints.use }),
    pinned,
    coinAssetId: coinOf(parameters.network),
    contractOf,
    head: watchHead(),
    finals: createFinalWalk({
      chain,
      siblings,
      addressSource,
      contractOf,
      endpoints,
      limits,
      db,
      log,
    }),
    tokens: undefined,
    offered: new Map(),
    leftOut: '',
    genesisHash: parameters.genesisHash,
    nodeVersion: undefined,
    safeIs: undefined,
    lastHeight: undefined,
  };
}

function sweeperOf(watch: Watch): Network['sweeper'] {
  const { asked, sweep } = watch;
  if (sweep?.collectTo === undefined) return undefined;
  const { collectTo, gasAccount, above } = sweep;
  return {
    collectTo,
    gasAccount,
    above,
    survey: (addresses) =>
      askForPerson(asked, async (rpc) => {
        const { final, newest } = await readState(watch, rpc);
        const heights = [final.height, newest.height];
        // A command has not looked at the tokens yet.
        const isKnown = watch.offered.size > 0;
        const offered = isKnown ? watch.offered : await checkTokens(rpc, watch.pinned);
        const question = { addresses, collectTo, gasAccount, heights };
        return surveyAddresses({ ...watch, offered }, rpc, question);
      }),
  };
}

async function readState(watch: Watch, rpc: EvmRpc): Promise<ChainState> {
  const { chain, parameters, genesisHash, clock } = watch;
  const state = await readChainState(rpc, { chain, parameters, genesisHash, clock });
  watch.genesisHash = state.genesisHash;
  return state;
}

function sourceOf(watch: Watch, rpc: EvmRpc): BlockSource {
  const { chain, parameters, coinAssetId, tokens, safe } = watch;
  if (tokens === undefined) throw nodeOutage(chain, 'the tokens have not been looked at yet');
  const { hasSystemReceipts } = parameters;
  return { rpc, chain, tokens, coinAssetId, hasSystemReceipts, safe };
}

async function observe(watch: Watch, rpc: EvmRpc, position: Position): Promise<Observation> {
  const { parameters, siblings } = watch;
  const { final, newest } = await readState(watch, rpc);
  const source = sourceOf(watch, rpc);
  const { cursor } = position;
  const identity = `${parameters.chainId}:${watch.genesisHash}`;
  watch.lastHeight = newest.height;
  const step = { identity, rollbackTo: undefined, spends: [], siblings, correctsSeen: true };
  const nothing = { unconfirmed: [], gone: [] };
  const tip = { height: final.height, hash: final.hash };
  if (cursor === undefined) {
    const first = await sameAgain(rpc, final);
    return { ...step, ...nothing, tip, blocks: [{ ...first, arrivals: [] }], complete: true };
  }
  const blocks = await walkFinal(watch.finals, source, cursor, final);
  const isComplete = blocks.at(-1)?.hash === final.hash || final.height === cursor.height;
  if (!isComplete) return { ...step, ...nothing, tip, blocks, complete: false };
  const picture = await lookAtHead(watch, source, final, newest);
  const mined = new Set(
    blocks.flatMap(({ arrivals }) => arrivals.map(({ transaction }) => transaction)),
  );
  return {
    ...step,
    tip,
    blocks,
    unconfirmed: picture.unconfirmed,
    gone: picture.isWhole
      ? position.unconfirmed.filter((hash) => !picture.has(hash) && !mined.has(hash))
      : [],
    complete: true,
  };
}

/** At the last block recorded, at every address that ever got anything, in what it got. */
async function holdings(watch: Watch, { height }: BlockReference): Promise<Holdings> {
  const { chain, contractOf } = watch;
  const [paid, moved] = await Promise.all([
    listPaid(watch.db, chain, HELD_ASKED_MOST + 1, ['INCLUDED', 'FINAL']),
    listMovedHere(watch.db, chain, HELD_ASKED_MOST + 1),
  ]);
  const places = [...paid, ...moved].map(({ destination: address, assetId }) => {
    return { address, assetId };
  });
  const keys = [...new Map(places.map((place) => [keyOf(place), place])).values()];
  if (keys.length > HELD_ASKED_MOST) throw nodeOutage(chain, 'too many addresses to add up');
  return watch.asked.ask(async (rpc) => {
    const { final } = await readState(watch, rpc);
    if (final.height < height) throw nodeOutage(chain, 'the node is behind what was recorded');
    const held = await readBalancesAt(
      rpc,
      contractOf,
      keys.map((key) => ({ ...key, height })),
    );
    const sums = new Map<string, bigint>();
    keys.forEach(({ assetId }, at) => {
      const units = held[at];
      if (units === undefined) throw nodeOutage(chain, 'the node has no balances of a final block');
      sums.set(assetId, (sums.get(assetId) ?? 0n) + units);
    });
    return { upTo: { height }, units: sums };
  });
}

/** The highest of the next addresses that holds anything, at the last final block. */
async function usedIndex(watch: Watch, rpc: EvmRpc, from: bigint): Promise<bigint | undefined> {
  const { account, coinAssetId, contractOf } = watch;
  const { final } = await readState(watch, rpc);
  const assetIds = [coinAssetId, ...watch.offered.values()];
  const places = Array.from({ length: INDEXES_LOOKED_AHEAD }, (_, at) =>
    assetIds.map((assetId) => ({
      assetId,
      address: account.addressAt(from + BigInt(at)).toLowerCase(),
      height: final.height,
    })),
  ).flat();
  const held = await readBalancesAt(rpc, contractOf, places);
  const last = held.findLastIndex((units) => units !== undefined && units > 0n);
  return last === -1 ? undefined : from + BigInt(Math.floor(last / assetIds.length));
}

/** Only final blocks are answered for, because no other block is ever recorded. */
async function blockReferenceAt(watch: Watch, rpc: EvmRpc, height: bigint) {
  const { final } = await readState(watch, rpc);
  if (height > final.height) return undefined;
  const params = [quantityText(height), false];
  const [block] = await askAll(rpc, [{ method: 'eth_getBlockByNumber', params }]);
  if (!isFound(block)) return undefined;
  const header = readHeader(block, 'a final block');
  requireThat(header.height === height, 'a block of another height was given');
  const { hash } = await sameAgain(rpc, header);
  return { height, hash };
}

async function lookAtHead(
  watch: Watch,
  source: BlockSource,
  final: BlockHeader,
  newest: BlockHeader,
) {
  const { chain, siblings, contractOf } = watch;
  const { rpc } = source;
  return watch.head.look({
    final,
    newest,
    readBlocks: (heights) => readBlocksAt(source, heights),
    async oursIn(blocks) {
      const looked = await lookInto(source, blocks);
      const { look, isOurs } = ownAddresses(watch.db, [chain, ...siblings]);
      await look(looked.flatMap(addressesIn));
      return { blocks: await oursIn(source, looked, isOurs), isOurs };
    },
    async growthOf(accounts) {
      const places = [final.height, newest.height].flatMap((height) =>
        accounts.map((account) => ({ ...account, height })),
      );
      const held = await readBalancesAt(rpc, contractOf, places);
      return accounts.map((_, at) => {
        const [old, now] = [held[at], held[accounts.length + at]];
        return old === undefined || now === undefined ? undefined : now - old;
      });
    },
  });
}

/** Every endpoint: one of another chain must not wait until the others fail. */
async function checkIdentity(watch: Watch): Promise<void> {
  await keepOwnAccounts(watch);
  const { endpoints, asked, parameters, safe } = watch;
  const failures: unknown[] = [];
  for (const rpc of endpoints.all) {
    try {
      await asked.askThis(rpc, (one) => readState(watch, one));
    } catch (error) {
      if (error instanceof Refusal) throw error;
      failures.push(error);
    }
  }
  if (failures.length === endpoints.all.length) throw failures[0];
  await asked.ask(async (rpc) => {
    await readState(watch, rpc);
    const [version] = await rpc.batch([{ method: 'web3_clientVersion', params: [] }]);
    if (version?.ok === true) watch.nodeVersion = String(version.result).slice(0, 100);
    watch.safeIs = await checkSafe(rpc, parameters, safe);
    watch.offered = await checkTokensTwice(watch, rpc);
    // A token that was ever read goes on being read, so that the cursor never passes transfers that
    // were not read.
    watch.tokens = new Map([...(watch.tokens ?? []), ...watch.offered]);
  });
}

/**
 * Before a token is left out it is asked about twice, because its transfers would never be read.
 */
async function checkTokensTwice(watch: Watch, rpc: EvmRpc): Promise<TokenContracts> {
  const { pinned, endpoints, log } = watch;
  const good = await checkTokens(rpc, pinned);
  const missing = pinned.filter(({ contract }) => !good.has(contract));
  if (missing.length === 0) return good;
  const again = await endpoints.again(rpc, (other) => checkTokens(other, missing));
  if (again.size > 0) throw new NodeLie('two answers about a token differ');
  const assetIds = missing.map(({ assetId }) => assetId).join(', ');
  if (assetIds !== watch.leftOut) {
    log.warn('tokens are left out: no contract there, or one with other decimals', { assetIds });
  }
  watch.leftOut = assetIds;
  return good;
}

/** Until the height is another one, or after `ms`. */
async function waitForHint(watch: Watch, ms: number, signal: AbortSignal): Promise<void> {
  const { asked, parameters, clock } = watch;
  const hints = createWake();
  for (let left = Math.ceil(ms); left > 0 && !signal.aborted; left -= parameters.pollMs) {
    await hints.wait(Math.min(left, parameters.pollMs), signal, clock);
    if (signal.aborted || left <= parameters.pollMs) return;
    try {
      const height = await asked.ask(async (rpc) => {
        const [answer] = await askAll(rpc, [{ method: 'eth_blockNumber', params: [] }]);
        return requireQuantity(answer, 'the height of the chain');
      });
      if (height !== watch.lastHeight) return;
    } catch {
      // A missing hint is no failure: the next step reports what is wrong.
      return;
    }
  }
}
