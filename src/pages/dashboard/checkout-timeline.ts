// One checkout in order of time: what its record says, who did what with it, what was told of it
// and how that went, and the mails to its customer. Each part is read from its own index, and no
// further than is shown.

import { type Act, listActsAbout } from '#audit/act.ts';
import { compareInstants } from '#base/instant.ts';
import type { CheckoutRecord, CheckoutState } from '#checkout/checkout.ts';
import { listNotes } from '#desk/checkout-note.ts';
import { type Delivery, listDeliveriesOf } from '#event/delivery.ts';
import { type Event, listEventsAbout, mayHear } from '#event/event.ts';
import { listMailsOf } from '#mail/mail.ts';
import type { CustomerMailKind } from '#merchant/customer-mails.ts';
import { momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import type { Refund } from '#refund/refund.ts';
import { hearsWith, mayAct } from '#staff/role.ts';
import { noteForm, noteText } from './checkout-notes.ts';
import { formOf, quietButton } from './controls.ts';
import { latestDeliveries } from './events.ts';
import type { ShopVisit } from './guard.ts';
import { actorText, linesOf, ownerOf } from './money-words.ts';
import { roomPath } from './shell.ts';
import {
  anchorEntries,
  creditEntries,
  madeEntry,
  paymentEntries,
  refundEntries,
  stateEntries,
  type TimelineEntry,
  windowEntries,
} from './timeline-facts.ts';

/** Of the checkout, and of each refund. */
const READ_MOST = 50;
const SHOWN_MOST = 200;

/** `refunds`: of the checkout. */
export async function timelineCard(
  app: PageApp,
  visit: ShopVisit,
  record: CheckoutRecord,
  refunds: readonly Refund[],
): Promise<Html> {
  const { texts, code } = visit.language;
  const entries = await readEntries(app, visit, record, refunds);
  // What happened at the same moment stays in the order in which it is written.
  const sorted = entries.toSorted((one, other) => compareInstants(one.at, other.at));
  const shown = sorted.slice(-SHOWN_MOST);
  return html`<section class="card" id="timeline"><h2>${texts.checkouts.history}</h2>
${shown.length < sorted.length && html`<p class="hint">${texts.timeline.cut(`${SHOWN_MOST}`)}</p>`}
<ol class="timeline">${shown.map(
    ({ at, kind, title, text, lines, acts }) =>
      html`<li data-kind="${kind}"><span class="hint">${momentTime(at, code)}</span>
<strong>${title}</strong>${text !== undefined && html`<span>${text}</span>`}${
        lines?.some((one) => one !== undefined && one !== false) && linesOf(lines)
      }${acts}</li>`,
  )}</ol>${noteForm(app, visit, record.id)}</section>`;
}

async function readEntries(
  app: PageApp,
  visit: ShopVisit,
  record: CheckoutRecord,
  refunds: readonly Refund[],
): Promise<TimelineEntry[]> {
  const { place } = visit;
  const owner = ownerOf(place);
  const subjects = [
    { subject: 'checkout', subjectId: record.id } as const,
    ...refunds.map(({ id }) => ({ subject: 'refund', subjectId: id }) as const),
  ];
  const about = [`checkout:${record.id}`, ...refunds.map((one) => `transfer:${one.transferId}`)];
  const mayTrail = mayAct(place.role, 'see-trail');
  const [notes, acts, events, credits] = await Promise.all([
    listNotes(app.db, owner, record.id),
    mayTrail
      ? listActsAbout(app.db, { merchantId: owner.merchantId, subjects: about }, READ_MOST)
      : [],
    listEventsAbout(app.db, owner, subjects, READ_MOST),
    creditEntries(app, visit, record),
  ]);
  const [names, told, mails] = await Promise.all([
    namesOf(app, visit, [...notes, ...acts]),
    eventEntries(app, visit, events),
    mailEntries(app, visit, events, refunds),
  ]);
  const makers = new Map(
    acts.filter(({ verb }) => verb === ORDERED).map(({ subject, actor }) => [subject, actor]),
  );
  return [
    madeEntry(visit, record),
    ...actEntries(visit, acts, names),
    ...windowEntries(visit, record),
    ...stateEntries(visit, record, (state) => state === 'AWAITING_PAYMENT'),
    ...anchorEntries(app, visit, record),
    ...paymentEntries(app, visit, record),
    ...stateEntries(visit, record, (state) => state === 'PENDING'),
    ...credits,
    ...stateEntries(visit, record, (state) => !EARLY.has(state)),
    ...refunds.flatMap((refund) => {
      const maker = makers.get(`transfer:${refund.transferId}`);
      return refundEntries(app, visit, refund, maker && names.get(maker));
    }),
    ...told,
    ...mails,
    ...notes.map((note): TimelineEntry => {
      const by = names.get(note.actor);
      const title = html`${visit.language.texts.notes.one}${by !== undefined && html`: ${by}`}`;
      return { at: note.writtenAt, kind: 'note', title, text: noteText(note) };
    }),
  ];
}

/** Their cause stands before what comes of it. */
const EARLY: ReadonlySet<CheckoutState> = new Set(['AWAITING_PAYMENT', 'PENDING']);

/** Stands with the refund itself, as a note with its text. */
const ORDERED = 'refund-create';
const TOLD_ELSEWHERE: readonly string[] = [ORDERED, 'checkout-note'];

type Names = ReadonlyMap<string, Html | string>;

async function namesOf(
  app: PageApp,
  visit: ShopVisit,
  acts: readonly Pick<Act, 'actor'>[],
): Promise<Names> {
  const actors = [...new Set(acts.map(({ actor }) => actor))];
  const named = actors.map(async (actor) => [actor, await actorText(app, visit, actor)] as const);
  return new Map(await Promise.all(named));
}

/** What people, keys and the payer did, and who it was; for whoever sees the trail. */
function actEntries({ language }: ShopVisit, acts: readonly Act[], names: Names): TimelineEntry[] {
  const { acts: said } = language.texts.timeline;
  return acts
    .filter(({ verb }) => !TOLD_ELSEWHERE.includes(verb))
    .map(({ actedAt, verb, actor }) => ({
      ...{ at: actedAt, kind: 'person', text: names.get(actor) },
      title: verb in said ? said[verb as keyof typeof said] : html`<code>${verb}</code>`,
    }));
}

/** What was told, to whom, and how that went; for whoever sees webhooks. */
async function eventEntries(
  app: PageApp,
  visit: ShopVisit,
  events: readonly Event[],
): Promise<TimelineEntry[]> {
  const { place } = visit;
  if (!mayAct(place.role, 'see-development')) return [];
  const scopes = hearsWith(place.role, place.environment);
  const heard = events.filter(({ type }) => mayHear(scopes, type));
  const eventIds = heard.map(({ id }) => id);
  const deliveries = await listDeliveriesOf(app, { ...ownerOf(place), eventIds });
  return heard.map((event) => eventEntry(visit, event, deliveries.get(event.id) ?? []));
}

function eventEntry(
  visit: ShopVisit,
  event: Event,
  deliveries: readonly Delivery[],
): TimelineEntry {
  const { place, language } = visit;
  const { events: texts, moneyActs } = language.texts;
  const path = roomPath(place, `/events/${event.id}`);
  return {
    ...{ at: event.createdAt, kind: 'told' },
    title: html`<a class="line" href="${path}"><code>${event.type}</code></a>`,
    text: deliveries.length === 0 ? texts.nobody : undefined,
    lines: latestDeliveries(deliveries).map(
      ({ url, state, attemptCount }) =>
        html`<div><dt>${moneyActs.to} <code>${foreignText(url)}</code></dt><dd data-delivery-state="${state}">${texts.states[state]} (${attemptCount})</dd></div>`,
    ),
    acts:
      deliveries.length === 0
        ? undefined
        : formOf(visit, `${path}/again`, quietButton(texts.again, 'event', event.id)),
  };
}

/** To its customer, of these events and of refunds that wait for him. */
async function mailEntries(
  app: PageApp,
  { language }: ShopVisit,
  events: readonly Event[],
  refunds: readonly Refund[],
): Promise<TimelineEntry[]> {
  const { timeline, mails: texts, moneyActs } = language.texts;
  const causes = [
    ...events.map(({ causeKey }) => `customer:${causeKey}`),
    ...refunds.map(({ id }) => `customer:refund:${id}:claim`),
  ];
  const found = await listMailsOf(app.db, causes);
  return found.map(({ createdAt, kind, receiver, state }) => ({
    ...{ at: createdAt, kind: 'told', title: timeline.mail },
    text: html`${texts.kinds[kind as CustomerMailKind] ?? kind}, <span data-mail-state="${state}">${timeline.mailStates[state]}</span>`,
    lines: [html`<div><dt>${moneyActs.to}</dt><dd>${foreignText(receiver)}</dd></div>`],
  }));
}
