import {
  type OwnPageSettings,
  PAGE_SETTING_NAMES,
  parsePageSettings,
} from '#account/page-settings.ts';
import { changePageSettings, getSeller } from '#account/seller.ts';
import { Refusal } from '#base/refusal.ts';
import { chooseMerchant } from './choose-account.ts';
import { type Command, textOption, type Values } from './command.ts';
import { optionName, pageSettingsResult } from './page-settings-result.ts';

const OPTION_NAMES = PAGE_SETTING_NAMES.map((name) => [name, optionName(name)] as const);

export const merchantPageSet: Command = {
  name: 'merchant page set',
  summary: 'change how the hosted pages of a merchant look and behave',
  usage: [
    '[--merchant ID]',
    '  --shop-name TEXT             in large letters; the name of the merchant when unset',
    '  --contact TEXT               mail address or URL, offered when a payment is in trouble',
    '  --seller-info TEXT           your address, several lines',
    '  --display-seller-info yes|no',
    '  --display-buyer-info yes|no  the billing address of the customer',
    '  --primary-color #rrggbb      of buttons',
    '  --background-color #rrggbb   behind the cards',
    '  --default-language CODE      when the browser wants none that there is',
    '  --return-countdown-seconds N then a paid page returns by itself; 0: never',
    '  --embed-origins ORIGINS      who may frame the page: https://shop.example,...',
    '  --explorer-links yes|no      from transactions to a public explorer',
  ].join('\n'),
  options: {
    merchant: { type: 'string' },
    ...Object.fromEntries(OPTION_NAMES.map(([, option]) => [option, { type: 'string' as const }])),
  },
  async run(context, { positionals, values }) {
    const given = givenSettings(values);
    if (positionals.length > 0 || Object.keys(given).length === 0) {
      throw new Refusal('invalid', 'usage', [
        'name at least one setting, such as --shop-name TEXT',
      ]);
    }
    const change = parseOptions(given);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    await changePageSettings(app, merchantId, change);
    return pageSettingsResult(await getSeller(app.db, merchantId));
  },
};

function givenSettings(values: Values): Readonly<Record<string, string>> {
  return Object.fromEntries(
    OPTION_NAMES.flatMap(([name, option]) => {
      const text = textOption(values, option);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/** @throws Refusal that names the options as they were typed. */
function parseOptions(given: Readonly<Record<string, string>>): Partial<OwnPageSettings> {
  try {
    return parsePageSettings(given);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const faults = error.details.map((fault) =>
      fault.replace(/^\w+/, (name) => `--${optionName(name)}`),
    );
    throw new Refusal(error.kind, error.code, faults);
  }
}
