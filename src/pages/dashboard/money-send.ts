// Money out of the balance, to a beneficiary: what is asked for, and what would arrive. Nothing is
// sent here: the quote is looked at, and ordered, on its own page (money-transfer.ts).

import { type Context, Hono } from 'hono';
import { isBefore } from '#base/instant.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import { listWallets } from '#ledger/account.ts';
import { momentTime } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { type Beneficiary, findBeneficiary, listBeneficiaries } from '#people/beneficiary.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { button, formOf, selectField, textField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { moneyTabs } from './money-tabs.ts';
import {
  accountLines,
  amountHint,
  line,
  linesOf,
  ownerOf,
  refusalNote,
  shownRefusal,
  unitsText,
} from './money-words.ts';
import { readAmount } from './read-amount.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/money/send';
/** More are found under their own names in the room of beneficiaries. */
const CHOICES_MOST = 200;

type Shown = {
  readonly refusal?: Refusal | undefined;
  /** Id of the beneficiary. */
  readonly to: string;
  readonly asset: string;
  readonly amount: string;
};

export function moneySendRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'move-money', (visit) => {
      const read = (name: string) => context.req.query(name) ?? '';
      return sendForm(app, visit, { to: read('to'), asset: read('asset'), amount: read('amount') });
    }),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'move-money', (visit) => quote(app, context, visit)),
  );
  return routes;
}

async function quote(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const read = (name: string) => (form.get(name) ?? '').trim();
  const typed = { to: read('to'), asset: read('asset'), amount: read('amount') };
  const { place, actor, language } = visit;
  const owner = ownerOf(place);
  const beneficiary = await findBeneficiary(app, owner, typed.to);
  if (beneficiary === undefined) return sendPage(app, missingPage(pageLanguage(language.code)));
  try {
    const amount = readAmount(typed.amount, language.code);
    if (amount === undefined) throw new Refusal('invalid', 'amount_invalid', typed.amount || '–');
    const { id } = await quoteTransfer(
      app,
      { ...owner, apiKey: undefined, maker: actor },
      {
        network: beneficiary.network,
        asset: typed.asset,
        amount,
        targetAccount: beneficiary.id,
      },
    );
    return sendSeeOther(roomPath(place, `/money/transfers/${id}`));
  } catch (error) {
    return sendForm(app, visit, { ...typed, refusal: shownRefusal(error) });
  }
}

async function sendForm(app: PageApp, visit: ShopVisit, shown: Shown): Promise<Response> {
  const { place, language } = visit;
  const { moneyActs, money } = language.texts;
  const owner = ownerOf(place);
  const [chosen, { beneficiaries }] = await Promise.all([
    shown.to === '' ? undefined : findBeneficiary(app, owner, shown.to),
    listBeneficiaries(app, owner, { limit: CHOICES_MOST, cursor: undefined }),
  ]);
  if (shown.to !== '' && chosen === undefined) {
    return sendPage(app, missingPage(pageLanguage(language.code)));
  }
  const only = beneficiaries.length === 1 ? beneficiaries[0] : undefined;
  const to = chosen ?? only;
  const middle =
    to === undefined
      ? chooseForm(visit, beneficiaries)
      : await amountForm(app, visit, { ...shown, beneficiary: to });
  const body = html`${refusalNote(visit, shown.refusal)}
${moneyTabs(visit, 'send')}
<section class="card"><h2>${moneyActs.send.title}</h2><p class="hint">${moneyActs.send.hint}</p>
${middle}</section>`;
  const status = shown.refusal && STATUS_OF_REFUSAL[shown.refusal.kind];
  const { title } = money;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'money' }));
}

function chooseForm(visit: ShopVisit, beneficiaries: readonly Beneficiary[]): Html {
  const { place, language } = visit;
  const { moneyActs } = language.texts;
  if (beneficiaries.length === 0) {
    return html`<p>${moneyActs.send.noBeneficiary}</p>${toBeneficiaries(visit)}`;
  }
  return html`<form method="get" action="${roomPath(place, '/money/send')}" class="stack">
${selectField({
  name: 'to',
  label: moneyActs.to,
  value: '',
  options: beneficiaries.map(({ id, label, network }) => [
    id,
    `${label} (${getNetwork(network).name})`,
  ]),
})}${button(moneyActs.next, 'next')}</form>`;
}

function toBeneficiaries({ place, language }: ShopVisit): Html {
  const { beneficiaries } = language.texts.moneyActs.tabs;
  return html`<p class="ways"><a class="quiet" href="${roomPath(place, '/money/beneficiaries')}">${beneficiaries}</a></p>`;
}

async function amountForm(
  app: PageApp,
  visit: ShopVisit,
  { beneficiary, asset, amount }: Shown & { readonly beneficiary: Beneficiary },
): Promise<Html> {
  const { place, language } = visit;
  const { moneyActs } = language.texts;
  const { id, label, network, account, usableAt } = beneficiary;
  const { name, assets } = getNetwork(network);
  const whom = linesOf([
    line(moneyActs.to, foreignText(label)),
    line(moneyActs.network, name),
    ...accountLines(visit, account),
  ]);
  const path = roomPath(place, '/money/send');
  const other = toBeneficiaries(visit);
  if (isBefore(app.clock.now(), usableAt)) {
    return html`${whom}<p class="notice" id="rests">${moneyActs.send.coolsDown} ${momentTime(usableAt, language.code)}</p>${other}`;
  }
  const wallets = await listWallets(app.db, ownerOf(place));
  const held = new Map(wallets.map((wallet) => [wallet.assetId, wallet.availableUnits]));
  const options = assets.map((assetId) => {
    const available = moneyActs.available(unitsText(assetId, held.get(assetId) ?? 0n, visit));
    return [assetId, `${getAsset(assetId).assetCode} (${available})`] as const;
  });
  const richest = assets.find((assetId) => (held.get(assetId) ?? 0n) > 0n);
  return html`${whom}${formOf(visit, path, [
    html`<input type="hidden" name="to" value="${id}">`,
    selectField({
      name: 'asset',
      label: moneyActs.asset,
      value: asset === '' ? (richest ?? '') : asset,
      options,
    }),
    textField({
      name: 'amount',
      label: moneyActs.amount,
      hint: amountHint(visit),
      value: amount,
      inputmode: 'decimal',
      maxLength: 90,
    }),
    button(moneyActs.send.quote, 'quote'),
  ])}${other}`;
}
