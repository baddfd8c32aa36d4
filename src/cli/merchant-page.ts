import { askingView } from '#ask/ask.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { FONT_NAMES } from '#look/page-font.ts';
import { FONT_BYTES_MAX, readFont } from '#look/read-font.ts';
import {
  DEFAULT_PAGE_SETTINGS,
  type OwnPageSettings,
  PAGE_SETTING_NAMES,
  type PageSettingName,
  type PageSettings,
  parsePageSettings,
} from '#merchant/page-settings.ts';
import {
  changeDarkLogo,
  changeFont,
  changeLogo,
  changePageSettings,
  FONT_WEIGHTS,
  fontPath,
  getSeller,
  type LogoPicture,
  logoPath,
  type Seller,
} from '#merchant/seller.ts';
import { LOGO_BYTES_MAX, redrawLogo } from '#pages/branding/redraw-logo.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  type CommandResult,
  onePositional,
  textOption,
  type Values,
  whoOf,
} from './command.ts';
import { readBoundedFile } from './command-files.ts';
import { chooseMerchant } from './merchant.ts';

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

const OPTION_NAMES = PAGE_SETTING_NAMES.map((name) => [name, optionName(name)] as const);

export const merchantPageSet: Command = {
  name: 'merchant page set',
  summary: 'change how the hosted pages of a merchant look and behave',
  usage: [
    `[--merchant ID] ${BY_USAGE}`,
    '  --shop-name TEXT             in large letters; the name of the merchant when unset',
    '  --contact TEXT               mail address or URL, offered when a payment is in trouble',
    '  --seller-info TEXT           your address, several lines',
    '  --display-seller-info yes|no',
    '  --display-buyer-info yes|no  the billing address of the customer',
    '  --primary-color #rrggbb      of buttons',
    '  --background-color #rrggbb   behind the cards',
    '  --colors LIST                of single things: light-text=#101010,dark-surface=#202020',
    `  --font NAME                  ${FONT_NAMES.join(', ')}`,
    '  --corner-radius N            of the corners of a card, in pixels: 0 to 24',
    '  --languages LIST             that customers may read: de,en; all when unset',
    '  --default-language CODE      one of these, when the browser wants none of them',
    '  --return-countdown-seconds N then a paid page returns by itself; 0: never',
    '  --embed-origins ORIGINS      who may frame the page: https://shop.example,...',
    '  --explorer-links yes|no      from transactions to a public explorer',
    '  --blocks LIST                the parts of a page in their order: pay,order,note',
    '  --asking JSON                what payers are asked first: asks, termsUrl, tipPercents, ...',
    '  --return-method GET|POST     how customers come back: POST is a signed form',
  ].join('\n'),
  options: {
    ...BY_OPTION,
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
    const act = { ...actOn(merchantId, values), verb: 'merchant-page-set' };
    const changed = doNoted(app, { ...act, details: given }, (within) =>
      changePageSettings(within, merchantId, change),
    );
    await changed.catch((error: unknown) => {
      throw asTyped(error);
    });
    return pageSettingsResult(await getSeller(app.db, merchantId));
  },
};

function actOn(merchantId: string, values: Values) {
  return { actor: whoOf(values), subject: `merchant:${merchantId}`, merchantId };
}

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
    throw asTyped(error);
  }
}

/** A setting is called as its option is. */
function asTyped(error: unknown): unknown {
  if (!(error instanceof Refusal) || !error.code.startsWith('page_')) return error;
  const faults = error.details.map((fault) =>
    fault.replace(/^\w+/, (name) => `--${optionName(name)}`),
  );
  return new Refusal(error.kind, error.code, faults);
}

export const merchantPageLogo = logoCommand({
  name: 'merchant page logo',
  summary: 'show a picture (PNG, JPEG or WebP) beside the name of a merchant',
  change: changeLogo,
});

export const merchantPageDarkLogo = logoCommand({
  name: 'merchant page dark-logo',
  summary: 'show another picture in the place of the logo where pages are dark',
  change: changeDarkLogo,
  details: { mode: 'dark' },
});

function logoCommand({
  name,
  summary,
  change,
  details,
}: Pick<Command, 'name' | 'summary'> & {
  readonly change: typeof changeLogo;
  readonly details?: Readonly<Record<string, string>>;
}): Command {
  return {
    ...{ name, summary, usage: `FILE [--merchant ID] ${BY_USAGE}` },
    options: { ...BY_OPTION, merchant: { type: 'string' } },
    async run(context, { positionals, values }) {
      const path = onePositional(positionals, 'the file');
      const drawings = await redrawLogo(await readBoundedFile(path, LOGO_BYTES_MAX, 'logo'));
      const app = await context.openApp();
      const merchantId = await chooseMerchant(app, values);
      const act = { ...actOn(merchantId, values), verb: 'merchant-page-logo' };
      await doNoted(app, { ...act, ...(details && { details }) }, (within) =>
        change(within, merchantId, drawings),
      );
      return pageSettingsResult(await getSeller(app.db, merchantId));
    },
  };
}

export const merchantPageFontFile: Command = {
  name: 'merchant page font-file',
  summary: 'set the pages of a merchant in a font of its own (WOFF2)',
  usage: `FILE [--weight ${FONT_WEIGHTS.join('|')}] [--merchant ID] ${BY_USAGE}`,
  options: { ...BY_OPTION, weight: { type: 'string' }, merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const path = onePositional(positionals, 'the file');
    const wished = textOption(values, 'weight') ?? 'regular';
    const weight = FONT_WEIGHTS.find((one) => one === wished);
    if (weight === undefined) {
      throw new Refusal('invalid', 'usage', [`--weight: one of ${FONT_WEIGHTS.join(', ')}`]);
    }
    const file = readFont(await readBoundedFile(path, FONT_BYTES_MAX, 'font_file'));
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const act = { ...actOn(merchantId, values), verb: 'merchant-page-font', details: { weight } };
    await doNoted(app, act, (within) => changeFont(within, merchantId, weight, file));
    return pageSettingsResult(await getSeller(app.db, merchantId));
  },
};

const NAMES = [
  ...PAGE_SETTING_NAMES.map(optionName),
  ...['logo', 'dark-logo', 'font-file', 'bold-font-file'],
];

export const merchantPageUnset: Command = {
  name: 'merchant page unset',
  summary: 'take settings of the hosted pages back to their defaults',
  usage: `NAME... [--merchant ID] ${BY_USAGE}\n  names: ${NAMES.join(', ')}`,
  options: { ...BY_OPTION, merchant: { type: 'string' } },
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
    const act = { ...actOn(merchantId, values), verb: 'merchant-page-unset' };
    await doNoted(app, { ...act, details: { names: positionals.join(' ') } }, async (within) => {
      await changePageSettings(within, merchantId, change);
      if (positionals.includes('logo')) await changeLogo(within, merchantId, []);
      if (positionals.includes('dark-logo')) await changeDarkLogo(within, merchantId, []);
      for (const weight of FONT_WEIGHTS) {
        const name = weight === 'bold' ? 'bold-font-file' : 'font-file';
        if (positionals.includes(name)) await changeFont(within, merchantId, weight, undefined);
      }
    });
    return pageSettingsResult(await getSeller(app.db, merchantId));
  },
};

const NAME_WIDTH = 26;

/** The settings as they are, in the words of `merchant page set`. */
function pageSettingsResult({ page, logo }: Seller): CommandResult {
  const rows = PAGE_SETTING_NAMES.map((name) => {
    const value = shownText(page, name);
    const isDefault = value === shownText(DEFAULT_PAGE_SETTINGS, name);
    return row(optionName(name), `${value || '-'}${isDefault ? '  (default)' : ''}`);
  });
  const isMissing = page.displaySellerInfo && page.sellerInfo === null;
  const { ownFonts = [], ...settings } = page;
  const files = FONT_WEIGHTS.map((weight) => {
    const file = ownFonts.find((one) => one.weight === weight);
    const name = weight === 'bold' ? 'bold-font-file' : 'font-file';
    return row(
      name,
      file === undefined ? '-  (default)' : `${fontPath(file.hash)}, ${file.bytes} bytes`,
    );
  });
  const pictures = [
    ...[row('logo', pictureText(logo)), row('dark-logo', pictureText(logo?.dark))],
    ...files,
  ];
  return {
    text: [...rows, ...pictures, ...(isMissing ? [SELLER_INFO_MISSING] : [])].join('\n'),
    json: {
      page: settings,
      fonts: ownFonts,
      logo: logo === undefined ? null : { ...logo, path: logoPath(logo.hash) },
    },
  };
}

/** What payers are asked is written as it is typed. */
function shownText(page: PageSettings, name: PageSettingName): string {
  const value = page[name];
  if (typeof value !== 'object' || value === null || 'length' in value) return settingText(value);
  return JSON.stringify(askingView(value));
}

function pictureText(picture: LogoPicture | undefined): string {
  return picture ? `${picture.width} x ${picture.height}  ${logoPath(picture.hash)}` : '-';
}

const SELLER_INFO_MISSING =
  'display-seller-info is on, but there is nothing to show: set it with --seller-info.';

/** As it is typed: shopName is --shop-name. */
function optionName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function row(name: string, text: string): string {
  return `${name.padEnd(NAME_WIDTH)}${text.replaceAll('\n', `\n${' '.repeat(NAME_WIDTH)}`)}`;
}

function settingText(value: string | number | boolean | readonly string[] | null): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? value.join(' ') : String(value);
}
