import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '#catalog/language.ts';
import { renderCheckout } from '#pages/checkout/render-checkout.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import { PAGES } from '#test/support/checkout-pages.ts';

/** Where links and forms of a page lead on this service, without pictures. */
function targets(markup: string): string[] {
  return [...markup.matchAll(/(?:href|action|data-source)="(\/[^"]*)"/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.startsWith('/images/'));
}

test('whatever is pressed on any page keeps the language of its address', () => {
  for (const [name, make] of Object.entries(PAGES)) {
    for (const languageName of ['auto', 'tr']) {
      const page = { ...make(), language: pageLanguage('tr'), languageName };
      const { markup } = renderCheckout(page).body;
      const [before = '', after = ''] = markup.split(/<nav class="languages[\s\S]*?<\/nav>/);
      const paths = [...targets(before), ...targets(after)];
      assert.ok(paths.length > 0, name);
      for (const path of paths) assert.ok(path.startsWith(`/${languageName}/`), `${name} ${path}`);
    }
  }
});

test('every page can be read in every language, in the same view', () => {
  for (const [name, make] of Object.entries(PAGES)) {
    const page = { ...make(), languageName: 'auto' };
    const { markup } = renderCheckout(page).body;
    const [list = ''] = /<nav class="languages[\s\S]*?<\/nav>/.exec(markup) ?? [];
    const paths = targets(list);
    assert.equal(paths.length, LANGUAGES.length, name);
    assert.equal(new Set(paths.map((path) => path.replace(/^\/[a-z-]+/i, ''))).size, 1);
    LANGUAGES.forEach(({ languageCode, name: own }, index) => {
      assert.ok(paths[index]?.startsWith(`/${languageCode}/`), name);
      assert.ok(list.includes(`lang="${languageCode}"`) && list.includes(`>${own}</a>`), own);
    });
    assert.equal(list.match(/aria-current="true"/g)?.length, 1);
  }
});

test('no sentence of a page stays English in another language', () => {
  const english = Object.values(pageLanguage('en').texts).flatMap((part) =>
    Object.values(part).filter((text) => typeof text === 'string' && text.length > 12),
  );
  for (const [name, make] of Object.entries(PAGES)) {
    for (const { languageCode } of LANGUAGES.filter((one) => one.languageCode !== 'en')) {
      const page = { ...make(), language: pageLanguage(languageCode), languageName: languageCode };
      const { markup } = renderCheckout(page).body;
      const found = english.filter((text) => markup.includes(`>${text}<`));
      assert.deepEqual(found, [], `${name} ${languageCode}`);
    }
  }
});
