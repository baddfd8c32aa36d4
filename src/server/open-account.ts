// A new merchant account with the terms of this installation.

import { createMerchant } from '#account/create-merchant.ts';
import { changeMerchant, type Merchant } from '#account/merchant.ts';
import type { App } from './app.ts';

/** The settlement fee is that of FEE_PERCENT now; later changes of the setting do not change it. */
export async function openAccount(app: App, name: string): Promise<Merchant> {
  const merchant = await createMerchant(app, { name });
  const { feePartsPerMillion } = app.config;
  if (feePartsPerMillion > 0) await changeMerchant(app, merchant.id, { feePartsPerMillion });
  return merchant;
}
