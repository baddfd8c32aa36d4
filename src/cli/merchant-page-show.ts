import { getSeller } from '#account/seller.ts';
import { chooseMerchant } from './choose-account.ts';
import type { Command } from './command.ts';
import { pageSettingsResult } from './page-settings-result.ts';

export const merchantPageShow: Command = {
  name: 'merchant page show',
  summary: 'show how the hosted pages of a merchant are set',
  usage: '[--merchant ID]',
  options: { merchant: { type: 'string' } },
  async run(context, { values }) {
    const { db } = await context.openApp();
    return pageSettingsResult(await getSeller(db, await chooseMerchant({ db }, values)));
  },
};
