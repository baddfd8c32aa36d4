// What a transfer will cost and what arrives. Nothing is moved: the quote is committed, or it ends.

import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { findAsset, getAsset } from '#catalog/asset.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { findNetwork, networkIds } from '#catalog/network.ts';
import type { Owner } from '#catalog/owner.ts';
import type { Db } from '#db/db.ts';
import { amountToText } from '#money/asset-amount.ts';
import { type Decimal, unitsFromDecimal } from '#money/decimal.ts';
import type { AccountValidator } from '#people/account-fields.ts';
import { type Beneficiary, findBeneficiary, type SealKeys } from '#people/beneficiary.ts';
import { type Executors, requireExecutor } from './executor.ts';
import {
  openTransfer,
  type Transfer,
  type TransferSealKeys,
  type TransferTerms,
} from './transfer.ts';

export type QuoteTransferApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly executors: Executors;
  readonly accounts: Pick<AccountValidator, 'invoice'>;
  readonly keyring: SealKeys & TransferSealKeys;
};

type TransferRequest = {
  readonly network: string;
  /** Asset id; the default of the network when absent. */
  readonly asset: string | undefined;
  /** In whole coins: what the merchant is debited, fees included. */
  readonly amount: Decimal;
  /** Id or label of a beneficiary. */
  readonly targetAccount: string;
};

const TRANSFER_QUOTE_MINUTES = 10;

export async function quoteTransfer(
  app: QuoteTransferApp,
  caller: Owner & Pick<Transfer, 'apiKey'> & Partial<Pick<Transfer, 'maker'>>,
  request: TransferRequest,
): Promise<Transfer> {
  const now = app.clock.now();
  const { assetId, units } = readAmount(request);
  const { merchantId, environment } = caller;
  const receiver = await findBeneficiary(app, caller, request.targetAccount);
  requireUsable(receiver, request.network, now);
  const chain = chainOf(environment, request.network);
  const executor = requireExecutor(app.executors, chain);
  const wanted = invoiceUnits(app, chain, receiver, now);
  const networkFeeUnits = executor.networkFeeUnits(assetId, wanted ?? units);
  const targetUnits = units - networkFeeUnits;
  if (wanted !== undefined && targetUnits !== wanted) {
    const whole = amountToText(wanted + networkFeeUnits, getAsset(assetId).decimals);
    throw new Refusal('invalid', 'amount_invalid', [
      `amount: the invoice of this beneficiary is for ${wanted} sat: with what the network may ` +
        `take at most the amount has to be ${whole}`,
    ]);
  }
  if (targetUnits <= 0n) {
    throw new Refusal('invalid', 'amount_too_small', 'amount: does not pay the network fee');
  }
  const expiresAt = now.add({ minutes: TRANSFER_QUOTE_MINUTES });
  const terms: TransferTerms = {
    merchantId,
    environment,
    kind: 'TRANSFER',
    beneficiaryId: receiver.id,
    network: request.network,
    assetId,
    account: receiver.account,
    units,
    networkFeeUnits,
    gasFee: executor.gasFee?.(assetId, units),
    feeUnits: 0n,
    targetUnits,
    source: 'merchant:available',
    state: 'QUOTED',
    apiKey: caller.apiKey,
    maker: caller.maker,
    createdAt: now,
    expiresAt,
    committedAt: undefined,
    restsUntil: undefined,
    nextStepAt: expiresAt,
  };
  return app.db.transact(async (tx) => openTransfer(app, tx, terms));
}

/** What the invoice asks for where the receiver is one, which is paid once and in full. */
function invoiceUnits(
  { accounts }: QuoteTransferApp,
  chain: ChainId,
  { account }: Beneficiary,
  now: Temporal.Instant,
): bigint | undefined {
  if (account.invoice === undefined) return undefined;
  const invoice = accounts.invoice(chain, account.invoice);
  const isOver =
    invoice === undefined ||
    Temporal.Instant.compare(invoice.expiresAt, now.add({ minutes: TRANSFER_QUOTE_MINUTES })) <= 0;
  if (!isOver && invoice.units !== undefined) return invoice.units;
  throw new Refusal('conflict', 'invoice_expired', [
    isOver
      ? 'targetAccount: the invoice of this beneficiary has ended: make one with another invoice, ' +
        'or with a Lightning address, which lasts'
      : 'targetAccount: the invoice of this beneficiary asks for no whole amount in satoshi',
  ]);
}

function readAmount(request: TransferRequest): { assetId: string; units: bigint } {
  const network = findNetwork(request.network);
  if (network === undefined) {
    throw new Refusal('invalid', 'network_unknown', [
      `network: is not a network id of GET /networks; accepted are: ${networkIds().join(', ')}`,
    ]);
  }
  const assetId = request.asset ?? network.defaultAssetId;
  const asset = findAsset(assetId);
  if (asset === undefined || !network.assets.includes(assetId)) {
    throw new Refusal('invalid', 'asset_unknown', [
      `asset: is not an asset of ${network.id}; accepted are: ${network.assets.join(', ')}`,
    ]);
  }
  const units = unitsFromDecimal(request.amount, asset.decimals);
  if (units === undefined || units <= 0n) {
    throw new Refusal('invalid', 'amount_invalid', [
      `amount: must be above 0 with at most ${asset.decimals} digits after the point`,
    ]);
  }
  return { assetId, units };
}

function requireUsable(
  receiver: Beneficiary | undefined,
  network: string,
  now: Temporal.Instant,
): asserts receiver is Beneficiary {
  if (receiver === undefined) {
    throw new Refusal('missing', 'beneficiary_missing', 'targetAccount: no such beneficiary');
  }
  if (receiver.network !== network) {
    throw new Refusal('invalid', 'beneficiary_elsewhere', [
      `targetAccount: the beneficiary is reached by ${receiver.network}, not ${network}`,
    ]);
  }
  if (Temporal.Instant.compare(now, receiver.usableAt) < 0) {
    throw new Refusal('conflict', 'beneficiary_too_new', [
      `targetAccount: a new beneficiary can be used from ${receiver.usableAt}`,
    ]);
  }
}
