// The main job over bank transfers: our server a process of its own, checkouts through the HTTP API,
// statements through the command line beside it.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { groupsOf } from '#pages/checkout/copy-field.ts';
import {
  type FakeEntry,
  type FakeStatement,
  OTHER_IBAN,
  OUR_IBAN,
  statementXml,
} from '#test/fakes/bank-statement.ts';
import type { Committed } from '#test/support/merchant-client.ts';
import { readSvgCode } from '#test/support/read-svg-code.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';

const EUR = 'EUR:FIAT';
const HOLDER = 'Fern & Folio GmbH';

let server: ServerProcess;
let shop: Shop;
let number = 0;
let opening = 0n;

before(async () => {
  const settings = {
    SEPA_IBAN: 'DE89 3704 0044 0532 0130 00',
    SEPA_BIC: 'COBADEFFXXX',
    SEPA_HOLDER: HOLDER,
    SWIFT_ACCOUNT: '1234567',
    SWIFT_BIC: 'CHASUS33',
    SWIFT_HOLDER: HOLDER,
    PIX_KEY: 'loja@exemplo.com.br',
    PIX_ACCOUNT: '0001-7654321',
    PIX_HOLDER: HOLDER,
    PIX_CITY: 'Recife',
    PRICE_SOURCES: 'off',
    SANDBOX: 'off',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
  };
  server = await openServerProcess({ settings });
  await server.start();
  shop = await openShop(server, 'live');
});
after(async () => {
  await shop?.close();
  await server?.close();
});

const open = (amount: string) => shop.open({ currency: 'EUR', amount }, 'SEPA');
const referenceOf = ({ depositInstructions }: Committed) => depositInstructions.memo ?? '';

function paid(reference: string, cents: bigint): FakeEntry {
  number += 1;
  return { cents, servicerReference: `B-${number}`, transactions: [{ structured: reference }] };
}

async function save(xml: string): Promise<string> {
  const path = join(server.dataDirectory, `statement-${number}.xml`);
  await writeFile(path, xml);
  return path;
}

/** The statement of the next day, imported. */
async function importDay(entries: readonly FakeEntry[], more: Partial<FakeStatement> = {}) {
  const day = Temporal.PlainDate.from('2026-01-01').add({ days: number }).toString();
  const id = `S-${number}`;
  const path = await save(statementXml({ id, day, opening, entries, ...more }));
  opening = entries.reduce(
    (sum, { cents, side }) => (side === 'DBIT' ? sum - cents : sum + cents),
    opening,
  );
  const ended = await server.command('bank', 'import', path, '--json');
  assert.equal(ended.exitCode, 0, ended.stderr);
  const [first] = ended.json.statements as Record<string, unknown>[];
  return { path, first };
}

test('a checkout is paid by transfer, completed by the statement, credited and told', async () => {
  const earned = await shop.balance(EUR);
  const committed = await open('41.65');
  const { checkoutId: id, depositInstructions } = committed;
  const reference = referenceOf(committed);
  assert.match(reference, /^RF\d{2}Q\d{15}$/);
  assert.deepEqual(
    { ...depositInstructions },
    {
      assetCode: 'EUR',
      blockchain: 'SEPA',
      network: 'SEPA',
      amount: '41.65',
      address: OUR_IBAN,
      memo: reference,
      memoType: 'reference',
      holder: HOLDER,
      bic: 'COBADEFFXXX',
      paymentUri: `BCD\n002\n1\nSCT\nCOBADEFFXXX\n${HOLDER}\n${OUR_IBAN}\nEUR41.65\n\n${reference}`,
    },
  );
  const { first } = await importDay([paid(reference, 4_165n)]);
  assert.deepEqual([first?.network, first?.credits, first?.withoutReference], ['SEPA', 1, 0]);
  await shop.client.waitForState(id, 'COMPLETED');
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  assert.equal(await shop.balance(EUR), earned + 4_165n);
  await shop.checkBooks();
});

test('the page shows holder, IBAN in groups, BIC and reference; the code reads as the same', async () => {
  const committed = await open('7.30');
  const { hostedCheckoutUrl } = await shop.client.findCheckout(committed.checkoutId);
  const answer = await fetch(new URL(new URL(hostedCheckoutUrl).pathname, server.origin));
  const text = await answer.text();
  // Groups are apart to the eye only: what is selected is what is to be typed.
  const seen = text.replaceAll('<wbr>', ' ').replaceAll(/<\/?(?:b|span)\b[^>]*>/g, '');
  assert.match(text, /Fern &amp; Folio GmbH/);
  assert.match(seen, /DE89 3704 0044 0532 0130 00/);
  assert.match(text, /COBADEFFXXX/);
  const reference = referenceOf(committed);
  assert.ok(seen.includes(groupsOf(reference).join(' ')));
  const [svg = ''] = /<svg class="qr"[\s\S]*?<\/svg>/.exec(text) ?? [];
  assert.equal(readSvgCode(svg), committed.depositInstructions.paymentUri);
});

test('a part is not enough, the rest completes; too much is said', async () => {
  const earned = await shop.balance(EUR);
  const committed = await open('20.00');
  const { checkoutId: id } = committed;
  await importDay([paid(referenceOf(committed), 1_500n)]);
  await shop.client.waitForState(id, 'UNDERPAID');
  assert.equal(await shop.balance(EUR), earned);
  await importDay([paid(referenceOf(committed), 700n)]);
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(completed.flags.overpaid, { amount: '2', assetCode: 'EUR' });
  assert.equal(await shop.balance(EUR), earned + 2_200n);
  await shop.checkBooks();
});

test('a transfer that arrives after the window is credited as late', async () => {
  const earned = await shop.balance(EUR);
  const committed = await open('12.00');
  const { checkoutId: id } = committed;
  shop.noteExpired(id);
  await shop.endWindowIn(id, -1);
  await shop.client.waitForState(id, 'EXPIRED');
  await importDay([paid(referenceOf(committed), 1_200n)]);
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.ok('late' in completed.flags);
  assert.equal(await shop.balance(EUR), earned + 1_200n);
  await shop.checkBooks();
});

test('what is imported while the server is down is credited once when it is back', async () => {
  const earned = await shop.balance(EUR);
  const committed = await open('9.99');
  await server.kill9();
  const { path } = await importDay([paid(referenceOf(committed), 999n)]);
  const again = await server.command('bank', 'import', path, '--json');
  assert.deepEqual(
    (again.json.statements as { credits: number; known: number }[]).map((one) => [
      one.credits,
      one.known,
    ]),
    [[0, 1]],
  );
  await server.start();
  await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  assert.equal(await shop.balance(EUR), earned + 999n);
  await shop.checkBooks();
});

test('a dry run writes nothing', async () => {
  const committed = await open('3.00');
  const entries = [paid(referenceOf(committed), 300n)];
  const path = await save(statementXml({ kind: '054', id: 'N-1', entries }));
  const dry = await server.command('bank', 'import', path, '--dry-run');
  assert.equal(dry.exitCode, 0, dry.stderr);
  assert.match(dry.stdout, /SEPA N-1: 1 new credits\nNothing was written/);
  const wet = await server.command('bank', 'import', path);
  assert.match(wet.stdout, /SEPA N-1: 1 new credits\n$/);
  await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  await importDay(entries);
  await shop.checkBooks();
});

test('a transfer that the bank takes back is taken from the merchant', async () => {
  const earned = await shop.balance(EUR);
  const committed = await open('30.00');
  const { checkoutId: id } = committed;
  const entry = paid(referenceOf(committed), 3_000n);
  await importDay([entry]);
  await shop.client.waitForState(id, 'COMPLETED');
  number += 1;
  await importDay([{ ...entry, side: 'DBIT', isReversal: true, servicerReference: `B-${number}` }]);
  await waitUntil('the credit to be taken back', async () => {
    return (await shop.balance(EUR)) === earned;
  });
  await shop.client.waitFor(id, ({ flags }) => 'reversed' in flags);
});

test('a file that is not ours, or no statement, ends with one sentence and writes nothing', async () => {
  number += 1;
  const entries = [paid('RF18539007547034', 100n)];
  const files: readonly (readonly [string, RegExp])[] = [
    [statementXml({ iban: OTHER_IBAN, entries }), /account FR14.* is not ours; set up: DE89/],
    [statementXml({ currency: 'USD', entries }), /in USD; SEPA is set up for EUR/],
    ['<!DOCTYPE x [<!ENTITY y "z">]><x>&y;</x>', /has a document type/],
    [statementXml({ entries }).slice(0, -30), /not well-formed/],
  ];
  for (const [text, sentence] of files) {
    const path = await save(text);
    const ended = await server.command('bank', 'import', path, '--json');
    assert.equal(ended.exitCode, 1);
    assert.match(ended.stderr, sentence);
    assert.match(JSON.stringify(ended.json), /error/);
  }
  const none = await server.command('bank', 'import', '/no/such/file');
  assert.match(none.stderr, /cannot be read: ENOENT/);
  const path = await save(statementXml({ entries }));
  const wrong = await server.command('bank', 'import', path, '--network', 'PIX');
  assert.match(wrong.stderr, /PIX is set up for 00017654321/);
  const help = await server.command('bank', 'import', '--help');
  assert.match(help.stdout, /bank import FILE/);
});

test('doctor tells of a statement that is missing until it is there', async () => {
  const committed = await open('5.00');
  const missing = [paid(referenceOf(committed), 500n)];
  const [id, day] = [`S-${number}`, number];
  const before = opening;
  opening += 500n;
  number += 1;
  await importDay([{ cents: 100n, side: 'DBIT', servicerReference: `B-${number}` }]);
  const doctor = async () => (await server.command('doctor', '--json')).stdout;
  await waitUntil('doctor to tell', async () => /statement is missing/.test(await doctor()));
  const date = Temporal.PlainDate.from('2026-01-01').add({ days: day }).toString();
  const statement = { id, day: date, opening: before, entries: missing };
  const path = await save(statementXml(statement));
  assert.equal((await server.command('bank', 'import', path)).exitCode, 0);
  await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  await waitUntil('doctor to be content', async () => !/is missing/.test(await doctor()));
});

test('SWIFT and Pix are offered for their currencies, Pix with a code to copy', async () => {
  const dollars = await shop.open({ currency: 'USD', amount: '10.00' }, 'SWIFT');
  assert.equal(dollars.depositInstructions.address, '1234567');
  assert.equal(dollars.depositInstructions.paymentUri, null);
  const reais = await shop.open({ currency: 'BRL', amount: '25.90' }, 'PIX');
  const { address, memo, paymentUri } = reais.depositInstructions;
  assert.equal(address, 'loja@exemplo.com.br');
  assert.ok(paymentUri?.includes('540525.90') && paymentUri.includes(memo ?? 'none'));
  const { hostedCheckoutUrl } = await shop.client.findCheckout(reais.checkoutId);
  const answer = await fetch(new URL(new URL(hostedCheckoutUrl).pathname, server.origin));
  const [svg = ''] = /<svg class="qr"[\s\S]*?<\/svg>/.exec(await answer.text()) ?? [];
  assert.equal(readSvgCode(svg), paymentUri);
});

test('money that nobody asked for waits in suspense, and is said', async () => {
  const earned = await shop.balance(EUR);
  number += 1;
  const entry = { cents: 777n, servicerReference: `B-${number}` };
  const { first } = await importDay([entry]);
  assert.deepEqual([first?.credits, first?.withoutReference], [1, 1]);
  await waitUntil('the alarm', () =>
    server.errors().some(({ message }) => /nobody asked for/.test(String(message))),
  );
  assert.equal(await shop.balance(EUR), earned);
});
