// The views that a page is looked at in once it is open: loading it costs more than a look, and what
// the server sends is the same for all of them.
import type { Page } from 'playwright-core';

const WIDTHS = [320, 1280];
const COLOR_SCHEMES = ['light', 'dark'] as const;

/**
 * A phone and a desktop, each in light and dark. `view` says which it is. `turn`: two of them, one of
 * each width and one of each scheme; the next turn has the other two.
 */
export async function eachView(
  page: Page,
  look: (view: string, width: number) => Promise<void>,
  turn?: number,
): Promise<void> {
  for (const [row, width] of WIDTHS.entries()) {
    await page.setViewportSize({ width, height: 800 });
    for (const [column, colorScheme] of COLOR_SCHEMES.entries()) {
      if (turn !== undefined && (row + column + turn) % 2 === 1) continue;
      await page.emulateMedia({ colorScheme });
      await look(`${width} ${colorScheme}`, width);
    }
  }
}
