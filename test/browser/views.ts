// The views that a page is looked at in once it is open: loading it costs more than a look, and what
// the server sends is the same for all of them.
import type { Page } from 'playwright-core';

const WIDTHS = [320, 1280];
const COLOR_SCHEMES = ['light', 'dark'] as const;
const VIEWS = WIDTHS.length * COLOR_SCHEMES.length;

/**
 * A phone and a desktop, each in light and dark. `view` says which it is. `turn`: one of the four, and
 * the next turn has the next one.
 */
export async function eachView(
  page: Page,
  look: (view: string, width: number) => Promise<void>,
  turn?: number,
): Promise<void> {
  for (const [row, width] of WIDTHS.entries()) {
    for (const [column, colorScheme] of COLOR_SCHEMES.entries()) {
      if (turn !== undefined && turn % VIEWS !== row * COLOR_SCHEMES.length + column) continue;
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await look(`${width} ${colorScheme}`, width);
    }
  }
}
