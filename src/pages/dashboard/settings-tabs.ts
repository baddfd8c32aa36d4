// The rooms of the settings of a shop, and the links between them.

import { type Html, html } from '#pages/html.ts';
import type { ShopVisit } from './guard.ts';
import { roomPath } from './shell.ts';

const TABS = [
  ['pages', '/settings'],
  ['look', '/settings/look'],
  ['words', '/settings/words'],
  ['asking', '/settings/asking'],
  ['payments', '/settings/payments'],
  ['domains', '/settings/domains'],
  ['mails', '/settings/mails'],
  ['export', '/settings/export'],
] as const;

export function settingsTabs({ language, place }: ShopVisit, here: (typeof TABS)[number][0]): Html {
  const { settings, mails } = language.texts;
  const labels = {
    ...settings,
    look: settings.look.title,
    words: settings.pageWords.title,
    asking: settings.asking.title,
    mails: mails.title,
  };
  return html`<nav class="rooms" aria-label="${settings.title}"><ul class="tabs">${TABS.map(
    ([key, path]) =>
      html`<li><a href="${roomPath(place, path)}"${key === here && html` aria-current="page"`}>${labels[key]}</a></li>`,
  )}</ul></nav>`;
}
