// Payers of test checkouts that act by themselves, because the shop asked for it by a word in
// `meta.sandbox`. Guarantees: only test checkouts are played (the table refuses others); each
// payment is sent once, in any number of processes and whatever dies in between, because payment
// and progress are one transaction. The other steps may be done again after a death: done twice,
// they change nothing more.

import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { shownAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import type { CheckoutRecord, Commitment } from '#checkout/checkout.ts';
import {
  dropSandboxSteps,
  listPlayed,
  type PlayedCheckout,
  takeSandboxStep,
} from '#checkout/commit-checkout.ts';
import { type FindCheckoutApp, findCheckout } from '#checkout/find-checkout.ts';
import type { SandboxPayInput, SandboxPort } from '#checkout-settlement/sandbox-port.ts';
import { dbWithin } from '#db/db-within.ts';
import { amountToText } from '#money/asset-amount.ts';

type PlayApp = FindCheckoutApp & { readonly clock: Clock; readonly log: Log };
type Step = PlayedCheckout['steps'][number];

/** Deeper than any test payment needs. */
const MINED = 12;
const UNDONE = 30;
const PARTS = 3;
/** Hours: it is replaced long before. */
const HELD = 1;

/** How many steps were done. */
export async function playPayers(app: PlayApp, sandbox: SandboxPort): Promise<number> {
  let done = 0;
  for (const played of await listPlayed(app)) {
    try {
      if (await playNext(app, sandbox, played)) done += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // On this network there is no such thing, as a payment by bank that a block undoes.
      app.log.info('the simulated payer gives up', { checkout: played.id, error });
      await dropSandboxSteps(app.db, played.id);
    }
  }
  return done;
}

async function playNext(
  app: PlayApp,
  sandbox: SandboxPort,
  { id, merchantId, steps }: PlayedCheckout,
): Promise<boolean> {
  const owner = { merchantId, environment: 'test' } as const;
  const record = await findCheckout(app, owner, id);
  const [step] = steps;
  const commitment = record?.commitments.at(-1);
  if (record === undefined || step === undefined || commitment === undefined) return false;
  if (!isTime(step, record)) return false;
  const paid = paymentOf(step, record, commitment);
  if (paid !== undefined) {
    // A block that came first would make it a payment like any other.
    const heldUntil = steps[1] === 'replace' ? app.clock.now().add({ hours: HELD }) : undefined;
    const payment = { ...paid, heldUntil };
    await app.db.transact(async (tx) => {
      if (!(await takeSandboxStep(tx, id, steps))) return;
      await sandbox.within(dbWithin(tx)).pay(owner, payment);
    });
    return true;
  }
  const { network } = commitment;
  if (step === 'mine') await sandbox.mine(owner, { network, blocks: MINED, purposeId: id });
  if (step === 'expire') await sandbox.expire(owner, { checkoutId: id });
  if (step === 'replace') await sandbox.replace(owner, { checkoutId: id });
  if (step === 'undo') await undo(sandbox, record, network);
  await app.db.single((tx) => takeSandboxStep(tx, id, steps));
  return true;
}

/** Whether what comes before it has shown. */
function isTime(step: Step, { state, receipts }: CheckoutRecord): boolean {
  switch (step) {
    case 'mine':
      return receipts.some(({ status }) => status !== 'GONE');
    case 'replace':
      return receipts.some(({ status }) => status === 'SEEN');
    case 'undo':
      return state === 'COMPLETED';
    case 'pay-late':
      return state === 'EXPIRED';
    default:
      return true;
  }
}

function paymentOf(
  step: Step,
  { id: checkoutId }: CheckoutRecord,
  { network, assetId, askedUnits }: Commitment,
): SandboxPayInput | undefined {
  const asked = { checkoutId, network, asset: assetId, amount: undefined, parts: 1 };
  const amount = (units: bigint) => amountToText(units, shownAsset(network, assetId).decimals);
  switch (step) {
    case 'pay':
    case 'pay-late':
      return asked;
    case 'pay-half':
      return { ...asked, amount: amount(askedUnits / 2n) };
    case 'pay-more':
      return { ...asked, amount: amount(askedUnits + askedUnits / 2n) };
    case 'pay-parts':
      return { ...asked, parts: PARTS };
    case 'pay-other': {
      const inAsset = getNetwork(network).assets.find((other) => other !== assetId);
      if (inAsset !== undefined) return { ...asked, inAsset, amount: '1' };
      throw new Refusal('invalid', 'asset_unknown', [`asset: ${network} has one asset only`]);
    }
    default:
      return undefined;
  }
}

/** As deep as the payment can lie; where the chain is shorter than that, as deep as it is. */
async function undo(
  sandbox: SandboxPort,
  { id, merchantId }: CheckoutRecord,
  network: string,
): Promise<void> {
  const owner = { merchantId, environment: 'test' } as const;
  for (let depth = UNDONE; depth > 0; depth -= 1) {
    try {
      await sandbox.reorg(owner, { network, depth, purposeId: id });
      return;
    } catch (error) {
      const isTooDeep = error instanceof Refusal && error.code === 'depth_invalid';
      if (!isTooDeep || depth === 1) throw error;
    }
  }
  assert(false, 'the last depth returns or throws');
}
