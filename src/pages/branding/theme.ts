// The look of a merchant as variables of page.css, for light and for dark. Guarantees: the text
// made here holds nothing but names of variables, `#rrggbb`, numbers, lists of fonts of ours, and
// hashes.

import {
  type Color,
  colorText,
  parseColor,
  readableColor,
  TEXT_CONTRAST,
  WHITE,
} from '#look/color.ts';
import { fontStack } from '#look/page-font.ts';
import { type ColorChoice, type Mode, paletteOf } from '#look/palette.ts';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import { fontPath, type ShownPage } from '#merchant/seller.ts';
import { type Html, trustedMarkup } from '#pages/html.ts';

export type ThemeChoice = ColorChoice &
  Partial<Pick<ShownPage, 'font' | 'cornerRadius' | 'ownFonts'>>;

/** Of titles on paper, which is white; undefined when no colour was chosen. */
export function paperAccent({ primaryColor }: Pick<ThemeChoice, 'primaryColor'>) {
  const primary = primaryColor === null ? undefined : parseColor(primaryColor);
  return primary && colorText(readableColor(primary, [WHITE], TEXT_CONTRAST));
}

/** Undefined when nothing was chosen: what the stylesheet says stands. */
export function themeText(choice: ThemeChoice): Html | undefined {
  const { primaryColor, backgroundColor, font, cornerRadius, colors = [], ownFonts = [] } = choice;
  const fonts = ownFonts.map(({ hash, weight }) => `${weight}${hash}`);
  const key = `${primaryColor} ${backgroundColor} ${font} ${cornerRadius} ${colors} ${fonts}`;
  const known = themes.get(key);
  if (known !== undefined) return known;
  const markup = shapeText(choice) + colorsText(choice);
  if (markup === '') return undefined;
  const text = trustedMarkup(markup);
  if (themes.size >= THEMES_MOST) themes.clear();
  themes.set(key, text);
  return text;
}

const THEMES_MOST = 1000;
const themes = new Map<string, Html>();

/** Of screen and paper. */
function shapeText({ font = 'system', cornerRadius, ownFonts = [] }: ThemeChoice): string {
  const { cornerRadius: usual } = DEFAULT_PAGE_SETTINGS;
  const radius = Number.isInteger(cornerRadius) ? cornerRadius : usual;
  const variables = [
    ...(ownFonts.length > 0
      ? [`--font:${OWN_FONT},${fontStack(font)}`]
      : font === 'system'
        ? []
        : [`--font:${fontStack(font)}`]),
    ...(radius === usual ? [] : [`--radius:${radius}px`]),
  ];
  const faces = ownFonts.map((one) => faceText(one)).join('');
  return variables.length === 0 ? '' : `${faces}:root{${variables.join(';')}}`;
}

/** The family of a font that a merchant brought, whatever it calls itself. */
const OWN_FONT = 'own-font';

/** Text is read in another font until it is there. */
function faceText({ hash, weight, isVariable }: NonNullable<ThemeChoice['ownFonts']>[number]) {
  const weights = isVariable ? '100 900' : weight === 'bold' ? '700' : '400';
  const source = `url(${fontPath(hash)}) format("woff2")`;
  return `@font-face{font-family:${OWN_FONT};src:${source};font-weight:${weights};font-display:swap}`;
}

function colorsText(choice: ThemeChoice): string {
  const isChosen = [choice.primaryColor, choice.backgroundColor].some(
    (text) => text !== null && parseColor(text) !== undefined,
  );
  if (!isChosen && !choice.colors?.length) return '';
  const dark = `@media (prefers-color-scheme:dark){${modeText(choice, 'dark')}}`;
  // Paper stays white.
  return `@media screen{${modeText(choice, 'light')}${dark}}`;
}

/** What stands on the ground of the page and brings a ground of its own. */
const ON_CARD = '.card,.sandbox,.skip,.strip,.notice,.warning';

function modeText(choice: ThemeChoice, mode: Mode): string {
  const palette = paletteOf(choice, mode);
  const onGround = {
    ground: palette.ground,
    ink: palette.groundInk,
    soft: palette.groundSoft,
    accent: palette.groundAccent,
    'under-dark': palette.underDark,
    'under-light': palette.underLight,
    fill: palette.fill,
    'on-fill': palette.onFill,
    edge: palette.edge,
  };
  const { ink, soft, accent } = palette;
  const onCard = { ink, soft, accent };
  const own = choice.colors?.length ? `:root{${variables(surfaceOf(palette))}}` : '';
  return `${own}body{${variables(onGround)}}${ON_CARD}{${variables(onCard)}}`;
}

/** Said only where a merchant has colours of its own: the sheet has the others. */
function surfaceOf(palette: ReturnType<typeof paletteOf>) {
  const { card, line, warn, good, bad, fields } = palette;
  const [field = card, warnGround = field] = fields;
  return { card, field, line, warn, 'warn-ground': warnGround, good, bad };
}

function variables(colors: Readonly<Record<string, Color>>): string {
  return Object.entries(colors)
    .map(([name, value]) => `--${name}:${colorText(value)}`)
    .join(';');
}
