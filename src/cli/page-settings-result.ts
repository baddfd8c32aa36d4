import { DEFAULT_PAGE_SETTINGS, PAGE_SETTING_NAMES } from '#account/page-settings.ts';
import type { Seller } from '#account/seller.ts';
import { logoPath } from '#pages/page-header.ts';
import type { CommandResult } from './command.ts';

const NAME_WIDTH = 26;

/** The settings as they are, in the words of `merchant page set`. */
export function pageSettingsResult({ page, logo }: Seller): CommandResult {
  const rows = PAGE_SETTING_NAMES.map((name) => {
    const value = settingText(page[name]);
    const isDefault = value === settingText(DEFAULT_PAGE_SETTINGS[name]);
    return row(optionName(name), `${value || '-'}${isDefault ? '  (default)' : ''}`);
  });
  const isMissing = page.displaySellerInfo && page.sellerInfo === null;
  const logoText = logo && `${logo.width} x ${logo.height}  ${logoPath(logo.hash)}`;
  return {
    text: [...rows, row('logo', logoText ?? '-'), ...(isMissing ? [SELLER_INFO_MISSING] : [])].join(
      '\n',
    ),
    json: {
      page,
      logo: logo === undefined ? null : { ...logo, path: logoPath(logo.hash) },
    },
  };
}

const SELLER_INFO_MISSING =
  'display-seller-info is on, but there is nothing to show: set it with --seller-info.';

/** As it is typed: shopName is --shop-name. */
export function optionName(name: string): string {
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
