// One asset of the balance for another: asked for, looked at with its price while that holds,
// ordered. A repeated order is the same order.

import { type Context, Hono } from 'hono';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { findAsset, getAsset, listAssets } from '#catalog/asset.ts';
import { listWallets } from '#ledger/account.ts';
import { readFeePartsPerMillion, readRiskTolerance } from '#merchant/merchant.ts';
import { type Decimal, unitsFromDecimal } from '#money/decimal.ts';
import { amountIn, clockTime } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { mayAct } from '#staff/role.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { createSwap, type SwapRequest } from '#swap/create-swap.ts';
import { findSwap, type Swap, swapStateAt, swapView } from '#swap/swap.ts';
import { button, formOf, selectField, textField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { moneyTabs } from './money-tabs.ts';
import {
  amountHint,
  dollarsText,
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

const PATH = '/shop/:merchantId/:environment/money/swap';
const ONE = '/shop/:merchantId/:environment/money/swaps/:id';

const SIDES = ['source', 'target'] as const;
type Side = (typeof SIDES)[number];

/** As it stands in the form. */
type Typed = {
  readonly from: string;
  readonly into: string;
  readonly amount: string;
  /** Whose amount is fixed. */
  readonly side: Side;
};

export function moneySwapRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'move-money', (visit) =>
      sendForm(
        app,
        visit,
        readTyped((name) => context.req.query(name)),
      ),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'move-money', (visit) => quote(app, context, visit)),
  );
  routes.get(ONE, (context) =>
    withShop(app, context, 'see-money', (visit) => sendSwap(app, visit, idOf(context))),
  );
  routes.post(`${ONE}/order`, (context) =>
    withShop(app, context, 'move-money', (visit) => order(app, context, visit)),
  );
  return routes;
}

function idOf(context: Context): string {
  return context.req.param('id') ?? '';
}

function readTyped(read: (name: string) => string | null | undefined): Typed {
  const text = (name: string) => (read(name) ?? '').trim();
  const side = SIDES.find((one) => one === read('side')) ?? 'source';
  return { from: text('from'), into: text('into'), amount: text('amount'), side };
}

async function quote(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const typed = readTyped((name) => form.get(name));
  const owner = ownerOf(visit.place);
  try {
    const request = readRequest(typed, readAmount(typed.amount, visit.language.code));
    const [feePartsPerMillion, riskTolerance] = await Promise.all([
      readFeePartsPerMillion(app.db, owner.merchantId),
      readRiskTolerance(app.db, owner),
    ]);
    const { actor: maker } = visit;
    const terms = { feePartsPerMillion, riskTolerance };
    const { id } = await createSwap(app, { ...owner, ...terms, apiKey: undefined, maker }, request);
    return sendSeeOther(roomPath(visit.place, `/money/swaps/${id}`));
  } catch (error) {
    return sendForm(app, visit, typed, shownRefusal(error));
  }
}

/** @throws Refusal invalid `asset_unknown`, `amount_invalid` */
function readRequest({ from, into, side }: Typed, amount: Decimal | undefined): SwapRequest {
  const [source, target] = [findAsset(from), findAsset(into)];
  if (source?.swaps !== true || target?.swaps !== true || source.id === target.id) {
    throw new Refusal('invalid', 'asset_unknown', 'two assets of GET /assets with swaps');
  }
  const { decimals, assetCode } = side === 'source' ? source : target;
  const units = amount && unitsFromDecimal(amount, decimals);
  if (units === undefined) {
    const message = `${assetCode} has ${decimals} digits after the point at most`;
    throw new Refusal('invalid', 'amount_invalid', message);
  }
  const fixed = side === 'source' ? { sourceUnits: units } : { targetUnits: units };
  return { sourceAssetId: source.id, targetAssetId: target.id, fixed };
}

async function sendForm(
  app: PageApp,
  visit: ShopVisit,
  typed: Typed,
  refusal?: Refusal,
): Promise<Response> {
  const { place, language } = visit;
  const { moneyActs, money } = language.texts;
  const texts = moneyActs.swap;
  const wallets = await listWallets(app.db, ownerOf(place));
  const held = wallets.filter(
    ({ assetId, availableUnits }) => availableUnits > 0n && getAsset(assetId).swaps,
  );
  const into = listAssets(place.environment).filter(({ swaps }) => swaps);
  const form = formOf(visit, roomPath(place, '/money/swap'), [
    selectField({
      name: 'from',
      label: texts.from,
      value: typed.from,
      options: held.map(({ assetId, availableUnits }) => [
        assetId,
        `${unitsText(assetId, availableUnits, visit)} (${assetId})`,
      ]),
    }),
    selectField({
      name: 'into',
      label: texts.into,
      value: typed.into,
      options: into.map(({ id, name }) => [id, `${name} (${id})`]),
    }),
    textField({
      name: 'amount',
      label: moneyActs.amount,
      hint: amountHint(visit),
      value: typed.amount,
      inputmode: 'decimal',
      maxLength: 90,
    }),
    selectField({
      name: 'side',
      label: texts.side,
      value: typed.side,
      options: SIDES.map((side) => [side, texts.sides[side]]),
    }),
    button(texts.quote, 'quote'),
  ]);
  const body = html`${refusalNote(visit, refusal)}${moneyTabs(visit, 'swap')}
<section class="card"><h2>${texts.title}</h2><p class="hint">${texts.hint}</p>
${held.length === 0 ? html`<p>${money.none}</p>` : form}</section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const { title } = money;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'money' }));
}

async function order(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  await readVisitForm(app, context, visit);
  const { place, actor } = visit;
  const id = idOf(context);
  // As of a key: who may not approve is nobody's second person.
  const scopes = mayAct(place.role, 'approve') ? undefined : ['money'];
  const committer = { apiKey: undefined, maker: actor, scopes };
  try {
    await commitSwap(app, { swapId: id, owner: ownerOf(place), committer });
  } catch (error) {
    return sendSwap(app, visit, id, shownRefusal(error));
  }
  return sendSeeOther(roomPath(place, `/money/swaps/${id}`));
}

async function sendSwap(
  app: PageApp,
  visit: ShopVisit,
  id: string,
  refusal?: Refusal,
): Promise<Response> {
  const { place, language } = visit;
  const { moneyActs, money } = language.texts;
  const swap = await findSwap(app, ownerOf(place), id);
  if (swap === undefined) return sendPage(app, missingPage(pageLanguage(language.code)));
  const isOpen = swapStateAt(swap, app.clock.now()) === 'QUOTED';
  const isForTwo = refusal?.code === 'second_person';
  const body = html`${refusalNote(visit, refusal)}
${isForTwo && html`<p class="notice">${moneyActs.swap.second}</p>`}
${moneyTabs(visit, 'swap')}
${isOpen && mayAct(place.role, 'move-money') ? reviewCard(app, visit, swap) : stateCard(app, visit, swap)}`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const { title } = money;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'money' }));
}

function swapLines(app: PageApp, visit: ShopVisit, swap: Swap): Html[] {
  const { money, moneyActs } = visit.language.texts;
  const { sourceAssetId, sourceUnits, targetAssetId, targetUnits, feeUnits } = swap;
  const [from, into] = [getAsset(sourceAssetId), getAsset(targetAssetId)];
  const { exchangeRate } = swapView(swap, app.clock.now());
  const worth = dollarsText(app, visit, targetAssetId, targetUnits);
  const rate = amountIn(exchangeRate, into.assetCode, visit.language);
  return [
    line(moneyActs.swap.given, unitsText(sourceAssetId, sourceUnits, visit)),
    line(
      moneyActs.swap.got,
      html`<strong>${unitsText(targetAssetId, targetUnits, visit)}</strong>`,
    ),
    ...(worth === undefined ? [] : [line(money.worth, worth)]),
    line(moneyActs.swap.rate, `${amountIn('1', from.assetCode, visit.language)} = ${rate}`),
    line(moneyActs.swap.fee, unitsText(targetAssetId, feeUnits, visit)),
  ];
}

function reviewCard(app: PageApp, visit: ShopVisit, swap: Swap): Html {
  const { place, language } = visit;
  const { moneyActs } = language.texts;
  const until = line(moneyActs.until, clockTime(swap.expiresAt, language.code));
  return html`<section class="card" id="review"><h2>${moneyActs.review}</h2>
${linesOf([...swapLines(app, visit, swap), until])}
${formOf(visit, roomPath(place, `/money/swaps/${swap.id}/order`), button(moneyActs.swap.order, 'order'))}
<p class="ways"><a class="quiet" id="change" href="${againPath(visit, swap)}">${moneyActs.change}</a></p></section>`;
}

function stateCard(app: PageApp, visit: ShopVisit, swap: Swap): Html {
  const { place, language } = visit;
  const { moneyActs } = language.texts;
  const texts = moneyActs.swap;
  const state = swapStateAt(swap, app.clock.now());
  const isDone = state === 'COMPLETED';
  const mayMove = mayAct(place.role, 'move-money');
  return html`<section class="card" id="swap"><h2 data-swap-state="${state}">${texts.states[state]}</h2>
${swap.failure !== undefined && html`<p class="hint" lang="en">${foreignText(swap.failure)}</p>`}
${linesOf([...swapLines(app, visit, swap), line(moneyActs.number, html`<code>${swap.id}</code>`)])}
${
  mayMove &&
  html`<p class="ways"><a class="quiet" id="again" href="${isDone ? roomPath(place, '/money/swap') : againPath(visit, swap)}">${
    isDone ? texts.another : texts.again
  }</a></p>`
}</section>`;
}

/** The form, filled in with the same assets. */
function againPath({ place }: ShopVisit, { sourceAssetId, targetAssetId }: Swap): string {
  const same = new URLSearchParams({ from: sourceAssetId, into: targetAssetId });
  return `${roomPath(place, '/money/swap')}?${same}`;
}
