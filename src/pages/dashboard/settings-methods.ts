// Which ways to pay customers see, and in which order: those that can be received now, each with a
// tick and a place. What cannot be received now keeps what was said of it.

import { getAsset, type RiskLevel, shownAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Owner } from '#catalog/owner.ts';
import { listWaysNow, type Way, wayName } from '#catalog/way.ts';
import type { CreateCheckoutApp } from '#checkout/create-checkout.ts';
import type { PaymentWishes } from '#merchant/merchant.ts';
import { assetName } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import { button, formOf } from './controls.ts';
import type { ShopVisit } from './guard.ts';

type MethodsApp = Pick<CreateCheckoutApp, 'networks'>;
type Methods = Pick<PaymentWishes, 'methodOrder' | 'methodsOff' | 'methodsRecommended'>;
type Wishes = Methods & { readonly risk: RiskLevel };

/** As customers see them: in the order of the account, then in that of the catalogue. */
function listWays(
  { networks }: MethodsApp,
  { environment }: Pick<Owner, 'environment'>,
  { methodOrder, risk }: Wishes,
): Way[] {
  const ways = listWaysNow(networks, environment, risk);
  const placeOf = (way: Way) => {
    const place = methodOrder.indexOf(wayName(way));
    return place === -1 ? methodOrder.length : place;
  };
  return ways.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/**
 * Undefined: none would be left. What is no number comes last; whatever is given the place of
 * another one takes it.
 */
export function readMethods(
  app: MethodsApp,
  owner: Pick<Owner, 'environment'>,
  before: Wishes,
  typed: URLSearchParams,
): Methods | undefined {
  const shown = listWays(app, owner, before).map(wayName);
  const isOn = (way: string) => typed.get(`on ${way}`) === 'yes';
  if (!shown.some(isOn)) return undefined;
  const placed = shown.map((way, index) => {
    const place = placeIn(typed.get(`place ${way}`));
    return { way, place, moved: Math.sign(place - (index + 1)) };
  });
  const ordered = placed.toSorted(
    (one, other) => one.place - other.place || one.moved - other.moved,
  );
  const away = (ways: readonly string[]) => ways.filter((way) => !shown.includes(way));
  const methodOrder = ordered.map(({ way }) => way);
  const isRecommended = (way: string) => typed.get(`recommend ${way}`) === 'yes';
  return {
    methodOrder: [...methodOrder, ...away(before.methodOrder)],
    methodsRecommended: [...methodOrder.filter(isRecommended), ...away(before.methodsRecommended)],
    methodsOff: [...shown.filter((way) => !isOn(way)), ...away(before.methodsOff)],
  };
}

const LAST = 1_000;

function placeIn(text: string | null): number {
  return /^\d{1,3}$/.test(text?.trim() ?? '') ? Number(text) : LAST;
}

export function methodsCard(app: MethodsApp, visit: ShopVisit, path: string, wishes: Wishes): Html {
  const { settings, shell } = visit.language.texts;
  const ways = listWays(app, visit.place, wishes);
  const head = html`<h2>${settings.methods}</h2><p class="hint">${settings.methodsHint}</p>
<p class="hint">${settings.methodsRecommendedHint}</p>`;
  if (ways.length === 0) {
    return html`<section class="card" id="methods">${head}<p>${settings.methodsAway}</p></section>`;
  }
  return html`<section class="card" id="methods">${head}
${formOf(visit, path, [
  html`<input type="hidden" name="act" value="methods">`,
  ...ways.map((way, index) => wayRow(visit, way, index + 1, wishes)),
  button(shell.save, 'save-methods'),
])}</section>`;
}

function wayRow({ language }: ShopVisit, way: Way, place: number, wishes: Wishes): Html {
  const { methodsOff, methodsRecommended } = wishes;
  const { network, assetId } = way;
  const { settings } = language.texts;
  const value = wayName(way);
  const { assetCode } = shownAsset(network, assetId);
  const name = `${assetName(getAsset(assetId), language.code)} (${assetCode}), ${getNetwork(network).name}`;
  return html`<fieldset class="way"><legend class="visually-hidden">${name}</legend>
<p class="check"><input type="checkbox" id="on-${place}" name="on ${value}" value="yes"${
    !methodsOff.includes(value) && html` checked`
  }><label for="on-${place}">${name}</label></p>
<p class="field"><label class="label" for="place-${place}">${settings.methodPlace}</label>
<input id="place-${place}" name="place ${value}" value="${place}" inputmode="numeric" maxlength="3"
 autocomplete="off"></p>
<p class="check"><input type="checkbox" id="recommend-${place}" name="recommend ${value}" value="yes"${
    methodsRecommended.includes(value) && html` checked`
  }><label for="recommend-${place}">${settings.methodRecommended}</label></p></fieldset>`;
}
