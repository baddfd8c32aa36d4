// From which addresses the API may be called with keys of the shop, and from which money may be
// sent out: two lists, each of its own (access/allow-list.ts).

import { type Context, Hono } from 'hono';
import {
  ALLOW_LIST_USES,
  type AllowLists,
  type AllowListUse,
  allowAddress,
  allowAnyCaller,
  forbidAddress,
  listAllowedAddresses,
} from '#access/allow-list.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { mayAct } from '#staff/role.ts';
import { button, doneNote, faultNote, formOf, quietButton, rows, textField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { refusalText } from './invitation.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/addresses';
/** An IPv6 range at its longest. */
const ADDRESS_MOST = 49;

type Shown = {
  readonly refusal?: Refusal | undefined;
  readonly given?: string | undefined;
  readonly isDone?: boolean;
};

export function addressesRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'see-development', (visit) =>
      sendAddresses(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'develop', (visit) => change(app, context, visit)),
  );
  return routes;
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const given = (form.get('address') ?? '').trim();
  try {
    await carryOut(app, visit, form.get('act') ?? '', readUse(form), given);
    return sendSeeOther(`${roomPath(visit.place, '/addresses')}?done=1`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendAddresses(app, visit, { refusal: error, given });
  }
}

function readUse(form: URLSearchParams): AllowListUse {
  return ALLOW_LIST_USES.find((use) => use === form.get('use')) ?? 'calls';
}

async function carryOut(
  app: PageApp,
  visit: ShopVisit,
  act: string,
  use: AllowListUse,
  address: string,
): Promise<void> {
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  if (!mayChange(visit, use)) {
    throw new Refusal('forbidden', 'addresses_of_owner', 'an owner says from where money leaves');
  }
  const who = { actor, merchantId, environment, subject: `merchant:${merchantId}` };
  if (act === 'any') {
    await doNoted(app, { ...who, verb: 'allow-list-any' }, (within) =>
      allowAnyCaller(within, place),
    );
    return;
  }
  const isAdded = act === 'add';
  if (!isAdded && act !== 'remove') return;
  const verb = isAdded ? 'allow-list-add' : 'allow-list-remove';
  await doNoted(app, { ...who, verb, details: { for: use, address } }, (within) =>
    isAdded
      ? allowAddress(within, place, { use, address })
      : forbidAddress(within, place, { use, address }),
  );
}

/** From where real money may leave is for whoever may send it out. */
function mayChange({ place: { role, environment } }: ShopVisit, use: AllowListUse): boolean {
  if (!mayAct(role, 'develop')) return false;
  return use === 'calls' || environment === 'test' || mayAct(role, 'move-money');
}

async function sendAddresses(
  app: PageApp,
  visit: ShopVisit,
  { refusal, given, isDone }: Shown,
): Promise<Response> {
  const { place, language } = visit;
  const { texts } = language;
  const lists = await listAllowedAddresses(app.db, place);
  const body = html`${faultNote(refusal && refusalText(texts, refusal))}
${doneNote(isDone === true ? texts.shell.done : undefined)}
${callsCard(visit, lists)}${withdrawalsCard(visit, lists)}${addCard(visit, given)}`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const title = texts.addresses.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'addresses' }));
}

function callsCard(visit: ShopVisit, { calls }: AllowLists): Html {
  const { addresses } = visit.language.texts;
  const anyForm =
    calls !== undefined &&
    mayChange(visit, 'calls') &&
    formOf(
      visit,
      roomPath(visit.place, '/addresses'),
      html`<p class="ways">${quietButton(addresses.letAny, 'act', 'any')}</p>`,
    );
  return html`<section class="card" id="calls"><h2>${addresses.calls}</h2>
<p class="hint">${addresses.callsHint}</p>
${
  calls === undefined
    ? html`<p>${addresses.callsAny}</p>`
    : calls.length === 0
      ? html`<p class="warning">${addresses.callsNone}</p>`
      : listed(visit, 'calls', calls)
}${anyForm}</section>`;
}

function withdrawalsCard(visit: ShopVisit, { withdrawals }: AllowLists): Html {
  const { addresses } = visit.language.texts;
  return html`<section class="card" id="withdrawals"><h2>${addresses.withdrawals}</h2>
<p class="hint">${addresses.withdrawalsHint}</p>
${
  withdrawals.length === 0
    ? html`<p>${addresses.withdrawalsNone}</p>`
    : listed(visit, 'withdrawals', withdrawals)
}${!mayChange(visit, 'withdrawals') && html`<p class="hint">${addresses.ownerOnly}</p>`}</section>`;
}

function listed(visit: ShopVisit, use: AllowListUse, ranges: readonly string[]): Html {
  const { shell } = visit.language.texts;
  return rows(
    ranges.map((range) => ({
      what: html`<code>${range}</code>`,
      acts: mayChange(visit, use)
        ? formOf(
            visit,
            roomPath(visit.place, '/addresses'),
            html`<input type="hidden" name="use" value="${use}">
<input type="hidden" name="address" value="${range}">${quietButton(shell.remove, 'act', 'remove')}`,
          )
        : undefined,
    })),
  );
}

function addCard(visit: ShopVisit, given: string | undefined): Html | undefined {
  const { addresses } = visit.language.texts;
  const uses = ALLOW_LIST_USES.filter((use) => mayChange(visit, use));
  if (uses.length === 0) return undefined;
  const option = (use: AllowListUse) => html`<option value="${use}">${addresses[use]}</option>`;
  return html`<section class="card"><h2>${addresses.create}</h2>
${formOf(visit, roomPath(visit.place, '/addresses'), [
  html`<input type="hidden" name="act" value="add">`,
  textField({
    name: 'address',
    label: addresses.address,
    value: given,
    hint: addresses.addressHint,
    maxLength: ADDRESS_MOST,
  }),
  html`<p class="field"><label class="label" for="use">${addresses.use}</label>
<select id="use" name="use">${uses.map(option)}</select></p>`,
  button(addresses.add, 'add-address'),
])}</section>`;
}
