// The colours of a merchant as variables of page.css, for light and for dark. Guarantees: text and
// focus have a contrast of 4.5 with whatever they stand on, edges of buttons 3, whatever colours
// were chosen; the text made here holds nothing but names of variables and `#rrggbb`.
//
// A button has the colour as given, in both modes; what must be read on a card or on the ground is
// the same hue, lighter or darker. The ground is as given in light mode, and darkened in dark mode.
import { assert } from '#base/assert.ts';
import { fontStack } from '#look/page-font.ts';
import { DEFAULT_PAGE_SETTINGS, type PageSettings } from '#merchant/page-settings.ts';
import { type Html, trustedMarkup } from '#pages/html.ts';
import {
  BLACK,
  type Color,
  colorText,
  contrast,
  fromOklch,
  parseColor,
  readableColor,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
  toOklch,
  WHITE,
} from './color.ts';

export type ThemeChoice = Pick<PageSettings, 'primaryColor' | 'backgroundColor'> &
  Partial<Pick<PageSettings, 'font' | 'cornerRadius'>>;

/** What page.css has without a brand: text and accents on a card, and everything behind them. */
type Sheet = {
  readonly ground: Color;
  readonly card: Color;
  /** Everything else that text stands on inside a card. */
  readonly fields: readonly Color[];
  readonly ink: Color;
  readonly soft: Color;
  readonly accent: Color;
};

export const MODES = ['light', 'dark'] as const;
export type Mode = (typeof MODES)[number];

const color = (text: string): Color => {
  const parsed = parseColor(text);
  assert(parsed !== undefined, `${text} is a colour`);
  return parsed;
};

export const SHEETS: Readonly<Record<Mode, Sheet>> = {
  light: {
    ground: color('#f5f4f0'),
    card: color('#ffffff'),
    fields: [color('#f1f0eb'), color('#fff3dc')],
    ink: color('#1d2327'),
    soft: color('#545d64'),
    accent: color('#0f6b63'),
  },
  dark: {
    ground: color('#13171a'),
    card: color('#1c2226'),
    fields: [color('#262e33'), color('#3a2b12')],
    ink: color('#eef0ee'),
    soft: color('#a9b3b6'),
    accent: color('#6ad3c4'),
  },
};

/** A background lighter than this is not a dark one. */
const DARK_GROUND_LIGHTNESS = 0.24;

type Palette = {
  readonly ground: Color;
  readonly groundInk: Color;
  readonly groundSoft: Color;
  readonly groundAccent: Color;
  /** Under a logo that would vanish on the ground; else the ground itself. */
  readonly underDark: Color;
  readonly underLight: Color;
  readonly accent: Color;
  readonly fill: Color;
  readonly onFill: Color;
  readonly edge: Color;
};

export function paletteOf(choice: ThemeChoice, mode: Mode): Palette {
  const sheet = SHEETS[mode];
  const primary = chosen(choice.primaryColor) ?? sheet.accent;
  const ground = groundOf(chosen(choice.backgroundColor), mode);
  // On a dark background the colours of text are those of dark mode, also in light mode.
  const onGround = SHEETS[contrast(ground, BLACK) >= contrast(ground, WHITE) ? 'light' : 'dark'];
  const inCard = [sheet.card, ...sheet.fields];
  return {
    ground,
    groundInk: readableColor(onGround.ink, [ground], TEXT_CONTRAST),
    groundSoft: readableColor(onGround.soft, [ground], TEXT_CONTRAST),
    groundAccent: readableColor(primary, [ground], TEXT_CONTRAST),
    underDark: contrast(ground, SHEETS.light.ink) >= SHAPE_CONTRAST ? ground : WHITE,
    underLight: contrast(ground, WHITE) >= SHAPE_CONTRAST ? ground : SHEETS.dark.card,
    accent: readableColor(primary, inCard, TEXT_CONTRAST),
    fill: primary,
    onFill: readableColor(onPrimary(primary), [primary], TEXT_CONTRAST),
    edge: readableColor(primary, inCard, SHAPE_CONTRAST),
  };
}

/** Of titles on paper, which is white; undefined when no colour was chosen. */
export function paperAccent({ primaryColor }: Pick<ThemeChoice, 'primaryColor'>) {
  const primary = chosen(primaryColor);
  return primary && colorText(readableColor(primary, [WHITE], TEXT_CONTRAST));
}

/** Undefined when nothing was chosen: what the stylesheet says stands. */
export function themeText(choice: ThemeChoice): Html | undefined {
  const { primaryColor, backgroundColor, font, cornerRadius } = choice;
  const key = `${primaryColor} ${backgroundColor} ${font} ${cornerRadius}`;
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
function shapeText({ font = 'system', cornerRadius }: ThemeChoice): string {
  const { cornerRadius: usual } = DEFAULT_PAGE_SETTINGS;
  const radius = Number.isInteger(cornerRadius) ? cornerRadius : usual;
  const variables = [
    ...(font === 'system' ? [] : [`--font:${fontStack(font)}`]),
    ...(radius === usual ? [] : [`--radius:${radius}px`]),
  ];
  return variables.length === 0 ? '' : `:root{${variables.join(';')}}`;
}

function colorsText(choice: ThemeChoice): string {
  const isChosen = chosen(choice.primaryColor) ?? chosen(choice.backgroundColor);
  if (isChosen === undefined) return '';
  const dark = `@media (prefers-color-scheme:dark){${modeText(choice, 'dark')}}`;
  // Paper stays white.
  return `@media screen{${modeText(choice, 'light')}${dark}}`;
}

/** What stands on the ground of the page and brings a ground of its own. */
const ON_CARD = '.card,.sandbox,.skip,.strip,.notice,.warning';

function modeText(choice: ThemeChoice, mode: Mode): string {
  const palette = paletteOf(choice, mode);
  const { ink, soft } = SHEETS[mode];
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
  const onCard = { ink, soft, accent: palette.accent };
  return `body{${variables(onGround)}}${ON_CARD}{${variables(onCard)}}`;
}

function variables(colors: Readonly<Record<string, Color>>): string {
  return Object.entries(colors)
    .map(([name, value]) => `--${name}:${colorText(value)}`)
    .join(';');
}

function chosen(text: string | null): Color | undefined {
  return text === null ? undefined : parseColor(text);
}

function groundOf(background: Color | undefined, mode: Mode): Color {
  if (background === undefined) return SHEETS[mode].ground;
  const { lightness, ...hue } = toOklch(background);
  if (mode === 'light' || lightness <= DARK_GROUND_LIGHTNESS) return background;
  return fromOklch({ ...hue, lightness: DARK_GROUND_LIGHTNESS });
}

/** Begins with white, as brands do, unless the colour is light. */
function onPrimary(primary: Color): Color {
  const { lightness, ...hue } = toOklch(primary);
  return lightness > 0.7
    ? fromOklch({ ...hue, chroma: hue.chroma / 4, lightness: 0.2 })
    : [255, 255, 255];
}
