import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LanguageCode } from '#catalog/language.ts';
import { languageFaults, partsOf, textsBeside } from './check-language.ts';
import { en } from './en.ts';
import { filledAll } from './filled.ts';
import {
  findPageLanguage,
  listPageLanguages,
  offeredLanguage,
  pageLanguage,
  preferredDashboardLanguage,
  preferredLanguage,
} from './texts.ts';

const ACCEPTED: readonly (readonly [header: string | undefined, code: string])[] = [
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.5, de;q=0.9', 'de'],
  ['de;q=0, en;q=0.1', 'en'],
  ['xx, de;q=0.1', 'de'],
  ['*', 'en'],
  ['DE-de', 'de'],
  ['de;q=nonsense', 'en'],
  ['de;q=2, fr;q=0.001', 'fr'],
  ['fr;q=0.3, tr;q=0.9, pl;q=0.8', 'tr'],
  ['pt-BR', 'pt-BR'],
  ['pt', 'pt'],
  ['pt-AO', 'pt'],
  ['zh-CN', 'zh-Hans'],
  ['zh', 'zh-Hans'],
  ['zh-HK, zh;q=0.5', 'zh-Hans'],
  ['iw-IL', 'he'],
  ['ar-EG', 'ar'],
  ['pt-PT', 'pt'],
  ['nl-BE', 'nl'],
  ['zh-TW, nl', 'nl'],
  ['i-klingon, de', 'de'],
  ['es-419, it', 'es'],
  ['pl-PL;level=1;q=0.4, it;q=0.3', 'pl'],
  ['*, it;q=0.1', 'it'],
  [`${'x,'.repeat(10_000)}de`, 'en'],
];

for (const [header, code] of ACCEPTED) {
  test(`Accept-Language ${JSON.stringify(header)?.slice(0, 40)} reads ${code}`, () => {
    assert.equal(preferredLanguage(header).code, code);
    assert.equal(findPageLanguage('auto', header)?.code, code);
  });
}

test('the language of the address wins over the browser; one that is unknown is no address', () => {
  assert.equal(findPageLanguage('de', 'en')?.code, 'de');
  assert.equal(findPageLanguage('xx', 'en'), undefined);
  assert.equal(findPageLanguage('DE', 'en'), undefined);
});

/** What the address names, what the browser wants, what the shop asked for itself, what is shown. */
const OFFERED: readonly (readonly [
  named: string,
  accepted: string | undefined,
  asked: string,
  shown: string,
])[] = [
  ['auto', 'fr, de;q=0.5', 'auto', 'de'],
  ['auto', 'fr, it;q=0.5', 'auto', 'it'],
  ['auto', 'fr, ja', 'auto', 'it'],
  ['auto', undefined, 'auto', 'it'],
  ['auto', '*', 'auto', 'it'],
  ['de', 'it', 'auto', 'de'],
  // What somebody writes into the address is a wish, as that of his browser is.
  ['fr', 'de', 'auto', 'de'],
  ['fr', 'en', 'auto', 'it'],
  ['fr', undefined, 'auto', 'it'],
  // The shop made this page in French: it offers it here.
  ['fr', 'de', 'fr', 'fr'],
  ['auto', 'fr', 'fr', 'fr'],
  ['de', 'fr', 'fr', 'de'],
  ['auto', 'pl', 'fr', 'it'],
];

for (const [named, accepted, asked, shown] of OFFERED) {
  test(`of German and Italian: /${named}/ with ${accepted}, made in ${asked}, reads ${shown}`, () => {
    const wished = findPageLanguage(named, accepted);
    assert.ok(wished !== undefined);
    const settings = { languages: ['de', 'it'], defaultLanguage: 'it' } as const;
    const language = offeredLanguage(wished, settings, asked);
    assert.equal(language.code, shown);
    assert.deepEqual(language.offered, asked === 'fr' ? ['de', 'it', 'fr'] : ['de', 'it']);
  });
}

test('every language says all that English says, itself and well as far as a program sees', () => {
  for (const { code } of listPageLanguages()) {
    const said = textsBeside(partsOf(code));
    assert.ok(said.length > 300);
    assert.deepEqual(languageFaults(code, said), [], code);
  }
});

test('what a language does not say yet is English', () => {
  const { texts } = pageLanguage('nl');
  assert.equal(texts.page.copy, 'Kopiëren');
  const own = { page: { copy: 'Kopiëren' } };
  const every = Object.fromEntries(listPageLanguages().map(({ code }) => [code, own]));
  const { page } = filledAll(en, every as Parameters<typeof filledAll<typeof en>>[1]).nl;
  assert.deepEqual([page.copy, page.back], ['Kopiëren', 'Back']);
});

const said = (own: string, english = 'Send {amount} to this address') => [
  { key: 'pay.amount', english, own, given: ['{amount}'] },
];

const FAULTS: readonly (readonly [code: string, own: string, fault: string])[] = [
  ['nl', 'Send {amount} to this address', 'is what English says'],
  ['nl', 'Stuur het naar dit adres', 'does not use {amount}'],
  ['nl', `Stuur {amount}${' heel ver'.repeat(9)}`, 'has 95 characters, English 29'],
  ['nl', 'Stuur  {amount}', 'has spaces too many'],
  ['nl', 'Stuur "{amount}"', 'has typewriter quotes'],
  ['nl', 'Stuur {amount} (nu', 'has ( and ) not in pairs'],
  ['nl', 'Stuur {amount} undefined', 'does not say what is put in'],
  ['nl', `{amount} ${'w'.repeat(25)}`, 'has a word of 25 characters, which is wider than a phone'],
  ['fr', 'Envoyez {amount}: ici', 'lacks a no-break space'],
  ['ru', 'Send only {amount}', 'has no letter of its language'],
];

for (const [code, own, fault] of FAULTS) {
  test(`"${own.slice(0, 30)}" in ${code} ${fault}`, () => {
    assert.deepEqual(languageFaults(code, said(own)), [{ key: 'pay.amount', fault }]);
  });
}

test('a language that lacks a text says which one customers read in English', () => {
  const faults = languageFaults('sv', textsBeside({ verify: { title: 'Kontrollera kvittot' } }));
  assert.ok(!faults.some(({ key }) => key === 'verify.title'));
  assert.deepEqual(faults[0], {
    key: 'verify.hint',
    fault: 'is missing: customers read English',
  });
});

test('buttons and labels beside others are short in every language', () => {
  for (const { code, texts } of listPageLanguages()) {
    const { page, pay, choose } = texts;
    assert.ok(Math.max(page.copy.length, page.copied.length) <= 11, code);
    assert.ok(pay.qrLink.length + pay.qrAddress.length <= 34, code);
    assert.ok(choose.continue.length <= 14, code);
  }
});

const COUNTS: readonly (readonly [code: LanguageCode, number: number, networks: string])[] = [
  ['en', 1, '1 network'],
  ['en', 2, '2 networks'],
  ['de', 1, '1 Netzwerk'],
  ['de', 0, '0 Netzwerke'],
  ['fr', 0, '0 réseau'],
  ['fr', 2, '2 réseaux'],
  ['pt', 0, '0 rede'],
  ['tr', 2, '2 ağ'],
  ['pl', 1, '1 sieć'],
  ['pl', 2, '2 sieci'],
  ['pl', 5, '5 sieci'],
  ['ru', 21, '21 сеть'],
  ['ru', 22, '22 сети'],
  ['ru', 25, '25 сетей'],
  ['uk', 11, '11 мереж'],
  ['cs', 3, '3 sítě'],
  ['cs', 5, '5 sítí'],
  ['ro', 19, '19 rețele'],
  ['ro', 20, '20 de rețele'],
  ['nl', 1, '1 netwerk'],
  ['ja', 2, '2 ネットワーク'],
  ['he', 1, 'רשת אחת'],
  ['he', 2, '2 רשתות'],
  ['ar', 0, '0 شبكة'],
  ['ar', 1, 'شبكة واحدة'],
  ['ar', 2, 'شبكتان'],
  ['ar', 3, '3 شبكات'],
  ['ar', 11, '11 شبكة'],
  ['ar', 100, '100 شبكة'],
];

for (const [code, number, networks] of COUNTS) {
  test(`${number} networks in ${code}`, () => {
    assert.equal(pageLanguage(code).texts.paying.choose.networks(number), networks);
  });
}

test('a shop that offers one Portuguese offers it to all who read Portuguese', () => {
  for (const [offered, wanted] of [
    ['pt', 'pt-BR'],
    ['pt-BR', 'pt-PT'],
  ] as const) {
    const settings = { languages: ['de', offered], defaultLanguage: 'de' } as const;
    assert.equal(offeredLanguage(preferredLanguage(wanted), settings).code, offered);
  }
});

test('whoever works here reads the first that the dashboard has', () => {
  assert.equal(preferredDashboardLanguage('ja, uk;q=0.9, it;q=0.5'), 'it');
  assert.equal(preferredDashboardLanguage('pt-BR, it;q=0.5'), 'pt');
  assert.equal(preferredDashboardLanguage('ja'), 'en');
});

test('confirmations are counted by how many are needed', () => {
  const said = (code: LanguageCode, have: number, need: number) =>
    pageLanguage(code).texts.seen.confirmations(have, need);
  assert.equal(said('en', 0, 1), '0 of 1 confirmation');
  assert.equal(said('de', 1, 6), '1 von 6 Bestätigungen');
  assert.equal(said('pl', 0, 1), '0 z 1 potwierdzenia');
  assert.equal(said('pl', 1, 2), '1 z 2 potwierdzeń');
  assert.equal(said('tr', 1, 3), '3 onaydan 1 tanesi alındı');
});
