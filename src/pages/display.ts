// Amounts, prices and times as a reader of a language writes them. What is copied is not among
// them: it stays in the one notation that every wallet reads. A moment on a page is UTC as the
// server writes it; the script of the page puts it into the zone of the reader and names that zone.

import { type Asset, FIAT_ISSUER, getAsset, shownAsset } from '#catalog/asset.ts';
import { findCurrency, getCurrency } from '#catalog/currency.ts';
import type { LanguageCode } from '#catalog/language.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import {
  type Decimal,
  decimalFromUnits,
  decimalToText,
  divideToScale,
  parseDecimal,
} from '#money/decimal.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import { type Html, html } from './html.ts';

/** A quantity and a price have 18 each: their product is shown whole. */
const FRACTION_DIGITS_MAX = 36;

/** All digits that count: nothing is rounded for display. */
export function moneyText(amount: Decimal, code: string, language: LanguageCode): string {
  const currency = findCurrency(code);
  const decimals = currency?.decimals ?? 0;
  const isFiat = currency?.type === 'FIAT';
  // There is one euro, also where its code is more usual; a bare $ could be that of anybody.
  const currencyDisplay = code === 'EUR' ? 'narrowSymbol' : 'symbol';
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: isFiat ? decimals : 0,
    maximumFractionDigits: FRACTION_DIGITS_MAX,
    ...(isFiat ? { style: 'currency', currency: code, currencyDisplay } : {}),
  });
  const text = inFormat(format, amount);
  return isFiat ? text : unturned(`${text}\u00a0${code}`, language);
}

/** Figures first, then the code, as wallets write it, in a line from right to left too. */
function unturned(text: string, language: LanguageCode): string {
  return directionOf(language) === 'rtl' ? `\u2066${text}\u2069` : text;
}

export function numberText(amount: Decimal, language: LanguageCode): string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: FRACTION_DIGITS_MAX });
  return inFormat(format, amount);
}

/** Money of states is called as Unicode (CLDR) calls it in the language, a coin as everywhere. */
export function assetName(asset: Asset, language: LanguageCode): string {
  if (asset.assetIssuer !== FIAT_ISSUER) return asset.name;
  const names = new Intl.DisplayNames(language, { type: 'currency' });
  return names.of(asset.assetCode) ?? asset.name;
}

/** Given as text: a number would be a float. */
function inFormat(format: Intl.NumberFormat, amount: Decimal): string {
  return format.format(decimalToText(amount) as `${number}`);
}

/** 0.0825 is 8.25 percent. */
export function percentText(fraction: Decimal, language: LanguageCode): string {
  const format = new Intl.NumberFormat(language, {
    style: 'percent',
    maximumFractionDigits: FRACTION_DIGITS_MAX,
  });
  return inFormat(format, fraction);
}

export function minutesText(minutes: number, language: LanguageCode): string {
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'minute',
    unitDisplay: 'long',
  });
  return format.format(minutes);
}

/** 5–20 minutes. */
export function minutesRangeText(least: number, most: number, language: LanguageCode): string {
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'minute',
    unitDisplay: 'long',
  });
  return format.formatRange(least, most);
}

export function momentText(instant: Temporal.Instant, language: LanguageCode): string {
  const text = instant.toLocaleString(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${text} UTC`;
}

/** A day as ISO 8601 writes it. */
export function dayText(day: string, language: LanguageCode): string {
  return Temporal.PlainDate.from(day).toLocaleString(language, { dateStyle: 'long' });
}

/** The time of day alone: what it belongs to is not long ago. */
function clockText(instant: Temporal.Instant, language: LanguageCode): string {
  return `${instant.toLocaleString(language, { timeStyle: 'short', timeZone: 'UTC' })} UTC`;
}

/** How long it is over, in its largest unit: 3 days ago. */
export function agoText(
  at: Temporal.Instant,
  now: Temporal.Instant,
  language: LanguageCode,
): string {
  const minutes = Math.max(Math.floor(now.since(at).total('minutes')), 0);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  if (minutes < 60) return format.format(-minutes, 'minute');
  if (minutes < 48 * 60) return format.format(-Math.floor(minutes / 60), 'hour');
  return format.format(-Math.floor(minutes / (24 * 60)), 'day');
}

/** Of the script that the language is written in. */
export function directionOf(language: LanguageCode): 'ltr' | 'rtl' {
  return new Intl.Locale(language).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
}

type Language = Pick<PageLanguage, 'code'>;

export function assetText(
  network: string,
  assetId: string,
  units: bigint,
  { code }: Language,
): string {
  const { assetCode, decimals } = shownAsset(network, assetId);
  return unturned(`${numberText(decimalFromUnits(units, decimals), code)}\u00a0${assetCode}`, code);
}

/** `amount`: with a dot, as it is stored and sent. */
export function amountIn(amount: string, assetCode: string, { code }: Language): string {
  return unturned(`${numberText(parseDecimal(amount), code)}\u00a0${assetCode}`, code);
}

export function coinPriceText(
  { total, billingCurrency }: Pick<CheckoutRecord, 'total' | 'billingCurrency'>,
  { assetId, units }: { readonly assetId: string; readonly units: bigint },
  { code }: Pick<PageLanguage, 'code'>,
): string {
  const coins = decimalFromUnits(units, getAsset(assetId).decimals);
  const [whole = ''] = decimalToText(coins).split('.');
  const scale = getCurrency(billingCurrency).decimals + whole.length;
  return moneyText(divideToScale(total, coins, scale, 'half-even'), billingCurrency, code);
}

export function momentTime(at: Temporal.Instant, code: LanguageCode): Html {
  return html`<time datetime="${at.toString()}" data-look="moment">${momentText(at, code)}</time>`;
}

/** The time of day alone: what it belongs to is not long ago. */
export function clockTime(at: Temporal.Instant, code: LanguageCode): Html {
  return html`<time datetime="${at.toString()}" data-look="clock">${clockText(at, code)}</time>`;
}
