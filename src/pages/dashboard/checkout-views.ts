// Saved views of the search of checkouts: kept, opened, renamed and removed, by each for himself,
// and for the whole shop by whoever may change its settings.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import {
  listViews,
  removeView,
  renameView,
  type SavedView,
  saveView,
  VIEW_NAME_MAX,
  type ViewOwner,
} from '#desk/saved-view.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { mayAct } from '#staff/role.ts';
import { button, checkField, faultNote, formOf, quietButton, rows, textField } from './controls.ts';
import { onceField, orderOnce } from './form-once.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { ownerOf } from './money-words.ts';
import { type AskedCheckouts, askedQuery, readAsked } from './search-checkouts.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/checkout-views';
const ROOM = '/checkout-views';

export function checkoutViewsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'see-sales', (visit) => sendViews(app, visit)),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'see-sales', (visit) => change(app, context, visit)),
  );
  return routes;
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const read = (name: string) => form.get(name) ?? '';
  const [id, name, asked] = [read('view'), read('name'), askedQuery(readAsked(form))];
  const isSaved = read('act') === 'save';
  try {
    const owner = ownerOfViews(visit, read('shop') === 'yes');
    if (isSaved) {
      await orderOnce(app, visit, form, (within) =>
        noted(within, visit, owner, 'saved-view-add', async (inAct) => {
          return (await saveView(inAct, owner, { name, asked })).id;
        }),
      );
    } else if (read('act') === 'remove') {
      await noted(app, visit, owner, 'saved-view-remove', async (within) => {
        await removeView(within, owner, id);
        return id;
      });
    } else {
      await noted(app, visit, owner, 'saved-view-rename', async (within) => {
        await renameView(within, owner, { id, name });
        return id;
      });
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendViews(app, visit, error);
  }
  return sendSeeOther(roomPath(visit.place, isSaved ? `/checkouts?${asked}` : ROOM));
}

/** @throws Refusal forbidden `view_of_shop` */
function ownerOfViews({ place, who }: ShopVisit, isOfShop: boolean): ViewOwner {
  if (isOfShop && !mayAct(place.role, 'settings')) {
    throw new Refusal('forbidden', 'view_of_shop', 'the role changes no views of the shop');
  }
  return { ...ownerOf(place), personId: isOfShop ? undefined : who.person.id };
}

/** What everybody of the shop sees is in the trail; what one keeps for himself is his affair. */
function noted(
  app: PageApp,
  { actor, place }: ShopVisit,
  { personId }: ViewOwner,
  verb: string,
  work: (within: PageApp) => Promise<string>,
): Promise<string> {
  if (personId !== undefined) return work(app);
  const act = { ...ownerOf(place), actor, verb };
  return doNoted(app, { ...act, subject: (id: string) => `saved-view:${id.slice(0, 12)}` }, work);
}

async function sendViews(app: PageApp, visit: ShopVisit, refusal?: Refusal): Promise<Response> {
  const { place, language, who } = visit;
  const { views: texts, shell } = language.texts;
  const views = await listViews(app.db, place, who.person.id);
  const listed = views.map((view) => ({
    what: viewItem(visit, view),
    acts: viewActs(visit, view),
  }));
  const body = html`${faultNote(refusal && faultText(visit, refusal))}
<section class="card"><p class="hint">${texts.hint}</p>
${listed.length === 0 ? html`<p>${texts.none}</p>` : rows(listed)}
<p class="ways"><a class="quiet" href="${roomPath(place, '/checkouts')}">${shell.back}</a></p></section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const { title } = texts;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'checkouts' }));
}

function faultText({ language }: ShopVisit, { code }: Refusal): string {
  const { views: texts, moneyActs, faults } = language.texts;
  const known: Readonly<Record<string, string>> = {
    view_name: texts.nameFault,
    view_name_taken: texts.taken,
    views_too_many: texts.most,
    view_of_shop: texts.notOfShop,
    form_used: moneyActs.faults.formUsed,
    form_token: moneyActs.faults.formUsed,
  };
  return known[code] ?? faults.gone;
}

function viewItem({ place, language }: ShopVisit, { name, asked, personId }: SavedView): Html {
  const { views: texts } = language.texts;
  return html`<a class="line" href="${roomPath(place, `/checkouts?${asked}`)}"><strong>${foreignText(name)}</strong>
<span class="hint">${personId === undefined ? texts.ofShop : texts.own}</span></a>`;
}

/** Nothing for those of the shop where the role changes none. */
function viewActs(visit: ShopVisit, { id, name, personId }: SavedView): Html | undefined {
  const { place, language } = visit;
  const { views: texts, shell } = language.texts;
  const isOfShop = personId === undefined;
  if (isOfShop && !mayAct(place.role, 'settings')) return undefined;
  const fieldId = `name-${id}`;
  return formOf(
    visit,
    roomPath(place, ROOM),
    html`<input type="hidden" name="view" value="${id}">
${isOfShop && html`<input type="hidden" name="shop" value="yes">`}
<label class="visually-hidden" for="${fieldId}">${texts.name}</label>
<input id="${fieldId}" name="name" value="${name}" maxlength="${VIEW_NAME_MAX}" autocomplete="off">
${quietButton(texts.rename, 'act', 'rename')}${quietButton(shell.remove, 'act', 'remove')}`,
  );
}

/** Above the search: each view by its name, the one that is shown marked. */
export async function viewTabs(
  app: PageApp,
  { place, who, language }: ShopVisit,
  asked: AskedCheckouts,
): Promise<Html | undefined> {
  const { views: texts, checkouts } = language.texts;
  const views = await listViews(app.db, place, who.person.id);
  if (views.length === 0) return undefined;
  const here = askedQuery(asked);
  const link = (query: string, label: Html | string) =>
    html`<li><a href="${roomPath(place, `/checkouts${query === '' ? '' : `?${query}`}`)}"${
      query === here && html` aria-current="page"`
    }>${label}</a></li>`;
  return html`<nav class="rooms" id="saved" aria-label="${texts.title}"><ul class="tabs">${link('', checkouts.all)}${views.map(
    ({ asked: query, name }) => link(query, foreignText(name)),
  )}<li><a href="${roomPath(place, ROOM)}">${texts.manage}</a></li></ul></nav>`;
}

/** Keeps what is asked for; nothing where nothing is. */
export function saveViewForm(
  app: PageApp,
  visit: ShopVisit,
  asked: AskedCheckouts,
): Html | undefined {
  const { place, language } = visit;
  const { views: texts } = language.texts;
  if (askedQuery(asked) === '') return undefined;
  const hidden = Object.entries(asked).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const field = { name: 'name', id: 'view-name', label: texts.name, maxLength: VIEW_NAME_MAX };
  return html`<details id="save-view"><summary>${texts.save}</summary>${formOf(
    visit,
    roomPath(place, ROOM),
    [
      onceField(app),
      html`<input type="hidden" name="act" value="save">${hidden}`,
      textField(field),
      html`${
        mayAct(place.role, 'settings') &&
        checkField({ name: 'shop', label: texts.forShop, isOn: false })
      }`,
      button(texts.keep, 'keep-view'),
    ],
  )}</details>`;
}
