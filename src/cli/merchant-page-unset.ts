import { PAGE_SETTING_NAMES } from '#account/page-settings.ts';
import { changeLogo, changePageSettings, getSeller } from '#account/seller.ts';
import { Refusal } from '#base/refusal.ts';
import { chooseMerchant } from './choose-account.ts';
import type { Command } from './command.ts';
import { optionName, pageSettingsResult } from './page-settings-result.ts';

const NAMES = [...PAGE_SETTING_NAMES.map(optionName), 'logo'];

export const merchantPageUnset: Command = {
  name: 'merchant page unset',
  summary: 'take settings of the hosted pages back to their defaults',
  usage: `NAME... [--merchant ID]\n  names: ${NAMES.join(', ')}`,
  options: { merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const unknown = positionals.filter((name) => !NAMES.includes(name));
    if (positionals.length === 0 || unknown.length > 0) {
      const fault = unknown.length > 0 ? `no such setting: ${unknown.join(' ')}` : 'name a setting';
      throw new Refusal('invalid', 'usage', [fault]);
    }
    const names = PAGE_SETTING_NAMES.filter((name) => positionals.includes(optionName(name)));
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const change = Object.fromEntries(names.map((name) => [name, null]));
    await changePageSettings(app, merchantId, change);
    if (positionals.includes('logo')) await changeLogo(app, merchantId, []);
    return pageSettingsResult(await getSeller(app.db, merchantId));
  },
};
