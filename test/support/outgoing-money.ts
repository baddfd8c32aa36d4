// Money that a merchant has, and money that it sends: for tests of transfers and refunds.

import { newId } from '#base/id.ts';
import { chainOf } from '#catalog/chain.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { balancesOf, type MerchantAccountCode } from '#ledger/account.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';
import { BENEFICIARY, sealOfBeneficiary } from '#people/beneficiary.ts';
import { refundsOf } from '#refund/refunds-of.ts';
import { returnsOf } from '#suspense/return-suspense.ts';
import type { TransferExecutor } from '#transfer/executor.ts';
import { type RunTransfersApp, runTransfers } from '#transfer/run-transfers.ts';
import type { TestApp } from './test-app.ts';

/** BIP-173's key on the test network of Litecoin. */
export const PAYER_ADDRESS = 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0';

const LITECOIN = chainOf('test', 'LITECOIN');

/** Pays a checkout in Litecoin, `percent` of what is due; resolves with what was paid. */
export async function payCheckout(
  { app, caller, observe, settle }: TestApp,
  checkoutId: string,
  percent = 100n,
): Promise<bigint> {
  const made = await commitCheckout(app, { checkoutId, owner: caller, network: 'LITECOIN' });
  const units = (made.arrivingUnits * percent) / 100n;
  const { destination } = made.instruction;
  const outputs = [{ destination, assetId: made.assetId, units }];
  await paySandbox(app, { chain: LITECOIN, outputs });
  await mineBlocks(app, LITECOIN, 4);
  await observe('LITECOIN');
  await settle();
  return units;
}

export type BeneficiaryWorld = {
  readonly app: Pick<TestApp['app'], 'db' | 'random' | 'clock' | 'keyring'>;
  readonly caller: Pick<TestApp['caller'], 'merchantId' | 'environment'>;
};

/** Where nothing but the transfer is under test. */
export async function addBeneficiary(
  { app, caller }: BeneficiaryWorld,
  label: string,
  { network = 'LITECOIN', account = { address: PAYER_ADDRESS } as ReceivingAccount } = {},
): Promise<string> {
  const id = newId(app.random);
  const now = app.clock.now();
  const { merchantId, environment } = caller;
  const beneficiary = {
    id,
    merchantId,
    environment,
    label,
    network,
    account,
    createdAt: now,
    usableAt: now,
  };
  const seal = sealOfBeneficiary(app.keyring, beneficiary);
  await app.db.single((tx) => tx.query(BENEFICIARY.insert([{ ...beneficiary, seal }])));
  return id;
}

export async function balanceUnits(
  { app, caller }: Pick<TestApp, 'app' | 'caller'>,
  code: MerchantAccountCode,
  assetId = 'LTC:NATIVE',
): Promise<bigint> {
  const balances = await balancesOf(app.db, caller);
  return balances.find((one) => one.code === code && one.assetId === assetId)?.units ?? 0n;
}

export function availableUnits(world: Pick<TestApp, 'app' | 'caller'>, assetId: string) {
  return balanceUnits(world, 'merchant:available', assetId);
}

/** One process that sends, with other executors where they are given. */
export function sender({ app }: TestApp, executor?: TransferExecutor): RunTransfersApp {
  const executors = new Map(app.executors);
  if (executor !== undefined) executors.set(executor.chain, executor);
  return {
    ...app,
    executors,
    refunds: refundsOf(app),
    returns: returnsOf(app),
  };
}

/** Until everything that is under way has landed, or failed. */
export async function sendTransfers(world: TestApp, executor?: TransferExecutor): Promise<void> {
  const app = sender(world, executor);
  for (let step = 0; step < 6; step += 1) {
    await runTransfers(app);
    await mineBlocks(world.app, LITECOIN, 1);
    await world.clock.advance(3_000);
  }
  await world.observe('LITECOIN');
  await world.settle();
}
