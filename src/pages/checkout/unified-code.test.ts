import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { checkoutRecord, commitmentOn, RECORD_NOW, receiptFor } from '#pages/demo/sample-record.ts';
import { unifiableOffer, unifiedUri } from './unified-code.ts';

const bitcoin = commitmentOn('BITCOIN', 'BTC:NATIVE');
const lightning = commitmentOn('LIGHTNING', 'BTC:NATIVE');
const litecoin = commitmentOn('LITECOIN', 'LTC:NATIVE');
const both = { commitments: [bitcoin, lightning] };
const record = (changes: Partial<CheckoutRecord>) => checkoutRecord(changes);

test('both locked: the address with its amount, and the invoice, from the page of either', () => {
  const uri = unifiedUri(record(both), bitcoin, RECORD_NOW) ?? '';
  assert.equal(uri, unifiedUri(record(both), lightning, RECORD_NOW));
  assert.ok(uri.startsWith(`bitcoin:${bitcoin.instruction.address}?`));
  assert.deepEqual(Object.fromEntries(new URLSearchParams(uri.slice(uri.indexOf('?')))), {
    amount: '0.00048312',
    lightning: lightning.instruction.address,
  });
});

const NONE: readonly (readonly [
  sentence: string,
  changes: Partial<CheckoutRecord>,
  now?: Temporal.Instant,
])[] = [
  ['one of the two alone', { commitments: [bitcoin] }],
  ['Bitcoin and something else', { commitments: [bitcoin, litecoin] }],
  [
    'amounts that differ: a wallet could not tell which counts',
    {
      commitments: [
        bitcoin,
        {
          ...lightning,
          askedUnits: lightning.askedUnits + 1n,
          arrivingUnits: lightning.arrivingUnits + 1n,
        },
      ],
    },
  ],
  ['a window that is over', both, bitcoin.expiresAt],
  [
    'the invoice alone is over',
    { commitments: [bitcoin, { ...lightning, expiresAt: RECORD_NOW }] },
  ],
  ['a part that is paid', { ...both, receipts: [receiptFor(bitcoin)] }],
  [
    'a network that is not configured any more',
    { commitments: [{ ...bitcoin, paymentUri: '' }, lightning] },
  ],
];

for (const [sentence, changes, now = RECORD_NOW] of NONE) {
  test(`no code for both: ${sentence}`, () => {
    const [shown = bitcoin] = changes.commitments ?? [];
    assert.equal(unifiedUri(record(changes), shown, now), undefined);
  });
}

test('the other can be added while a lock keeps the amounts that were shown', () => {
  const one = record({ commitments: [bitcoin] });
  const soon = one.quotedUntil;
  assert.equal(unifiableOffer(one, bitcoin, soon)?.network, 'LIGHTNING');
  assert.equal(unifiableOffer(one, bitcoin, soon.add({ seconds: 1 })), undefined);
  assert.equal(unifiableOffer(record(both), bitcoin, soon), undefined);
  assert.equal(unifiableOffer(record({ commitments: [litecoin] }), litecoin, soon), undefined);
  const pending = record({ commitments: [bitcoin], state: 'PENDING' });
  assert.equal(unifiableOffer(pending, bitcoin, soon), undefined);
});
