// The frame of every page of the dashboard: where one is, where one can go, which shop, and whether
// real money moves here.

import type { Environment } from '#catalog/chain.ts';
import { DASHBOARD_LANGUAGES } from '#catalog/language.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { DASHBOARD_SCRIPT, DASHBOARD_STYLESHEET, POS_SCRIPT } from '#pages/page-assets.ts';
import type { Page } from '#pages/send-page.ts';
import { mayAct, type StaffAct, type StaffRole } from '#staff/role.ts';
import { formOf } from './controls.ts';
import type { Visit } from './visit.ts';

/** The shop that is looked at, and as whom. */
export type Place = {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly environment: Environment;
  readonly role: StaffRole;
  /** Others of the same person. */
  readonly shops: readonly { readonly merchantId: string; readonly name: string }[];
};

/** One that is a link in the frame. `asks`: what a role has to be allowed. */
type Room = {
  readonly key:
    | 'today'
    | 'checkouts'
    | 'customers'
    | 'sell'
    | 'links'
    | 'pos'
    | 'invoices'
    | 'money'
    | 'reports'
    | 'webhooks'
    | 'requests'
    | 'keys'
    | 'chains'
    | 'addresses'
    | 'settings'
    | 'people'
    | 'trail';
  readonly path: string;
  readonly asks: StaffAct;
  /** There is nothing of the kind with real money. */
  readonly isTest?: boolean;
};

/** Where everybody comes in. */
export const HOME_PATH = '/today';

const ROOMS: readonly Room[] = [
  { key: 'today', path: '/today', asks: 'see-sales' },
  { key: 'checkouts', path: '/checkouts', asks: 'see-sales' },
  { key: 'sell', path: '/sell', asks: 'sell' },
  { key: 'invoices', path: '/invoices', asks: 'see-sales' },
  { key: 'customers', path: '/customers', asks: 'see-sales' },
  { key: 'links', path: '/links', asks: 'see-sales' },
  { key: 'pos', path: '/pos', asks: 'sell' },
  { key: 'money', path: '/money', asks: 'see-money' },
  { key: 'reports', path: '/reports', asks: 'report' },
  { key: 'webhooks', path: '/webhooks', asks: 'see-development' },
  { key: 'requests', path: '/requests', asks: 'see-development' },
  { key: 'keys', path: '/keys', asks: 'develop' },
  { key: 'chains', path: '/chains', asks: 'see-development', isTest: true },
  { key: 'addresses', path: '/addresses', asks: 'see-development' },
  { key: 'settings', path: '/settings', asks: 'settings' },
  { key: 'people', path: '/people', asks: 'people' },
  { key: 'trail', path: '/trail', asks: 'see-trail' },
];

type RoomKey = Room['key'];

/** Of whoever runs the installation: of no shop. */
const OPERATOR_ROOMS = [
  'overview',
  'networks',
  'treasury',
  'merchants',
  'parked',
  'mail',
  'trail',
  'software',
] as const;
export type OperatorRoomKey = (typeof OPERATOR_ROOMS)[number];

export function operatorPath(room: OperatorRoomKey): string {
  return room === 'overview' ? '/dashboard/operator' : `/dashboard/operator/${room}`;
}

type Shown = {
  readonly visit: Visit;
  readonly title: string;
  readonly body: Html | readonly Html[];
  readonly status?: number | undefined;
  readonly place?: Place | undefined;
  readonly room?: RoomKey | 'security' | 'my-mails' | undefined;
  readonly operatorRoom?: OperatorRoomKey | undefined;
  /** Without JavaScript the page asks again after so many seconds. */
  readonly refreshSeconds?: number | undefined;
  /** Without the rooms, where a customer looks at the screen too. */
  readonly isBare?: boolean;
};

export function roomPath({ merchantId, environment }: Place, path: string): string {
  return `/dashboard/shop/${merchantId}/${environment}${path}`;
}

export function dashboardPage(shown: Shown): Page {
  const { visit, title, body, status, place, room, refreshSeconds } = shown;
  const { texts, code } = visit.language;
  const isTest = place?.environment === 'test';
  // In kiosk mode nothing leads away from the point of sale.
  const isBare = shown.isBare === true || visit.who?.session.kiosk !== undefined;
  return {
    language: code,
    title,
    ...(status !== undefined && { status }),
    stylesheets: [DASHBOARD_STYLESHEET.path],
    scripts: [DASHBOARD_SCRIPT.path, ...(room === 'pos' ? [POS_SCRIPT.path] : [])],
    refreshSeconds,
    body: html`<a class="skip" href="#main">${texts.shell.skip}</a>
${isTest && html`<aside class="strip">${texts.shell.testHint}</aside>`}
<div class="dashboard${isTest && ' test'}${visit.who === undefined && ' alone'}${isBare && ' kiosk'}">
${frameTop(visit, place, isBare)}
${visit.who !== undefined && !isBare && roomLinks(shown)}
<main id="main" data-state="dashboard">
<h1 id="title">${title}</h1>
${body}
</main>
</div>
${languageForm(visit)}
${visit.who !== undefined && !isBare && keyboard(visit, place)}`,
  };
}

function frameTop(visit: Visit, place: Place | undefined, isBare: boolean): Html {
  const { texts } = visit.language;
  return html`<header class="top"><a class="brand" href="/dashboard">${
    place === undefined ? 'Quittance' : foreignText(place.merchantName)
  }</a>
${
  visit.who !== undefined &&
  !isBare &&
  html`<p class="me">${foreignText(visit.who.person.name)}</p>
${formOf(visit, '/dashboard/sign-out', html`<button class="quiet" id="sign-out">${texts.shell.signOut}</button>`)}`
}
</header>`;
}

function roomLinks({ visit, place, room, operatorRoom }: Shown): Html {
  const { texts } = visit.language;
  const link = (href: string, key: RoomKey | 'security' | 'my-mails', label: string) =>
    html`<li><a href="${href}"${key === room && html` aria-current="page"`}>${label}</a></li>`;
  const own = place === undefined ? [] : ROOMS.filter((one) => isShown(one, place));
  return html`<nav class="rooms" aria-label="${texts.shell.rooms}">
${place !== undefined && modes(visit, place, room)}
<details class="fold"><summary>${texts.shell.rooms}</summary>
<ul>${own.map(({ key, path }) => place && link(roomPath(place, path), key, roomName(visit, key)))}
${link('/dashboard/mails', 'my-mails', texts.myMails.title)}
${link('/dashboard/security', 'security', texts.shell.security)}</ul>
${
  place !== undefined &&
  place.shops.length > 1 &&
  html`<h2 class="label">${texts.shell.shop}</h2><ul>${place.shops.map(
    ({ merchantId, name }) =>
      html`<li><a href="${roomPath({ ...place, merchantId }, HOME_PATH)}"${
        merchantId === place.merchantId && html` aria-current="true"`
      }>${foreignText(name)}</a></li>`,
  )}</ul>`
}${visit.who?.person.isOperator === true && operatorLinks(visit, operatorRoom)}</details></nav>`;
}

function isShown({ asks, isTest = false }: Room, { role, environment }: Place): boolean {
  return mayAct(role, asks) && (!isTest || environment === 'test');
}

/** One link from elsewhere, and all of them there. */
function operatorLinks({ language: { texts } }: Visit, room: OperatorRoomKey | undefined): Html {
  const { title, rooms } = texts.operator;
  const link = (key: OperatorRoomKey, label: string) =>
    html`<li><a href="${operatorPath(key)}"${key === room && html` aria-current="page"`}>${label}</a></li>`;
  if (room === undefined) return html`<ul>${link('overview', title)}</ul>`;
  return html`<h2 class="label">${title}</h2><ul>${OPERATOR_ROOMS.map((key) => link(key, rooms[key]))}</ul>`;
}

/** Rooms whose name stands with their other texts. */
const OWN_TEXTS = ['sell', 'links', 'pos', 'invoices', 'customers', 'chains', 'trail'] as const;
type OwnTexts = (typeof OWN_TEXTS)[number];

function hasOwnTexts(key: RoomKey): key is OwnTexts {
  return OWN_TEXTS.some((one) => one === key);
}

function roomName({ language: { texts } }: Visit, key: RoomKey): string {
  return hasOwnTexts(key) ? texts[key].title : texts.shell[key];
}

/** Real money or not: the same room in both. */
function modes({ language: { texts } }: Visit, place: Place, room: Shown['room']): Html {
  const here = ROOMS.find(({ key }) => key === room);
  const path = here === undefined || here.isTest === true ? HOME_PATH : here.path;
  const mode = (environment: Environment, label: string) =>
    html`<a href="${roomPath({ ...place, environment }, path)}"${
      environment === place.environment && html` aria-current="true"`
    }>${label}</a>`;
  return html`<p class="toggle">${mode('live', texts.shell.live)}${mode('test', texts.shell.test)}</p>`;
}

function languageForm(visit: Visit): Html {
  const options = DASHBOARD_LANGUAGES.map(
    ({ languageCode, name }) =>
      html`<button class="quiet" name="language" value="${languageCode}" lang="${languageCode}"${
        languageCode === visit.language.code && html` aria-current="true"`
      }>${name}</button>`,
  );
  return html`<footer class="foot">${formOf(visit, '/dashboard/language', [
    html`<input type="hidden" name="to" value="${visit.path}">`,
    ...options,
  ])}</footer>`;
}

/** Shown by the script alone, which hears the keys; whoever types by voice switches them off. */
function keyboard({ language: { texts } }: Visit, place: Place | undefined): Html {
  const { title, search, help, on, close } = texts.keyboard;
  const elsewhere = place && `${roomPath(place, '/checkouts')}#find`;
  const key = (sign: string, what: string) =>
    html`<div><dt><kbd>${sign}</kbd></dt><dd>${what}</dd></div>`;
  return html`<div class="foot" data-keys="${elsewhere ?? ''}" hidden>
<button type="button" class="quiet" id="keyboard-open">${title}</button>
<dialog id="keyboard" class="card" aria-labelledby="keyboard-title"><h2 id="keyboard-title">${title}</h2>
<dl class="lines">${key('/', search)}${key('?', help)}</dl>
<p class="check"><input type="checkbox" id="keyboard-on" checked><label for="keyboard-on">${on}</label></p>
<form method="dialog"><button class="button" id="keyboard-close">${close}</button></form></dialog></div>`;
}
