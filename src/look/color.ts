// Colours as numbers: contrast by WCAG 2.2, and OKLCH (Björn Ottosson, "A perceptual color space",
// 2020), in which lightness can be moved while the hue stays.

/** Red, green, blue, each 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

type Oklch = { readonly lightness: number; readonly chroma: number; readonly hue: number };

export const BLACK: Color = [0, 0, 0];
export const WHITE: Color = [255, 255, 255];

/** `#rrggbb` and nothing else. */
export function parseColor(text: string): Color | undefined {
  const digits = /^#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})$/.exec(text);
  if (digits === null) return undefined;
  const [red = 0, green = 0, blue = 0] = digits.slice(1).map((pair) => Number.parseInt(pair, 16));
  return [red, green, blue];
}

export function colorText(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance (WCAG 2.2, definitions). */
export function luminance(color: Color): number {
  const [red, green, blue] = eachOf(color, toLinear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio (WCAG 2.2, definitions): 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [lower = 0, higher = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (higher + 0.05) / (lower + 0.05);
}

/** The lowest contrast with any of the grounds. */
function leastContrast(color: Color, grounds: readonly Color[]): number {
  return Math.min(...grounds.map((ground) => contrast(color, ground)));
}

export function toOklch(color: Color): Oklch {
  const [red, green, blue] = eachOf(color, toLinear);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
}

/**
 * The nearest colour that a screen can show: the same lightness and hue, less colourful if need be.
 */
export function fromOklch({ lightness, chroma, hue }: Oklch): Color {
  if (lightness <= 0) return BLACK;
  if (lightness >= 1) return WHITE;
  let fits = 0;
  let exceeds = chroma;
  if (isShown(linearOf({ lightness, chroma, hue }))) fits = chroma;
  else {
    for (let step = 0; step < CHROMA_STEPS; step += 1) {
      const middle = (fits + exceeds) / 2;
      if (isShown(linearOf({ lightness, chroma: middle, hue }))) fits = middle;
      else exceeds = middle;
    }
  }
  return eachOf(linearOf({ lightness, chroma: fits, hue }), fromLinear);
}

const CHROMA_STEPS = 12;

function linearOf({ lightness, chroma, hue }: Oklch): [number, number, number] {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function eachOf(
  [red, green, blue]: readonly [number, number, number],
  act: (part: number) => number,
): [red: number, green: number, blue: number] {
  return [act(red), act(green), act(blue)];
}

/** Half a step of 255 is rounding, not another colour. */
const TOLERANCE = 0.0005;

function isShown(linear: readonly number[]): boolean {
  return linear.every((part) => part >= -TOLERANCE && part <= 1 + TOLERANCE);
}

function toLinear(part: number): number {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function fromLinear(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  const part = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(part * 255);
}

/** WCAG 2.2, 1.4.3: text; 1.4.11: what is not text but must be seen. */
export const TEXT_CONTRAST = 4.5;
export const SHAPE_CONTRAST = 3;

const STEPS = 100;

/**
 * The colour itself when its contrast with every ground is enough; else the nearest lighter or
 * darker one of the same hue. When none is, black or white, whichever is better: that is at least
 * 4.5 on a single ground, and on grounds that are all light or all dark.
 */
export function readableColor(color: Color, grounds: readonly Color[], ratio: number): Color {
  const isReadable = (candidate: Color) => leastContrast(candidate, grounds) >= ratio;
  if (isReadable(color)) return color;
  const { lightness, ...hue } = toOklch(color);
  for (let step = 1; step <= STEPS; step += 1) {
    const candidates = [lightness - step / STEPS, lightness + step / STEPS]
      .filter((moved) => moved > -1 / STEPS && moved < 1 + 1 / STEPS)
      .map((moved) => fromOklch({ ...hue, lightness: moved }))
      .filter(isReadable);
    const [first, second] = candidates;
    if (first === undefined) continue;
    const isFirst =
      second === undefined || leastContrast(first, grounds) >= leastContrast(second, grounds);
    return isFirst ? first : second;
  }
  return leastContrast(BLACK, grounds) >= leastContrast(WHITE, grounds) ? BLACK : WHITE;
}
