// The form of how pages look: what it has, what it says, and how that is read.

import { Refusal } from '#base/refusal.ts';
import { listColorFaults, ratioText } from '#look/list-color-faults.ts';
import { FONT_NAMES } from '#look/page-font.ts';
import { COLOR_ROLES, MODES, type Mode } from '#look/palette.ts';
import {
  CORNER_RADIUS_MAX,
  DEFAULT_PAGE_SETTINGS,
  type OwnPageSettings,
  PAGE_BLOCKS,
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
  const colors = COLOR_NAMES.flatMap((name) => {
    const text = form.get(name)?.trim() ?? '';
    return text === '' ? [] : [`${name}=${text}`];
  });
  const blocks = form.get('blocks')?.trim();
  const isUsual = cornerRadius === `${DEFAULT_PAGE_SETTINGS.cornerRadius}`;
  return {
    ...parsePageSettings({
      font: font ?? '',
      cornerRadius: cornerRadius ?? '',
      colors: colors.join(' '),
      ...(blocks !== undefined && { blocks }),
    }),
    ...(blocks === PAGE_BLOCKS.join(',') && { blocks: null }),
    ...(colors.length === 0 && { colors: null }),
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
export function lookValues(page: PageSettings): URLSearchParams {
  const { font, cornerRadius, colors, blocks } = page;
  const values = new URLSearchParams({ font, cornerRadius: `${cornerRadius}` });
  values.set('blocks', blocks.join(','));
  for (const color of colors) {
    const [name = '', value = ''] = color.split('=');
    values.set(name, value);
  }
  return values;
}

/** Every order of the parts, the usual one first. */
const ORDERS = PAGE_BLOCKS.flatMap((first) => {
  const [second, third] = PAGE_BLOCKS.filter((block) => block !== first);
  return second && third ? [[first, second, third] as const, [first, third, second] as const] : [];
});

const COLOR_NAMES = MODES.flatMap((mode) => COLOR_ROLES.map((role) => `${mode}-${role}` as const));

/** In one of both modes; empty: as we make it. */
function colorFields(visit: ShopVisit, mode: Mode, values: URLSearchParams): Html {
  const { look } = visit.language.texts.settings;
  const fields = COLOR_ROLES.map((role) =>
    textField({
      name: `${mode}-${role}`,
      label: look.roles[role],
      value: values.get(`${mode}-${role}`) ?? '',
      isRequired: false,
      maxLength: 7,
    }),
  );
  return html`<details${values.toString().includes(`${mode}-`) && html` open`}>
<summary>${look.colors}: ${look[mode]}</summary><div class="swatches">${fields}</div></details>`;
}

/** Each pair that cannot be read, in the language of whoever chose it. */
export function colorFaults(visit: ShopVisit, before: PageSettings, typed: URLSearchParams): Html {
  const { look } = visit.language.texts.settings;
  const faults = listColorFaults({ ...before, ...readKnownLook(typed) });
  return html`<ul class="warning">${faults.map((fault) => {
    const pair = `${look.roles[fault.role]} (${look[fault.mode]})`;
    const ground = `${look.grounds[fault.ground]} ${fault.groundColor}`;
    const said = look.unreadable(
      `${pair} ${fault.color}`,
      ground,
      ratioText(fault.ratio),
      `${fault.least}`,
    );
    return html`<li>${said} ${fault.near === undefined ? look.nothingNear : look.near(fault.near)}</li>`;
  })}</ul>`;
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
      name: 'blocks',
      label: look.order,
      value: value('blocks'),
      options: ORDERS.map((order) => [
        order.join(','),
        order.map((block) => look.blocks[block]).join(' · '),
      ]),
    }),
    html`<p class="hint">${look.colorsHint}</p>`,
    ...MODES.map((mode) => colorFields(visit, mode, values)),
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
