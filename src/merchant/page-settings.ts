// What a merchant may set for its hosted pages, and how each is read from text. Settings of a
// request win over these, these over the defaults.

import { type PayerAsking, RETURN_METHODS, type ReturnMethod, readAsking } from '#ask/ask.ts';
import { Refusal } from '#base/refusal.ts';
import { codePointLength, hasLoneSurrogate, hasNul, isEmail } from '#base/text.ts';
import {
  FALLBACK_LANGUAGE,
  isLanguageCode,
  LANGUAGES,
  type LanguageCode,
} from '#catalog/language.ts';
import { colorFaultText, listColorFaults } from '#look/list-color-faults.ts';
import { FONT_NAMES, type FontName, isFontName } from '#look/page-font.ts';
import { COLOR_ROLES, MODES, type OwnColor } from '#look/palette.ts';

export type PageSettings = {
  /** Null: the name of the merchant is shown. */
  readonly shopName: string | null;
  /** The merchant's own mail address, several lines. */
  readonly sellerInfo: string | null;
  readonly displayBuyerInfo: boolean;
  readonly displaySellerInfo: boolean;
  /** A mail address, or an http(s) address. */
  readonly contact: string | null;
  /** `#rrggbb` in lower case. */
  readonly primaryColor: string | null;
  readonly backgroundColor: string | null;
  /** Of single things on a page, for light and for dark: readable on what they stand on. */
  readonly colors: readonly OwnColor[];
  readonly font: FontName;
  /** Of a card, in pixels; all other corners follow it. */
  readonly cornerRadius: number;
  /** Those that its pages are offered in: one at least. */
  readonly languages: readonly LanguageCode[];
  /** One of these: of pages in `auto` when the browser wants none of them. */
  readonly defaultLanguage: LanguageCode;
  /** 0: nobody is sent back by itself. */
  readonly returnCountdownSeconds: number;
  /** As a browser writes an origin: nothing in them ends a directive or a header. */
  readonly embedOrigins: readonly string[];
  readonly explorerLinks: boolean;
  /** In which order the parts of a page come, for eyes and ears alike: each of them once. */
  readonly blocks: readonly PageBlock[];
  /** What payers are asked, unless a checkout or a link says otherwise. */
  readonly asking: PayerAsking | null;
  /** How customers come back to the shop. */
  readonly returnMethod: ReturnMethod;
};

/** What is to be done; what is bought and what it costs; the terms of the shop, in its words. */
export const PAGE_BLOCKS = ['pay', 'order', 'note'] as const;
export type PageBlock = (typeof PAGE_BLOCKS)[number];

export type PageSettingName = keyof PageSettings;

/** Null: not set, as the default says. */
export type OwnPageSettings = { readonly [Name in PageSettingName]: PageSettings[Name] | null };

export const DEFAULT_PAGE_SETTINGS: PageSettings = {
  shopName: null,
  sellerInfo: null,
  displayBuyerInfo: false,
  displaySellerInfo: false,
  contact: null,
  primaryColor: null,
  backgroundColor: null,
  colors: [],
  font: 'system',
  cornerRadius: 16,
  languages: LANGUAGES.map(({ languageCode }) => languageCode),
  defaultLanguage: FALLBACK_LANGUAGE,
  returnCountdownSeconds: 10,
  embedOrigins: [],
  explorerLinks: true,
  blocks: PAGE_BLOCKS,
  asking: null,
  returnMethod: 'GET',
};

export const PAGE_SETTING_NAMES = Object.keys(DEFAULT_PAGE_SETTINGS) as readonly PageSettingName[];

export function withPageDefaults(own: Partial<OwnPageSettings>): PageSettings {
  const given = Object.entries(own).filter(([, value]) => value !== null);
  const settings: PageSettings = { ...DEFAULT_PAGE_SETTINGS, ...Object.fromEntries(given) };
  const { languages, defaultLanguage } = settings;
  const [first = FALLBACK_LANGUAGE] = languages;
  return languages.includes(defaultLanguage) ? settings : { ...settings, defaultLanguage: first };
}

/**
 * @throws Refusal `invalid` `page_languages`, `page_colors` where what is set does not go together.
 */
export function checkTogether(own: Partial<OwnPageSettings>): void {
  const { languages, defaultLanguage, primaryColor = null, backgroundColor = null } = own;
  const faults = listColorFaults({ primaryColor, backgroundColor, colors: own.colors ?? [] });
  if (faults.length > 0) throw new Refusal('invalid', 'page_colors', faults.map(colorFaultText));
  if (!languages || !defaultLanguage || languages.includes(defaultLanguage)) return;
  const fault = `defaultLanguage: must be one of those that are offered: ${languages.join(', ')}`;
  throw new Refusal('invalid', 'page_languages', [fault]);
}

const SHOP_NAME_MAX = 200;
const SELLER_INFO_MAX = 1000;
const URL_MAX = 2048;
const COUNTDOWN_SECONDS_MAX = 300;
export const CORNER_RADIUS_MAX = 24;

/** A value, or the fault as words that follow the name. */
type Reading<Value> = { readonly value: Value } | { readonly fault: string };

const READERS: {
  readonly [Name in PageSettingName]: (text: string) => Reading<PageSettings[Name]>;
} = {
  shopName: (text) => readText(text, SHOP_NAME_MAX),
  sellerInfo: (text) => readText(text, SELLER_INFO_MAX),
  displayBuyerInfo: readChoice,
  displaySellerInfo: readChoice,
  contact: readContact,
  primaryColor: readColor,
  backgroundColor: readColor,
  colors: readColors,
  font: readFont,
  cornerRadius: readRadius,
  languages: readLanguages,
  defaultLanguage: readLanguage,
  returnCountdownSeconds: readCountdown,
  embedOrigins: parseEmbedOrigins,
  explorerLinks: readChoice,
  blocks: readBlocks,
  asking: readAsking,
  returnMethod: readReturnMethod,
};

/** @throws Refusal `invalid` that names every setting that cannot be read, and why. */
export function parsePageSettings(
  given: Partial<Readonly<Record<PageSettingName, string>>>,
): Partial<OwnPageSettings> {
  const readings = PAGE_SETTING_NAMES.flatMap((name) => {
    const text = given[name];
    return text === undefined ? [] : [{ name, reading: READERS[name](text) }];
  });
  const faults = readings.flatMap(({ name, reading }) =>
    'fault' in reading ? [`${name}: ${reading.fault}`] : [],
  );
  if (faults.length > 0) throw new Refusal('invalid', 'page_settings', faults);
  return Object.fromEntries(
    readings.flatMap(({ name, reading }) => ('value' in reading ? [[name, reading.value]] : [])),
  );
}

function readText(text: string, lengthMax: number): Reading<string> {
  const length = codePointLength(text);
  if (text.trim() === '' || length > lengthMax)
    return { fault: `must be 1 to ${lengthMax} characters` };
  if (hasNul(text) || hasLoneSurrogate(text)) return { fault: 'must be well-formed text' };
  return { value: text };
}

function readChoice(text: string): Reading<boolean> {
  if (text === 'yes' || text === 'no') return { value: text === 'yes' };
  return { fault: 'must be yes or no' };
}

function readContact(text: string): Reading<string> {
  if (isEmail(text)) return { value: text };
  const url = /[\s\\\p{Cc}]/u.test(text) || text.length > URL_MAX ? null : URL.parse(text);
  const isWeb = /^https?:\/\//i.test(text) && url?.username === '' && url.password === '';
  if (url === null || !isWeb || url.href.length > URL_MAX) {
    return { fault: 'must be a mail address, or an http or https address without credentials' };
  }
  return { value: url.href };
}

function readColor(text: string): Reading<string> {
  if (/^#[0-9a-fA-F]{6}$/.test(text)) return { value: text.toLowerCase() };
  return { fault: 'must be a colour written as #rrggbb, such as #0f6b63' };
}

/** Separated by commas or spaces; in one order, whatever they are given in. Empty is none. */
function readColors(text: string): Reading<readonly OwnColor[]> {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const names: string[] = MODES.flatMap((mode) => COLOR_ROLES.map((role) => `${mode}-${role}`));
  const given = parts.map((part) => part.toLowerCase().split('='));
  const wrong = parts.filter((_, index) => {
    const [name = '', color = '', ...more] = given[index] ?? [];
    return !names.includes(name) || !/^#[0-9a-f]{6}$/.test(color) || more.length > 0;
  });
  if (wrong.length > 0) {
    const of = `light- or dark- and one of ${COLOR_ROLES.join(', ')}`;
    return { fault: `must be such as light-accent=#0f6b63 (${of}): ${wrong.join(' ')}` };
  }
  if (new Set(given.map(([name]) => name)).size < given.length) {
    return { fault: 'must have each name once' };
  }
  const colors = new Map(given.map(([name = '', color = '']) => [name, color]));
  const set = names.filter((name) => colors.has(name));
  return { value: set.map((name) => `${name}=${colors.get(name)}` as OwnColor) };
}

function readFont(text: string): Reading<FontName> {
  return isFontName(text) ? { value: text } : { fault: `must be one of ${FONT_NAMES.join(', ')}` };
}

function readRadius(text: string): Reading<number> {
  const pixels = /^\d{1,2}$/.test(text) ? Number.parseInt(text, 10) : -1;
  if (pixels >= 0 && pixels <= CORNER_RADIUS_MAX) return { value: pixels };
  return { fault: `must be whole pixels from 0 to ${CORNER_RADIUS_MAX}` };
}

function readLanguage(text: string): Reading<LanguageCode> {
  if (isLanguageCode(text)) return { value: text };
  return {
    fault: `must be one of ${LANGUAGES.map(({ languageCode }) => languageCode).join(', ')}`,
  };
}

/** Separated by commas or spaces; in the order of the catalogue, each once. */
function readLanguages(text: string): Reading<readonly LanguageCode[]> {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const codes = LANGUAGES.map(({ languageCode }) => languageCode);
  if (parts.length > 0 && parts.every(isLanguageCode)) {
    return { value: codes.filter((code) => parts.includes(code)) };
  }
  return { fault: `must be one or more of ${codes.join(', ')}` };
}

/** Separated by commas or spaces. */
function readBlocks(text: string): Reading<readonly PageBlock[]> {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const blocks = PAGE_BLOCKS.filter((block) => parts.includes(block));
  const isEach = blocks.length === PAGE_BLOCKS.length && parts.length === blocks.length;
  if (isEach) return { value: parts as PageBlock[] };
  return { fault: `must be each of ${PAGE_BLOCKS.join(', ')} once, in the order you want` };
}

function readReturnMethod(text: string): Reading<ReturnMethod> {
  const method = RETURN_METHODS.find((one) => one === text);
  return method === undefined ? { fault: 'must be GET or POST' } : { value: method };
}

function readCountdown(text: string): Reading<number> {
  const seconds = /^\d{1,3}$/.test(text) ? Number.parseInt(text, 10) : -1;
  if (seconds >= 0 && seconds <= COUNTDOWN_SECONDS_MAX) return { value: seconds };
  return { fault: `must be whole seconds from 0 (never) to ${COUNTDOWN_SECONDS_MAX}` };
}

// Which pages may show a checkout in a frame (H2). Guarantees: what is returned is an exact origin
// as browsers compare it, without wildcard, and without any character that could end a directive
// of a Content-Security-Policy or be markup.
export const EMBED_ORIGINS_MOST = 20;
/** A `;` or `,` is allowed in the host of a URL, and not in a header. */
const SAFE_HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;
const LOOPBACK_HOST = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Separated by commas or spaces; empty is none. */
export function parseEmbedOrigins(
  text: string,
): { readonly value: readonly string[] } | { readonly fault: string } {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const origins = parts.map((part) => parseEmbedOrigin(part));
  const wrong = parts.filter((_, index) => origins[index] === undefined);
  if (wrong.length > 0) {
    const fault = `must be origins such as https://shop.example (https, or http on this machine; no path, no wildcard): ${wrong.join(' ')}`;
    return { fault };
  }
  const value = [...new Set(origins.filter((origin) => origin !== undefined))];
  return value.length > EMBED_ORIGINS_MOST
    ? { fault: `must be at most ${EMBED_ORIGINS_MOST}` }
    : { value };
}

/** Undefined for what is no exact origin of https, or of http on this machine. */
export function parseEmbedOrigin(text: string): string | undefined {
  if (!/^https?:\/\/[^/\\?#@*\s]+\/?$/i.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || !SAFE_HOST.test(url.hostname)) return undefined;
  const isAllowed = url.protocol === 'https:' || LOOPBACK_HOST.test(url.hostname);
  return isAllowed ? url.origin : undefined;
}
