// Bank transfers that are none, through the real import, adapter, recording and settlement: nobody is
// ever credited for them. Each names the incident or rule it comes from. After each of them the same
// customer pays honestly and is credited, so that this file can fail.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { readPosition } from '#chain/chain-status.ts';
import { suspenseLine } from '#cli/suspense.ts';
import type { BankAccount } from '#networks/bank/bank-account.ts';
import { creditorReference } from '#networks/bank/bank-references.ts';
import { openBankNetworks } from '#networks/bank/open-bank-networks.ts';
import { listSuspense, suspenseView } from '#suspense/suspense-view.ts';
import {
  type FakeEntry,
  type FakeStatement,
  OTHER_IBAN,
  statementBytes,
  statementXml,
} from '#test/fakes/bank-statement.ts';
import {
  type BankWorld,
  EUR,
  openBankWorld,
  SEPA_ACCOUNT,
  SWIFT_ACCOUNT,
} from '#test/fakes/bank-world.ts';

const CENTS = 12_345n;

type Asked = { readonly reference: string; readonly number: number };

type Forgery = {
  readonly name: string;
  /** Incident or rule it comes from. */
  readonly source: string;
  /** What the import makes of it. */
  readonly ends: 'ignored' | 'suspense' | 'refusal';
  readonly suspended?: bigint;
  readonly file: (asked: Asked) => Uint8Array;
};

/** One booked credit with the reference of the customer, and what is changed about it. */
function entry({ reference, number }: Asked, changes: Partial<FakeEntry> = {}): FakeEntry {
  return {
    cents: CENTS,
    servicerReference: `FORGED-${number}`,
    transactions: [{ structured: reference }],
    ...changes,
  };
}

function file(asked: Asked, changes: Partial<FakeEntry>, more: Partial<FakeStatement> = {}) {
  return statementBytes({ id: `F-${asked.number}`, entries: [entry(asked, changes)], ...more });
}

/** The honest file with one text in it replaced by another. */
function altered(asked: Asked, from: string | RegExp, to: string): Uint8Array {
  const honest = statementXml({ id: `F-${asked.number}`, entries: [entry(asked)] });
  const forged = honest.replace(from, () => to);
  assert.notEqual(forged, honest);
  return new TextEncoder().encode(forged);
}

const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const unstructured = (text: string) => ({ transactions: [{ unstructured: [text] }] });

const LOOK_ALIKES: Readonly<Record<string, string>> = { '0': 'O', '1': 'I', '5': 'S', '8': 'B' };

const FORGERIES: readonly Forgery[] = [
  {
    name: 'a booking that is pending',
    source: 'ISO 20022 EntryStatus PDNG: may yet not happen',
    ends: 'ignored',
    file: (asked) => file(asked, { status: 'PDNG' }),
  },
  {
    name: 'a booking for information only',
    source: 'ISO 20022 EntryStatus INFO: no booking at all',
    ends: 'ignored',
    file: (asked) => file(asked, { status: 'INFO' }),
  },
  {
    name: 'a booking in the future',
    source: 'ISO 20022 EntryStatus FUTR',
    ends: 'ignored',
    file: (asked) => file(asked, { status: 'FUTR' }),
  },
  {
    name: 'a status in small letters',
    source: 'codes of ISO 20022 are exact',
    ends: 'ignored',
    file: (asked) => file(asked, { status: 'Book' }),
  },
  {
    name: 'a pending booking in the older form of the status',
    source: 'camt.053.001.02: the status is text',
    ends: 'ignored',
    file: (asked) => file(asked, { status: 'PDNG' }, { version: '02' }),
  },
  {
    name: 'a debit with the reference of the customer',
    source: 'CreditDebitCode DBIT: money that left',
    ends: 'ignored',
    file: (asked) => file(asked, { side: 'DBIT' }),
  },
  {
    name: 'a credit that takes back a debit',
    source: 'ReversalIndicator true on CRDT: a payment of ours that came back',
    ends: 'suspense',
    file: (asked) => file(asked, { isReversal: true }),
  },
  {
    name: 'a returned payment of ours',
    source: 'SEPA R-transactions: pacs.004 shows as a credit with RtrInf',
    ends: 'suspense',
    file: (asked) =>
      file(asked, { transactions: [{ structured: asked.reference, isReturn: true }] }),
  },
  {
    name: 'nothing at all',
    source: 'an amount of zero is no payment',
    ends: 'ignored',
    file: (asked) => file(asked, { cents: 0n }),
  },
  {
    name: 'a statement of another account',
    source: 'the account of the statement is compared, not its file name',
    ends: 'refusal',
    file: (asked) => file(asked, {}, { iban: OTHER_IBAN }),
  },
  {
    name: 'an account with wrong check digits',
    source: 'ISO 13616, modulo 97',
    ends: 'refusal',
    file: (asked) => file(asked, {}, { iban: 'DE88370400440532013000' }),
  },
  {
    name: 'a negative amount',
    source: 'ActiveOrHistoricCurrencyAndAmount: never negative',
    ends: 'refusal',
    file: (asked) => file(asked, { amount: '-123.45' }),
  },
  {
    name: 'an amount with an exponent',
    source: 'xs:decimal has none; parsers of floats do',
    ends: 'refusal',
    file: (asked) => file(asked, { amount: '1e9' }),
  },
  {
    name: 'an amount with a comma',
    source: 'xs:decimal: the point is the only separator',
    ends: 'refusal',
    file: (asked) => file(asked, { amount: '123,45' }),
  },
  {
    name: 'an amount finer than a cent',
    source: 'ISO 4217: the euro has two digits, nothing is rounded',
    ends: 'refusal',
    file: (asked) => file(asked, { amount: '123.456' }),
  },
  {
    name: 'an amount in digits of another script',
    source: 'Unicode look-alikes: only 0 to 9 are digits',
    ends: 'refusal',
    file: (asked) => file(asked, { amount: '١٢٣.٤٥' }),
  },
  {
    name: 'a statement in another currency',
    source: 'SEPA is euro; 12345 yen are not 123.45 euro',
    ends: 'refusal',
    file: (asked) => file(asked, {}, { currency: 'USD' }),
  },
  {
    name: 'a booking in another currency than its statement',
    source: 'currency swap: 123.45 francs are not 123.45 euro',
    ends: 'suspense',
    file: (asked) => file(asked, { currency: 'CHF' }),
  },
  {
    name: 'a batch that does not add up',
    source: 'Btch: the transactions make the entry',
    ends: 'suspense',
    suspended: 200n,
    file: (asked) =>
      file(asked, {
        cents: 200n,
        transactions: [{ cents: CENTS, structured: asked.reference }, { cents: 100n }],
      }),
  },
  {
    name: 'a batch with a transaction of another currency',
    source: 'currency swap inside of an entry',
    ends: 'suspense',
    file: (asked) =>
      file(asked, {
        transactions: [
          { structured: asked.reference, raw: `<Amt Ccy="JPY">12344</Amt>` },
          { cents: 1n },
        ],
      }),
  },
  {
    name: 'a batch in which a debit hides',
    source: 'CdtDbtInd of a transaction that is not the one of its entry',
    ends: 'suspense',
    file: (asked) =>
      file(asked, {
        transactions: [{ structured: asked.reference, raw: '<CdtDbtInd>DBIT</CdtDbtInd>' }],
      }),
  },
  {
    name: 'two amounts in one booking',
    source: 'parser differentials: one reader takes the first, another the last',
    ends: 'refusal',
    file: (asked) => altered(asked, '<BkTxCd>', '<Amt Ccy="EUR">99999.00</Amt><BkTxCd>'),
  },
  {
    name: 'two accounts in one statement',
    source: 'parser differentials',
    ends: 'refusal',
    file: (asked) => altered(asked, '<Ccy>EUR', `<Id><IBAN>${OTHER_IBAN}</IBAN></Id><Ccy>EUR`),
  },
  {
    name: 'an external entity',
    source: 'XXE, CWE-611',
    ends: 'refusal',
    file: (asked) =>
      altered(
        asked,
        '<Document',
        '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><Document',
      ),
  },
  {
    name: 'entities of entities',
    source: 'billion laughs, CWE-776',
    ends: 'refusal',
    file: (asked) =>
      altered(asked, '<Document', '<!DOCTYPE d [<!ENTITY a "&b;&b;"><!ENTITY b "x">]><Document'),
  },
  {
    name: 'an entity nobody declared',
    source: 'XML 1.0, 4.1: well-formedness',
    ends: 'refusal',
    file: (asked) => altered(asked, 'Lena', '&lena;'),
  },
  {
    name: 'a file that was cut off',
    source: 'upload that broke off',
    ends: 'refusal',
    file: (asked) => file(asked, {}).subarray(0, -40),
  },
  {
    name: 'elements nested without end',
    source: 'stack of a recursive parser',
    ends: 'refusal',
    file: (asked) =>
      altered(asked, '<BkTxCd>', `${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}<BkTxCd>`),
  },
  {
    name: 'another encoding than UTF-8',
    source: 'ISO 8859-1 read as UTF-8',
    ends: 'refusal',
    file: (asked) => latin(new TextDecoder().decode(altered(asked, 'Lena', 'Ren\u00e9'))),
  },
  {
    name: 'UTF-7, declared',
    source: 'encodings that hide markup',
    ends: 'refusal',
    file: (asked) => altered(asked, 'encoding="UTF-8"', 'encoding="UTF-7"'),
  },
  {
    name: 'an intraday report',
    source: 'camt.052: provisional',
    ends: 'refusal',
    file: (asked) => altered(asked, 'camt.053', 'camt.052'),
  },
  {
    name: 'a document of nobody',
    source: 'namespaces are compared',
    ends: 'refusal',
    file: (asked) => altered(asked, 'urn:iso:std', 'urn:our:own'),
  },
  {
    name: 'a booking of another namespace',
    source: 'supplementary data is none of the statement',
    ends: 'ignored',
    file: (asked) =>
      new TextEncoder().encode(
        statementXml({ id: `F-${asked.number}`, entries: [entry(asked)], closing: 100_000n })
          .replace('<Ntry>', '<x:Ntry xmlns:x="urn:other">')
          .replace('</Ntry>', '</x:Ntry>'),
      ),
  },
  {
    name: 'a reference with one digit wrong',
    source: 'ISO 11649, modulo 97',
    ends: 'suspense',
    file: (asked) =>
      file(asked, unstructured(asked.reference.replace(/.$/, (d) => String((+d + 1) % 10)))),
  },
  {
    name: 'a reference with two digits in the place of each other',
    source: 'ISO 7064: transpositions',
    ends: 'suspense',
    file: (asked) => file(asked, unstructured(asked.reference.replace(/^RF(.)(.)/, 'RF$2$1 '))),
  },
  {
    name: 'a reference with letters for digits',
    source: 'look-alikes: O is not 0, I is not 1',
    ends: 'suspense',
    file: (asked) => {
      const written = asked.reference.replaceAll(/[0158]/g, (digit) => LOOK_ALIKES[digit] ?? '');
      assert.notEqual(written, asked.reference);
      return file(asked, unstructured(written));
    },
  },
  {
    name: 'a reference in letters of another alphabet',
    source: 'look-alikes: Cyrillic',
    ends: 'suspense',
    file: (asked) => file(asked, unstructured(asked.reference.replace('R', '\u0420'))),
  },
  {
    name: 'a reference inside of a longer number',
    source: 'numbers of invoices that hold one by chance',
    ends: 'suspense',
    file: (asked) => file(asked, unstructured(`${asked.reference}7`)),
  },
  {
    name: 'the references of two payments',
    source: 'exactly one must match: nobody can say which was meant',
    ends: 'suspense',
    file: (asked) =>
      file(asked, unstructured(`${asked.reference} and ${creditorReference(77_777n)}`)),
  },
  {
    name: 'another reference in words than in the structured part',
    source: 'exactly one must match',
    ends: 'suspense',
    file: (asked) =>
      file(asked, {
        transactions: [{ structured: creditorReference(88_888n), unstructured: [asked.reference] }],
      }),
  },
  {
    name: 'a reference that was never handed out',
    source: 'right check digits are no instruction',
    ends: 'suspense',
    file: (asked) => file(asked, { transactions: [{ structured: creditorReference(99_999n) }] }),
  },
  {
    name: 'a payment without a word',
    source: 'SEPA: remittance information is optional',
    ends: 'suspense',
    file: (asked) => file(asked, { transactions: [{ endToEndId: 'NOTPROVIDED' }] }),
  },
  {
    name: 'the reference in the name of the payer',
    source: 'only what names the payment is looked at',
    ends: 'suspense',
    file: (asked) =>
      new TextEncoder().encode(
        statementXml({
          id: `F-${asked.number}`,
          entries: [entry(asked, { transactions: [{}] })],
        }).replace('Lena Example', asked.reference),
      ),
  },
];

describe('bank transfers that are none', () => {
  let world: BankWorld;
  let number = 0;

  before(async () => {
    world = await openBankWorld();
  });
  after(() => world?.close());

  for (const { name, source, ends, file: make, suspended = CENTS } of FORGERIES) {
    test(`${name} (${source})`, async () => {
      number += 1;
      const { id, reference } = await world.open(CENTS);
      const credited = await world.credited();
      const inSuspense = await world.suspended();
      const bytes = make({ reference, number });
      if (ends === 'refusal') await assert.rejects(world.importBytes(bytes), Refusal);
      else await world.importBytes(bytes);
      await world.follow();
      assert.equal((await world.credited()) - credited, 0n);
      const rose = (await world.suspended()) - inSuspense;
      assert.equal(rose, ends === 'suspense' ? suspended : 0n);
      assert.equal((await world.read(id)).state, 'AWAITING_PAYMENT');

      const honest = { cents: CENTS, servicerReference: `HONEST-${number}` };
      const line = `Order 7, ${reference.replaceAll(/.{4}(?=.)/g, '$& ').toLowerCase()} thanks`;
      const transactions = [{ unstructured: [line.slice(0, 20), line.slice(20)] }];
      await world.import({ id: `H-${number}`, entries: [{ ...honest, transactions }] });
      await world.follow();
      assert.equal((await world.credited()) - credited, CENTS);
      assert.equal((await world.read(id)).state, 'COMPLETED');
    });
  }

  test('a gap in the statements of an account that was exchanged brakes nothing any more', async () => {
    const chain = 'live:SEPA';
    await world.import({ id: 'G-1', day: '2026-03-01', opening: 0n, entries: [] });
    await world.import({ id: 'G-2', day: '2026-03-02', opening: 5n, entries: [] });
    const brakeOf = async (account: BankAccount) => {
      const [opened] = openBankNetworks([account], world.app);
      const observation = await opened?.network.observe(await readPosition(world.app.db, chain));
      return observation?.brake?.map(({ reason }) => reason).join();
    };
    assert.match((await brakeOf(SEPA_ACCOUNT)) ?? '', /a statement is missing|ends with/);
    assert.equal(await brakeOf({ ...SEPA_ACCOUNT, account: OTHER_IBAN }), '');
  });

  test('what a customer of an older database pays is credited to nobody in a new one', async () => {
    const older = await openBankWorld(2);
    const newer = await openBankWorld(3);
    try {
      for (let asked = 0; asked < 20; asked += 1) {
        const { reference } = await older.open(CENTS);
        await newer.open(CENTS);
        const transactions = [{ structured: reference }];
        const entry = { cents: CENTS, servicerReference: `OLD-${asked}`, transactions };
        await newer.import({ id: `O-${asked}`, entries: [entry] });
      }
      await newer.follow();
      assert.equal(await newer.credited(), 0n);
      assert.equal(await newer.suspended(), 20n * CENTS);
    } finally {
      await Promise.all([older.close(), newer.close()]);
    }
  });

  test('what is imported again, and told again otherwise, is credited once', async () => {
    const { reference } = await world.open(CENTS);
    const credited = await world.credited();
    const inSuspense = await world.suspended();
    const paid = entry({ reference, number: 900 });
    const withWords = { ...paid, transactions: [{ unstructured: [`${reference} other words`] }] };
    const toAnother = { ...paid, transactions: [{ structured: creditorReference(0n) }] };
    const sumOnly = { ...paid, transactions: [] };
    await world.import({ kind: '052', id: 'R-900', entries: [paid] });
    await world.import({ kind: '054', id: 'N-900', entries: [paid] });
    for (const again of [paid, withWords, toAnother, sumOnly]) {
      await world.import({ id: 'S-900', entries: [again] });
      await world.import({ id: 'S-901', entries: [again, again] });
    }
    await world.follow();
    assert.equal((await world.credited()) - credited, CENTS);
    assert.equal((await world.suspended()) - inSuspense, 0n);
  });

  test('a reference of the bank that stands for another amount now is refused', async () => {
    const { reference } = await world.open(CENTS);
    const credited = await world.credited();
    const paid = entry({ reference, number: 910 });
    await world.import({ id: 'S-910', entries: [paid] });
    const more = { ...paid, cents: 99_999n };
    await assert.rejects(world.import({ id: 'S-911', entries: [more] }), Refusal);
    await world.follow();
    assert.equal((await world.credited()) - credited, CENTS);
  });

  test('without a reference of the bank, a booking that was added to a statement is held', async () => {
    const { reference } = await world.open(CENTS);
    const credited = await world.credited();
    const added = { cents: CENTS, transactions: [{ structured: reference }] };
    const forged = { id: 'S-920', entries: [added], opening: 0n, closing: 0n };
    const [decision] = await world.import(forged);
    assert.deepEqual([decision?.rows.length, decision?.heldCount], [0, 1]);
    await world.follow();
    assert.equal((await world.credited()) - credited, 0n);
  });

  test('a booking that takes back a payment takes back its credit, whichever came first', async () => {
    const credited = await world.credited();
    for (const isFirst of [true, false]) {
      const { reference } = await world.open(CENTS);
      const number = isFirst ? 930 : 931;
      const paid = entry({ reference, number });
      const back = { ...paid, servicerReference: `BACK-${number}`, side: 'DBIT' as const };
      const files: FakeStatement[] = [
        { id: `S-${number}`, entries: [paid] },
        { id: `R-${number}`, entries: [{ ...back, isReversal: true }] },
      ];
      if (!isFirst) files.reverse();
      await world.import(files[0] as FakeStatement);
      await world.follow();
      assert.equal((await world.credited()) - credited, isFirst ? CENTS : 0n);
      await world.import(files[1] as FakeStatement);
      await world.follow();
      assert.equal((await world.credited()) - credited, 0n);
    }
  });

  test('a booking that takes back nobody knows what takes nothing, and is told', async () => {
    const credited = await world.credited();
    const back = { cents: 1n, side: 'DBIT' as const, isReversal: true };
    const entries = [{ ...back, servicerReference: 'BACK-935' }];
    await world.import({ kind: '054', id: 'N-935', entries });
    await world.follow();
    assert.equal((await world.credited()) - credited, 0n);
    const network = world.app.networks.get('live:SEPA');
    await network?.checkIdentity();
    assert.match(network?.health().advice?.join() ?? '', /1 bookings take back a payment/);
  });

  test('a batch pays for everything in it, each with its own amount', async () => {
    const credited = await world.credited();
    const inSuspense = await world.suspended();
    const [one, other] = [await world.open(1_000n), await world.open(2_000n)];
    const transactions = [
      { cents: 1_000n, structured: one.reference },
      { cents: 2_000n, unstructured: [other.reference] },
      { cents: 5n },
    ];
    const batch = { cents: 3_005n, servicerReference: 'BATCH-1', transactions };
    await world.import({ kind: '054', id: 'N-940', entries: [batch] });
    await world.import({ id: 'S-940', entries: [{ ...batch, transactions: [] }] });
    await world.import({
      id: 'S-940',
      entries: [{ ...batch, transactions: transactions.toReversed() }],
    });
    await world.follow();
    assert.equal((await world.credited()) - credited, 3_000n);
    assert.equal((await world.suspended()) - inSuspense, 5n);
    assert.equal((await world.read(other.id)).state, 'COMPLETED');
  });

  test('two equal payments are two when one statement shows both, without any reference of the bank', async () => {
    const credited = await world.credited();
    const { reference } = await world.open(4_000n);
    const half = { cents: 2_000n, transactions: [{ structured: reference }] };
    await world.import({ kind: '054', id: 'N-950', entries: [half] });
    await world.import({ kind: '054', id: 'N-951', entries: [half] });
    await world.import({ id: 'S-950', entries: [half, half] });
    await world.import({ id: 'S-951', entries: [half, half] });
    await world.follow();
    assert.equal((await world.credited()) - credited, 4_000n);
  });

  test('two who import the same at once credit once', async () => {
    const credited = await world.credited();
    const { reference } = await world.open(CENTS);
    const bytes = statementBytes({ id: 'S-960', entries: [entry({ reference, number: 960 })] });
    await Promise.all([1, 2, 3].map(() => world.importBytes(bytes)));
    await world.follow();
    assert.equal((await world.credited()) - credited, CENTS);
  });

  test('another currency than was asked for, on an account that takes both, is not credited', async () => {
    const { instruction } = await world.createAndCommit('SWIFT', 'USD:FIAT', CENTS);
    const inSuspense = await world.suspended(EUR);
    const pay = (currency: string, number: number) =>
      world.importBytes(
        statementBytes({
          id: `${currency}-${number}`,
          iban: OTHER_IBAN,
          currency,
          entries: [entry({ reference: instruction.memo ?? '', number })],
        }),
        SWIFT_ACCOUNT,
      );
    await pay('EUR', 970);
    await world.follow();
    assert.equal(await world.credited('USD:FIAT'), 0n);
    assert.equal((await world.suspended(EUR)) - inSuspense, CENTS);
    await pay('USD', 971);
    await world.follow();
    assert.equal(await world.credited('USD:FIAT'), CENTS);
    await assert.rejects(pay('GBP', 972), Refusal);
  });

  test('an entry in another currency than its account waits for a person, the file is taken', async () => {
    const { id, reference } = await world.open(CENTS);
    const foreign = (currency: string): FakeEntry => ({
      cents: 777n,
      currency,
      servicerReference: `${currency}-ENTRY`,
      transactions: [{ structured: reference }],
    });
    const honest = {
      cents: CENTS,
      servicerReference: 'BESIDE',
      transactions: [{ structured: reference }],
    };
    const statement = {
      id: 'MIXED',
      entries: [foreign('USD'), honest, foreign('RON')],
      closing: 100_000n + CENTS,
    };
    const [decision] = await world.import(statement);
    assert.equal(decision?.rows.length, 2);
    assert.equal(decision?.foreignCount, 1, 'lei are not kept here: the import says so');
    await world.follow();
    assert.equal((await world.read(id)).state, 'COMPLETED');
    const [held] = await listSuspense(world.app, { isOpen: true }, 1);
    assert(held !== undefined);
    const view = suspenseView(held);
    assert.deepEqual(
      [view.amount, view.amountAssetCode, view.reason, view.detail],
      ['7.77', 'USD', 'NO_REFERENCE', 'it is in USD, the account in EUR'],
    );
    const [again] = await world.import(statement);
    assert.equal(again?.rows.length, 0, 'importing it again adds nothing');

    // What takes the dollars back finds them, and nothing of the same sum in euro.
    const [back] = await world.import({
      id: 'BACK',
      opening: null,
      entries: [{ ...foreign('USD'), side: 'DBIT', isReversal: true }],
    });
    assert.equal(back?.undone.length, 1);
    await world.follow();
    assert.equal((await world.read(id)).state, 'COMPLETED');
  });

  test('why a booking is for nobody stands in suspense', async () => {
    const { reference } = await world.open(CENTS);
    const transactions = [{ cents: CENTS, structured: reference }, { cents: 100n }];
    const odd = { cents: 200n, servicerReference: 'ODD-BATCH', transactions };
    await world.import({ id: 'ODD', entries: [odd] });
    await world.follow();
    const [held] = await listSuspense(world.app, { isOpen: true }, 1);
    assert(held !== undefined);
    assert.equal(suspenseView(held).detail, 'its transactions do not add up to it');
    assert.match(suspenseLine(held), /its transactions do not add up to it/);
  });

  test('nothing else is wrong afterwards', async () => {
    assert.deepEqual(await world.brokenInvariants(), []);
    const held = (await world.credited(EUR)) + (await world.suspended(EUR));
    assert.equal((await world.custody('SEPA', EUR)) + (await world.custody('SWIFT', EUR)), held);
  });
});
