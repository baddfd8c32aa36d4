// Money that a person sends by bank: a refund to an IBAN is told, drafted as a file for the bank,
// and known again in a statement. Our server a process of its own, statements through the command
// line beside it.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { transferReference } from '#networks/bank/transfer-reference.ts';
import { type FakeEntry, OTHER_IBAN, OUR_IBAN, statementXml } from '#test/fakes/bank-statement.ts';
import { pain001Faults } from '#test/support/pain-001-schema.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';

let server: ServerProcess;
let shop: Shop;
let days = 0;
let opening = 0n;

before(async () => {
  const settings = {
    SEPA_IBAN: OUR_IBAN,
    SEPA_HOLDER: 'Fern & Folio GmbH',
    PRICE_SOURCES: 'off',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
  };
  server = await openServerProcess({ settings });
  await server.start();
  const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
  await server.command('allow-list', 'add', ...here);
  shop = await openShop(server, 'live');
});
after(async () => {
  await shop?.close();
  await server?.close();
});

/** The statement of the next day, imported. */
async function importDay(...entries: readonly FakeEntry[]): Promise<void> {
  days += 1;
  const day = Temporal.PlainDate.from('2026-01-01').add({ days }).toString();
  const path = join(server.dataDirectory, `statement-${days}.xml`);
  const numbered = entries.map((entry, index) => ({
    servicerReference: `B-${days}-${index}`,
    ...entry,
  }));
  await writeFile(path, statementXml({ id: `S-${days}`, day, opening, entries: numbered }));
  for (const { side, cents } of entries) opening += side === 'DBIT' ? -cents : cents;
  const ended = await server.command('bank', 'import', path, '--json');
  assert.equal(ended.exitCode, 0, ended.stderr);
}

async function paidCheckout(amount: string, cents: bigint): Promise<string> {
  const committed = await shop.open({ currency: 'EUR', amount }, 'SEPA');
  const structured = committed.depositInstructions.memo ?? '';
  await importDay({ cents, transactions: [{ structured }] });
  await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  return committed.checkoutId;
}

type Listed = { readonly transfers: readonly { readonly id: string; readonly state: string }[] };

/** A refund that waits for a person; gives the id of its transfer. */
async function refund(checkoutId: string, amount: string): Promise<string> {
  await shop.client.post('/refund', { checkoutId, kind: 'amount', amount, address: OTHER_IBAN });
  let id = '';
  await waitUntil('the refund to wait', async () => {
    const { json } = await server.command('send', 'list', '--json');
    const { transfers } = json as unknown as Listed;
    id = transfers.find(({ state }) => state === 'TO_SEND')?.id ?? '';
    return id !== '';
  });
  return id;
}

test('a refund to an IBAN is told line by line, and drafted as a file for the bank', async () => {
  const checkoutId = await paidCheckout('40.00', 4_000n);
  const id = await refund(checkoutId, '10.50');
  const shown = await server.command('send', 'show', id, '--json');
  const { sending } = shown.json as unknown as { sending: { fields: unknown } };
  assert.deepEqual(sending.fields, [
    { label: 'From account', value: OUR_IBAN },
    { label: 'IBAN', value: OTHER_IBAN },
    { label: 'Amount', value: '10.50' },
    { label: 'Currency', value: 'EUR' },
    { label: 'Text', value: transferReference(id) },
  ]);
  const told = await server.command('send', 'show', id);
  assert.match(told.stdout, new RegExp(` Text +${transferReference(id)}\n`));
  const path = join(server.dataDirectory, 'pay.xml');
  const files = [];
  for (let count = 0; count < 2; count += 1) {
    const drafted = await server.command('send', 'draft', id, '--out', path);
    assert.equal(drafted.exitCode, 0, drafted.stderr);
    const file = await readFile(path, 'utf8');
    assert.deepEqual(pain001Faults(file), []);
    assert.match(file, new RegExp(`<EndToEndId>${transferReference(id)}</EndToEndId>`));
    assert.match(file, /<InstdAmt Ccy="EUR">10\.50</);
    files.push(/<MsgId>([^<]+)/.exec(file)?.[1]);
  }
  assert.equal(new Set(files).size, 2, 'each file has a name of its own');
});
