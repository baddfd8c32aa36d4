// Which mails an invoice has and on which days, and what each of them says: against one table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BillMailKind, planBillMails } from '#billing/bill-mails.ts';
import { decideBillMail } from './decide-bill-mail.ts';

const open = { state: 'ISSUED', isUnderWay: false } as const;

test('it is mailed when it is issued, three days before it is due, on the day, and a week later', () => {
  const plan = (issuedOn: string, dueOn: string) =>
    planBillMails({ issuedOn, dueOn }).map(({ kind, tellOn }) => `${kind} ${tellOn}`);
  assert.deepEqual(plan('2026-02-20', '2026-03-01'), [
    'BILL_SENT 2026-02-20',
    'BILL_DUE_SOON 2026-02-26',
    'BILL_DUE 2026-03-01',
    'BILL_OVERDUE 2026-03-08',
  ]);
  assert.deepEqual(
    plan('2026-03-01', '2026-03-04'),
    ['BILL_SENT 2026-03-01', 'BILL_DUE 2026-03-04', 'BILL_OVERDUE 2026-03-11'],
    'nobody is reminded on the day on which he gets it',
  );
  assert.deepEqual(plan('2026-03-01', '2026-03-01'), [
    'BILL_SENT 2026-03-01',
    'BILL_OVERDUE 2026-03-08',
  ]);
});

/** Due on the 10th: what is said, by the day on which it is looked at. */
const SAID: readonly (readonly [kind: BillMailKind, tellOn: number, byDay: string])[] = [
  // Days:               1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21
  ['BILL_SENT', 1, 'sent sent sent sent - - - - - - - - - - - - - - - - -'],
  ['BILL_DUE_SOON', 7, '. . . . . . soon soon soon - - - - - - - - - - - -'],
  ['BILL_DUE', 10, '. . . . . . . . . today overdue overdue overdue - - - - - - - -'],
  ['BILL_OVERDUE', 17, '. . . . . . . . . . . . . . . . overdue overdue overdue overdue -'],
];

const dayOf = (day: number) => `2026-03-${String(day).padStart(2, '0')}`;

test('it says what is so on the day on which it is looked at, and nothing that is older than four days', () => {
  for (const [kind, from, byDay] of SAID) {
    for (const [index, said] of byDay.split(' ').entries()) {
      if (said === '.') continue;
      const dates = { tellOn: dayOf(from), dueOn: dayOf(10), today: dayOf(index + 1) };
      const wanted = said === '-' ? undefined : said;
      assert.equal(decideBillMail(kind, { ...open, ...dates }), wanted, `${kind} ${dates.today}`);
    }
  }
});

test('who is reminded by hand reads what is so', () => {
  const on = (day: number) =>
    decideBillMail('BILL_REMINDER', {
      ...open,
      tellOn: dayOf(day),
      dueOn: dayOf(10),
      today: dayOf(day),
    });
  assert.deepEqual([on(2), on(10), on(11), on(30)], ['soon', 'today', 'overdue', 'overdue']);
});

test('one that is paid, cancelled, under way or not issued is asked for by no mail', () => {
  for (const [kind, from] of SAID) {
    const dates = { tellOn: dayOf(from), dueOn: dayOf(10), today: dayOf(from) };
    for (const state of ['PAID', 'CANCELLED', 'DRAFT'] as const) {
      assert.equal(decideBillMail(kind, { ...open, state, ...dates }), undefined);
    }
    assert.equal(decideBillMail(kind, { ...open, isUnderWay: true, ...dates }), undefined);
  }
});
