// What a person can make the simulated networks do to a test checkout: pay it rightly or wrongly,
// replace, reorganise, let the node die, end the window. Joins the acts of this folder with those
// of checkouts; api, pages and command line are handed the result.

import { assert } from '#base/assert.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { getAsset, shownAsset } from '#catalog/asset.ts';
import { type ChainId, chainOf, environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Owner } from '#catalog/owner.ts';
import { readPosition } from '#chain/chain-status.ts';
import type { CheckoutRecord, Commitment } from '#checkout/checkout.ts';
import {
  bringWindowsNearer,
  type CommitCheckoutApp,
  commitCheckout,
  expireCheckout,
} from '#checkout/commit-checkout.ts';
import { findCheckout } from '#checkout/find-checkout.ts';
import type {
  SandboxDepositInput,
  SandboxPayInput,
  SandboxPayment,
  SandboxPort,
  SandboxTip,
  SimulatedChain,
} from '#checkout-settlement/sandbox-port.ts';
import { type SettleCheckoutApp, settleAtOnce } from '#checkout-settlement/settle-checkout.ts';
import { listInstructions } from '#deposit/deposit-instruction.ts';
import { openAddressInvoice } from '#deposit/open-deposit.ts';
import { hasOtherMerchants } from '#merchant/merchant.ts';
import { amountFromText, amountToText } from '#money/asset-amount.ts';
import { networkWatch, type WatchNetworkApp } from '#networks/watch-network.ts';
import { freezeChain, listChainsFor, mineBlocks, silenceChain, thawChain } from './make-blocks.ts';
import { type BlockOwner, mineOwn, undoOwn } from './own-blocks.ts';
import { paySandbox } from './pay-sandbox.ts';
import { playPayers } from './play-payers.ts';
import { reorgChain, replaceTransaction } from './reorg-chain.ts';
import { openSandboxAnchor } from './sandbox-anchor.ts';
import { findSandboxChain, isFrozen, SANDBOX_CHAINS, type SandboxChain } from './sandbox-block.ts';
import { type SandboxKeys, sandboxSeed } from './sandbox-network.ts';
import type { SandboxOutput } from './sandbox-transaction.ts';

type ControlSandboxApp = CommitCheckoutApp &
  SettleCheckoutApp &
  WatchNetworkApp & {
    readonly keyring: SandboxKeys;
    /** Called after a commit that changed the checkout: deliver, tell open pages. */
    readonly onCheckoutChanged: (checkoutId: string, events: number) => void;
  };

export function controlSandbox(app: ControlSandboxApp): SandboxPort {
  const port: SandboxPort = {
    play: () => playPayers(app, port),
    list: (owner) => list(app, owner),
    within: (db) => paying({ ...app, db }),
    ...paying(app),
    async mine(owner, { network, blocks, purposeId }) {
      const whose = ownerOf(owner, purposeId);
      const chains = network === undefined ? blockChains() : [getChain(network)];
      return Promise.all(chains.map(async ({ chain }) => mine(app, chain, whose, blocks)));
    },
    replace: (owner, { checkoutId }) => replace(app, owner, checkoutId),
    async reorg(owner, { network, depth, purposeId }) {
      const { chain } = getChain(network);
      const whose = ownerOf(owner, purposeId);
      const tip =
        whose === undefined
          ? await undoEverybodys(app, chain, depth)
          : await undoOwn(app, chain, whose, depth);
      return { network, ...tip };
    },
    advance: (owner, { minutes }) => advance(app, owner, minutes),
    expire: (owner, { checkoutId }) => expire(app, owner, checkoutId),
    async freeze(owner, { network, seconds }) {
      const { chain } = getChain(network);
      const until = app.clock.now().add({ seconds });
      if (owner !== undefined && (await hasOtherMerchants(app.db, owner.merchantId))) {
        await silenceChain(app, chain, owner.merchantId, until);
      } else if (seconds === 0) await thawChain(app, chain);
      else await freezeChain(app, chain, until);
    },
  };
  return port;
}

async function list(app: ControlSandboxApp, { merchantId }: Owner): Promise<SimulatedChain[]> {
  const now = app.clock.now();
  const chains = SANDBOX_CHAINS.map(({ chain }) => chain);
  const found = await listChainsFor(app.db, chains, merchantId);
  return found.map(({ chain, height, silentUntil }) => ({
    network: networkOf(chain),
    height,
    hasSchedule: findSandboxChain(chain)?.blockSeconds !== undefined,
    silentUntil: silentUntil !== null && isFrozen(silentUntil, now) ? silentUntil : undefined,
  }));
}

function paying(app: ControlSandboxApp): Pick<SandboxPort, 'pay' | 'payAddress'> {
  return {
    pay: (owner, input) => pay(app, owner, input),
    payAddress: (owner, input) => payAddress(app, owner, input),
  };
}

function getChain(network: string): SandboxChain {
  const sandbox = findSandboxChain(chainOf('test', network));
  if (sandbox !== undefined) return sandbox;
  const known = SANDBOX_CHAINS.map(({ chain }) => networkOf(chain)).join(', ');
  throw new Refusal('invalid', 'network_unknown', [
    `network: ${network} is not simulated; these are: ${known}`,
  ]);
}

function ownerOf(owner: Owner | undefined, purposeId: string | undefined): BlockOwner | undefined {
  return owner && { merchantId: owner.merchantId, purposeId };
}

function blockChains(): SandboxChain[] {
  return SANDBOX_CHAINS.filter(({ blockSeconds }) => blockSeconds !== undefined);
}

async function mine(
  app: ControlSandboxApp,
  chain: SandboxChain['chain'],
  owner: BlockOwner | undefined,
  blocks: number,
): Promise<SandboxTip> {
  const tip =
    owner === undefined
      ? await mineBlocks(app, chain, blocks)
      : await mineOwn(app, chain, owner, blocks);
  return { network: networkOf(chain), ...tip };
}

async function getOwnCheckout(
  app: ControlSandboxApp,
  owner: Owner,
  checkoutId: string,
): Promise<CheckoutRecord> {
  const record = await findCheckout(app, owner, checkoutId);
  if (record === undefined || record.environment !== 'test') {
    throw new Refusal('missing', 'checkout_missing', 'checkoutId: no such test checkout');
  }
  return record;
}

async function pay(
  app: ControlSandboxApp,
  owner: Owner,
  input: SandboxPayInput,
): Promise<SandboxPayment[]> {
  const record = await getOwnCheckout(app, owner, input.checkoutId);
  const commitment = await chooseCommitment(app, owner, record, input);
  const { network } = commitment;
  if (getAsset(commitment.assetId).bridge) return payAnchor(app, owner, commitment, input);
  const assetId = input.inAsset ?? commitment.assetId;
  if (!getNetwork(network).assets.includes(assetId)) {
    throw unknownAsset(network);
  }
  const units =
    input.amount === undefined
      ? stillRequired(record, commitment)
      : parseAmount(input.amount, shownAsset(network, assetId).decimals);
  const { destination } = commitment.instruction;
  return send(app, owner, network, { destination, assetId, units }, input);
}

/** The customer pays the anchor, as much as is missing: the anchor pays the merchant by itself. */
async function payAnchor(
  app: ControlSandboxApp,
  owner: Owner,
  commitment: Commitment,
  input: SandboxPayInput,
): Promise<SandboxPayment[]> {
  const { network, assetId, instruction } = commitment;
  const seed = sandboxSeed(app.keyring);
  const anchor = openSandboxAnchor({ ...app, seed }, getChain(network));
  assert(anchor?.assetId === assetId, `the sandbox has an anchor for ${assetId}`);
  const asked = anchor.outputFor(
    instruction,
    input.amount === undefined
      ? commitment.askedUnits
      : parseAmount(input.amount, getAsset(assetId).decimals),
  );
  if (input.inAsset !== undefined && input.inAsset !== asked.assetId) {
    throw new Refusal('invalid', 'asset_unknown', [
      `asset: the anchor takes ${asked.assetId} only`,
    ]);
  }
  const standing = await anchor.standing(instruction);
  const standingUnits = standing
    .flatMap(({ outputs }) => outputs)
    .filter(({ destination }) => destination === asked.destination)
    .reduce((sum, { units }) => sum + units, 0n);
  const isMissing = input.amount === undefined && standingUnits < asked.units;
  const units = isMissing ? asked.units - standingUnits : asked.units;
  const payments = await send(app, owner, network, { ...asked, units }, input);
  const last = payments.at(-1);
  if (last !== undefined) await anchor.note(instruction, last.transaction);
  return payments;
}

async function payAddress(
  app: ControlSandboxApp,
  owner: Owner,
  { depositAddressId, asset, amount, parts }: SandboxDepositInput,
): Promise<SandboxPayment[]> {
  const handedOut = await listInstructions(app, app.db, 'deposit-address', depositAddressId);
  const instruction = handedOut.find(
    ({ merchantId, chain }) => merchantId === owner.merchantId && environmentOf(chain) === 'test',
  );
  if (instruction === undefined) {
    throw new Refusal('missing', 'deposit_address_missing', [
      'depositAddressId: no such test deposit address',
    ]);
  }
  const network = networkOf(instruction.chain);
  const assetId = asset ?? instruction.assetId;
  if (!getNetwork(network).assets.includes(assetId)) {
    throw unknownAsset(network);
  }
  const units = parseAmount(amount, shownAsset(network, assetId).decimals);
  const adapter = app.networks.get(instruction.chain);
  const { destination } = adapter?.addressInvoices
    ? await openAddressInvoice(app, adapter, instruction, { units, hashedDescription: '' })
    : instruction;
  return send(app, owner, network, { destination, assetId, units }, { parts });
}

async function send(
  app: ControlSandboxApp,
  { merchantId }: Owner,
  network: string,
  output: SandboxOutput,
  { parts, heldUntil }: Pick<SandboxPayInput, 'parts' | 'heldUntil'>,
): Promise<SandboxPayment[]> {
  const { chain, blockSeconds } = getChain(network);
  const { decimals } = shownAsset(network, output.assetId);
  const held = heldUntil === undefined || blockSeconds === undefined ? {} : { heldUntil };
  const sent = await paySandbox(app, { chain, parts, outputs: [output], merchantId, ...held });
  return sent.map(({ transaction, outputs }) => ({
    network,
    assetId: output.assetId,
    amount: amountToText(
      outputs.reduce((sum, one) => sum + one.units, 0n),
      decimals,
    ),
    transaction,
  }));
}

/**
 * The way of paying that was committed last, or the one named, committed now when it was not yet.
 */
async function chooseCommitment(
  app: ControlSandboxApp,
  owner: Owner,
  record: CheckoutRecord,
  { network, asset }: SandboxPayInput,
): Promise<Commitment> {
  const fits = (way: { readonly network: string; readonly assetId: string }) =>
    (network === undefined || way.network === network) &&
    (asset === undefined || way.assetId === asset);
  const committed = record.commitments.filter(fits).at(-1);
  if (committed !== undefined) return committed;
  const offered = record.offers.find(fits);
  if (offered === undefined) {
    const all = record.offers.map((offer) => `${offer.network} ${offer.assetId}`).join(', ');
    throw new Refusal('invalid', 'payment_method_unknown', [
      `network: not a payment method of this checkout; offered are: ${all}`,
    ]);
  }
  return commitCheckout(app, {
    checkoutId: record.id,
    owner,
    network: offered.network,
    asset: offered.assetId,
  });
}

/**
 * What is missing, counting money that is on its way. When nothing is missing, the whole amount
 * again.
 */
function stillRequired(record: CheckoutRecord, commitment: Commitment): bigint {
  const arrived = record.receipts
    .filter(({ instructionId }) => instructionId === commitment.instruction.id)
    .filter(({ status, assetId }) => status !== 'GONE' && assetId === commitment.assetId)
    .reduce((sum, receipt) => sum + receipt.units, 0n);
  const missing = commitment.arrivingUnits - arrived;
  return missing > 0n ? missing : commitment.arrivingUnits;
}

function parseAmount(text: string, decimals: number): bigint {
  const units = amountFromText(text, decimals);
  if (units === undefined || units === 0n) {
    throw new Refusal('invalid', 'amount_invalid', [
      `amount: must be above 0 with at most ${decimals} digits after the point`,
    ]);
  }
  return units;
}

async function undoEverybodys(app: ControlSandboxApp, chain: ChainId, depth: number) {
  const { recent } = await readPosition(app.db, chain);
  const lowestKept = recent.at(-1)?.height;
  return reorgChain(app, { chain, depth, transactions: 'drop', lowestKept });
}

async function replace(
  app: ControlSandboxApp,
  owner: Owner,
  checkoutId: string,
): Promise<SandboxPayment[]> {
  const record = await getOwnCheckout(app, owner, checkoutId);
  const unconfirmed = record.receipts.filter(({ status }) => status === 'SEEN').at(-1);
  if (unconfirmed === undefined) {
    throw new Refusal('conflict', 'transaction_not_replaceable', [
      'the checkout has no unconfirmed payment that was seen',
    ]);
  }
  const { chain, transaction } = unconfirmed;
  const replacement = await replaceTransaction(app, { chain, transaction });
  const network = networkOf(chain);
  return replacement.outputs.map((output) => ({
    network,
    assetId: output.assetId,
    amount: amountToText(output.units, shownAsset(network, output.assetId).decimals),
    transaction: replacement.transaction,
  }));
}

/**
 * No window is over before its chains were heard after its end, so they are looked at now: who
 * ended it need not wait until somebody does. Where a node is away it stays open, as always.
 */
async function expire(app: ControlSandboxApp, owner: Owner, checkoutId: string): Promise<void> {
  await expireCheckout(app, { checkoutId, merchantId: owner.merchantId });
  const record = await getOwnCheckout(app, owner, checkoutId);
  const networks = new Set(record.commitments.map(({ network }) => network));
  await Promise.all([...networks].map((network) => lookAt(app, getChain(network).chain)));
  const outcome = await settleAtOnce(app, checkoutId);
  app.onCheckoutChanged(checkoutId, outcome.kind === 'changed' ? outcome.events : 0);
}

/** Of more checkouts the loop that settles them takes care. */
const SETTLED_AT_ONCE = 20;

async function advance(
  app: ControlSandboxApp,
  { merchantId }: Owner,
  minutes: number,
): Promise<number> {
  for (const { chain } of blockChains()) {
    const blockSeconds = getNetwork(networkOf(chain)).targetBlockSeconds ?? 60;
    const blocks = Math.floor((minutes * 60) / blockSeconds);
    if (blocks > 0) await mineOwn(app, chain, { merchantId }, blocks);
  }
  const ids = await bringWindowsNearer(app, { merchantId, minutes });
  await Promise.all(SANDBOX_CHAINS.map(({ chain }) => lookAt(app, chain)));
  for (const id of ids.slice(0, SETTLED_AT_ONCE)) {
    const outcome = await settleAtOnce(app, id);
    app.onCheckoutChanged(id, outcome.kind === 'changed' ? outcome.events : 0);
  }
  return ids.length;
}

async function lookAt(app: ControlSandboxApp, chain: SandboxChain['chain']): Promise<void> {
  const network = app.networks.get(chain);
  if (network === undefined) return;
  try {
    await networkWatch(app, network).step();
  } catch (error) {
    // Of another history it is for the operator, whom the watch tells, and not for who asks here.
    if (!(error instanceof Outage || error instanceof Refusal)) throw error;
  }
}

function unknownAsset(network: string): Refusal {
  const accepted = getNetwork(network).assets.join(', ');
  return new Refusal('invalid', 'asset_unknown', [
    `asset: is not an asset of ${network}; accepted are: ${accepted}`,
  ]);
}
