// Moves the lightness of a colour, as little as possible, until it can be read.
import { BLACK, type Color, fromOklch, leastContrast, toOklch, WHITE } from './color.ts';

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
