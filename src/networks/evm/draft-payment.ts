// One payment on an EVM chain, put together for somebody else to sign. Which address of ours pays,
// with which nonce, how much gas and for how much, is asked of one node here; the transaction is
// made of that in unsigned-transaction.ts. An EVM chain has no end after which a transaction cannot
// land, so what replaces one that was signed has the same address and nonce.

import { getAsset } from '#catalog/asset.ts';
import type { ChainId } from '#catalog/chain.ts';
import { listMovedHere } from '#chain/departure.ts';
import { listPaid } from '#chain/receipt.ts';
import type { Reader } from '#db/db.ts';
import { listGivenBefore } from '#deposit/given-out.ts';
import type {
  DraftedPayment,
  DraftOrder,
  DraftPayment,
  SignedExecution,
} from '#deposit/money-out.ts';
import { amountToText } from '#money/asset-amount.ts';
import { requireFields, requireList } from '#networks/answer-fields.ts';
import {
  onlyPayment,
  readDraftTerms,
  refusedDraft,
  writeDraftTerms,
} from '#networks/draft-terms.ts';
import type { OutgoingPayment } from '#networks/outgoing-payment.ts';
import {
  decideFeeCaps,
  decideReplacementCaps,
  type EvmFeeCaps,
  type FeesSeen,
} from './decide-fee-caps.ts';
import { GAS_MOST, PLAIN_GAS, readGasLimits } from './estimate-gas.ts';
import type { EvmChain } from './evm-chain.ts';
import type { SweepSettings } from './evm-settings.ts';
import { askAll, type EvmRpc } from './json-rpc.ts';
import { ownAddresses } from './own-addresses.ts';
import { readBalancesAt } from './read-balances.ts';
import { quantityText, requireQuantity } from './read-values.ts';
import { type ContractReceivers, tryPayment } from './try-payment.ts';
import {
  type EvmCall,
  type EvmCancellation,
  type EvmOrder,
  evmCallOf,
  signableEvm,
  turnKey,
  unsignedEvmTransaction,
} from './unsigned-transaction.ts';

export type EvmDraftSource = {
  readonly chain: ChainId;
  /** Chains on which an address of ours exists as well. */
  readonly siblings: readonly ChainId[];
  readonly parameters: EvmChain;
  readonly contractOf: ReadonlyMap<string, string>;
  readonly coinAssetId: string;
  readonly db: Reader;
  readonly sweep?: Pick<SweepSettings, 'collectTo' | 'gasAccount'>;
  /** Has no key, and pays by itself what the owners sign. */
  readonly safe?: string | undefined;
  /** None when absent. */
  readonly contractReceivers?: ContractReceivers;
};

const GWEI = 10n ** 9n;
/** Blocks whose tips are looked at. */
const BLOCKS_SEEN = 10n;
/** Checking a signature takes 8,000. */
const CARRIED_GAS_MOST = 1_500_000n;
/** Addresses that are asked what they hold. */
const ADDRESSES_MOST = 2_000;

const TERMS = ['sender', 'nonce', 'gasLimit', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;

type EvmTerms = Omit<EvmOrder, 'payment' | 'chainId'>;

/** Of what was drafted here. */
export function readEvmTerms(text: string): EvmTerms {
  const { sender, ...numbers } = readDraftTerms(text, TERMS);
  return {
    sender,
    nonce: BigInt(numbers.nonce),
    gasLimit: BigInt(numbers.gasLimit),
    maxFeePerGas: BigInt(numbers.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(numbers.maxPriorityFeePerGas),
  };
}

/** @throws Refusal conflict that says what is missing; invalid when it can never be sent so. */
export async function draftEvmPayment(
  source: EvmDraftSource,
  rpc: EvmRpc,
  { payments, from, feeRate, replaces, taken, carries }: DraftOrder,
): Promise<DraftedPayment> {
  const { parameters, coinAssetId } = source;
  const { fees, network, chainId } = parameters;
  const bounds = feeRate === undefined ? fees : { ...fees, mostFeePerGas: feeRate * GWEI };
  const seen = await readFees(rpc);
  const replaced = replaces === undefined ? undefined : readEvmTerms(replaces);
  if (replaced !== undefined) await requireUnused(rpc, replaced);
  const caps =
    replaced === undefined
      ? decideFeeCaps(seen, bounds)
      : decideReplacementCaps(replaced, seen, bounds);
  if ('tooDear' in caps) throw refusedDraft(`${caps.tooDear}: wait, or allow more with --fee-rate`);
  const order = { ...caps, chainId, ...(await turnOf(caps)) };
  if (order.payment !== undefined) {
    const { payment, sender } = order;
    const known = { contractReceivers: knownReceivers(source) };
    const against = await tryPayment(rpc, { payment, sender, ...known });
    if (against !== undefined) throw refusedDraft(against);
  }
  const { unsignedTransaction, json, links } = shownOf(order);
  const { sender, nonce, gasLimit } = order;
  return {
    format: 'transaction',
    text: unsignedTransaction,
    json,
    links,
    from: sender,
    sequence: nonce,
    feeUnits: gasLimit * caps.maxFeePerGas,
    feeAssetId: coinAssetId,
    until: undefined,
    terms: writeDraftTerms({ sender, nonce, gasLimit, ...caps }),
    spends: [turnKey(sender, nonce)],
  };

  async function turnOf(within: EvmFeeCaps) {
    if (carries !== undefined) {
      const call = callOf(carries);
      const wish = { call, from: from ?? '', caps: within, replaced };
      return { ...(await turnOfCarrying(source, rpc, wish)), payment: undefined, call };
    }
    const isCancel = payments.length === 0;
    if (isCancel && replaced !== undefined) {
      const { sender, nonce } = replaced;
      return { sender, nonce, gasLimit: PLAIN_GAS, payment: undefined };
    }
    const payment = { ...onlyPayment(payments), network };
    if (replaced === undefined) {
      return {
        ...(await chooseSender(source, rpc, { payment, from, caps: within, taken })),
        payment,
      };
    }
    const { sender, nonce, gasLimit } = replaced;
    return { sender, nonce, gasLimit, payment };
  }
}

export function callOf({ to, value, data }: SignedExecution['call']): EvmCall {
  return { to: to.toLowerCase(), value: BigInt(value), data };
}

/** What is in a block is replaced by nothing, also where that block is not final yet. */
async function requireUnused(rpc: EvmRpc, { sender, nonce }: EvmTerms): Promise<void> {
  const params = [sender, 'latest'];
  const [next] = await askAll(rpc, [{ method: 'eth_getTransactionCount', params }]);
  if (requireQuantity(next, 'the nonce') <= nonce) return;
  throw refusedDraft(
    'a transaction with its nonce is in a block already: wait until that is final',
  );
}

type Carrying = {
  readonly call: EvmCall;
  readonly from: string;
  readonly caps: EvmFeeCaps;
  readonly replaced: EvmTerms | undefined;
};

/** Of the account that sends what owners of a Safe have signed: it pays the gas alone. */
async function turnOfCarrying(
  source: EvmDraftSource,
  rpc: EvmRpc,
  { call, from, caps, replaced }: Carrying,
) {
  const { coinAssetId, contractOf } = source;
  const sender = await requireOwn(source, from);
  // Not with what waits: what it takes the place of would have used the nonce of the Safe.
  const [gasLimit] = await readGasLimits(rpc, [{ from: sender, ...call }], 'latest');
  if (gasLimit === undefined) throw refusedDraft('the Safe refuses it: it would fail');
  if (gasLimit > CARRIED_GAS_MOST) {
    throw refusedDraft(`it takes ${gasLimit} gas: carry it out by hand`);
  }
  const [latest] = await askAll(rpc, [{ method: 'eth_blockNumber', params: [] }]);
  const height = requireQuantity(latest, 'the height of the chain');
  const place = { address: sender, assetId: coinAssetId, height };
  const [held] = await readBalancesAt(rpc, contractOf, [place]);
  const needed = gasLimit * caps.maxFeePerGas;
  if ((held ?? 0n) < needed) {
    throw refusedDraft(
      `${sender} has too little for the gas: it needs ${assetAmountText(coinAssetId, needed)}; ` +
        'send it some from another address of yours',
    );
  }
  if (replaced !== undefined) return { sender, gasLimit, nonce: replaced.nonce };
  const params = [sender, 'pending'];
  const [nonce] = await askAll(rpc, [{ method: 'eth_getTransactionCount', params }]);
  return { sender, gasLimit, nonce: requireQuantity(nonce, 'the nonce') };
}

/** No link for what pays nobody: a wallet would choose another nonce. */
function shownOf(order: EvmOrder | EvmCancellation) {
  if (order.payment === undefined) return { ...signableEvm(order), links: [] };
  const { uri, ...signable } = unsignedEvmTransaction(order);
  return { ...signable, links: [uri] };
}

/** Where money is collected may be a contract of the operator's own, and so is the Safe. */
export function knownReceivers({
  contractReceivers = new Set(),
  sweep,
  safe,
}: EvmDraftSource): ContractReceivers {
  if (contractReceivers === 'any') return contractReceivers;
  return new Set([
    ...contractReceivers,
    ...[sweep?.collectTo, safe].filter((one) => one !== undefined),
  ]);
}

/** What the last blocks took. @throws Outage */
export async function readFees(rpc: EvmRpc): Promise<FeesSeen> {
  const params = [quantityText(BLOCKS_SEEN), 'latest', [50]];
  const [answer] = await askAll(rpc, [{ method: 'eth_feeHistory', params }]);
  const { baseFeePerGas, reward } = requireFields(answer, 'the fees');
  const base = requireList(baseFeePerGas, 'the base fees').at(-1);
  // Nodes leave the tips out where no block had any.
  const tips = reward === undefined || reward === null ? [] : requireList(reward, 'the tips');
  return {
    baseFeePerGas: requireQuantity(base, 'the base fee'),
    tips: tips.map((tip) => requireQuantity(requireList(tip, 'a tip')[0], 'a tip')),
  };
}

type Choice = {
  readonly payment: DraftPayment;
  readonly from: string | undefined;
  readonly caps: EvmFeeCaps;
  readonly taken: ReadonlySet<string>;
};

/** The address that holds least of what is enough: large amounts stay together for large orders. */
async function chooseSender(source: EvmDraftSource, rpc: EvmRpc, choice: Choice) {
  const { payment, from, caps, taken } = choice;
  const { coinAssetId, contractOf, parameters } = source;
  const { assetId, units } = payment;
  // What an address holds says nothing while a payment of it is on its way.
  const busy = new Set([...taken].map((turn) => turn.split('/')[0]));
  const addresses =
    from === undefined
      ? (await listPayers(source)).filter((one) => !busy.has(one) && !isKept(source, one))
      : [await requireOwn(source, from)];
  const [latest] = await askAll(rpc, [{ method: 'eth_blockNumber', params: [] }]);
  const height = requireQuantity(latest, 'the height of the chain');
  const heldOf = (id: string, some: readonly string[]) =>
    readBalancesAt(
      rpc,
      contractOf,
      some.map((address) => ({ address, assetId: id, height })),
    );
  const held = await heldOf(assetId, addresses);
  const holders = addresses
    .map((address, at) => ({ address, units: held[at] ?? 0n }))
    .filter((one) => one.units >= units)
    .sort((one, other) => (one.units < other.units ? -1 : 1));
  const [first] = holders;
  if (first === undefined) {
    throw refusedDraft(
      `no address of yours ${busy.size > 0 ? 'without a payment on its way ' : ''}holds ` +
        `${assetAmountText(assetId, units)} by itself: move it together first`,
    );
  }
  const gasLimit = await readGas(rpc, first.address, { ...payment, network: parameters.network });
  const isCoin = assetId === coinAssetId;
  const needed = gasLimit * caps.maxFeePerGas + (isCoin ? units : 0n);
  const coins = isCoin
    ? holders.map((one) => one.units)
    : await heldOf(
        coinAssetId,
        holders.map(({ address }) => address),
      );
  const at = coins.findIndex((coin) => (coin ?? 0n) >= needed);
  const sender = holders[at]?.address;
  if (sender === undefined) {
    throw refusedDraft(
      `${first.address} has too little for the gas: it needs ${assetAmountText(coinAssetId, needed)} ` +
        'in all; send it some from another address of yours',
    );
  }
  const params = [sender, 'pending'];
  const [nonce] = await askAll(rpc, [{ method: 'eth_getTransactionCount', params }]);
  return { sender, gasLimit, nonce: requireQuantity(nonce, 'the nonce') };
}

/**
 * Not what a database that is gone gave out: its number is not known, so that no signer finds its
 * key, and neither is what was signed there. A person may name it.
 */
async function listPayers(source: EvmDraftSource): Promise<readonly string[]> {
  const [holders, before] = await Promise.all([
    listHolders(source),
    listGivenBefore(source.db, source.chain),
  ]);
  const gone = new Set(before.map(({ destination }) => destination));
  return holders.filter((one) => !gone.has(one));
}

/** What gives coins for gas pays nobody, unless it is also where money is collected. */
function isKept({ sweep }: EvmDraftSource, address: string): boolean {
  return address === sweep?.gasAccount && address !== sweep.collectTo;
}

/** Whatever was paid to an address of ours, or moved there, at the last block that was read. */
export async function listHolders({
  db,
  chain,
}: Pick<EvmDraftSource, 'db' | 'chain'>): Promise<readonly string[]> {
  const [paid, moved] = await Promise.all([
    listPaid(db, chain, ADDRESSES_MOST),
    listMovedHere(db, chain, ADDRESSES_MOST),
  ]);
  const addresses = new Set([...paid, ...moved].map(({ destination }) => destination));
  return [...addresses].slice(0, ADDRESSES_MOST);
}

async function requireOwn({ db, chain, siblings }: EvmDraftSource, from: string): Promise<string> {
  const address = from.toLowerCase();
  const { look, isOurs } = ownAddresses(db, [chain, ...siblings]);
  await look([address]);
  if (isOurs(address)) return address;
  throw refusedDraft(`${from} is no address that was given out here`);
}

async function readGas(rpc: EvmRpc, from: string, payment: OutgoingPayment): Promise<bigint> {
  const [gas] = await readGasLimits(rpc, [{ from, ...evmCallOf(payment) }]);
  if (gas === undefined) {
    throw refusedDraft('the receiver, or the token, refuses this payment: it would fail');
  }
  if (gas <= GAS_MOST) return gas;
  throw refusedDraft(`the receiver is a contract that takes ${gas} gas: send it by hand`);
}

export function assetAmountText(assetId: string, units: bigint): string {
  const { decimals, assetCode } = getAsset(assetId);
  return `${amountToText(units, decimals)} ${assetCode}`;
}
