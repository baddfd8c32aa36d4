// A shop of which everything that somebody writes is one of the given texts: who works there, who
// buys, what is sold, what programs and receivers say. Each text stands in as many fields as there are.

import { createApiKey } from '#access/api-key.ts';
import { Refusal } from '#base/refusal.ts';
import { changeSender, draftBill } from '#billing/draft-bill.ts';
import { issueBill } from '#billing/issue-bill.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { addCounterItem } from '#counter/counter-item.ts';
import { sql } from '#db/db.ts';
import { createWebhookEndpoint } from '#event/webhook-endpoint.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { setMailWords } from '#merchant/customer-mails.ts';
import { changePageSettings } from '#merchant/seller.ts';
import { parseDecimal } from '#money/decimal.ts';
import { createPaymentLink, paymentLinkUrl } from '#payment-link/payment-link.ts';
import { CUSTOMER_FIELDS, createCustomer } from '#people/customer.ts';
import { invite } from '#staff/invitation.ts';
import { BUYER, billRequest, SENDER } from '#test/support/bill-fixture.ts';
import type { DashboardWorld } from '#test/support/dashboard-world.ts';
import { addBeneficiary } from '#test/support/outgoing-money.ts';

export type Filled = {
  /** By name, the path of each room that shows some of it. */
  readonly rooms: Readonly<Record<string, string>>;
  /** Tables that a spreadsheet opens. */
  readonly files: readonly string[];
};

/** As whoever owned the one before; that one is nobody's any more. */
export async function fillShop(
  { app, caller }: DashboardWorld,
  texts: readonly string[],
): Promise<Filled> {
  const [first = ''] = texts;
  const cut = (text: string, most: number) => [...text].slice(0, most).join('').trim() || 'x';
  const { id: merchantId } = await createMerchant(app, { name: cut(first, 100) });
  const owner = { merchantId, environment: 'test' as const };
  await own(app.db, merchantId, caller.merchantId, cut(first, 100));
  // Receivers are told what this key may read.
  const { key } = await createApiKey(app, { ...owner, label: cut(first, 60) });
  const ofKey = { ...owner, apiKey: key };
  const made = { link: '', checkout: '', customer: '', bill: '', to: '' };
  // Where every text of an invoice is refused, there is one all the same.
  made.bill = (await billAll(app, owner, ['Plain'])) ?? '';
  await changePageSettings(app, merchantId, { shopName: cut(first, 100), sellerInfo: first });
  const lines = texts.map((text) => text.replaceAll(/\p{Cc}/gu, ' '));
  const words = (from: number) => cut(lines.slice(from, from + 12).join('\n'), 500);
  const mail = { kind: 'PAID', language: 'en', opening: words(0), closing: words(12) } as const;
  await setMailWords(app, owner, [mail], 'all');
  for (const text of texts.slice(0, 3)) {
    await createApiKey(app, { ...owner, label: cut(text, 60) });
    await takeOrLeave(async () => {
      const url = `https://shop.example/(${encodeURIComponent(text)}`;
      await createWebhookEndpoint(app, ofKey, { url, eventTypes: undefined });
    });
  }
  for (const [index, text] of texts.entries()) {
    const fields = Object.fromEntries(CUSTOMER_FIELDS.map((name) => [name, cut(text, 60)]));
    const email = `c${index}@shop.example`;
    const meta = JSON.stringify({ text });
    const given = { ...fields, email, meta, countrycode: 'DE' } as unknown as Parameters<
      typeof createCustomer
    >[2];
    made.customer = (await createCustomer(app, owner, given)).id;
    await takeOrLeave(() => {
      const item = { name: cut(text, 60), price: parseDecimal('1'), currency: 'EUR' };
      return addCounterItem(app, owner, item);
    });
    await takeOrLeave(async () => {
      made.link = (await createPaymentLink(app, owner, linkOf(cut(text, 200), text))).id;
    });
    const account = { iban: 'DE89370400440532013000', holder: cut(text, 70) };
    made.to = await addBeneficiary({ app, caller: owner }, `${cut(text, 60)} ${index}`, {
      ...{ network: 'SEPA', account: account as never },
    });
    const membership = { merchantId, role: 'VIEWER' } as const;
    const who = { email: `g${index}-${merchantId}@shop.example`, name: cut(text, 100) };
    await takeOrLeave(() => invite(app, 'tester', { ...who, isOperator: false, membership }));
  }
  for (let from = 0; from < texts.length; from += 5) {
    const some = texts.slice(from, from + 5);
    made.checkout = await sellAll(app, { ...caller, ...ofKey }, some, made.customer);
    made.bill = (await billAll(app, owner, some)) ?? made.bill;
  }
  const cancelled = await sellAll(app, { ...caller, ...ofKey }, texts.slice(0, 2), made.customer);
  await cancelCheckout(app, { checkoutId: cancelled, owner, actor: 'tester' });
  const [event] = await app.db.query<{ readonly id: string }>(sql`
    select id from event where subject_id = ${cancelled} limit 1`);
  await answerAll(app.db, event?.id ?? '', texts);
  const base = `/dashboard/shop/${merchantId}/test`;
  const pay = paymentLinkUrl(app, { pageOrigin: undefined }, { id: made.link });
  const below = (names: readonly string[]) => names.map((name) => [name, `${base}/${name}`]);
  return {
    rooms: {
      ...Object.fromEntries(below(ROOMS)),
      checkout: `${base}/checkouts/${made.checkout}`,
      customer: `${base}/customers/${made.customer}`,
      link: `${base}/links/${made.link}`,
      'link to print': `${base}/links/${made.link}/print`,
      invoice: `${base}/invoices/${made.bill}`,
      event: `${base}/events/${event?.id}`,
      'where to send': `${base}/money/send?to=${made.to}`,
      security: '/dashboard/security',
      pay: new URL(pay).pathname,
    },
    files: [
      `${base}/checkout-files`,
      `${base}/customer-files?format=csv`,
      `${base}/customer-files/${made.customer}?format=csv`,
    ],
  };
}

const ROOMS = [
  ...['today', 'checkouts', 'customers?find=c', 'links', 'pos', 'sell', 'invoices', 'invoices/new'],
  ...[
    'invoices/sender',
    'money',
    'money/beneficiaries?network=SEPA',
    'money/rules',
    'money/approvals',
  ],
  ...['webhooks', 'events', 'keys', 'chains', 'addresses', 'settings', 'settings/preview'],
  ...['settings/payments', 'settings/mails/preview', 'people', 'trail'],
] as const;

type Db = DashboardWorld['app']['db'];

/** Whoever is there owns this shop and the first one, is called like that, and came with it. */
async function own(db: Db, merchantId: string, home: string, name: string): Promise<void> {
  await db.transact(async (tx) => {
    tx.send(sql`delete from membership where merchant_id <> ${home}`);
    tx.send(sql`insert into membership (person_id, merchant_id, role, granted_at)
      select person_id, ${merchantId}, role, now() from membership where merchant_id = ${home}`);
    tx.send(sql`update person set name = ${name}`);
    tx.send(sql`update staff_session set agent = ${name}`);
    tx.send(sql`insert into staff_session
      (hash, person_id, started_at, seen_at, fresh_at, address, agent)
      select decode(md5(hash::text), 'hex'), person_id, started_at, seen_at, fresh_at, address, agent
      from staff_session on conflict do nothing`);
    tx.send(sql`delete from passkey`);
    tx.send(sql`insert into passkey
      (credential_id, person_id, public_key, sign_count, label, created_at)
      select id, id, '\\x00', 0, ${name}, now() from person`);
  });
}

/** A text that is refused is nowhere. */
async function takeOrLeave(store: () => Promise<unknown>): Promise<void> {
  try {
    await store();
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error;
  }
}

function linkOf(title: string, description: string) {
  return {
    ...{ title, description, currency: 'EUR', amount: parseDecimal('5'), leastAmount: undefined },
    ...{ mostAmount: undefined, settlementAsset: 'ORIGIN', stock: undefined, endsAt: undefined },
  };
}

async function sellAll(
  app: DashboardWorld['app'],
  seller: Parameters<typeof createCheckout>[1],
  texts: readonly string[],
  customerId: string,
): Promise<string> {
  const lineItems = texts.map((description) => ({
    ...{ description, netAmount: '10', productId: description.slice(0, 20).toWellFormed() },
  }));
  const meta = Object.fromEntries(texts.map((text) => [text.slice(0, 100).toWellFormed(), text]));
  const charge = { customerId, billingCurrency: 'EUR', lineItems };
  const request = parseCheckoutRequest({ charge, meta });
  const options = { type: 'HOSTED', origin: 'DASHBOARD' } as const;
  return (await createCheckout(app, seller, request, options)).id;
}

/** An invoice with them on every line; undefined where an invoice takes none of them. */
async function billAll(
  app: DashboardWorld['app'],
  owner: { readonly merchantId: string; readonly environment: 'test' },
  texts: readonly string[],
): Promise<string | undefined> {
  const [one = 'x'] = texts;
  const who = {
    name: one,
    street: one,
    zip: one.slice(0, 20).toWellFormed(),
    city: one,
    taxNumber: one,
  };
  const lineItems = texts.map((description) => ({ description, netAmount: '10' }));
  const exempt = { taxCategory: 'E', taxReason: one } as const;
  let id: string | undefined;
  await takeOrLeave(async () => {
    await changeSender(app, owner.merchantId, { ...SENDER, ...who });
    const buyer = { ...BUYER, ...who };
    const asked = billRequest(
      { buyer, note: one, ...exempt },
      { billingCurrency: 'EUR', lineItems },
    );
    const made = await draftBill(app, owner, asked);
    id = (await issueBill(app, { ...owner, actor: 'tester' }, made.id)).id;
  });
  return id;
}

/** What a receiver answers, and why it could not be asked. */
async function answerAll(db: Db, eventId: string, texts: readonly string[]): Promise<void> {
  await db.transact(async (tx) => {
    for (const [index, text] of texts.entries()) {
      tx.send(sql`insert into webhook_attempt
        (delivery_id, number, attempted_at, duration_ms, status, error, answer_excerpt)
        select id, ${index + 1}, now(), 1, ${index % 2 === 0 ? 500 : null}::int,
          ${index % 2 === 0 ? null : text}::text, ${text.slice(0, 256).toWellFormed()}
        from webhook_delivery where event_id = ${eventId}`);
    }
  });
}
