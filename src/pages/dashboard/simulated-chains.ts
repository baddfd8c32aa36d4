// The simulated networks of test money, each with buttons: make blocks, undo some, let its node
// fall silent and answer again, as POST /sandbox/mine, /reorg and /freeze do it. Whatever is done
// happens to the payments of this shop alone. With real money there is no such room.

import { type Context, Hono } from 'hono';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { getNetwork } from '#catalog/network.ts';
import type { SandboxPort, SimulatedChain } from '#checkout-settlement/sandbox-port.ts';
import { minutesText, momentTime } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { doneNote, faultNote, formOf, quietButton, selectField, textField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { line, linesOf, ownerOf } from './money-words.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/chains';
/** As many as the API takes. */
const BLOCKS_MOST = 100;
const DEPTH_MOST = 30;
const SILENT_MINUTES = [1, 10, 60] as const;

export function simulatedChainsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withTestShop(app, context, (visit) =>
      sendChains(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(PATH, (context) => withTestShop(app, context, (visit) => play(app, context, visit)));
  return routes;
}

/** Nothing here touches real money, so there it is a page that is not there. */
function withTestShop(
  app: PageApp,
  context: Context,
  answer: (visit: ShopVisit) => Promise<Response>,
): Promise<Response> {
  return withShop(app, context, 'see-development', (visit) =>
    visit.place.environment === 'test'
      ? answer(visit)
      : sendPage(app, missingPage(pageLanguage(visit.language.code))),
  );
}

type Play = (sandbox: SandboxPort, visit: ShopVisit, form: URLSearchParams) => Promise<unknown>;

const ACTS: Readonly<Record<string, Play>> = {
  mine(sandbox, { place }, form) {
    const blocks = readWhole(form.get('count'), BLOCKS_MOST);
    const network = form.get('network') || undefined;
    return sandbox.mine(ownerOf(place), { network, blocks });
  },
  reorg(sandbox, { place }, form) {
    const depth = readWhole(form.get('count'), DEPTH_MOST);
    return sandbox.reorg(ownerOf(place), { network: form.get('network') ?? '', depth });
  },
  stop(sandbox, { place }, form) {
    const minutes = SILENT_MINUTES.find((one) => `${one}` === form.get('minutes'));
    if (minutes === undefined) throw notWhole(60);
    const network = form.get('network') ?? '';
    return sandbox.freeze(ownerOf(place), { network, seconds: minutes * 60 });
  },
  'go-on': (sandbox, { place }, form) =>
    sandbox.freeze(ownerOf(place), { network: form.get('network') ?? '', seconds: 0 }),
};

function readWhole(text: string | null, most: number): number {
  const count = /^\s*\d{1,3}\s*$/.test(text ?? '') ? Number(text) : 0;
  if (count >= 1 && count <= most) return count;
  throw notWhole(most);
}

function notWhole(most: number): Refusal {
  return new Refusal('invalid', 'chain_count', `${most}`);
}

async function play(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const { sandbox } = app;
  const act = ACTS[form.get('act') ?? ''];
  try {
    if (sandbox === undefined || act === undefined) throw notWhole(BLOCKS_MOST);
    await act(sandbox, visit, form);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendChains(app, visit, { refusal: error, form });
  }
  return sendSeeOther(`${roomPath(visit.place, '/chains')}?done=1`);
}

type Shown = {
  readonly refusal?: Refusal;
  readonly form?: URLSearchParams;
  readonly isDone?: boolean;
};

async function sendChains(app: PageApp, visit: ShopVisit, shown: Shown): Promise<Response> {
  const { place, language } = visit;
  const { chains: texts } = language.texts;
  const { refusal, isDone = false } = shown;
  const states = await app.sandbox?.list(ownerOf(place));
  const done = doneNote(isDone ? texts.done : undefined);
  const body = html`${refusal && faultOf(visit, refusal)}${done}
<section class="card" id="all"><p class="hint">${states === undefined ? texts.off : texts.hint}</p>
${states !== undefined && blocksForm(visit, shown, undefined)}</section>
${states?.map((state) => chainCard(visit, shown, state))}`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const title = texts.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'chains' }));
}

/** Sentences of the sandbox are for developers, in English. */
function faultOf({ language }: ShopVisit, { code, details }: Refusal): Html | undefined {
  const { chains: texts } = language.texts;
  if (code === 'chain_count') return faultNote(texts.count(details.join(' ')));
  return html`<p class="warning" role="alert" id="fault" lang="en">${foreignText(details.join(' '))}</p>`;
}

function chainCard(visit: ShopVisit, shown: Shown, state: SimulatedChain): Html {
  const { language } = visit;
  const { chains: texts } = language.texts;
  const { network, height, hasSchedule, silentUntil } = state;
  return html`<section class="card" id="${network}"><h2>${getNetwork(network).name}</h2>
${linesOf([
  hasSchedule && line(texts.height, `${height}`),
  silentUntil !== undefined && line(texts.silentUntil, momentTime(silentUntil, language.code)),
])}
${!hasSchedule && html`<p class="hint">${texts.instant}</p>`}
${blocksForm(visit, shown, state)}${nodeForm(visit, state)}</section>`;
}

/** `state`: undefined: of all networks, on which blocks are made and nothing is undone. */
function blocksForm(visit: ShopVisit, { form }: Shown, state: SimulatedChain | undefined): Html {
  const { chains: texts } = visit.language.texts;
  const network = state?.network ?? '';
  const typed = form?.get('network') === network ? form.get('count') : undefined;
  return formOf(visit, roomPath(visit.place, '/chains'), [
    html`<input type="hidden" name="network" value="${network}">`,
    textField({
      ...{ name: 'count', id: `count-${network}`, label: texts.blocks, inputmode: 'numeric' },
      ...{ value: typed ?? '1', maxLength: 3 },
    }),
    html`<p class="ways">${quietButton(state === undefined ? texts.mineAll : texts.mine, 'act', 'mine')}${
      state !== undefined && quietButton(texts.reorg, 'act', 'reorg')
    }</p>`,
  ]);
}

function nodeForm(visit: ShopVisit, { network, silentUntil }: SimulatedChain): Html {
  const { code, texts } = visit.language;
  const path = roomPath(visit.place, '/chains');
  const which = html`<input type="hidden" name="network" value="${network}">`;
  if (silentUntil !== undefined) {
    return formOf(visit, path, [which, quietButton(texts.chains.goOn, 'act', 'go-on')]);
  }
  return formOf(visit, path, [
    which,
    selectField({
      ...{ name: 'minutes', id: `minutes-${network}`, label: texts.chains.silentFor, value: '10' },
      options: SILENT_MINUTES.map((minutes) => [`${minutes}`, minutesText(minutes, code)]),
    }),
    quietButton(texts.chains.stop, 'act', 'stop'),
  ]);
}
