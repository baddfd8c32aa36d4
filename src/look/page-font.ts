// The fonts that a page of a merchant may be set in: families that are on the payer's device, from
// the first that is there. Nothing is loaded for them.

/** Lists of families as CSS writes them (CSS Fonts 4, 2.1): constants, never what was typed. */
const STACKS = {
  system: 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif',
  humanist:
    'Optima,Candara,"Gill Sans Nova","Gill Sans",Calibri,Ubuntu,"Noto Sans",system-ui,sans-serif',
  rounded:
    'ui-rounded,"SF Pro Rounded","Arial Rounded MT Bold",Quicksand,Nunito,system-ui,sans-serif',
  serif: 'Charter,"Iowan Old Style","Palatino Linotype",Cambria,Georgia,"Noto Serif",serif',
  mono: 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Noto Sans Mono",monospace',
} as const;

export type FontName = keyof typeof STACKS;

export const FONT_NAMES = Object.keys(STACKS) as readonly FontName[];

export function isFontName(text: string): text is FontName {
  return Object.hasOwn(STACKS, text);
}

export function fontStack(name: FontName): string {
  return STACKS[name];
}
