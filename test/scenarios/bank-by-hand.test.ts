// Money that a person sends by bank: a refund to an IBAN is told, drafted as a file for the bank,
// and known again in a statement. Our server a process of its own, statements through the command
// line beside it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { sql } from '#db/db.ts';
import { transferReference } from '#networks/bank/bank-references.ts';
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
    TWO_PEOPLE_ABOVE: '100',
    PRICE_SOURCES: 'off',
    SANDBOX: 'off',
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

const told = new Set<string>();

/** A refund that waits for a person; gives the id of its transfer. */
async function refund(checkoutId: string, amount: string): Promise<string> {
  await shop.client.post('/refund', { checkoutId, kind: 'amount', amount, address: OTHER_IBAN });
  let id = '';
  await waitUntil('the refund to wait', async () => {
    const { json } = await server.command('send', 'list', '--json');
    const { transfers } = json as unknown as Listed;
    id = transfers.find((one) => one.state === 'TO_SEND' && !told.has(one.id))?.id ?? '';
    return id !== '';
  });
  told.add(id);
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
  const text = await server.command('send', 'show', id);
  assert.match(text.stdout, new RegExp(` Text +${transferReference(id)}\n`));
  const path = join(server.dataDirectory, 'pay.xml');
  const files = [];
  for (const again of [[], ['--again']]) {
    const drafted = await server.command('send', 'draft', '--bank', id, ...again, '--out', path);
    assert.equal(drafted.exitCode, 0, drafted.stderr);
    const file = await readFile(path, 'utf8');
    assert.deepEqual(pain001Faults(file), []);
    assert.match(file, new RegExp(`<EndToEndId>${transferReference(id)}</EndToEndId>`));
    assert.match(file, /<InstdAmt Ccy="EUR">10\.50</);
    files.push(/<MsgId>([^<]+)/.exec(file)?.[1]);
    const twice = await server.command('send', 'draft', '--bank', id);
    assert.equal(twice.exitCode, 1);
    assert.match(twice.stderr, /stands in the file QT-/);
  }
  assert.equal(new Set(files).size, 2, 'each file has a name of its own');
});

type Drafted = { readonly file: { readonly messageId: string }; readonly text: string | null };

async function draftFor(by: string, ...ids: readonly string[]): Promise<Drafted> {
  const { json, stderr } = await server.command(
    ...['send', 'draft', '--bank', ...ids, '--by', by, '--json'],
  );
  assert.ok('file' in json, stderr);
  return json as unknown as Drafted;
}

test('above the limit nothing is written until another person releases it', async () => {
  const checkoutId = await paidCheckout('400.00', 40_000n);
  const id = await refund(checkoutId, '300.00');
  const { file, text } = await draftFor('Ada', id);
  assert.equal(text, null);
  const path = join(server.dataDirectory, 'released.xml');
  const release = (by: string) =>
    server.command('send', 'release', file.messageId, '--by', by, '--out', path);
  const own = await release(' ada ');
  assert.deepEqual([own.exitCode, /Ada drafted it/.test(own.stderr)], [1, true]);
  assert.equal(existsSync(path), false);
  const released = await release('Grace');
  assert.equal(released.exitCode, 0, released.stderr);
  const written = await readFile(path, 'utf8');
  assert.match(written, new RegExp(`<MsgId>${file.messageId}<`));
  assert.equal((await release('Ada')).exitCode, 0, 'what is released may be written again');
  assert.equal(await readFile(path, 'utf8'), written);
  const { json } = await server.command(
    'audit',
    'list',
    '--about',
    `bank-file:${file.messageId}`,
    '--json',
  );
  const acts = json.acts as readonly { readonly verb: string; readonly actor: string }[];
  assert.deepEqual(
    acts.map(({ verb, actor }) => [verb, actor]),
    [
      ['bank-draft', 'Ada'],
      ['bank-release', 'Grace'],
    ],
  );
  const { stdout } = await server.command('bank', 'files');
  assert.match(stdout, /300 EUR {2}drafted by Ada at \S+ {2}released by Grace at /);
  const cancel = ['--not-sent', '--reason', 'a test'];
  assert.equal((await server.command('send', 'cancel', id, ...cancel)).exitCode, 0);
});

type Noted = { readonly transfers: readonly { transferId: string; decision: string }[] };

/** Reads a report of the bank about a file. */
async function report(
  messageId: string,
  ...transfers: readonly (readonly [id: string, status: string, reason?: string])[]
) {
  const path = join(server.dataDirectory, 'status.xml');
  const told = transfers.map(([id, status, reason]) => {
    const reference = transferReference(id);
    const why = reason === undefined ? '' : `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf>`;
    return `<TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>${status}</TxSts>${why}</TxInfAndSts>`;
  });
  await writeFile(
    path,
    `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>B-7</MsgId><CreDtTm>2026-11-23T10:00:00Z</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}</OrgnlPmtInfId><PmtInfSts>PART</PmtInfSts>${told.join('')}</OrgnlPmtInfAndSts>
</CstmrPmtStsRpt></Document>`,
  );
  const ended = await server.command('bank', 'status', path, '--by', 'Ada', '--json');
  const noted = (ended.json as unknown as Partial<Noted>).transfers ?? [];
  return { ...ended, decisions: new Map(noted.map((one) => [one.transferId, one.decision])) };
}

test('a file that is taken in part: one order fails with the reason of the bank, the other goes on', async () => {
  const first = await paidCheckout('20.00', 2_000n);
  const second = await paidCheckout('21.00', 2_100n);
  const [one, other] = [await refund(first, '6.00'), await refund(second, '8.00')];
  const { file, text } = await draftFor('Ada', one, other);
  assert.match(text ?? '', /<NbOfTxs>2</);
  const available = await units('merchant:available');
  const told = await report(file.messageId, [one, 'RJCT', 'AC04'], [other, 'ACSP']);
  assert.deepEqual(
    (await listActs(server.db, { verb: 'bank-status', actor: 'Ada' }, 9)).map((act) => act.subject),
    [one, other].map((id) => `transfer:${id}`).sort(),
  );
  assert((await listActs(server.db, { verb: 'bank-import' }, 1)).length === 1);
  assert.equal(told.exitCode, 0, told.stderr);
  assert.deepEqual([told.decisions.get(one), told.decisions.get(other)], ['failed', 'noted']);
  assert.equal(await units('merchant:available'), available - 600n, 'given back as a credit');
  const { refunds } = await shop.client.get<{
    refunds: readonly { checkoutId: string; state: string; failure: string | null }[];
  }>('/refunds');
  const failed = refunds.find((each) => each.checkoutId === first);
  assert.deepEqual(
    [failed?.state, failed?.failure],
    ['FAILED', 'rejected by the bank: AC04 closed account number'],
  );
  const again = await report(file.messageId, [one, 'RJCT', 'AC04'], [other, 'ACSP']);
  assert.deepEqual([...again.decisions.values()], ['known', 'known']);
  assert.equal(await units('merchant:available'), available - 600n);
  await importDay(debit(800n, other));
  await waitForRefund(second);
  const late = await report(file.messageId, [other, 'RJCT', 'MS03']);
  assert.deepEqual([late.exitCode, late.decisions.get(other)], [1, 'contradicts']);
  await waitForRefund(second);
  const { stdout } = await server.command('bank', 'files', '--limit', '1');
  assert.match(stdout, new RegExp(`${other} {2}REJECTED {2}RJCT: MS03`));
  const foreign = await report('QT-AAAAAAAAAAAA', [one, 'RJCT']);
  assert.deepEqual([foreign.exitCode, /not drafted here/.test(foreign.stderr)], [1, true]);
  await shop.checkBooks();
});

type Refunds = { readonly refunds: readonly { id: string; checkoutId: string; state: string }[] };

async function waitForRefund(checkoutId: string): Promise<void> {
  await waitUntil('the refund to complete', async () => {
    const { refunds } = await shop.client.get<Refunds>('/refunds');
    return refunds.some((one) => one.checkoutId === checkoutId && one.state === 'COMPLETED');
  });
}

function debit(cents: bigint, transferId: string | undefined, raw = ''): FakeEntry {
  const endToEndId = transferId === undefined ? 'NOTPROVIDED' : transferReference(transferId);
  const parties = `<CdtrAcct><Id><IBAN>${OTHER_IBAN}</IBAN></Id></CdtrAcct>`;
  return { cents, side: 'DBIT', transactions: [{ endToEndId, parties, raw }] };
}

async function unexplained(): Promise<readonly unknown[]> {
  type Part = { readonly destination: string; readonly amount: string; readonly id: string };
  type Departures = { readonly departures: readonly { readonly parts: readonly Part[] }[] };
  const { json } = await server.command('custody', 'list', '--json');
  return (json as unknown as Departures).departures.flatMap(({ parts }) =>
    parts.map(({ destination, amount }) => [destination, amount]),
  );
}

async function units(code: string): Promise<bigint> {
  const [row] = await server.db.query<{ units: bigint }>(sql`
    select coalesce(sum(p.units), 0) as units from ledger_posting p
    join ledger_account a on a.id = p.account_id where a.code = ${code}`);
  return row?.units ?? 0n;
}

test('the debit in a statement completes the refund, and charges are network fees', async () => {
  const checkoutId = await paidCheckout('50.00', 5_000n);
  const before = opening;
  const id = await refund(checkoutId, '20.00');
  const included = `<Chrgs><Rcrd><Amt Ccy="EUR">0.20</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>`;
  const charge: FakeEntry = { cents: 150n, side: 'DBIT', code: 'CHRG', transactions: [] };
  await importDay(debit(2_020n, id, included), charge);
  await waitForRefund(checkoutId);
  await waitUntil('the fees to be booked', async () => (await units('network-fees')) === 170n);
  assert.equal(await units('custody:SEPA'), before - 2_020n - 150n);
  assert.deepEqual(await unexplained(), []);
  await shop.checkBooks();
});

test('told again in another file, nothing leaves twice', async () => {
  const custody = await units('custody:SEPA');
  const path = join(server.dataDirectory, `statement-${days}.xml`);
  const { json } = await server.command('bank', 'import', path, '--json');
  const [{ known, payments, charges } = {}] = json.statements as { [name: string]: number }[];
  assert.deepEqual([known, payments, charges], [2, 0, 0]);
  await paidCheckout('5.00', 500n);
  assert.equal(await units('custody:SEPA'), custody + 500n);
});

test('a debit that nobody ordered, or of another amount or account, is never a transfer', async () => {
  const checkoutId = await paidCheckout('30.00', 3_000n);
  const id = await refund(checkoutId, '7.00');
  const elsewhere = debit(700n, id);
  const [transaction] = elsewhere.transactions ?? [];
  const parties = `<CdtrAcct><Id><IBAN>${OUR_IBAN.replace('DE89', 'DE00')}</IBAN></Id></CdtrAcct>`;
  await importDay(debit(699n, id), debit(1_234n, undefined), debit(700n, undefined), {
    ...elsewhere,
    transactions: [{ ...transaction, parties }],
  });
  const reference = transferReference(id);
  await waitUntil('all to be seen', async () => (await unexplained()).length === 4);
  assert.deepEqual(await unexplained(), [
    [`${OTHER_IBAN} ${reference}`, '6.99 EUR'],
    [OTHER_IBAN, '12.34 EUR'],
    [OTHER_IBAN, '7 EUR'],
    [`DE00370400440532013000 ${reference}`, '7 EUR'],
  ]);
  await importDay(debit(700n, id));
  await waitForRefund(checkoutId);
  assert.equal((await unexplained()).length, 4);
  const verified = await server.command('ledger', 'verify', '--json');
  assert.deepEqual(verified.json.faults, []);
});

type Returned = { readonly id: string; readonly state: string; readonly failure: string | null };

test('a refund that the bank of the payer sends back is RETURNED, and can be made again', async () => {
  const checkoutId = await paidCheckout('60.00', 6_000n);
  const id = await refund(checkoutId, '60.00');
  await importDay(debit(6_000n, id));
  await waitForRefund(checkoutId);
  const available = await units('merchant:available');
  const custody = await units('custody:SEPA');
  const back: FakeEntry = {
    cents: 6_000n,
    transactions: [{ endToEndId: transferReference(id), isReturn: true }],
  };
  await importDay(back);
  const find = async () => {
    const { refunds } = await shop.client.get<{
      refunds: readonly (Returned & { checkoutId: string })[];
    }>('/refunds');
    return refunds.find((one) => one.checkoutId === checkoutId && one.state === 'RETURNED');
  };
  await waitUntil('the refund to come back', async () => (await find()) !== undefined);
  assert.match((await find())?.failure ?? '', /came back: AC04 closed account number/);
  assert.equal(await units('merchant:available'), available - 6_000n);
  assert.equal(await units('custody:SEPA'), custody + 6_000n);
  assert.equal(await units('suspense:SEPA'), 0n);
  // What says so once more is another payment, and nobody's.
  await importDay(back);
  await waitUntil('it to wait', async () => (await units('suspense:SEPA')) === -6_000n);
  assert.equal(await units('merchant:available'), available - 6_000n);
  const again = await refund(checkoutId, '60.00');
  await importDay(debit(6_000n, again));
  await waitForRefund(checkoutId);
  const taxes = await shop.client.get<{ report: { rows: readonly TaxRow[] } }>('/reports/taxes');
  const totals = taxes.report.rows.filter((row) => row.checkoutId === checkoutId);
  assert.deepEqual(
    totals.map(({ total }) => total),
    ['60', '-60', '60', '-60'],
  );
  await shop.checkBooks();
  const verified = await server.command('ledger', 'verify', '--json');
  assert.deepEqual(verified.json.faults, []);
});

type TaxRow = { readonly checkoutId: string; readonly total: string };

test('a refund of a checkout that is not paid in full comes back as money that pays it', async () => {
  const committed = await shop.open({ currency: 'EUR', amount: '90.00' }, 'SEPA');
  const { checkoutId } = committed;
  const structured = committed.depositInstructions.memo ?? '';
  await importDay({ cents: 4_000n, transactions: [{ structured }] });
  await shop.client.waitForState(checkoutId, 'UNDERPAID');
  const pending = await units('merchant:pending');
  await shop.client.post('/refund', { checkoutId, kind: 'full', address: OTHER_IBAN });
  let id = '';
  await waitUntil('the refund to wait', async () => {
    const { json } = await server.command('send', 'list', '--json');
    const { transfers } = json as unknown as Listed;
    id = transfers.find((one) => one.state === 'TO_SEND' && !told.has(one.id))?.id ?? '';
    return id !== '';
  });
  await importDay(debit(4_000n, id));
  await waitForRefund(checkoutId);
  assert.equal(await units('merchant:pending'), pending + 4_000n);
  await importDay({
    cents: 4_000n,
    transactions: [{ endToEndId: transferReference(id), isReturn: true }],
  });
  await waitUntil(
    'it to be pending again',
    async () => (await units('merchant:pending')) === pending,
  );
  const structuredAgain = { cents: 5_000n, transactions: [{ structured }] };
  await importDay(structuredAgain);
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  await shop.checkBooks();
  const verified = await server.command('ledger', 'verify', '--json');
  assert.deepEqual(verified.json.faults, []);
});

test('what came back of a payment that nobody knows waits in suspense, with its reason', async () => {
  const endToEndId = transferReference('abcdefghij12');
  await importDay({ cents: 700n, transactions: [{ endToEndId, isReturn: true }] });
  await waitUntil('it to wait', async () => {
    const { stdout } = await server.command('suspense', 'list', '--json');
    return /transfer abcdefghij12 came back: AC04/.test(stdout);
  });
});
