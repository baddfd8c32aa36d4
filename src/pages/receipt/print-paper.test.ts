import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { pageLanguage } from '#pages/languages/texts.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import type { Paper } from './paper.ts';
import { drawPaper } from './paper-pdf.ts';
import { createPaperPrinter, createPdfThread } from './print-paper.ts';

function paper(reference: string, lines = 1): Paper {
  return {
    kind: 'receipt',
    language: pageLanguage('de'),
    title: 'Quittung',
    reference,
    shopName: 'Fern & Folio',
    isTest: true,
    issuedAt: Temporal.Instant.from('2026-03-05T13:05:00Z'),
    facts: [{ label: 'Zahlung', value: reference, look: 'code' }],
    parties: [{ label: 'Verkäufer', lines: ['Fern & Folio'] }],
    lines: Array.from({ length: lines }, (_, index) => ({
      kind: undefined,
      description: `${reference}, a book with a rather long title, volume ${index}`,
      detail: '2 × 3,00 €',
      amount: '6,00 €',
    })),
    totals: [{ label: 'Summe', value: '6,00 €', look: 'text' }],
    sections: [],
    notes: [],
    payment: undefined,
  };
}

const clock = manualClock('2026-11-22T00:00:00Z');

/** Says what it was given, when it is told to. */
function fakeThread() {
  const drawn: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    drawn,
    goOn: () => waiting.shift()?.(),
    draw(job: string): Promise<Uint8Array> {
      drawn.push(job);
      return new Promise((resolve) => waiting.push(() => resolve(new TextEncoder().encode(job))));
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a paper drawn beside the event loop is the one that is drawn in it', async () => {
  const printer = createPaperPrinter(clock, createPdfThread());
  const one = paper('abc123def456', 40);
  assert.deepEqual(Buffer.from(await printer.print('token', one)), await drawPaper(one));
});

test('three long receipts at once take of this thread less than one of them does in it', async () => {
  const printer = createPaperPrinter(clock, createPdfThread());
  await printer.print('first', paper('warm'));
  const inThread = await timeOfThread(() => drawPaper(paper('inline', 450)));
  const tokens = ['a', 'b', 'c'];
  const beside = await timeOfThread(() =>
    Promise.all(tokens.map((token) => printer.print(token, paper(token, 450)))),
  );
  assert.ok(beside < inThread / 2, `took ${beside} µs, one in the thread ${inThread} µs`);
});

/** Of the processor, which is the same however busy the machine is. */
async function timeOfThread(act: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await act();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

test('what was drawn, or is being drawn, is not drawn again', async () => {
  const thread = fakeThread();
  const printer = createPaperPrinter(clock, thread);
  const both = Promise.all([printer.print('t', paper('x')), printer.print('t', paper('x'))]);
  await turn();
  thread.goOn();
  const [one, same] = await both;
  assert.deepEqual(one, same);
  for (let again = 0; again < 100; again += 1) await printer.print('t', paper('x'));
  assert.equal(thread.drawn.length, 1);
});

test('one is drawn at a time, and a line that is full takes nobody else', async () => {
  const thread = fakeThread();
  const printer = createPaperPrinter(clock, thread);
  const prints = Array.from({ length: 20 }, (_, at) => printer.print(`${at}`, paper(`${at}`)));
  await turn();
  assert.equal(thread.drawn.length, 1);
  await assert.rejects(printer.print('late', paper('late')), { retryAfterSeconds: 5 });
  for (let at = 0; at < 20; at += 1) {
    thread.goOn();
    await turn();
    await turn();
  }
  assert.equal((await Promise.all(prints)).length, 20);
});

test('one link is drawn for twelve times in a minute, another one all the same', async () => {
  const thread = fakeThread();
  const printer = createPaperPrinter(clock, thread);
  const print = async (token: string, reference: string) => {
    const printed = printer.print(token, paper(reference));
    printed.catch(() => undefined);
    await turn();
    thread.goOn();
    return printed;
  };
  for (let at = 0; at < 12; at += 1) await print('t', `x${at}`);
  await assert.rejects(print('t', 'x12'), { code: 'rate_limited' });
  await print('other', 'x12');
  await clock.advance(60_000);
  await print('t', 'x13');
});

test('a paper that cannot be drawn is an error of its own, and the next one is drawn', async () => {
  const thread = createPdfThread();
  await assert.rejects(thread.draw('no paper'));
  const { length } = await createPaperPrinter(clock, thread).print('t', paper('after'));
  assert.ok(length > 1_000);
});
