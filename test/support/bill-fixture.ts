// Invoices of a test shop: who sends them, who gets them, and what is billed.

import type { Bill } from '#billing/bill.ts';
import { type BillRequest, changeSender, draftBill } from '#billing/draft-bill.ts';
import { issueBill } from '#billing/issue-bill.ts';
import { parseExactJson } from '#money/exact-json.ts';
import type { TestApp } from './test-app.ts';

export const SENDER = {
  name: 'Bücher & Söhne GmbH',
  street: 'Marktplatz 1',
  zip: '53111',
  city: 'Bonn',
  country: 'DE',
  email: 'post@shop.example',
  vatId: 'DE123456789',
  taxNumber: '',
};

export const BUYER = {
  name: 'Ann Client',
  street: 'Rue de la Paix 2',
  zip: '75002',
  city: 'Paris',
  country: 'FR',
  email: 'ann@customers.test',
  vatId: '',
  taxNumber: '',
};

/** 2 × 19.90, 5.00 off, 4.90 for shipping that is taxed, and 19 % on all of it: 47.24 EUR. */
export const CHARGE = {
  billingCurrency: 'EUR',
  lineItems: [{ description: 'A good book', netAmount: '19.90', quantity: '2' }],
  discountItems: [{ description: 'Regular customer', netAmount: '5.00' }],
  shippingCostItems: [{ description: 'Parcel', netAmount: '4.90', taxable: true }],
  taxItems: [{ name: 'VAT', percent: '0.19' }],
};

export function billRequest(more: Partial<BillRequest> = {}, charge: object = CHARGE): BillRequest {
  const parsed = parseExactJson(JSON.stringify(charge));
  if (!parsed.ok) throw new Error(parsed.message);
  return {
    charge: parsed.value,
    buyer: BUYER,
    language: 'de',
    taxCategory: 'S',
    taxReason: '',
    note: '',
    dueDays: 14,
    prefix: 'R-',
    deliveredOn: '',
    ...more,
  };
}

export async function tellSender({ app, caller }: TestApp): Promise<void> {
  await changeSender(app, caller.merchantId, SENDER);
}

export function ownerOf({ caller: { merchantId, environment } }: TestApp) {
  return { merchantId, environment, actor: 'tester' };
}

/** Of a shop that has said who it is. */
export async function issueNew(world: TestApp, more: Partial<BillRequest> = {}): Promise<Bill> {
  const owner = ownerOf(world);
  const { id } = await draftBill(world.app, owner, billRequest(more));
  return issueBill(world.app, owner, id);
}
