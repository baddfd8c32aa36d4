// Beneficiaries: accounts that money of the shop may be sent to. The network is chosen first, since
// it decides what an account is there.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { isBefore } from '#base/instant.ts';
import { type Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { findNetwork, getNetwork, listNetworks, type NetworkInfo } from '#catalog/network.ts';
import { momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { listAccountFields, listAlternatives, MEMO_TYPES } from '#people/account-fields.ts';
import { type Beneficiary, hideBeneficiary, listBeneficiaries } from '#people/beneficiary.ts';
import { createBeneficiary } from '#people/create-beneficiary.ts';
import { mayAct } from '#staff/role.ts';
import {
  button,
  doneNote,
  formOf,
  quietButton,
  readCursor,
  rows,
  selectField,
  textField,
} from './controls.ts';
import { onceField, orderOnce } from './form-once.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { moneyTabs } from './money-tabs.ts';
import { accountLines, linesOf, ownerOf, refusalNote, shownRefusal } from './money-words.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/money/beneficiaries';
const ROOM = '/money/beneficiaries';
const SHOWN = 25;

type Shown = {
  readonly refusal?: Refusal | undefined;
  readonly typed?: URLSearchParams | undefined;
  /** Undefined: not chosen yet. */
  readonly network: NetworkInfo | undefined;
  readonly after?: string | undefined;
  readonly isDone?: boolean;
};

export function moneyBeneficiariesRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'see-money', (visit) =>
      sendBeneficiaries(app, visit, {
        network: readNetwork(context.req.query('network')),
        after: context.req.query('after'),
        isDone: context.req.query('done') === '1',
      }),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'move-money', (visit) => change(app, context, visit)),
  );
  return routes;
}

function readNetwork(id: string | null | undefined): NetworkInfo | undefined {
  const network = findNetwork(id ?? '');
  return network?.transfers === true ? network : undefined;
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  try {
    if (form.get('act') === 'remove') await remove(app, visit, form.get('beneficiary') ?? '');
    else await add(app, visit, form);
  } catch (error) {
    const network = readNetwork(form.get('network'));
    return sendBeneficiaries(app, visit, { refusal: shownRefusal(error), typed: form, network });
  }
  return sendSeeOther(`${roomPath(visit.place, ROOM)}?done=1`);
}

function remove(app: PageApp, { actor, place }: ShopVisit, id: string): Promise<void> {
  const owner = ownerOf(place);
  const act = { ...owner, actor, verb: 'beneficiary-delete', subject: `beneficiary:${id}` };
  return doNoted(app, act, (within) => hideBeneficiary(within, owner, id));
}

function add(app: PageApp, visit: ShopVisit, form: URLSearchParams): Promise<string> {
  const { actor, place } = visit;
  const owner = ownerOf(place);
  const network = form.get('network') ?? '';
  const given = fieldsOf(app, visit, readNetwork(network)).map(({ name }) => [
    name,
    (form.get(`account.${name}`) ?? '').trim(),
  ]);
  const account = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const beneficiary = { label: form.get('label') ?? '', network, account };
  const act = {
    ...{ ...owner, actor, verb: 'beneficiary-create' },
    subject: ({ id }: Beneficiary) => `beneficiary:${id}`,
  };
  return orderOnce(app, visit, form, async (within) => {
    const made = await doNoted(within, act, (inside) =>
      createBeneficiary(inside, owner, { beneficiary }),
    );
    return made.id;
  });
}

function fieldsOf(app: PageApp, { place }: ShopVisit, network: NetworkInfo | undefined) {
  if (network === undefined) return [];
  const chain = chainOf(place.environment, network.id);
  return listAccountFields({ chain, accounts: app.accounts, usableAt: app.clock.now() });
}

async function sendBeneficiaries(app: PageApp, visit: ShopVisit, shown: Shown): Promise<Response> {
  const { place, language } = visit;
  const { moneyActs, shell, checkouts } = language.texts;
  const { beneficiaries, nextCursor } = await listBeneficiaries(app, ownerOf(place), {
    limit: SHOWN,
    cursor: readCursor(shown.after),
  });
  const mayMove = mayAct(place.role, 'move-money');
  const listed = beneficiaries.map((one) => ({
    what: item(app, visit, one),
    acts: mayMove ? acts(visit, one) : undefined,
  }));
  const older = new URLSearchParams({ after: nextCursor ?? '' });
  const texts = moneyActs.beneficiaries;
  const body = html`${refusalNote(visit, shown.refusal)}
${doneNote(shown.isDone === true ? shell.done : undefined)}
${moneyTabs(visit, 'beneficiaries')}
<section class="card"><h2>${texts.title}</h2><p class="hint">${texts.hint}</p>
${listed.length === 0 ? html`<p>${texts.none}</p>` : rows(listed)}
${
  nextCursor !== null &&
  html`<p class="ways"><a class="quiet" id="older" href="${`${roomPath(place, ROOM)}?${older}`}">${checkouts.older}</a></p>`
}</section>
${mayMove ? addCard(app, visit, shown) : html`<p class="hint">${moneyActs.ownerOnly}</p>`}`;
  const status = shown.refusal && STATUS_OF_REFUSAL[shown.refusal.kind];
  const { title } = language.texts.money;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'money' }));
}

function item(app: PageApp, visit: ShopVisit, beneficiary: Beneficiary): Html {
  const { label, network, account, usableAt } = beneficiary;
  const texts = visit.language.texts.moneyActs.beneficiaries;
  const rests = isBefore(app.clock.now(), usableAt);
  return html`<strong>${foreignText(label)}</strong>
<span class="hint">${getNetwork(network).name}</span>
${linesOf(accountLines(visit, account))}
<span${rests && html` data-rests="1"`}>${
    rests ? html`${texts.usableFrom} ${momentTime(usableAt, visit.language.code)}` : texts.usable
  }</span>`;
}

function acts(visit: ShopVisit, { id }: Beneficiary): Html {
  const { shell, moneyActs } = visit.language.texts;
  const path = roomPath(visit.place, '/money/send');
  return formOf(
    visit,
    roomPath(visit.place, ROOM),
    html`<input type="hidden" name="beneficiary" value="${id}">
<a class="quiet" href="${`${path}?${new URLSearchParams({ to: id })}`}">${moneyActs.tabs.send}</a>
${quietButton(shell.remove, 'act', 'remove')}`,
  );
}

function addCard(app: PageApp, visit: ShopVisit, { network, typed }: Shown): Html {
  const texts = visit.language.texts.moneyActs;
  const path = roomPath(visit.place, ROOM);
  if (network === undefined) {
    const networks = listNetworks().filter(({ transfers }) => transfers);
    return html`<section class="card" id="add"><h2>${texts.beneficiaries.add}</h2>
<form method="get" action="${path}" class="stack">${selectField({
      name: 'network',
      label: texts.network,
      value: '',
      options: networks.map(({ id, name }) => [id, name]),
    })}${button(texts.next, 'next')}</form></section>`;
  }
  return html`<section class="card" id="add"><h2>${texts.beneficiaries.addOn(network.name)}</h2>
${formOf(visit, path, [
  html`<input type="hidden" name="network" value="${network.id}">${onceField(app)}`,
  textField({
    name: 'label',
    label: texts.fields.label,
    hint: texts.beneficiaries.labelHint,
    value: typed?.get('label') ?? '',
    maxLength: 200,
  }),
  ...fieldsOf(app, visit, network).map((field) => accountField(visit, network, field, typed)),
  button(texts.beneficiaries.add, 'add-beneficiary'),
])}<p class="ways"><a class="quiet" href="${path}">${texts.change}</a></p></section>`;
}

/** As long as what the longest account of a network needs. */
const FIELD_MOST = 4_000;

function accountField(
  { language }: ShopVisit,
  { id, knownBy }: NetworkInfo,
  { name, isRequired }: ReturnType<typeof listAccountFields>[number],
  typed: URLSearchParams | undefined,
): Html {
  const { fields, none, beneficiaries } = language.texts.moneyActs;
  const label = fields[name as keyof typeof fields] ?? name;
  const given = { name: `account.${name}`, label, value: typed?.get(`account.${name}`) ?? '' };
  if (name === 'memoType') {
    const kinds = MEMO_TYPES.map((kind) => [kind, `MEMO_${kind.toUpperCase()}`] as const);
    return selectField({ ...given, options: [['', none], ...kinds] });
  }
  const hint = listAlternatives(id).includes(name) ? beneficiaries.oneOf : undefined;
  return textField({
    ...given,
    hint,
    isRequired,
    maxLength: knownBy === 'invoice' ? FIELD_MOST : 320,
  });
}
