// A checkout that a person makes in the dashboard: as POST /checkout makes it, with who in place of
// a key.

import { getMerchantTerms } from '#access/caller.ts';
import type { PayerAsking } from '#ask/ask.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { isEmail } from '#base/text.ts';
import { listAssets } from '#catalog/asset.ts';
import { getCurrency, listCurrencies } from '#catalog/currency.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { assetName } from '#pages/display.ts';
import type { DashboardTexts } from '#pages/languages/dashboard/en.ts';
import type { DashboardLanguage } from '#pages/languages/dashboard/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { createCustomer, findCustomerByEmail } from '#people/customer.ts';
import type { ShopVisit } from './guard.ts';

export const ORIGIN_ASSET = 'ORIGIN';
const USUAL_CURRENCY = 'EUR';

/** As numbers are written in JSON. */
export type SoldItem = {
  readonly description: string;
  readonly netAmount: string;
  readonly quantity: string;
};

export type Sale = {
  readonly items: readonly SoldItem[];
  readonly currency: string;
  readonly settlementAsset: string;
  readonly customerEmail: string | undefined;
  /** Undefined: as the account does; `nothing`: whoever pays stands at the counter. */
  readonly asking: PayerAsking | 'nothing' | undefined;
};

/**
 * Answers its id.
 * @throws Refusal as POST /checkout does; invalid `email`
 */
export async function makeCheckout(app: PageApp, visit: ShopVisit, sale: Sale): Promise<string> {
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  const owner = { merchantId, environment };
  const { items, currency, settlementAsset, customerEmail, asking } = sale;
  if (customerEmail !== undefined && !isEmail(customerEmail)) {
    throw new Refusal('invalid', 'email', 'email: no mail address');
  }
  const terms = await getMerchantTerms(app.db, owner);
  const act = {
    ...{ actor, merchantId, environment, verb: 'checkout-create' },
    subject: (made: { readonly id: string }) => `checkout:${made.id}`,
    details: { currency, settlementAsset },
  };
  const { id } = await doNoted(app, act, async (within) => {
    const customerId = customerEmail && (await customerOf(within, owner, customerEmail));
    const request = parseCheckoutRequest({
      charge: {
        billingCurrency: currency,
        lineItems: [...items],
        ...(customerId && { customerId }),
      },
      settlementAsset,
    });
    return createCheckout(within, terms, request, { type: 'HOSTED', origin: 'DASHBOARD', asking });
  });
  return id;
}

async function customerOf(
  app: PageApp,
  owner: { readonly merchantId: string; readonly environment: ShopVisit['place']['environment'] },
  email: string,
): Promise<string> {
  const known = await findCustomerByEmail(app, owner, email);
  if (known !== undefined) return known.id;
  const nothing = { firstname: null, lastname: null, company: null, adr1: null, adr2: null };
  const { id } = await createCustomer(app, owner, {
    ...nothing,
    ...{ zip: null, city: null, countrycode: null, phonenumber: null, taxid: null, note: null },
    meta: null,
    email,
  });
  return id;
}

/** What a person is told of a refusal of `makeCheckout`. */
export function saleFault(
  { sell, faults, settings }: DashboardTexts,
  { code, details }: Refusal,
): string {
  if (code === 'email') return faults.email;
  if (code === 'asking') return settings.asking.wrong;
  if (code !== 'validation_failed') return sell.noWay;
  const isOfRisk = details.some((detail) => detail.startsWith('settlementAsset: '));
  return isOfRisk ? sell.settlementRisk : sell.wrong;
}

export function currencyOptions(): readonly (readonly [value: string, label: string])[] {
  return listCurrencies()
    .filter(({ billing }) => billing)
    .map(({ assetCode }) => [assetCode, assetCode] as const);
}

/** One that can be billed in, else the usual one. */
export function readCurrency(given: string | null | undefined): string {
  return currencyOptions().some(([code]) => code === given) && given ? given : USUAL_CURRENCY;
}

export function currencyDecimals(currency: string): number {
  return getCurrency(currency).decimals;
}

export function settlementOptions({
  texts,
  code,
}: DashboardLanguage): readonly (readonly [value: string, label: string])[] {
  const assets = listAssets().filter(({ settlement }) => settlement);
  return [
    [ORIGIN_ASSET, texts.sell.origin],
    ...assets.map((asset) => [asset.id, `${assetName(asset, code)} (${asset.id})`] as const),
  ];
}
