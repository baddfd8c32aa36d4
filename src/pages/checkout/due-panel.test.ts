// What an anchor keeps is part of what the customer is told to send, and the page says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { amountToText } from '#money/asset-amount.ts';
import { samplePage } from '#pages/demo/sample-page.ts';
import { checkoutRecord, commitmentOn } from '#pages/demo/sample-record.ts';
import { renderCheckout } from './render-checkout.ts';

const whole = commitmentOn('BITCOIN', 'BTC:NATIVE');
const sent = { ...whole, askedUnits: whole.arrivingUnits + 1234n };

function pageOf(record: CheckoutRecord, language: string): string {
  return renderCheckout(samplePage(record, { language })).body.markup;
}

function recordOf(commitment: typeof whole): CheckoutRecord {
  return checkoutRecord({ state: 'AWAITING_PAYMENT', commitments: [commitment] });
}

for (const language of ['en', 'de', 'pt', 'es', 'it', 'pl', 'tr', 'fr']) {
  test(`the fee of an anchor is named in ${language}, and nothing where there is none`, () => {
    assert.match(pageOf(recordOf(sent), language), /id="anchor-fee">[^<]*0[.,]00001234/);
    assert.doesNotMatch(pageOf(recordOf(whole), language), /anchor-fee/);
  });
}

test('the amount to send holds the fee', () => {
  assert.doesNotMatch(pageOf(recordOf(whole), 'en'), amountText(sent.askedUnits));
  assert.match(pageOf(recordOf(sent), 'en'), amountText(sent.askedUnits));
});

function amountText(units: bigint): RegExp {
  return new RegExp(amountToText(units, 8).replace('.', '\\.'));
}
