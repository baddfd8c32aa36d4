// What an anchor wants to know about us it is told, as far as the operator has set it (SEP-12, SEP-9); an
// anchor that does not want us is not offered, and `doctor` says why.
// Alone in its process: it announces anchored assets, and no process forgets them.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { Outage, Refusal } from '#base/refusal.ts';
import { customersOf, type FakeCustomers } from './anchor-customers.ts';
import { type AnchorWorld, openAnchorWorld } from './anchor-world.ts';

const UNITS = 250_0000n;
/** An address of nobody: the first test vector of BIP-173. */
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const NAME = { 'organization.name': 'A shop' };
const TOLD = { ...NAME, 'organization.email': 'shop@shop.example', last_name: 'Shopkeeper' };
const TEXT = { type: 'string', description: 'what it says' };

let told: AnchorWorld;
let silent: AnchorWorld;

before(async () => {
  const options = { network: 'BITCOIN', code: 'BTC', address: ADDRESS };
  told = await openAnchorWorld({ ...options, settings: { anchorCustomer: TOLD } });
  silent = await openAnchorWorld(options);
});
after(async () => {
  await told?.close();
  await silent?.close();
});
beforeEach(async () => {
  // What was told is not told again for an hour.
  for (const shop of [told, silent]) {
    await shop.time.advance(61 * 60_000);
    await shop.look();
    assert.deepEqual(shop.bridged().receivableAssets(), [shop.anchor.assetId]);
  }
});
afterEach(() => {
  for (const shop of [told, silent]) shop.anchor.customers = undefined;
});

function wanting(shop: AnchorWorld, names: readonly string[]): FakeCustomers {
  const customers = customersOf(Object.fromEntries(names.map((name) => [name, TEXT])));
  shop.anchor.customers = customers;
  return customers;
}

const isOffered = (shop: AnchorWorld) => shop.bridged().receivableAssets().length > 0;
const adviceOf = (shop: AnchorWorld) => (shop.bridged().health().advice ?? []).join('\n');
const account = /"account":"G[A-Z2-7]{55}"/;

test('what is asked for at a deposit is told, nothing else, and the deposit goes on', async () => {
  const customers = wanting(told, ['organization.name', 'family_name']);
  const commitment = await told.commit(UNITS);
  assert.equal(commitment.instruction.address, ADDRESS);
  assert.equal(customers.told.length, 1);
  const { account: teller, ...fields } = customers.told[0] ?? {};
  assert.match(JSON.stringify({ account: teller }), account);
  assert.deepEqual(fields, { ...NAME, family_name: 'Shopkeeper' });
});

test('an anchor that wants to know is told before the first customer comes', async () => {
  const customers = wanting(told, ['organization.email']);
  await told.look();
  assert.equal(customers.told.length, 1);
  assert.equal(isOffered(told), true);
  await told.commit(UNITS);
  assert.equal(customers.told.length, 1);
});

test('where to pay is read from the transfer when the anchor knows enough to say it', async () => {
  const customers = wanting(told, ['organization.name']);
  customers.gate = 'transfer';
  const commitment = await told.commit(UNITS);
  assert.equal(commitment.instruction.address, ADDRESS);
  const { transaction_id, type, ...fields } = customers.told[0] ?? {};
  assert.deepEqual([transaction_id, type], [told.anchor.transfers.at(-1)?.id, 'sep6']);
  assert.equal(fields['organization.name'], 'A shop');
});

test('a transfer that stops because the anchor wants to know more goes on when it was told', async () => {
  await told.commit(UNITS);
  const transfer = told.anchor.transfers.at(-1);
  assert(transfer !== undefined);
  const customers = wanting(told, ['organization.email']);
  transfer.record.status = 'pending_customer_info_update';
  await told.look();
  assert.equal(customers.told.length > 0, true);
  await told.look();
  assert.equal(transfer.record.status, 'pending_user_transfer_start');
});

describe('an anchor is not offered', () => {
  test('that wants to know what the operator has not set', async () => {
    const customers = wanting(silent, ['organization.name', 'photo_id_front']);
    await assert.rejects(silent.commit(UNITS), Outage);
    await silent.look();
    assert.equal(isOffered(silent), false);
    assert.deepEqual(customers.told, []);
    assert.match(adviceOf(silent), /wants to know organization.name, photo_id_front; set it in/);
    await assert.rejects(silent.commit(UNITS), (error) => {
      return error instanceof Refusal && /wants to know organization.name/.test(String(error));
    });
  });

  test('until it has heard by hand what it wants to know', async () => {
    const customers = wanting(silent, ['photo_id_front']);
    await assert.rejects(silent.commit(UNITS), Outage);
    await silent.look();
    assert.equal(isOffered(silent), false);
    customers.told.push({ photo_id_front: 'by post' });
    await silent.look();
    assert.equal(isOffered(silent), true);
  });

  for (const [verdict, sentence] of [
    ['PROCESSING', /is still looking at what it knows about us/],
    ['REJECTED', /has rejected what it knows about us/],
  ] as const) {
    test(`that says ${verdict}, until it says otherwise`, async () => {
      const customers = wanting(told, ['organization.name']);
      customers.verdict = verdict;
      await assert.rejects(told.commit(UNITS), (error) => {
        return error instanceof Outage && sentence.test(String(error));
      });
      await told.look();
      assert.equal(isOffered(told), false);
      assert.match(adviceOf(told), sentence);
      customers.verdict = 'ACCEPTED';
      await told.look();
      assert.equal(isOffered(told), true);
    });
  }

  test('that asks again and again; it is told once', async () => {
    const customers = wanting(told, ['organization.name']);
    customers.forgetful = true;
    await assert.rejects(told.commit(UNITS), Outage);
    await told.look();
    await assert.rejects(told.commit(UNITS), Refusal);
    assert.equal(isOffered(told), false);
    assert.equal(customers.told.length, 1);
    assert.match(adviceOf(told), /asks again for what it was told about us/);
  });

  test('that does not take what it is told', async () => {
    const customers = wanting(told, ['organization.name']);
    customers.putStatus = 400;
    await assert.rejects(told.commit(UNITS), (error) => {
      return error instanceof Outage && /did not take .*: that is no name/.test(String(error));
    });
    await told.look();
    assert.equal(isOffered(told), false);
  });

  test('that takes another value only', async () => {
    const customers = wanting(told, ['last_name']);
    customers.wanted.last_name = { ...TEXT, choices: ['Smith'] };
    await told.look();
    assert.equal(isOffered(told), false);
    assert.deepEqual(customers.told, []);
    assert.match(adviceOf(told), /takes another last_name only/);
  });
});

test('what is optional is not told', async () => {
  const customers = wanting(told, ['organization.name']);
  customers.wanted['organization.email'] = { ...TEXT, optional: true };
  await told.look();
  assert.deepEqual(Object.keys(customers.told[0] ?? {}).sort(), ['account', 'organization.name']);
});

test('text of the anchor reaches the operator as one line of plain characters', async () => {
  const customers = wanting(told, []);
  customers.verdict = 'REJECTED';
  await told.look();
  assert.match(adviceOf(told), /knows about us: on a list/);
  assert.equal(adviceOf(told).includes('\u001b'), false);
});

test('an anchor without a service for customers is offered as it is', async () => {
  told.anchor.toml = (text) => text.replace(/KYC_SERVER.*\n/, '');
  await told.look();
  assert.equal(isOffered(told), true);
  await told.commit(UNITS);
  told.anchor.toml = (text) => text;
});
