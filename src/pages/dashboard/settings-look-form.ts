// The form of how pages look: what it has, what it says, and how that is read.

import { Refusal } from '#base/refusal.ts';
import { FONT_NAMES } from '#look/page-font.ts';
import {
  CORNER_RADIUS_MAX,
  DEFAULT_PAGE_SETTINGS,
  type OwnPageSettings,
  type PageSettings,
  parsePageSettings,
} from '#merchant/page-settings.ts';
import { type Html, html } from '#pages/html.ts';
import { button, formOf, selectField, textField } from './controls.ts';
import type { ShopVisit } from './guard.ts';
import { roomPath } from './shell.ts';

/** Samples that a preview shows (sample-states.ts). */
export const SHOWN_PAGES = ['pay', 'choose', 'paid'] as const;

/** @throws Refusal invalid `page_settings` */
export function readLookForm(form: URLSearchParams): Partial<OwnPageSettings> {
  const [font, cornerRadius] = ['font', 'cornerRadius'].map((name) => form.get(name)?.trim() ?? '');
  const isUsual = cornerRadius === `${DEFAULT_PAGE_SETTINGS.cornerRadius}`;
  return {
    ...parsePageSettings({ font: font ?? '', cornerRadius: cornerRadius ?? '' }),
    ...(font === DEFAULT_PAGE_SETTINGS.font && { font: null }),
    ...(isUsual && { cornerRadius: null }),
  };
}

/** While somebody types there may be what cannot be taken: the page is as it is stored then. */
export function readKnownLook(typed: URLSearchParams): Partial<PageSettings> {
  try {
    const set = Object.entries(readLookForm(typed)).map(([name, value]) => [
      name,
      value ?? DEFAULT_PAGE_SETTINGS[name as keyof PageSettings],
    ]);
    return Object.fromEntries(set);
  } catch (error) {
    if (error instanceof Refusal) return {};
    throw error;
  }
}

/** As the form would send them. */
export function lookValues({ font, cornerRadius }: PageSettings): URLSearchParams {
  return new URLSearchParams({ font, cornerRadius: `${cornerRadius}` });
}

export function lookForm(visit: ShopVisit, values: URLSearchParams): Html {
  const { settings, shell } = visit.language.texts;
  const { look } = settings;
  const value = (name: string) => values.get(name) ?? '';
  const form = [
    selectField({
      name: 'font',
      label: look.font,
      value: value('font'),
      options: FONT_NAMES.map((name) => [name, look.fonts[name]]),
    }),
    textField({
      name: 'cornerRadius',
      label: look.cornerRadius,
      hint: look.cornerRadiusHint(`${CORNER_RADIUS_MAX}`),
      value: value('cornerRadius'),
      inputmode: 'numeric',
      maxLength: 2,
    }),
    selectField({
      name: 'shown',
      label: look.shown,
      value: value('shown'),
      options: SHOWN_PAGES.map((name) => [name, look.pages[name]]),
    }),
    button(shell.save, 'save'),
  ];
  return formOf(visit, roomPath(visit.place, '/settings/look'), form, html` id="style"`);
}
