// Which colour everything on a page of a merchant has, in light and in dark mode, from what the
// merchant chose. Guarantees: what it did not choose can be read on whatever it chose: text and
// focus with a contrast of 4.5, edges of buttons with 3 (WCAG 2.2). What it chose stays as it is:
// whether that can be read is said by list-color-faults.ts before it is kept.
//
// A button has the colour as given, in both modes; what must be read on a card or on the ground is
// the same hue, lighter or darker. The ground is as given in light mode, and darkened in dark mode.

import { assert } from '#base/assert.ts';
import {
  BLACK,
  type Color,
  contrast,
  fromOklch,
  parseColor,
  readableColor,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
  toOklch,
  WHITE,
} from './color.ts';

/** What a merchant may give a colour of its own, each for light and for dark mode. */
export const COLOR_ROLES = [
  'background',
  'surface',
  'text',
  'muted',
  'accent',
  'accent-text',
  'border',
  'success',
  'warning',
  'error',
] as const;
export type ColorRole = (typeof COLOR_ROLES)[number];

/** As it is written and kept: `dark-surface=#1c2226`. */
export type OwnColor = `${Mode}-${ColorRole}=#${string}`;

export type ColorChoice = {
  /** `#rrggbb` */
  readonly primaryColor: string | null;
  readonly backgroundColor: string | null;
  readonly colors?: readonly OwnColor[] | undefined;
};

/** What page.css has without a brand: text and accents on a card, and everything behind them. */
type Sheet = {
  readonly ground: Color;
  readonly card: Color;
  /** Everything else that text stands on inside a card. */
  readonly fields: readonly Color[];
  readonly ink: Color;
  readonly soft: Color;
  readonly accent: Color;
  readonly line: Color;
  readonly warn: Color;
  readonly good: Color;
  readonly bad: Color;
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
    line: color('#dcdad3'),
    warn: color('#7a4100'),
    good: color('#17663a'),
    bad: color('#a3262b'),
  },
  dark: {
    ground: color('#13171a'),
    card: color('#1c2226'),
    fields: [color('#262e33'), color('#3a2b12')],
    ink: color('#eef0ee'),
    soft: color('#a9b3b6'),
    accent: color('#6ad3c4'),
    line: color('#353d42'),
    warn: color('#ffd591'),
    good: color('#7ddba3'),
    bad: color('#ff9d9d'),
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
  readonly card: Color;
  /** Everything else that text stands on inside a card. */
  readonly fields: readonly Color[];
  readonly ink: Color;
  readonly soft: Color;
  readonly accent: Color;
  readonly fill: Color;
  readonly onFill: Color;
  readonly edge: Color;
  readonly line: Color;
  readonly warn: Color;
  readonly good: Color;
  readonly bad: Color;
};

export function paletteOf(choice: ColorChoice, mode: Mode): Palette {
  const own = ownColorsOf(choice, mode);
  const primary = own.accent ?? chosen(choice.primaryColor) ?? SHEETS[mode].accent;
  return { ...groundColors(choice, mode, primary), ...cardColors(own, mode, primary) };
}

function groundColors(choice: ColorChoice, mode: Mode, primary: Color) {
  const own = ownColorsOf(choice, mode);
  const ground = own.background ?? groundOf(chosen(choice.backgroundColor), mode);
  // On a dark background the colours of text are those of dark mode, also in light mode.
  const onGround = SHEETS[nearestMode(ground)];
  const readable = (color: Color) => readableColor(color, [ground], TEXT_CONTRAST);
  return {
    ground,
    groundInk: own.text ?? readable(onGround.ink),
    groundSoft: own.muted ?? readable(onGround.soft),
    groundAccent: own.accent ?? readable(primary),
    underDark: contrast(ground, SHEETS.light.ink) >= SHAPE_CONTRAST ? ground : WHITE,
    underLight: contrast(ground, WHITE) >= SHAPE_CONTRAST ? ground : SHEETS.dark.card,
  };
}

function cardColors(own: OwnColors, mode: Mode, primary: Color) {
  const { surface } = own;
  const sheet = SHEETS[surface === undefined ? mode : nearestMode(surface)];
  const card = surface ?? sheet.card;
  const fields = surface === undefined ? sheet.fields : [fieldOn(surface)];
  const readable = (color: Color, ratio = TEXT_CONTRAST) =>
    readableColor(color, [card, ...fields], ratio);
  return {
    card,
    fields,
    ink: own.text ?? readable(sheet.ink),
    soft: own.muted ?? readable(sheet.soft),
    accent: own.accent ?? readable(primary),
    fill: primary,
    onFill: own['accent-text'] ?? readableColor(onPrimary(primary), [primary], TEXT_CONTRAST),
    edge: own.accent ?? readable(primary, SHAPE_CONTRAST),
    line: own.border ?? sheet.line,
    warn: own.warning ?? readable(sheet.warn),
    good: own.success ?? readable(sheet.good),
    bad: own.error ?? readable(sheet.bad),
  };
}

type OwnColors = Partial<Readonly<Record<ColorRole, Color>>>;

/** Those of one mode; nothing but colours, whatever is kept. */
export function ownColorsOf({ colors = [] }: Pick<ColorChoice, 'colors'>, mode: Mode): OwnColors {
  const found: Partial<Record<ColorRole, Color>> = {};
  for (const role of COLOR_ROLES) {
    const name = `${mode}-${role}=`;
    const text = colors.find((color) => color.startsWith(name))?.slice(name.length);
    const color = text === undefined ? undefined : parseColor(text);
    if (color !== undefined) found[role] = color;
  }
  return found;
}

function nearestMode(ground: Color): Mode {
  return contrast(ground, BLACK) >= contrast(ground, WHITE) ? 'light' : 'dark';
}

/** A little apart from the card that it stands on, to the side on which its text can be read. */
function fieldOn(surface: Color): Color {
  const { lightness, ...hue } = toOklch(surface);
  const step = nearestMode(surface) === 'light' ? 0.03 : -0.03;
  const isAtEnd = lightness > 0.9 || lightness < 0.2;
  return fromOklch({ ...hue, lightness: lightness + (isAtEnd ? -step : step) });
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
