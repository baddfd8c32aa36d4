// An anchor (SEP-6) of the sandbox: customers pay it on a simulated chain, and when a block holds
// that payment it pays the merchant with an asset of its own. Everything a merchant sees of an
// anchor can be rehearsed with it: the preference in `anchors`, the bridged asset, the transactions
// CHECKOUT_ORIGIN, CHECKOUT_BRIDGE and CHECKOUT_SETTLEMENT. Guarantees: what it pays out follows
// from the chain alone, once for each payment, whichever process looks first. It keeps nothing.

import { createHash, createHmac } from 'node:crypto';
import {
  type AnchorDeposit,
  listOpenAnchorDeposits,
  recordAnchorDeposit,
} from '#anchor/anchor-deposit.ts';
import { passageOf } from '#anchor/anchor-terms.ts';
import { carriedUnits, findCarriedAsset, stepUnitsOf } from '#anchor/carried-asset.ts';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { announceSandboxAsset, getAsset } from '#catalog/asset.ts';
import { type ChainId, chainOf, networkOf } from '#catalog/chain.ts';
import { getNetwork, type NetworkInfo } from '#catalog/network.ts';
import type { Db } from '#db/db.ts';
import type { DepositInstruction } from '#deposit/deposit-instruction.ts';
import type { DestinationRequest, Passage } from '#deposit/network.ts';
import { amountToText } from '#money/asset-amount.ts';
import { ZERO } from '#money/decimal.ts';
import { divideUnits } from '#money/rate.ts';
import { powerOfTen } from '#money/rounding.ts';
import type { PurePayee } from '#networks/network-settings.ts';
import { lockSandboxChain, type SandboxChain } from './sandbox-block.ts';
import { ownDestinations, simulatedPayee } from './sandbox-payee.ts';
import {
  insertTransaction,
  listTransactionsTo,
  type SandboxOutput,
  type StoredTransaction,
} from './sandbox-transaction.ts';

/** Reserved (RFC 2606): nobody can be asked there. */
const SANDBOX_ANCHOR_DOMAIN = 'anchor.sandbox.example';
/** What the older layout names: Bitcoin, Ethereum, Litecoin and the XRP Ledger. */
const BRIDGED_CODES: Readonly<Record<string, string>> = {
  BITCOIN: 'BTC',
  LITECOIN: 'LTC',
  ETHEREUM: 'ETH',
  XRP_LEDGER: 'XRP',
};
/**
 * The same everywhere, so that a test written against one installation runs on another: the account
 * whose seed is the SHA-256 of "quittance/sandbox/anchor". Written down, because computing it would
 * take every process that starts a tenth of a second.
 */
const ISSUER = 'GCJUDWJPUP7MCTXB4TNHD3CQXYL2PF4F7M3CVJ7AM7T3GWDOET3IMOF7';
const NO_TERMS = {
  feeFixed: undefined,
  feePercent: undefined,
  minAmount: undefined,
  maxAmount: undefined,
};
/** How long a payment is waited for, and how many deposits are looked at in one step. */
const OPEN_DAYS = 7;
const MOST_OPEN = 50;

export type SandboxAnchor = {
  readonly assetId: string;
  /** Where the customer pays; `destination` is where the anchor pays to. */
  openDestination: PurePayee['openDestination'];
  paymentUri: PurePayee['paymentUri'];
  isOurs(destination: string): boolean;
  passage(units: bigint): Passage;
  /** What a customer sends to the anchor so that `units` arrive. */
  outputFor(instruction: DepositInstruction, units: bigint): SandboxOutput;
  /** What was sent to it for that instruction, in units of the asset of the network. */
  standing(instruction: DepositInstruction): Promise<readonly StoredTransaction[]>;
  /** What the anchor says once it was paid. */
  note(instruction: DepositInstruction, transaction: string): Promise<void>;
  /** Pays out what a block holds. */
  advance(): Promise<void>;
};

type AnchorApp = { readonly db: Db; readonly clock: Clock; readonly seed: Uint8Array };

type Ways = {
  readonly chain: ChainId;
  readonly network: NetworkInfo;
  /** Of the anchor, and of what it takes for it on the network. */
  readonly assetId: string;
  readonly carriedId: string;
  /** Where customers pay, and where the anchor pays to; both by the index of the instruction. */
  readonly taking: PurePayee;
  readonly paying: PurePayee;
};

/** Undefined where the sandbox has none. */
function bridgedAssetOf(chain: ChainId): string | undefined {
  const code = BRIDGED_CODES[networkOf(chain)];
  return code === undefined ? undefined : `${code}:${ISSUER}`;
}

export function openSandboxAnchor(
  app: AnchorApp,
  sandbox: SandboxChain,
): SandboxAnchor | undefined {
  const ways = waysOf(app.seed, sandbox);
  if (ways === undefined) return undefined;
  const { db, clock } = app;
  const { network, assetId, carriedId, taking, paying } = ways;
  const idAt = (index: bigint) => `${network.id}-${index}`;
  const indexIn = (id: string) => BigInt(id.slice(id.lastIndexOf('-') + 1));
  const takenAt = (instruction: DepositInstruction) =>
    taking.openDestination(at(indexOf(instruction), clock)).destination;

  return {
    assetId,
    openDestination(request) {
      const { address, destinationTag } = taking.openDestination(request);
      const { destination } = paying.openDestination(request);
      return { destination, address, memo: undefined, memoType: undefined, destinationTag };
    },
    paymentUri(destination, _, units) {
      const carried = units === undefined ? undefined : carriedUnits(network, assetId, units);
      return taking.paymentUri(destination, carriedId, carried);
    },
    isOurs: ownDestinations(paying),
    passage(units) {
      const stepUnits = stepUnitsOf(network, assetId);
      return passageOf(NO_TERMS, units, { stepUnits, feePercentMost: ZERO });
    },
    outputFor(instruction, units) {
      const carried = carriedUnits(network, assetId, units);
      return { destination: takenAt(instruction), assetId: carriedId, units: carried };
    },
    standing: (instruction) => listTransactionsTo(db, ways.chain, [takenAt(instruction)]),
    note: (instruction, transaction) =>
      recordAnchorDeposit(db, {
        instructionId: instruction.id,
        chain: ways.chain,
        domain: SANDBOX_ANCHOR_DOMAIN,
        anchorTransaction: idAt(indexOf(instruction)),
        status: 'pending_external',
        amountIn: undefined,
        amountOut: undefined,
        externalTransaction: transaction,
        stellarTransaction: undefined,
        checkedAt: clock.now(),
        isOver: false,
      }),
    async advance() {
      const checkedAt = clock.now();
      const open = await listOpenAnchorDeposits(db, {
        chain: ways.chain,
        checkedBefore: checkedAt,
        askedSince: checkedAt.subtract({ hours: OPEN_DAYS * 24 }),
        most: MOST_OPEN,
      });
      for (const deposit of open) {
        const state = await payOut(app, ways, indexIn(deposit.anchorTransaction));
        await recordAnchorDeposit(db, { ...deposit, ...state, checkedAt });
      }
    },
  };
}

function waysOf(seed: Uint8Array, { chain }: SandboxChain): Ways | undefined {
  const assetId = bridgedAssetOf(chain);
  if (assetId === undefined) return undefined;
  announceSandboxAsset(assetId, networkOf(chain), SANDBOX_ANCHOR_DOMAIN);
  const network = getNetwork(networkOf(chain));
  const carriedId = findCarriedAsset(network, getAsset(assetId).assetCode);
  assert(carriedId !== undefined, `${network.id} carries what the anchor takes`);
  const own = (name: string) =>
    new Uint8Array(createHmac('sha256', seed).update(`sandbox/anchor/${name}/${chain}`).digest());
  const taking = simulatedPayee(chain, own('takes'));
  const paying = simulatedPayee(chainOf('test', 'STELLAR'), own('pays'));
  return { chain, network, assetId, carriedId, taking, paying };
}

function indexOf({ sourceIndex }: DepositInstruction): bigint {
  assert(sourceIndex !== undefined, 'what the sandbox hands out is numbered');
  return sourceIndex;
}

/** Destinations of these families follow from the index alone. */
function at(index: bigint, clock: Clock): DestinationRequest {
  return { index, assetId: '', units: 1n, instructionId: '', expiresAt: clock.now() };
}

/** Sends what was not sent yet; the newest payment to the anchor and what became of it. */
async function payOut(
  { db, clock }: AnchorApp,
  ways: Ways,
  index: bigint,
): Promise<Partial<AnchorDeposit>> {
  const { chain, assetId, taking, paying } = ways;
  const now = clock.now();
  const { destination: taken } = taking.openDestination(at(index, clock));
  const { destination: paid } = paying.openDestination(at(index, clock));
  return db.transact(async (tx) => {
    await lockSandboxChain(tx, chain, now);
    const [received, sent] = await Promise.all([
      listTransactionsTo(tx, chain, [taken]),
      listTransactionsTo(tx, chain, [paid]),
    ]);
    const done = new Set(sent.map(({ transaction }) => transaction));
    for (const one of received) {
      const transaction = bridgeOf(one.transaction);
      const units = takenUnits(one, taken, ways);
      if (one.state !== 'MINED' || units === 0n || done.has(transaction)) continue;
      done.add(transaction);
      const outputs = [{ destination: paid, assetId, units }];
      const spends = [`${bridgeOf(transaction)}:0`];
      const about = { now, mineAfter: undefined, merchantId: one.merchantId ?? undefined };
      insertTransaction(tx, chain, { transaction, spends, outputs }, about);
    }
    const last = received.at(-1);
    if (last === undefined) return {};
    const bridge = bridgeOf(last.transaction);
    const isOver = received.every(({ transaction }) => done.has(bridgeOf(transaction)));
    const units = received.reduce((sum, one) => sum + takenUnits(one, taken, ways), 0n);
    return {
      status: isOver ? 'completed' : 'pending_external',
      amountIn: amountToText(units, getAsset(assetId).decimals),
      externalTransaction: last.transaction,
      stellarTransaction: done.has(bridge) ? bridge : undefined,
      isOver,
    };
  });
}

/** In units of the anchor's asset; what is smaller than one stays with the anchor. */
function takenUnits(
  { outputs }: StoredTransaction,
  destination: string,
  { assetId, carriedId }: Ways,
): bigint {
  const units = outputs
    .filter((one) => one.destination === destination && one.assetId === carriedId)
    .reduce((sum, one) => sum + one.units, 0n);
  const { decimals: from } = getAsset(carriedId);
  const { decimals: to } = getAsset(assetId);
  return divideUnits(units * powerOfTen(to), powerOfTen(from), 'down');
}

/** The one payment of the anchor that follows from one to it. */
function bridgeOf(transaction: string): string {
  return createHash('sha256').update(`bridge/${transaction}`).digest('hex');
}
