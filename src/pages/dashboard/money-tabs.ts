// The rooms of what is done with money, and the links between them. Everybody who may see money
// sees them; what moves it has a link for whoever may.

import { type Html, html } from '#pages/html.ts';
import { mayAct, type StaffAct } from '#staff/role.ts';
import type { ShopVisit } from './guard.ts';
import { roomPath } from './shell.ts';

const TABS = [
  ['balances', '/money', 'see-money'],
  ['send', '/money/send', 'move-money'],
  ['swap', '/money/swap', 'move-money'],
  ['beneficiaries', '/money/beneficiaries', 'see-money'],
  ['approvals', '/money/approvals', 'see-money'],
  ['rules', '/money/rules', 'see-money'],
  ['suspense', '/money/suspense', 'see-money'],
] as const satisfies readonly (readonly [key: string, path: string, asks: StaffAct])[];

type MoneyTab = (typeof TABS)[number][0];

export function moneyTabs({ language, place }: ShopVisit, here: MoneyTab): Html {
  const { money, moneyActs } = language.texts;
  const shown = TABS.filter(([, , asks]) => mayAct(place.role, asks));
  return html`<nav class="rooms" aria-label="${money.title}"><ul class="tabs">${shown.map(
    ([key, path]) =>
      html`<li><a href="${roomPath(place, path)}"${key === here && html` aria-current="page"`}>${moneyActs.tabs[key]}</a></li>`,
  )}</ul></nav>`;
}
