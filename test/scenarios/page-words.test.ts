// What a shop says on its pages in its own words, and in which order its pages say things: set from
// the command line and in the dashboard, read by customers, and never more than text.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { type CommandContext, parseInput } from '#cli/command.ts';
import { merchantPageSet } from '#cli/merchant-page.ts';
import { merchantPageWordsList, merchantPageWordsSet } from '#cli/page-words.ts';
import { listPageWords, PAGE_WORDS_MOST, PAGE_WORDS_PLACES } from '#merchant/customer-mails.ts';
import { changePageSettings, getSeller } from '#merchant/seller.ts';
import { renderCheckout } from '#pages/checkout/render-checkout.ts';
import { findSampleState } from '#pages/demo/sample-states.ts';
import { emptyTables } from '#test/support/empty-tables.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

let world: TestApp;
let merchantId: string;
before(async () => {
  world = await openTestApp();
  ({ merchantId } = world.caller);
});
beforeEach(async () => {
  await emptyTables(world.app.db, 'merchant_page_words');
  await changePageSettings(world.app, merchantId, { blocks: null, defaultLanguage: null });
});
after(() => world.close());

function command(verb: typeof merchantPageWordsSet, ...args: string[]) {
  // The commands ask for no other part of it.
  const context = { openApp: async () => world.app } as unknown as CommandContext;
  return verb.run(context, parseInput(verb, [...args]));
}

const say = (place: string, language: string, words: string) =>
  command(
    merchantPageWordsSet,
    ...['--place', place, '--language', language, '--words', words],
    ...['--merchant', merchantId, '--by', 'ann'],
  );

/** The page as it is sent, of a sample that is drawn by the same code as every other. */
async function markupOf(state: string, language: string): Promise<string> {
  const seller = await getSeller(world.app.db, merchantId);
  const sample = findSampleState(state)?.make({ seller, language, sample: state });
  assert.ok(sample !== undefined);
  return renderCheckout(sample).body.markup;
}

const textsOf = (markup: string, place: string) =>
  [...markup.matchAll(new RegExp(`<(\\w+)[^>]* data-own="${place}"[^>]*>.*?</\\1>`, 'gs'))].map(
    ([found]) => found,
  );

test('own words stand where they belong, in the language of the page alone', async () => {
  await say('HEADING', 'de', 'Sommer bei Fern & Folio');
  await say('PAY_NOTE', 'de', 'Bitte mit <Namen> bezahlen.\r\nDanke!\r\n\r\n\r\nIhr Laden');
  await say('PAID', 'de', 'Wir packen schon.');
  await say('TERMS', 'de', 'Fragen: https://fern.example/hilfe');
  const pay = await markupOf('pay', 'de');
  assert.deepEqual(textsOf(pay, 'PAY_NOTE'), [
    '<div class="own" data-own="PAY_NOTE"><p><bdi>Bitte mit &lt;Namen&gt; bezahlen.</bdi><br>' +
      '<bdi>Danke!</bdi></p><p><bdi>Ihr Laden</bdi></p></div>',
  ]);
  const places = ['Sommer bei', '<main', 'Bitte mit', '</main>', 'Fragen: https://fern'].map(
    (one) => pay.indexOf(one),
  );
  assert.ok(!places.includes(-1));
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  );
  assert.ok(!pay.includes('href="https://fern.example'), 'an address is no link');
  assert.equal(textsOf(pay, 'PAID').length, 0);
  assert.match(textsOf(await markupOf('paid', 'de'), 'PAID').join(), /Wir packen schon/);
  assert.match(textsOf(await markupOf('partial', 'de'), 'PAY_NOTE').join(), /Ihr Laden/);
  assert.ok(!(await markupOf('pay', 'fr')).includes('data-own'), 'the default language is English');
});

test('a language without own words has those of the language of the shop, which is marked', async () => {
  await say('TERMS', 'de', 'Nur auf Deutsch');
  await say('TERMS', 'ar', 'شروط المتجر');
  await changePageSettings(world.app, merchantId, { defaultLanguage: 'ar' });
  const french = textsOf(await markupOf('pay', 'fr'), 'TERMS').join();
  assert.match(french, / lang="ar" dir="rtl">/);
  const german = textsOf(await markupOf('pay', 'de'), 'TERMS').join();
  assert.ok(german.includes('Nur auf Deutsch') && !german.includes(' lang='));
});

test('what is too long, has too many lines or is no plain text is refused, and nothing is stored', async () => {
  for (const place of PAGE_WORDS_PLACES) {
    const { characters, lines } = PAGE_WORDS_MOST[place];
    await say(place, 'en', 'x'.repeat(characters));
    await say(place, 'en', '');
    for (const wrong of [
      'x'.repeat(characters + 1),
      'x\n'.repeat(lines).concat('x'),
      'a\u0000b',
      'a\u001bb',
      'a\ud800b',
    ]) {
      await assert.rejects(say(place, 'en', wrong), { code: 'page_words' }, JSON.stringify(wrong));
    }
  }
  assert.deepEqual(await listPageWords(world.app.db, merchantId), []);
  await assert.rejects(say('FOOT', 'en', 'x'), { code: 'usage' });
  await assert.rejects(say('PAID', 'xx', 'x'), { code: 'usage' });
});

test('hostile texts stay text, in every place', async () => {
  const hostile = [
    '</p></div><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '\u202egnp.exe',
    '&lt;b&gt;',
    "' onmouseover='x",
  ];
  for (const text of hostile) {
    for (const place of PAGE_WORDS_PLACES) await say(place, 'en', text);
    for (const state of ['choose', 'pay', 'partial', 'paid']) {
      const markup = await markupOf(state, 'en');
      assert.doesNotMatch(markup, /<script|<img src=x|onmouseover='|\u202e/, `${text} on ${state}`);
    }
  }
});

test('what is said is listed, and the trail holds it', async () => {
  await say('PAID', 'en', 'Thanks\nfrom us');
  const { json, text } = await command(merchantPageWordsList, '--merchant', merchantId);
  assert.deepEqual(json, {
    merchantId,
    words: [{ place: 'PAID', language: 'en', words: 'Thanks\nfrom us' }],
  });
  assert.equal(text, 'PAID en\n    Thanks\n    from us');
  const [act] = await listActs(world.app.db, {}, 1);
  assert.equal(act?.verb, 'merchant-page-set');
  assert.match(JSON.stringify(act?.details), /Thanks/);
});

test('the parts of a page come in the order of the shop, in the document itself', async () => {
  await say('TERMS', 'en', 'Ask us');
  const orders = ['pay,order,note', 'order,pay,note', 'note,order,pay', 'order,note,pay'] as const;
  const marks = { pay: '<main', order: 'id="summary-title"', note: 'data-own="TERMS"' };
  for (const order of orders) {
    await command(merchantPageSet, '--blocks', order, '--merchant', merchantId, '--by', 'ann');
    const markup = await markupOf('pay', 'en');
    const found = Object.entries(marks).toSorted(
      ([, one], [, other]) => markup.indexOf(one) - markup.indexOf(other),
    );
    assert.equal(found.map(([name]) => name).join(), order);
    assert.ok(Object.values(marks).every((mark) => markup.split(mark).length === 2));
    assert.equal(markup.indexOf('class="skip"') < markup.indexOf('class="columns'), true);
  }
  for (const wrong of ['pay', 'pay,order', 'pay,order,note,pay', 'pay,order,foot', '']) {
    await assert.rejects(
      command(merchantPageSet, '--blocks', wrong, '--merchant', merchantId, '--by', 'ann'),
      /blocks: must be each of pay, order, note once/,
    );
  }
});
