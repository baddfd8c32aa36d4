// The rest that whoever runs the installation looks after: shops, what is parked, mails, and the
// program with its jobs and files.

import { type Context, Hono } from 'hono';
import { countApiKeys } from '#access/api-key.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { encodeCursor } from '#db/page-cursor.ts';
import { type ListedMail, listMails } from '#mail/mail.ts';
import { listMerchants } from '#merchant/merchant.ts';
import { momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { NetworkLine, OperatorPort } from '#pages/operator-port.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import type { LoopHealth } from '#runtime/loop.ts';
import { countMembers } from '#staff/person.ts';
import { doneNote, faultNote, formOf, quietButton, readCursor, rows } from './controls.ts';
import { type OperatorVisit, withOperator } from './guard.ts';
import { refusalText } from './invitation.ts';
import { isFailing } from './operator.ts';
import { looksCard } from './operator-looks.ts';
import { dashboardPage, type OperatorRoomKey, operatorPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const SHOWN = 50;

export function operatorHouseRoutes(app: PageApp): Hono {
  const routes = new Hono();
  const pathOf = (key: OperatorRoomKey) => operatorPath(key).replace('/dashboard', '');
  routes.get(pathOf('merchants'), (context) =>
    withOperator(app, context, (visit) => sendMerchants(app, context, visit)),
  );
  routes.get(pathOf('parked'), (context) =>
    withOperator(app, context, (visit, port) =>
      sendParked(app, visit, port, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(pathOf('parked'), (context) =>
    withOperator(app, context, (visit, port) => retry(app, context, visit, port)),
  );
  routes.get(pathOf('mail'), (context) =>
    withOperator(app, context, (visit, port) => sendMails(app, visit, port)),
  );
  routes.get(pathOf('software'), (context) =>
    withOperator(app, context, (visit, port) => sendSoftware(app, visit, port)),
  );
  return routes;
}

async function sendMerchants(
  app: PageApp,
  context: Context,
  visit: OperatorVisit,
): Promise<Response> {
  const { operator, checkouts } = visit.language.texts;
  const place = readCursor(context.req.query('after'));
  const after = place && { id: place.id, createdAt: place.at, name: '' };
  const merchants = await listMerchants(app.db, { after, limit: SHOWN });
  const ids = merchants.map(({ id }) => id);
  const [members, keys] = await Promise.all([countMembers(app.db, ids), countApiKeys(app.db, ids)]);
  const listed = merchants.map(({ id, name, createdAt }) => ({
    what: html`<strong>${foreignText(name)}</strong>
<span>${operator.people(`${members.get(id) ?? 0}`)}, ${operator.keys(`${keys.get(id) ?? 0}`)}</span>
<span class="hint"><code>${id}</code> ${momentTime(createdAt, visit.language.code)}</span>`,
  }));
  const last = merchants.length === SHOWN ? merchants.at(-1) : undefined;
  const next = last && encodeCursor({ at: last.createdAt, id: last.id });
  const path = operatorPath('merchants');
  const body = html`<section class="card">
${listed.length === 0 ? html`<p>${checkouts.none}</p>` : rows(listed)}
${
  next !== undefined &&
  html`<p class="ways"><a class="quiet" id="more" href="${`${path}?after=${next}`}">${operator.next}</a></p>`
}</section>`;
  return sendRoom(app, visit, 'merchants', body);
}

async function retry(
  app: PageApp,
  context: Context,
  visit: OperatorVisit,
  port: OperatorPort,
): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const id = form.get('parked') ?? '';
  try {
    const isGivenUp = form.get('act') === 'discard';
    const verb = isGivenUp ? 'parked-discard' : 'parked-retry';
    await doNoted(app, { actor: visit.actor, verb, subject: `parked:${id}` }, (within) =>
      isGivenUp ? port.discardParked(within, id) : port.retryParked(within, id),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendParked(app, visit, port, { refusal: error });
  }
  return sendSeeOther(`${operatorPath('parked')}?done=1`);
}

async function sendParked(
  app: PageApp,
  visit: OperatorVisit,
  port: OperatorPort,
  { refusal, isDone }: { readonly refusal?: Refusal; readonly isDone?: boolean },
): Promise<Response> {
  const { operator, shell } = visit.language.texts;
  const found = await port.listParked(SHOWN + 1);
  const listed = found.slice(0, SHOWN).map((parked) => ({
    what: parkedItem(visit, parked),
    acts: /^payment:/.test(parked.id) ? undefined : parkedForm(visit, parked),
  }));
  const body = html`${faultNote(refusal && refusalText(visit.language.texts, refusal))}
${doneNote(isDone === true ? shell.done : undefined)}
<section class="card"><p class="hint">${operator.parkedHint}</p>
${listed.length === 0 ? html`<p>${operator.well}</p>` : rows(listed)}
${found.length > SHOWN && html`<p class="hint">${operator.more}</p>`}</section>`;
  return sendRoom(app, visit, 'parked', body, refusal && STATUS_OF_REFUSAL[refusal.kind]);
}

type Parked = Awaited<ReturnType<OperatorPort['listParked']>>[number];

function parkedItem({ language }: OperatorVisit, { id, since, reason, advice }: Parked): Html {
  return html`<strong><code>${foreignText(id)}</code></strong>
<span lang="en">${foreignText(reason)}</span>
<span class="hint" lang="en">${foreignText(advice)}</span>
<span class="hint">${momentTime(since, language.code)}</span>`;
}

function parkedForm(visit: OperatorVisit, { id, isDiscardable }: Parked): Html {
  const { operator } = visit.language.texts;
  if (!isDiscardable) return retryForm(visit, id);
  return formOf(visit, operatorPath('parked'), [
    html`<input type="hidden" name="parked" value="${id}">`,
    quietButton(operator.retry, 'act', 'retry'),
    quietButton(operator.discard, 'act', 'discard'),
  ]);
}

/** Also of a mail, which lies in the same list. */
function retryForm(visit: OperatorVisit, id: string): Html {
  return formOf(
    visit,
    operatorPath('parked'),
    quietButton(visit.language.texts.operator.retry, 'parked', id),
  );
}

async function sendMails(
  app: PageApp,
  visit: OperatorVisit,
  port: OperatorPort,
): Promise<Response> {
  const { operator } = visit.language.texts;
  const [parked, waiting] = await Promise.all([
    listMails(app.db, { state: 'PARKED', most: SHOWN }),
    listMails(app.db, { state: 'PENDING', most: SHOWN }),
  ]);
  const failing = port.jobs().find((job) => job.name === 'mail' && job.consecutiveFailures > 0);
  const body = html`${!app.hasMail && html`<section class="card"><p>${operator.noMail}</p></section>`}
${
  failing?.lastError !== undefined &&
  html`<section class="card" id="outage"><p class="warning" lang="en">${foreignText(failing.lastError)}</p></section>`
}
${mailCard(visit, 'parked', operator.mailParked, parked)}
${mailCard(visit, 'waiting', operator.mailWaiting, waiting)}`;
  return sendRoom(app, visit, 'mail', body);
}

function mailCard(
  visit: OperatorVisit,
  id: string,
  title: string,
  mails: readonly ListedMail[],
): Html {
  const { operator } = visit.language.texts;
  const count = mails.length === SHOWN ? `${SHOWN}+` : `${mails.length}`;
  return html`<section class="card" id="${id}"><h2>${title}: ${count}</h2>
${
  mails.length > 0 &&
  rows(
    mails.map((mail) => ({
      what: mailItem(visit, mail),
      acts: mail.state === 'PARKED' ? retryForm(visit, `mail:${mail.id}`) : undefined,
    })),
  )
}${mails.length === SHOWN && html`<p class="hint">${operator.more}</p>`}</section>`;
}

function mailItem({ language }: OperatorVisit, mail: ListedMail): Html {
  const { id, kind, receiver, attemptCount, nextAttemptAt, lastAnswer, reason } = mail;
  const { operator, events } = language.texts;
  const said = reason ?? lastAnswer;
  return html`<strong>${foreignText(receiver)}</strong>
<span class="hint">${kind} <code>${id}</code>, ${operator.attempts}: ${attemptCount}, ${
    mail.state === 'PENDING' ? events.next : operator.written
  }: ${momentTime(mail.state === 'PENDING' ? nextAttemptAt : mail.createdAt, language.code)}</span>
${said !== undefined && html`<span class="hint" lang="en">${foreignText(said)}</span>`}`;
}

async function sendSoftware(
  app: PageApp,
  visit: OperatorVisit,
  port: OperatorPort,
): Promise<Response> {
  const { operator } = visit.language.texts;
  const [software, networks, looks] = await Promise.all([
    port.software(),
    port.listNetworks(),
    port.listLooks(),
  ]);
  const { version, node, database, roles, migrations, files } = software;
  const { code } = visit.language;
  const line = (label: string, value: string) =>
    html`<div><dt>${label}</dt><dd>${foreignText(value)}</dd></div>`;
  const body = html`<section class="card" id="versions"><dl class="lines">
${line('Quittance', version)}${line('Node.js', node)}${line(operator.database, database)}
${line(operator.roles, roles.join(', '))}${networks.map(nodeLine)}</dl></section>
${looksCard(visit, 'backup', { looks, now: app.clock.now() })}
<section class="card" id="migrations"><h2>${operator.migrations}</h2>
${rows(
  migrations.map(({ name, appliedAt }) => ({
    what: html`<code>${name}</code> <span class="hint">${momentTime(appliedAt, code)}</span>`,
  })),
)}</section>
<section class="card" id="jobs"><h2>${operator.jobs}</h2><p class="hint">${operator.jobsHint}</p>
${rows(port.jobs().map((job) => ({ what: jobItem(visit, job) })))}</section>
<section class="card" id="backups"><h2>${operator.backups}</h2><p class="hint">${operator.backupsHint}</p>
${rows(
  files.map(({ path, writtenAt }) => ({
    what: html`<code>${foreignText(path)}</code> <span class="hint">${
      writtenAt === undefined
        ? operator.absent
        : html`${operator.written}: ${momentTime(writtenAt, code)}`
    }</span>`,
  })),
)}</section>`;
  return sendRoom(app, visit, 'software', body);
}

/** Of the sandbox there is no node. */
function nodeLine({ report }: NetworkLine): Html | undefined {
  const { chain, description, nodeVersion } = report;
  if (environmentOf(chain) === 'test') return undefined;
  const said = [description, nodeVersion].filter(Boolean).join(' ');
  return html`<div><dt>${getNetwork(networkOf(chain)).name}</dt><dd lang="en">${foreignText(said)}</dd></div>`;
}

function jobItem({ language }: OperatorVisit, job: LoopHealth): Html {
  const { operator } = language.texts;
  const { name, lastOkAt, lastError, consecutiveFailures } = job;
  return html`<strong><code>${name}</code></strong>
<span data-ok="${isFailing(job) ? 'no' : 'yes'}">${
    isFailing(job) ? operator.bad : operator.ok
  }</span>
${
  lastOkAt !== undefined &&
  html`<span class="hint">${operator.lastOk}: ${momentTime(lastOkAt, language.code)}</span>`
}
${
  consecutiveFailures > 0 &&
  lastError !== undefined &&
  html`<span class="hint" lang="en">${foreignText(lastError)}</span>`
}`;
}

function sendRoom(
  app: PageApp,
  visit: OperatorVisit,
  operatorRoom: OperatorRoomKey,
  body: Html,
  status?: number,
): Response | Promise<Response> {
  const title = visit.language.texts.operator.rooms[operatorRoom];
  return sendPage(app, dashboardPage({ visit, title, body, status, operatorRoom }));
}
