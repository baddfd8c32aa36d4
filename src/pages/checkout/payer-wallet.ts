// For the script of a wallet that signs and does not put together what it signs (Freighter on
// Stellar): what it has to sign for what is due, and the way back with a signature, in JSON.

import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import {
  draftPayerTransaction,
  sendPayerTransaction,
} from '#checkout-settlement/payer-transaction.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendJson } from '#pages/send-page.ts';
import { createTokenBuckets } from '#runtime/token-buckets.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { decideWords } from './decide-words.ts';

type WalletApp = Pick<PageApp, 'keyring' | 'log' | 'watcherOf'>;

type WalletLimits = { take(checkoutId: string, address: string | undefined): void };

/** In a minute; each asks our node a few questions. */
const PER_CHECKOUT = 12;
const PER_ADDRESS = 30;

export function walletLimits(clock: Clock): WalletLimits {
  const checkouts = createTokenBuckets(clock, PER_CHECKOUT, 'for this checkout');
  const addresses = createTokenBuckets(clock, PER_ADDRESS, 'from this address');
  return {
    take(checkoutId, address) {
      if (address !== undefined) addresses.take(address);
      checkouts.take(checkoutId);
    },
  };
}

/** `signed` absent: what the account that is named has to sign. */
export async function answerWallet(
  app: WalletApp,
  page: CheckoutPage,
  form: URLSearchParams,
): Promise<Response> {
  const signed = form.get('signed');
  try {
    if (signed !== null) return await send(app, page, signed, form.get('proof') ?? '');
    return await draft(app, page, form.get('account') ?? '');
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    app.log.warn('a wallet could not be answered', { checkout: page.record.id, error });
    return sendJson({ kind: 'away' }, 503);
  }
}

async function draft(app: WalletApp, page: CheckoutPage, account: string): Promise<Response> {
  const { due } = decideWords(page);
  const drafted =
    due && (await draftPayerTransaction(app, page, due.commitment, due.units, account));
  if (drafted === undefined) return sendJson({ kind: 'over' }, 409);
  if ('short' in drafted) {
    const { assetId, held, needed } = drafted.short;
    const { assetCode, decimals } = getAsset(assetId);
    const text = (units: bigint) => `${amountToText(units, decimals)} ${assetCode}`;
    return sendJson({ kind: 'short', held: text(held), needed: text(needed) });
  }
  const { unsigned, networkName, proof } = drafted;
  return sendJson({ kind: 'draft', link: due?.paymentUri, unsigned, networkName, proof });
}

async function send(app: WalletApp, page: CheckoutPage, signed: string, proof: string) {
  const { transaction, refused } = await sendPayerTransaction(app, page, signed, proof);
  if (refused === undefined) return sendJson({ kind: 'sent', transaction });
  app.log.info('the network refused what a payer signed', { checkout: page.record.id, refused });
  return sendJson({ kind: 'refused' }, 409);
}
