// How who signs, gas accounts and the last backup were found when they were looked at last: nobody
// is asked for it. What the program says of them is English.

import { networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { agoText, momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { LookLine } from '#pages/operator-port.ts';
import { rows } from './controls.ts';
import type { OperatorVisit } from './guard.ts';

/** Nothing of a kind where the settings name none. */
export function looksCard(
  visit: OperatorVisit,
  kind: LookLine['kind'],
  { looks, now }: { readonly looks: readonly LookLine[]; readonly now: Temporal.Instant },
): Html {
  const { operator } = visit.language.texts;
  const { title, none } = operator.looks[kind];
  const own = looks.filter((look) => look.kind === kind);
  return html`<section class="card" id="${kind}"><h2>${title}</h2>
${
  own.length === 0
    ? html`<p>${none}</p>`
    : rows(own.map((look) => ({ what: lookItem(visit, look, now) })))
}</section>`;
}

function lookItem({ language }: OperatorVisit, look: LookLine, now: Temporal.Instant): Html {
  const { operator } = language.texts;
  const { chain, found } = look;
  const name = chain && getNetwork(networkOf(chain)).name;
  if (found === undefined) {
    return html`${name !== undefined && html`<strong>${name}</strong> `}<span>${operator.looks.never}</span>`;
  }
  const { ok, detail, lookedAt, wellAt } = found;
  return html`${name !== undefined && html`<strong>${name}</strong> `}
<span data-ok="${ok ? 'yes' : 'no'}">${ok ? operator.ok : operator.bad}</span>
<span class="hint" lang="en">${foreignText(detail)}</span>
<span class="hint">${operator.looks.lookedAt}: ${agoText(lookedAt, now, language.code)}${
    !ok &&
    html`, ${operator.lastOk}: ${
      wellAt === undefined ? operator.looks.notYet : momentTime(wellAt, language.code)
    }`
  }</span>`;
}

/** For what needs somebody: what was found out of order, in its own words. */
export function badLooks(
  looks: readonly LookLine[],
): readonly (Pick<LookLine, 'kind'> & { readonly said: string })[] {
  return looks.flatMap(({ kind, chain, found }) => {
    if (found === undefined || found.ok) return [];
    return { kind, said: chain === undefined ? found.detail : `${chain}: ${found.detail}` };
  });
}
