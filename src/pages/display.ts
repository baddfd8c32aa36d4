// Numbers and times as a reader of a language writes them. What is copied is not among them: it
// stays in the one notation that every wallet reads.

import { findCurrency } from '#catalog/currency.ts';
import type { LanguageCode } from '#catalog/language.ts';
import { type Decimal, decimalToText } from '#money/decimal.ts';

/** A quantity and a price have 18 each: their product is shown whole. */
const fractionDigitsMax = 36;

/** All digits that count: nothing is rounded for display. */
export function moneyText(amount: Decimal, code: string, language: LanguageCode): string {
  const currency = findCurrency(code);
  const decimals = currency?.decimals ?? 0;
  const isFiat = currency?.type === 'FIAT';
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: isFiat ? decimals : 0,
    maximumFractionDigits: fractionDigitsMax,
    ...(isFiat ? { style: 'currency', currency: code, currencyDisplay: 'symbol' } : {}),
  });
  // Given as text: a number would be a float.
  const text = format.format(decimalToText(amount) as `${number}`);
  return isFiat ? text : `${text}\u00a0${code}`;
}

export function numberText(amount: Decimal, language: LanguageCode): string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: fractionDigitsMax });
  return format.format(decimalToText(amount) as `${number}`);
}

/** 0.0825 is 8.25 percent. */
export function percentText(fraction: Decimal, language: LanguageCode): string {
  const format = new Intl.NumberFormat(language, {
    style: 'percent',
    maximumFractionDigits: fractionDigitsMax,
  });
  return format.format(decimalToText(fraction) as `${number}`);
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

/** The time of day alone: what it belongs to is not long ago. */
export function clockText(instant: Temporal.Instant, language: LanguageCode): string {
  return `${instant.toLocaleString(language, { timeStyle: 'short', timeZone: 'UTC' })} UTC`;
}

/** Of the script that the language is written in. */
export function directionOf(language: LanguageCode): 'ltr' | 'rtl' {
  return new Intl.Locale(language).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
}
